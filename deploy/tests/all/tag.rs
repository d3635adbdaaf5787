//! Deploying the contract of tag to a real local chain, knowing it again, and taking nothing else for it.

use alloy::primitives::{Address, Bytes};
use alloy::providers::{DynProvider, Provider as _};
use alloy::signers::local::PrivateKeySigner;
use deploy::anvil::{Anvil, FIRST_ACCOUNT_KEY, Mining};
use deploy::{Deployed, DeploymentError, Direct, Repository, TagDeployment, deploy_tag};

async fn set_code(provider: &DynProvider, address: Address, code: Bytes) {
    let set: Result<serde_json::Value, _> = provider.raw_request("anvil_setCode".into(), (address, code)).await;
    set.unwrap();
}

/// The contract from the account of Anvil's first, whose contracts since stand one nonce after the other: verifier, keys, contract.
#[tokio::test]
async fn the_tag_contract_is_known_again_and_nothing_else_passes_for_it() {
    let repository = Repository::find_here().unwrap();
    let anvil = Anvil::start(&repository, Mining::Instant).unwrap();
    let (folder, provider) = (tempfile::tempdir().unwrap(), anvil.provider().unwrap());
    let rpc = anvil.rpc();
    let read = || TagDeployment::read(folder.path(), &rpc);
    assert!(matches!(read().await, Err(DeploymentError::Unknown { chain_id: 31337, .. })));
    let signer: PrivateKeySigner = FIRST_ACCOUNT_KEY.parse().unwrap();
    let nonce = provider.get_transaction_count(signer.address()).await.unwrap();
    let deployed =
        deploy_tag(&rpc, repository, folder.path(), true, &Direct::new(&rpc, &signer).unwrap()).await.unwrap();
    assert_eq!(read().await.unwrap(), deployed);

    let path = TagDeployment::path(folder.path(), 31337);
    let write = |changed: &TagDeployment| std::fs::write(&path, serde_json::to_string(changed).unwrap()).unwrap();
    let foreign = async || match read().await {
        Err(DeploymentError::Foreign { contract, .. }) => contract,
        other => panic!("{other:?}"),
    };
    // Keys of the ceremony are others.
    write(&TagDeployment { development_only: false, ..deployed.clone() });
    assert_eq!(foreign().await, "key of tag step");
    // The same code that nobody has created by ours.
    let tag = deployed.tag.address;
    let code = provider.get_code_at(tag).await.unwrap();
    let other = Address::repeat_byte(7);
    set_code(&provider, other, code.clone()).await;
    write(&TagDeployment { tag: Deployed { address: other, ..deployed.tag }, ..deployed.clone() });
    assert_eq!(foreign().await, "tag contract");
    write(&TagDeployment { block: deployed.block - 1, ..deployed.clone() });
    assert_eq!(foreign().await, "tag contract");
    write(&TagDeployment { chain_id: 1, ..deployed.clone() });
    assert!(matches!(read().await, Err(DeploymentError::WrongChain { found: 1, .. })));
    write(&deployed);
    // A verifier that accepts everything, and foreign keys, behind the right contract.
    let names = ["narrow verifier", "key of tag step", "key of tag reply", "key of tag capture"];
    for (number, name) in (0..).zip(names) {
        let address = signer.address().create(nonce + number);
        let right = provider.get_code_at(address).await.unwrap();
        set_code(&provider, address, Bytes::from_static(&[0x60, 1, 0x5f, 0x52, 0x60, 0x20, 0x5f, 0xf3])).await;
        assert_eq!(foreign().await, name);
        set_code(&provider, address, right).await;
    }
    assert_eq!(read().await.unwrap(), deployed);
    set_code(&provider, tag, Bytes::new()).await;
    assert!(matches!(read().await, Err(DeploymentError::NoCode { contract: "tag contract", .. })));
    for place in [0, code.len() / 2, code.len() - 1] {
        let mut changed = code.to_vec();
        changed[place] ^= 1;
        set_code(&provider, tag, changed.into()).await;
        assert_eq!(foreign().await, "tag contract", "byte {place}");
    }
}

#[tokio::test]
async fn development_keys_of_tag_stay_on_local_chains() {
    let repository = Repository::find_here().unwrap();
    let anvil = Anvil::start(&repository, Mining::Instant).unwrap();
    let provider = anvil.provider().unwrap();
    let set: Result<serde_json::Value, _> = provider.raw_request("anvil_setChainId".into(), (5,)).await;
    set.unwrap();
    let (folder, rpc) = (tempfile::tempdir().unwrap(), anvil.rpc());
    let creator = Direct::new(&rpc, &FIRST_ACCOUNT_KEY.parse().unwrap()).unwrap();
    let refused = deploy_tag(&rpc, repository, folder.path(), true, &creator).await;
    let is_refused =
        matches!(refused, Err(deploy::DeployError::Deployment(DeploymentError::DevelopmentOnRealChain(5))));
    assert!(is_refused, "{refused:?}");
}
