//! Deploying through nodes that lie or are behind: contracts stand where their creator's signature says and are what was compiled, before more is paid,
//! and nothing that is for local chains is paid for on a real one.

use crate::chain::test_chain::accept_all;
use crate::proxy::{Proxy, Trouble};
use alloy::primitives::{Address, Bytes};
use alloy::providers::{DynProvider, Provider as _};
use alloy::signers::local::PrivateKeySigner;
use deploy::anvil::{Anvil, FIRST_ACCOUNT_KEY, Mining};
use deploy::{DeployConfig, DeployError, Deployment, DiceDeployment, Direct, Repository, deploy_dice};
use std::time::Duration;
use tempfile::TempDir;

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

    fn creator(&self) -> Direct {
        Direct::new(&self.proxy.url, &self.signer).unwrap()
    }

    async fn deploy(&self) -> Result<Deployment, DeployError> {
        let repository = Repository::find_here().unwrap();
        let config = DeployConfig {
            rpc: self.proxy.url.clone(),
            verifiers: accept_all(&repository),
            repository,
            deployments: self.folder.path().to_owned(),
        };
        deploy::deploy(&config, &self.creator()).await
    }

    async fn deploy_dice(&self) -> Result<DiceDeployment, DeployError> {
        deploy_dice(&self.proxy.url, Repository::find_here().unwrap(), self.folder.path(), &self.creator()).await
    }

    /// How many contracts are paid for.
    async fn paid(&self) -> u64 {
        self.provider.get_transaction_count(self.signer.address()).await.unwrap()
    }
}

/// The game contract would be built on a verifier of the node's, which accepts everything.
#[tokio::test]
async fn a_node_can_t_say_where_a_contract_was_created() {
    let place = Place::new();
    let (real, said) = (place.signer.address().create(0), Address::repeat_byte(0x66));
    let set = place.provider.raw_request::<_, ()>("anvil_setCode".into(), (said, Bytes::from_static(&[0])));
    set.await.unwrap();
    place.proxy.set(Trouble::Elsewhere { real, said });
    let refused = place.deploy().await;
    assert!(matches!(refused, Err(DeployError::Untrue { .. })), "{refused:?}");
    assert_eq!(place.paid().await, 1, "nothing is built on it");
    // An honest node goes on with the same contract.
    place.proxy.set(Trouble::None);
    let deployed = place.deploy().await.unwrap();
    assert_eq!((deployed.narrow_verifier.address, place.paid().await), (real, 8));
}

/// Nor what stands there, nor which transaction it was.
#[tokio::test]
async fn nothing_more_is_paid_while_a_node_shows_something_else_than_was_sent() {
    let troubles: [fn(Address) -> Trouble; 2] = [Trouble::OtherCode, |_| Trouble::Calldata];
    for trouble in troubles {
        let place = Place::new();
        let first = place.signer.address().create(0);
        place.proxy.set(trouble(first));
        let refused = place.deploy().await;
        assert!(matches!(refused, Err(DeployError::Untrue { .. })), "{refused:?}");
        assert_eq!(place.paid().await, 1);
        place.proxy.set(Trouble::None);
        assert_eq!(place.deploy().await.unwrap().narrow_verifier.address, first);
        assert_eq!(place.paid().await, 8);
    }
}

/// Local to who checks that development parameters may be used, and real to who signs.
#[tokio::test]
async fn a_node_can_t_have_contracts_for_local_chains_paid_on_a_real_one() {
    let place = Place::new();
    place.set_chain_id(1).await;
    place.proxy.set(Trouble::NamesChain(31337, 1));
    let refused = place.deploy().await;
    assert_eq!(place.paid().await, 0, "{refused:?}");
    assert!(matches!(refused, Err(DeployError::OtherChain { said: 31337, signed: 1 })), "{refused:?}");
}

/// A machine that is a block behind has neither the code nor the block of what another one has just shown.
#[tokio::test]
async fn a_contract_is_not_called_foreign_by_a_machine_that_is_behind() {
    for trouble in [Trouble::LateBlocks(1), Trouble::LateCode(1)] {
        let place = Place::new();
        place.proxy.set(trouble);
        let next_block = async {
            while place.paid().await == 0 {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            tokio::time::sleep(Duration::from_secs(2)).await;
            place.anvil.mine(1).await.unwrap();
        };
        let (deployed, ()) = tokio::join!(place.deploy_dice(), next_block);
        assert_eq!(deployed.unwrap().block, 1, "{trouble:?}");
    }
}

/// Where no block is called final, those are with as many on top as players wait for.
#[tokio::test]
async fn where_nothing_is_called_final_twelve_blocks_are_waited_for() {
    let place = Place::new();
    place.set_chain_id(11_155_111).await;
    place.proxy.set(Trouble::NothingFinal);
    let file = DiceDeployment::path(place.folder.path(), 11_155_111);
    let blocks = async {
        while place.paid().await == 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        place.anvil.mine(11).await.unwrap();
        tokio::time::sleep(Duration::from_secs(6)).await;
        assert!(!file.exists(), "eleven are enough");
        place.anvil.mine(1).await.unwrap();
    };
    let (deployed, ()) = tokio::join!(place.deploy_dice(), blocks);
    assert_eq!(deployed.unwrap().block, 1);
    assert!(file.exists());
}
