//! Since when a contract stands.

use alloy::eips::BlockId;
use alloy::primitives::Address;
use alloy::providers::{DynProvider, Provider as _};
use alloy::transports::{RpcError, TransportError};

use crate::DeployError;

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
