//! How all programs speak to a node: one kind of connection over http and https, and its failures in sentences.
//!
//! Protocol section 8: chain and contract are checked by those who connect; here is only the way to the node. Who may
//! answer for an `https` node is what the system trusts, or the file in `SSL_CERT_FILE`.

mod error;
mod patience;
mod prices;
mod tls;
mod transport;
mod url;

use std::time::Duration;

use alloy::network::EthereumWallet;
use alloy::providers::{DynProvider, Provider as _, ProviderBuilder};
use alloy::rpc::client::RpcClient;
use alloy::signers::local::PrivateKeySigner;
use alloy::transports::utils::guess_local_url;
use reqwest::{Client, Url, redirect::Policy};
use transport::Bounded;
use url::parse;

pub use error::NodeError;
pub use patience::{is_busy, patiently};
pub use prices::{ANSWER_SHARE_GAS, Prices};
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
    let url = parse(rpc).ok_or_else(|| NodeError::Url(url::without_secrets(rpc)))?;
    let is_near = guess_local_url(url.as_str());
    let node = RpcClient::new(Bounded { client: client(&url)?, url }, is_near);
    let Some(signer) = signer else {
        return Ok(ProviderBuilder::default().connect_client(node).erased());
    };
    Ok(ProviderBuilder::default()
        .with_gas_estimation()
        .with_simple_nonce_management()
        .fetch_chain_id()
        .wallet(EthereumWallet::from(signer.clone()))
        .connect_client(node)
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
