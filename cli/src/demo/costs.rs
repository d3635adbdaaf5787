//! What every transaction with the game contract cost, read from the local chain itself once the game is over.

use alloy::consensus::Transaction as _;
use alloy::primitives::Address;
use alloy::providers::{DynProvider, Provider as _};
use alloy::sol_types::SolInterface as _;
use client::chain::IFogmate::{IFogmateCalls, Phase};
use eyre::{OptionExt as _, Result};
use game::grouped;

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

/// What they cost in all, and each function's part of it.
pub fn in_words(actions: &[ActionReport]) -> String {
    let mut parts: Vec<(&str, u64, u64)> = Vec::new();
    for ActionReport { action, gas, .. } in actions {
        match parts.iter_mut().find(|(name, ..)| name == action) {
            Some((_, count, sum)) => (*count, *sum) = (*count + 1, *sum + gas),
            None => parts.push((action, 1, *gas)),
        }
    }
    let total = parts.iter().map(|(.., gas)| gas).sum();
    let mut text = format!("Gas of the whole game: {}\n", grouped(total));
    for (name, count, gas) in parts {
        text += &format!("  {count:3} x {name:18} {:>12}\n", grouped(gas));
    }
    text
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_is_the_sum_of_its_parts() {
        let action = |action: &str, gas| ActionReport { action: action.to_owned(), gas, calldata_bytes: 4 };
        let text = in_words(&[action("move", 400_000), action("resign", 60_000), action("move", 500_000)]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "Gas of the whole game: 960,000");
        assert_eq!(lines[1], "    2 x move                    900,000");
        assert_eq!(lines[2], "    1 x resign                   60,000");
    }
}
