//! Deploying the dice contract to a real local chain, knowing it again, and taking nothing else for it.

use alloy::primitives::{Address, Bytes};
use alloy::providers::{DynProvider, Provider as _};
use alloy::signers::local::PrivateKeySigner;
use deploy::anvil::{Anvil, FIRST_ACCOUNT_KEY, Mining};
use deploy::{Deployed, DeploymentError, DiceDeployment, Direct, Repository, deploy_dice};

async fn set_code(provider: &DynProvider, address: Address, code: Bytes) {
    let set: Result<serde_json::Value, _> = provider.raw_request("anvil_setCode".into(), (address, code)).await;
    set.unwrap();
}

#[tokio::test]
async fn the_dice_contract_is_known_again_and_nothing_else_passes_for_it() {
    let repository = Repository::find_here().unwrap();
    let anvil = Anvil::start(&repository, Mining::Instant).unwrap();
    let (folder, provider) = (tempfile::tempdir().unwrap(), anvil.provider().unwrap());
    let rpc = anvil.rpc();
    let read = || DiceDeployment::read(folder.path(), &rpc);
    assert!(matches!(read().await, Err(DeploymentError::Unknown { chain_id: 31337, .. })));
    let signer: PrivateKeySigner = FIRST_ACCOUNT_KEY.parse().unwrap();
    let deployed = deploy_dice(&rpc, repository, folder.path(), &Direct::new(&rpc, &signer).unwrap()).await.unwrap();
    assert_eq!(read().await.unwrap(), deployed);

    let path = DiceDeployment::path(folder.path(), 31337);
    let write = |changed: &DiceDeployment| std::fs::write(&path, serde_json::to_string(changed).unwrap()).unwrap();
    let is_foreign = async || matches!(read().await, Err(DeploymentError::Foreign { contract: "dice contract", .. }));
    // The same code that nobody has created by ours: it may owe what nobody has paid in.
    let code = provider.get_code_at(deployed.dice.address).await.unwrap();
    let other = Address::repeat_byte(7);
    set_code(&provider, other, code.clone()).await;
    write(&DiceDeployment { dice: Deployed { address: other, ..deployed.dice }, ..deployed.clone() });
    assert!(is_foreign().await, "not created");
    write(&DiceDeployment { block: deployed.block - 1, ..deployed.clone() });
    assert!(is_foreign().await, "another block");
    write(&DiceDeployment { chain_id: 1, ..deployed.clone() });
    assert!(matches!(read().await, Err(DeploymentError::WrongChain { found: 1, .. })));
    write(&deployed);
    assert_eq!(read().await.unwrap(), deployed);
    set_code(&provider, deployed.dice.address, Bytes::new()).await;
    assert!(matches!(read().await, Err(DeploymentError::NoCode { contract: "dice contract", .. })));
    for place in [0, code.len() / 2, code.len() - 1] {
        let mut foreign = code.to_vec();
        foreign[place] ^= 1;
        set_code(&provider, deployed.dice.address, foreign.into()).await;
        assert!(is_foreign().await, "byte {place}");
    }
}
