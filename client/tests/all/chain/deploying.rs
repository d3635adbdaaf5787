//! Deploying through nodes that lie or are behind: nothing that is for local chains is paid for on a real one, and a deployment is complete when it is final.

use std::time::Duration;

use alloy::providers::{DynProvider, Provider as _};
use alloy::signers::local::PrivateKeySigner;
use deploy::anvil::{Anvil, FIRST_ACCOUNT_KEY, Mining};
use deploy::{Contracts, DeployError, Deployment, DeploymentError, Game, Payer, Repository, deploy};
use tempfile::TempDir;

use crate::proxy::{Proxy, Trouble};

/// Somebody who deploys through a node.
struct Place {
    anvil: Anvil,
    provider: DynProvider,
    proxy: Proxy,
    folder: TempDir,
    signer: PrivateKeySigner,
}

impl Place {
    fn new() -> Self {
        let anvil = Anvil::start(&Repository::find_here().unwrap(), Mining::Instant).unwrap();
        let (provider, proxy) = (anvil.provider().unwrap(), Proxy::start(&anvil.rpc()));
        let (folder, signer) = (tempfile::tempdir().unwrap(), FIRST_ACCOUNT_KEY.parse().unwrap());
        Self { anvil, provider, proxy, folder, signer }
    }

    async fn set_chain_id(&self, chain_id: u64) {
        self.provider.raw_request::<_, ()>("anvil_setChainId".into(), (chain_id,)).await.unwrap();
    }

    async fn payer(&self) -> Payer {
        Payer::on_own_chain(&self.proxy.url, self.signer.clone()).await.unwrap()
    }

    async fn deploy(&self, contracts: &Contracts, payer: &Payer) -> Result<Deployment, DeployError> {
        deploy(&self.proxy.url, contracts, self.folder.path(), payer).await
    }

    async fn deploy_dice(&self) -> Result<Deployment, DeployError> {
        self.deploy(&Contracts::shipped(Game::Dice, false), &self.payer().await).await
    }

    async fn read_dice(&self) -> Result<Deployment, DeploymentError> {
        Deployment::read(self.folder.path(), Game::Dice, &self.anvil.rpc()).await
    }

    /// How many contracts are paid for.
    async fn paid(&self) -> u64 {
        self.provider.get_transaction_count(self.signer.address()).await.unwrap()
    }

    async fn until_paid(&self) {
        while self.paid().await == 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

/// Local to who checks that development parameters may be used, and real to who signs.
#[tokio::test]
async fn a_node_can_t_have_contracts_for_local_chains_paid_on_a_real_one() {
    let place = Place::new();
    place.set_chain_id(1).await;
    let payer = place.payer().await;
    place.proxy.set(Trouble::NamesChain(31337, 1));
    let refused = place.deploy(&Contracts::shipped(Game::Chess, true), &payer).await;
    assert_eq!(place.paid().await, 0, "{refused:?}");
    assert!(matches!(refused, Err(DeployError::OtherChain { said: 31337, signed: 1 })), "{refused:?}");
}

/// A machine that is a block behind has not the code that another one has just had created.
#[tokio::test]
async fn a_contract_is_not_missed_at_a_machine_that_is_behind() {
    let place = Place::new();
    place.anvil.mine(1).await.unwrap();
    place.proxy.set(Trouble::LateCode(1));
    let next_block = async {
        place.until_paid().await;
        tokio::time::sleep(Duration::from_secs(2)).await;
        place.anvil.mine(1).await.unwrap();
    };
    let (deployed, ()) = tokio::join!(place.deploy_dice(), next_block);
    assert_eq!((deployed.unwrap().block, place.paid().await), (1, 1));
}

/// Where no block is called final, those are with as many on top as players wait for. Until then nobody plays there, and who is interrupted goes on.
#[tokio::test]
async fn where_nothing_is_called_final_twelve_blocks_are_waited_for() {
    let place = Place::new();
    place.set_chain_id(11_155_111).await;
    place.proxy.set(Trouble::NothingFinal);
    tokio::select! {
        done = place.deploy_dice() => panic!("done in the first block: {done:?}"),
        () = async {
            place.until_paid().await;
            tokio::time::sleep(Duration::from_secs(2)).await;
        } => {}
    }
    let unfinished = place.read_dice().await;
    assert!(matches!(unfinished, Err(DeploymentError::Unfinished(_))), "{unfinished:?}");
    let blocks = async {
        place.anvil.mine(11).await.unwrap();
        tokio::time::sleep(Duration::from_secs(6)).await;
        assert!(matches!(place.read_dice().await, Err(DeploymentError::Unfinished(_))), "eleven are enough");
        place.anvil.mine(1).await.unwrap();
    };
    let (deployed, ()) = tokio::join!(place.deploy_dice(), blocks);
    assert_eq!((deployed.unwrap(), place.paid().await), (place.read_dice().await.unwrap(), 1));
}

/// Most nodes know the state of the last minutes only, and a block is final after a quarter of an hour.
#[tokio::test]
async fn a_deployment_gets_complete_where_the_state_of_final_blocks_is_forgotten() {
    let place = Place::new();
    place.set_chain_id(11_155_111).await;
    place.proxy.set(Trouble::ForgetsState(8));
    let later = async {
        place.until_paid().await;
        tokio::time::sleep(Duration::from_secs(2)).await;
        assert!(matches!(place.read_dice().await, Err(DeploymentError::Unfinished(_))), "nothing is final");
        place.anvil.mine(100).await.unwrap();
    };
    let (deployed, ()) = tokio::join!(place.deploy_dice(), later);
    assert_eq!((deployed.unwrap(), place.paid().await), (place.read_dice().await.unwrap(), 1));
}

/// Without the file of whoever has deployed: a young contract is found by what most nodes know, and an old one isn't.
#[tokio::test]
async fn the_block_of_a_deployment_is_found_as_far_back_as_the_node_remembers() {
    let place = Place::new();
    place.anvil.mine(20).await.unwrap();
    let deployed = place.deploy_dice().await.unwrap();
    assert_eq!(deployed.block, 20, "the block before the first transaction");
    place.anvil.mine(5).await.unwrap();
    let forget = || std::fs::remove_file(Deployment::path(place.folder.path(), Game::Dice, 31337)).unwrap();
    forget();
    place.proxy.set(Trouble::ForgetsState(8));
    assert_eq!(place.deploy_dice().await.unwrap().block, 21);
    forget();
    place.proxy.set(Trouble::ForgetsState(5));
    let refused = place.deploy_dice().await;
    assert!(matches!(refused, Err(DeployError::NoHistory)), "{refused:?}");
    place.proxy.set(Trouble::Busy("eth_getCode", 1));
    assert_eq!(place.deploy_dice().await.unwrap().block, 21);
    assert_eq!(place.paid().await, 1);
}
