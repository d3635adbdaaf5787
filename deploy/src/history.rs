//! Since when a contract stands, and by whom.

use alloy::consensus::Transaction as _;
use alloy::eips::BlockId;
use alloy::network::TransactionResponse as _;
use alloy::primitives::{Address, B256};
use alloy::providers::{DynProvider, Provider as _};
use alloy::transports::{RpcError, TransportError};

use crate::{Contract, DeployError, PROXY};

/// Whether a contract stands, as of a block.
pub(crate) async fn stands(provider: &DynProvider, address: Address, block: BlockId) -> Result<bool, TransportError> {
    let code = provider.get_code_at(address).block_id(block);
    Ok(!code.await?.is_empty())
}

/// Whether a contract stood in a block that the node may have forgotten.
async fn stood(provider: &DynProvider, address: Address, block: u64) -> Result<bool, DeployError> {
    stands(provider, address, BlockId::number(block)).await.map_err(|error| match error {
        RpcError::ErrorResp(_) if !chain::is_busy(&error) => DeployError::NoHistory,
        error => error.into(),
    })
}

/// The block in which a contract that somebody has created was created. Looked for from the head in growing steps, because most nodes know the state of
/// the last blocks only.
pub(crate) async fn first_block(provider: &DynProvider, address: Address, head: u64) -> Result<u64, DeployError> {
    let (mut stands, mut step) = (head, 1);
    let mut earliest = loop {
        let Some(earlier) = stands.checked_sub(step) else { break 0 };
        if !stood(provider, address, earlier).await? {
            break earlier + 1;
        }
        (stands, step) = (earlier, step.saturating_mul(2));
    };
    while earliest < stands {
        let middle = earliest + (stands - earliest) / 2;
        match stood(provider, address, middle).await? {
            true => stands = middle,
            false => earliest = middle + 1,
        }
    }
    Ok(stands)
}

/// How a contract came to be.
pub(crate) struct Creation {
    pub transaction: B256,
    pub block: u64,
    pub deployer: Address,
}

/// Who had the proxy create a contract that stands. None if the node has forgotten, or another contract has called the proxy.
pub(crate) async fn creation(provider: &DynProvider, contract: &Contract) -> Result<Option<Creation>, DeployError> {
    let head = provider.get_block_number().await?;
    let number = match first_block(provider, contract.address(), head).await {
        Err(DeployError::NoHistory) => return Ok(None),
        found => found?,
    };
    let block = provider.get_block_by_number(number.into()).full().await?.ok_or(RpcError::NullResp)?;
    let calldata = contract.calldata();
    let found = block
        .transactions
        .into_transactions()
        .find(|sent| sent.to() == Some(PROXY) && sent.input()[..] == calldata[..]);
    Ok(found.map(|sent| Creation { transaction: sent.tx_hash(), block: number, deployer: sent.from() }))
}
