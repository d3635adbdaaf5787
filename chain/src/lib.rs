//! How all programs speak to nodes of a chain, over http and https, follow what a contract tells there, and send a wallet's transactions. It knows no
//! game.
//!
//! Protocol section 8: a contract is checked by those who connect; here is only the way to its chain. Who may
//! answer for an `https` node is what the system trusts, or the file in `SSL_CERT_FILE`.

/// Returns an error from the function around it unless a condition holds: a copy of the macro in `fog`, on which this crate must not depend.
#[macro_export]
macro_rules! ensure {
    ($condition:expr, $error:expr) => {
        if !$condition {
            return Err($error);
        }
    };
}

mod amount;
mod class;
mod error;
pub mod follow;
mod node;
mod nodes;
mod prices;
pub mod private;
mod retry;
pub mod send;
mod tls;
mod transport;
mod url;

use std::time::Duration;

use alloy::network::EthereumWallet;
use alloy::providers::{DynProvider, Provider as _, ProviderBuilder};
use alloy::signers::local::PrivateKeySigner;
use reqwest::{Client, Url, redirect::Policy};

pub use amount::{about_in_ether, in_ether};
pub use class::{Class, Classified};
pub use error::NodeError;
pub use follow::{Finality, FollowError, Follower, LogUpdate};
pub use node::{BlockRef, Blocks, Header, Log, Node, Topic, TxNode};
pub use nodes::{NodeState, Nodes, genesis};
pub use prices::{ANSWER_SHARE_GAS, Prices};
pub use retry::{is_busy, is_refusal};
pub use send::{SendError, Sender};
pub use url::{host, is_same};

/// Chains that exist on one machine only.
const LOCAL_CHAINS: [u64; 2] = [31337, 1337];
/// Longest that one request to a node may take, with its connection.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// Whether a chain exists on one machine only: development parameters may be used on it, and a block is as final as it
/// will ever be.
pub fn is_local(chain_id: u64) -> bool {
    LOCAL_CHAINS.contains(&chain_id)
}

/// A connection to the node at a URL, which signs with `signer` or, without one, only reads. Nothing is asked yet.
///
/// It looks up its nonce for every transaction: a cached one is off by one after a refused transaction, and everything
/// after it hangs. [`NodeError::Url`] and [`NodeError::Tls`] are its errors.
pub fn connect(rpc: &str, signer: Option<&PrivateKeySigner>) -> Result<DynProvider, NodeError> {
    let nodes = Nodes::new([rpc])?;
    let Some(signer) = signer else {
        return Ok(nodes.provider().clone());
    };
    Ok(ProviderBuilder::default()
        .with_gas_estimation()
        .with_simple_nonce_management()
        .fetch_chain_id()
        .wallet(EthereumWallet::from(signer.clone()))
        .connect_provider(nodes.provider().clone())
        .erased())
}

/// The HTTP client for a URL. It follows no redirection: what is sent is for this node only.
fn client(url: &Url) -> Result<Client, NodeError> {
    let builder = Client::builder()
        .timeout(REQUEST_TIMEOUT)
        .redirect(Policy::none())
        .no_proxy()
        .tls_backend_preconfigured(tls::config(url.scheme() == "https")?);
    builder.build().map_err(|e| NodeError::Tls(e.to_string()))
}
