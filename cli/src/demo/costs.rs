//! What every transaction with the game contract cost, read from the local chain itself once the game is over.

use alloy::consensus::Transaction as _;
use alloy::primitives::Address;
use alloy::providers::{DynProvider, Provider as _};
use alloy::sol_types::SolInterface as _;
use client::chain::IFogmate::{IFogmateCalls, Phase};
use eyre::{OptionExt as _, Result};

use super::report::ActionReport;

/// All transactions with a contract, from the first block to the latest.
pub async fn read(provider: &DynProvider, contract: Address) -> Result<Vec<ActionReport>> {
    let mut found = Vec::new();
    for number in 0..=provider.get_block_number().await? {
        let block = provider.get_block_by_number(number.into()).full().await?.ok_or_eyre("a block is missing")?;
        for transaction in block.transactions.into_transactions() {
            if transaction.to() != Some(contract) {
                continue;
            }
            let hash = *transaction.inner.tx_hash();
            let receipt = provider.get_transaction_receipt(hash).await?.ok_or_eyre("a receipt is missing")?;
            let calldata_bytes = transaction.input().len();
            found.push(ActionReport { action: name(transaction.input()), gas: receipt.gas_used, calldata_bytes });
        }
    }
    Ok(found)
}

/// The function that calldata calls.
fn name(calldata: &[u8]) -> String {
    let Ok(call) = IFogmateCalls::abi_decode(calldata) else { return "unknown".to_owned() };
    let phase = match &call {
        IFogmateCalls::demandSight(call) => Some(call.phase),
        IFogmateCalls::answerSight(call) => Some(call.exchange.phase),
        _ => None,
    };
    let phase = match phase {
        Some(Phase::Pre) => ", pre",
        Some(_) => ", post",
        None => "",
    };
    let function = IFogmateCalls::name_by_selector(call.selector()).unwrap_or("unknown");
    format!("{function}{phase}")
}
