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

/// About how much an amount of wei is in ether: to two digits, rounded up.
pub fn about_in_ether(wei: u128) -> String {
    let unit = wei.checked_ilog10().map_or(1, |digits| 10u128.pow(digits.saturating_sub(1)));
    in_ether(wei.div_ceil(unit).saturating_mul(unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_has_two_digits() {
        let amounts = [0, 99, 123, 4_200_000_000_000_001];
        let words = ["0", "0.000000000000000099", "0.00000000000000013", "0.0043"];
        assert_eq!(amounts.map(about_in_ether), words);
    }
}
