//! Amounts as people write them.

use alloy::primitives::utils::format_ether;

/// An amount of wei as ether, without needless zeros.
pub fn in_ether(wei: u128) -> String {
    let amount = format_ether(wei);
    match amount.contains('.') {
        true => amount.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => amount,
    }
}
