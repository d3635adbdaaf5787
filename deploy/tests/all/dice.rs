//! Deploying the dice contract to a real local chain, knowing it again, and taking nothing else for it. And, because it is the smallest deployment, what
//! holds for all: what is recorded is final, and what players would refuse isn't paid for.

use std::path::Path;
use std::time::Duration;

use alloy::eips::BlockNumberOrTag;
use alloy::eips::eip2718::Encodable2718 as _;
use alloy::primitives::{Address, Bytes};
use alloy::providers::{DynProvider, Provider as _};
use alloy::signers::local::PrivateKeySigner;
use deploy::anvil::{Anvil, FIRST_ACCOUNT_KEY, Mining};
use deploy::{DeployError, Deployed, DeploymentError, DiceDeployment, Direct, Repository, deploy_dice};

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

/// A chain that isn't local, by its id, with no blocks but those that are asked for.
async fn real_chain(repository: &Repository) -> (Anvil, DynProvider) {
    let anvil = Anvil::start(repository, Mining::Instant).unwrap();
    let provider = anvil.provider().unwrap();
    provider.raw_request::<_, ()>("anvil_setChainId".into(), (11_155_111u64,)).await.unwrap();
    (anvil, provider)
}

/// The file names a block, for ever: one that another takes the place of would make all that play there refuse it.
#[tokio::test]
async fn what_is_recorded_is_final() {
    let repository = Repository::find_here().unwrap();
    let (anvil, provider) = real_chain(&repository).await;
    let (folder, rpc) = (tempfile::tempdir().unwrap(), anvil.rpc());
    let creator = Direct::new(&rpc, &FIRST_ACCOUNT_KEY.parse().unwrap()).unwrap();
    let blocks = async {
        loop {
            anvil.mine(1).await.unwrap();
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    let made = tokio::select! {
        made = deploy_dice(&rpc, repository, folder.path(), &creator) => made.unwrap(),
        () = blocks => unreachable!(),
    };
    let last = provider.get_block_by_number(BlockNumberOrTag::Finalized).await.unwrap().unwrap().header.number;
    assert!(made.block <= last, "recorded as of block {}, while {last} is final", made.block);
    assert_eq!(DiceDeployment::read(folder.path(), &rpc).await.unwrap(), made);
}

/// A fork in which the same transaction comes some blocks later, after the time in which nothing but finality was waited for.
#[tokio::test]
async fn a_creation_that_a_fork_moves_is_recorded_where_it_is_in_the_end() {
    let repository = Repository::find_here().unwrap();
    let (anvil, provider) = real_chain(&repository).await;
    let (folder, rpc) = (tempfile::tempdir().unwrap(), anvil.rpc());
    let signer: PrivateKeySigner = FIRST_ACCOUNT_KEY.parse().unwrap();
    let creator = Direct::new(&rpc, &signer).unwrap();
    let fork = async {
        while provider.get_transaction_count(signer.address()).await.unwrap() == 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let block = provider.get_block(Default::default()).full().await.unwrap().unwrap();
        let created = block.transactions.into_transactions().next().unwrap();
        tokio::time::sleep(Duration::from_secs(2)).await;
        anvil.reorganise(1).await.unwrap();
        anvil.mine(3).await.unwrap();
        let raw = created.inner.inner().encoded_2718();
        let _pending = provider.send_raw_transaction(&raw).await.unwrap();
        anvil.mine(100).await.unwrap();
        block.header.number
    };
    let (made, first) = tokio::join!(deploy_dice(&rpc, repository, folder.path(), &creator), fork);
    let made = made.unwrap();
    assert!(made.block > first, "the fork has moved it");
    assert_eq!(DiceDeployment::read(folder.path(), &rpc).await.unwrap(), made);
    assert_eq!(provider.get_transaction_count(signer.address()).await.unwrap(), 1);
}

/// Stopped while it waits: nothing is on file, and given again it goes on without paying.
#[tokio::test]
async fn who_stops_waiting_for_finality_pays_for_nothing_twice() {
    let repository = Repository::find_here().unwrap();
    let (anvil, provider) = real_chain(&repository).await;
    let (folder, rpc) = (tempfile::tempdir().unwrap(), anvil.rpc());
    let signer: PrivateKeySigner = FIRST_ACCOUNT_KEY.parse().unwrap();
    let creator = Direct::new(&rpc, &signer).unwrap();
    let path = DiceDeployment::path(folder.path(), 11_155_111);
    let created = async {
        while provider.get_transaction_count(signer.address()).await.unwrap() == 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        tokio::time::sleep(Duration::from_secs(2)).await;
    };
    tokio::select! {
        made = deploy_dice(&rpc, repository.clone(), folder.path(), &creator) => panic!("nothing is final: {made:?}"),
        () = created => {}
    }
    assert!(!path.exists() && path.with_extension("begun").exists());
    anvil.mine(100).await.unwrap();
    let made = deploy_dice(&rpc, repository, folder.path(), &creator).await.unwrap();
    assert_eq!(provider.get_transaction_count(signer.address()).await.unwrap(), 1);
    assert_eq!(DiceDeployment::read(folder.path(), &rpc).await.unwrap(), made);
    assert!(!path.with_extension("begun").exists());
}

/// A clone in which somebody has changed the contract: every player would refuse what it compiles to.
#[tokio::test]
async fn what_this_program_was_not_built_with_is_not_paid_for() {
    let repository = Repository::find_here().unwrap();
    let anvil = Anvil::start(&repository, Mining::Instant).unwrap();
    let (clone, folder, rpc) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), anvil.rpc());
    let contracts = clone.path().join("contracts");
    copy(&repository.contracts().join("src"), &contracts.join("src"));
    std::fs::copy(repository.contracts().join("solc.js"), contracts.join("solc.js")).unwrap();
    std::os::unix::fs::symlink(repository.root().join("node_modules"), clone.path().join("node_modules")).unwrap();
    let source = contracts.join("src/DiceGame.sol");
    let text = std::fs::read_to_string(&source).unwrap();
    let changed = text.replace("LIMIT = 30 days", "LIMIT = 31 days");
    assert_ne!(changed, text);
    std::fs::write(&source, changed).unwrap();
    let creator = Direct::new(&rpc, &FIRST_ACCOUNT_KEY.parse().unwrap()).unwrap();
    let refused = deploy_dice(&rpc, Repository::find(clone.path()).unwrap(), folder.path(), &creator).await;
    assert!(matches!(refused, Err(DeployError::NotShipped("dice contract"))), "{refused:?}");
    assert_eq!(anvil.provider().unwrap().get_block_number().await.unwrap(), 0);
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy(&from, &to);
        } else {
            std::fs::copy(from, to).unwrap();
        }
    }
}
