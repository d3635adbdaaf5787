//! What every transaction with the game contract cost, read from the local chain itself once the game is over.

use alloy::consensus::Transaction as _;
use alloy::primitives::Address;
use alloy::providers::{DynProvider, Provider as _};
use alloy::sol_types::{SolCall as _, SolInterface as _};
use client::chain::IFogmate::{IFogmateCalls, Phase};
use client::lobby::about_in_ether;
use eyre::{OptionExt as _, Result};
use game::grouped;

use super::report::ActionReport;

/// All transactions with a contract, from the first block to the latest; `name` is what their calldata calls.
pub async fn read(
    provider: &DynProvider,
    contract: Address,
    name: impl Fn(&[u8]) -> String,
) -> Result<Vec<ActionReport>> {
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
            let (action, gas) = (name(transaction.input()), receipt.gas_used);
            let fee_wei = u128::from(gas).saturating_mul(receipt.effective_gas_price);
            found.push(ActionReport { action, gas, fee_wei, calldata_bytes });
        }
    }
    Ok(found)
}

/// What they cost in all, and each function's part of it.
pub fn in_words(actions: &[ActionReport]) -> String {
    let mut parts: Vec<(&str, u64, u64, u128)> = Vec::new();
    for ActionReport { action, gas, fee_wei, .. } in actions {
        match parts.iter_mut().find(|(name, ..)| name == action) {
            Some((_, count, sum, fees)) => (*count, *sum, *fees) = (*count + 1, *sum + gas, *fees + fee_wei),
            None => parts.push((action, 1, *gas, *fee_wei)),
        }
    }
    let (gas, fee) = parts.iter().fold((0, 0), |(sum, fees), (.., gas, fee)| (sum + gas, fees + fee));
    let mut text = format!("Gas of the whole game: {}, {} ETH\n", grouped(gas), about_in_ether(fee));
    for (name, count, gas, fee) in parts {
        text += &format!("  {count:3} x {name:18} {:>12}  {} ETH\n", grouped(gas), about_in_ether(fee));
    }
    text
}

/// The function of the contract of dark chess that calldata calls.
pub fn name_of_chess_call(calldata: &[u8]) -> String {
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
    let phase = match &call {
        IFogmateCalls::publishViewKey(key) if calldata.len() > 4 + key.abi_encoded_size() => ", with the plies",
        _ => phase,
    };
    let function = IFogmateCalls::name_by_selector(call.selector()).unwrap_or("unknown");
    format!("{function}{phase}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_is_the_sum_of_its_parts() {
        let action = |action: &str, gas: u64| {
            let fee_wei = u128::from(gas) * 1_000_000_000;
            ActionReport { action: action.to_owned(), gas, fee_wei, calldata_bytes: 4 }
        };
        let text = in_words(&[action("move", 400_000), action("resign", 60_000), action("move", 500_000)]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "Gas of the whole game: 960,000, 0.00096 ETH");
        assert_eq!(lines[1], "    2 x move                    900,000  0.0009 ETH");
        assert_eq!(lines[2], "    1 x resign                   60,000  0.00006 ETH");
    }
}
