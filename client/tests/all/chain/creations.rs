//! Contracts that a wallet has created: each is paid for once, and none holds up what is behind it.

use std::path::Path;
use std::time::Duration;

use alloy::primitives::{Bytes, U256};
use alloy::providers::Provider as _;
use chain::SendError;
use chain::send::Storage;
use client::wallet::Wallet;
use deploy::anvil::Anvil;
use deploy::{Contract, Contracts, Creator as _, DeployError, Payer};

use crate::chain::test_chain::TestChain;
use crate::proxy::{Proxy, Trouble};

/// An ether, in wei.
const ETHER: u128 = 1_000_000_000_000_000_000;
const GWEI: u64 = 1_000_000_000;

/// PUSH2 20000, PUSH0, RETURN: a contract of that many bytes, four million gas.
const LARGE: [u8; 5] = [0x61, 0x4e, 0x20, 0x5f, 0xf3];

/// A contract that this code creates.
fn contract(code: &[u8]) -> Contract {
    Contracts::of_verifier(&Bytes::copy_from_slice(code), 0).with_prices(None).swap_remove(0)
}

async fn connect(proxy: &Proxy, wallet: &Wallet, folder: &Path) -> Payer {
    let (ceiling, storage) = (u128::from(500 * GWEI), Storage::Folder(folder.to_owned()));
    Payer::connect(&proxy.url, wallet.signer().clone(), ceiling, storage, |_| {}).await.unwrap()
}

/// Why the account's sender didn't have a contract created.
fn refusal(made: &Result<(), DeployError>) -> Option<&SendError> {
    match made {
        Err(DeployError::Creation { source, .. }) => source.downcast_ref(),
        _ => None,
    }
}

async fn set_base_fee(anvil: &Anvil, gwei: u64) {
    let provider = anvil.provider().unwrap();
    let fee = U256::from(gwei * GWEI);
    let set = provider.raw_request::<_, ()>("anvil_setNextBlockBaseFeePerGas".into(), (fee,));
    set.await.unwrap();
    anvil.mine(1).await.unwrap();
}

/// geth passes on nothing that may cost more than an ether. A creation may: offered as usual, its nonce would be blocked for good, and with it
/// every move behind it.
#[tokio::test]
async fn a_node_s_cap_on_fees_blocks_no_nonce() {
    let test_chain = TestChain::new().await;
    let proxy = Proxy::start(&test_chain.anvil.rpc());
    let (folder, wallet) = (tempfile::tempdir().unwrap(), Wallet::from_secret(&[1; 32]).unwrap());
    test_chain.anvil.fund(wallet.address(), U256::from(100 * ETHER)).await.unwrap();
    set_base_fee(&test_chain.anvil, 150).await;
    proxy.set(Trouble::FeeCap(ETHER));
    let payer = connect(&proxy, &wallet, folder.path()).await;
    payer.create(&contract(&LARGE)).await.expect("it is offered what the node passes on");
    // A node with another cap: its words are told, and the nonce is free again.
    proxy.set(Trouble::FeeCap(ETHER / 10));
    let dear = [&LARGE[..], &[0]].concat();
    let refused = payer.create(&contract(&dear)).await;
    assert!(
        matches!(refusal(&refused), Some(SendError::CannotPay { message, .. }) if message.contains("cap")),
        "{refused:?}"
    );
    payer.create(&contract(&[0x60, 2, 0x5f, 0xf3])).await.expect("nothing stands in its way");
}

/// Machines behind one address have receipts at different times. A second creation is refused before it is paid for, because the first one stands.
#[tokio::test]
async fn a_contract_is_created_once_however_late_its_receipt_is() {
    let test_chain = TestChain::new().await;
    let proxy = Proxy::start(&test_chain.anvil.rpc());
    let (folder, wallet) = (tempfile::tempdir().unwrap(), Wallet::from_secret(&[1; 32]).unwrap());
    let payer = connect(&proxy, &wallet, folder.path()).await;
    let (provider, large) = (test_chain.anvil.provider().unwrap(), contract(&LARGE));
    let before = provider.get_transaction_count(wallet.address()).await.unwrap();
    proxy.set(Trouble::NoReceipts);
    let blocks = async {
        loop {
            tokio::time::sleep(Duration::from_millis(200)).await;
            test_chain.anvil.mine(1).await.unwrap();
        }
    };
    tokio::select! {
        made = payer.create(&large) => {
            assert!(matches!(refusal(&made), Some(SendError::Reverts { .. })), "{made:?}");
        }
        () = blocks => unreachable!("blocks come for ever"),
    }
    assert_eq!(provider.get_transaction_count(wallet.address()).await.unwrap() - before, 1, "paid for once");
    assert_eq!(provider.get_code_at(large.address()).await.unwrap().len(), 20_000);
}
