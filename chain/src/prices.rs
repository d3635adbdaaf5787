//! What a chain charges, as far as the game contract shares it between players: a deployment's immutables.
//!
//! Protocol section 8, "Bonds". Gas is the EVM's; its price is the base fee, where there is one; and rollups charge for data besides, by
//! a price that only they know. A chain that tells its price of data in another way counts as one that has none.

use alloy::primitives::{Address, Bytes, U256, address, keccak256};
use alloy::providers::{DynProvider, Provider as _};
use alloy::rpc::types::TransactionRequest;
use alloy::sol_types::SolCall as _;
use derive_more::Display;
use serde::{Deserialize, Serialize};

use crate::NodeError;

/// Half of the gas that `answerSight` takes more than `demandSight`, as the tests of the contract measure it.
pub const ANSWER_SHARE_GAS: u32 = 430_000;
/// Half of the bytes that `answerSight` has more than `demandSight`: a constant of the contract.
const ANSWER_SHARE_BYTES: u128 = 11_312;
/// How many times as much as an answer's share a bond may be before a player is warned off: prices of data move by a few times in a week.
const DEAR: u128 = 10;

/// Where rollups of the OP stack say what data cost.
const GAS_PRICE_ORACLE: Address = address!("420000000000000000000000000000000000000F");
/// Bytes that it is asked about: as many as an answer has.
const DATA_BYTES: usize = 29_348;

alloy::sol! {
    /// What the gas price oracle of an OP stack chain says of a transaction's bytes.
    function getL1Fee(bytes memory data) external view returns (uint256);
}

/// The prices of a chain. A file has only those that differ from chain to chain.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, Serialize, Deserialize)]
#[display(
    "an answer's share is {answer_share_gas} gas, at the base fee but at least at {least_price} wei, and a byte of data counts as {data_price} \
     wei"
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Prices {
    /// Half of the gas that an answer takes more than a demand: [`ANSWER_SHARE_GAS`] in all contracts that this program deploys.
    #[serde(skip, default = "answer_share_gas")]
    pub answer_share_gas: u32,
    /// What a unit of gas counts as at least, in wei; 0 where there is a base fee.
    pub least_price: u128,
    /// What a byte of calldata costs besides its gas, in wei.
    pub data_price: u128,
}

impl Prices {
    /// As they are on a node's chain now.
    pub async fn measure(provider: &DynProvider) -> Result<Self, NodeError> {
        let latest = provider.get_block_by_number(Default::default()).await?;
        let base_fee = latest.and_then(|block| block.header.base_fee_per_gas).unwrap_or_default();
        let least_price = match base_fee {
            0 => provider.get_gas_price().await?,
            _ => 0,
        };
        Ok(Self { answer_share_gas: ANSWER_SHARE_GAS, least_price, data_price: data_price(provider).await? })
    }

    /// Whether bonds by these prices hold where those of `now` are paid: so that neither player pays more than two thirds of an exchange's
    /// gas and data.
    pub fn hold(&self, now: &Self) -> bool {
        let is_near = |own: u128, real: u128| own <= real.saturating_add(real / 2) && real <= own.saturating_mul(2);
        // A least price counts where it is above the base fee, and there is one to hold it against where there is no base fee.
        let has_price = now.least_price == 0 || is_near(self.least_price, now.least_price);
        let is_low = now.least_price > 0 || self.least_price == 0;
        self.answer_share_gas == now.answer_share_gas && has_price && is_low && is_near(self.data_price, now.data_price)
    }

    /// Whether bonds by these prices cost many times what the other's share of an answer does by those of `now`, where gas costs `base_fee` wei.
    pub fn are_dear(&self, now: &Self, base_fee: u128) -> bool {
        let bond = |prices: &Self| {
            let gas = u128::from(prices.answer_share_gas).saturating_mul(prices.least_price.max(base_fee));
            gas.saturating_add(ANSWER_SHARE_BYTES.saturating_mul(prices.data_price))
        };
        bond(self) > bond(now).saturating_mul(DEAR)
    }
}

fn answer_share_gas() -> u32 {
    ANSWER_SHARE_GAS
}

/// What a byte costs besides its gas; 0 where nobody says so.
async fn data_price(provider: &DynProvider) -> Result<u128, NodeError> {
    if provider.get_code_at(GAS_PRICE_ORACLE).await?.is_empty() {
        return Ok(0);
    }
    // What is published hides what it says, so it can't be compressed.
    let data: Vec<u8> =
        (0..DATA_BYTES.div_ceil(32)).flat_map(|i| keccak256(i.to_be_bytes())).take(DATA_BYTES).collect();
    let call = getL1FeeCall { data: Bytes::from(data) }.abi_encode();
    let request = TransactionRequest::default().to(GAS_PRICE_ORACLE).input(call.into());
    let returned = provider.call(request.clone()).await?;
    let fee = getL1FeeCall::abi_decode_returns(&returned).unwrap_or(U256::ZERO);
    Ok((fee / U256::from(DATA_BYTES)).saturating_to())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bonds_hold_where_prices_are_those_that_they_were_made_for() {
        let prices = |least_price, data_price| Prices { answer_share_gas: ANSWER_SHARE_GAS, least_price, data_price };
        let (main, bare, rollup) = (prices(0, 0), prices(100, 0), prices(0, 1_000));
        for fine in
            [(main, main), (bare, bare), (prices(150, 0), bare), (rollup, prices(0, 2_000)), (prices(0, 1_500), rollup)]
        {
            assert!(fine.0.hold(&fine.1), "{fine:?}");
        }
        for bad in [
            (main, bare),
            (bare, main),
            (prices(151, 0), bare),
            (main, rollup),
            (rollup, main),
            (prices(0, 499), rollup),
        ] {
            assert!(!bad.0.hold(&bad.1), "{bad:?}");
        }
        assert!(!Prices { answer_share_gas: 1, ..main }.hold(&main), "another share");
    }

    #[test]
    fn bonds_are_dear_from_ten_times_of_what_an_answer_costs() {
        let prices = |least_price, data_price| Prices { answer_share_gas: ANSWER_SHARE_GAS, least_price, data_price };
        let (main, rollup) = (prices(0, 0), prices(0, 1_000));
        for (own, now, base_fee) in [
            (main, main, 7),
            (prices(70, 0), main, 7),
            (prices(1_000, 0), prices(100, 0), 0),
            (prices(0, 10_000), rollup, 0),
            (rollup, prices(0, 1_000_000), 0),
        ] {
            assert!(!own.are_dear(&now, base_fee), "{own:?} {now:?}");
        }
        for (own, now, base_fee) in [
            (prices(71, 0), main, 7),
            (prices(0, 3_000), main, 7),
            (prices(0, 10_001), rollup, 0),
            (Prices { answer_share_gas: 4_300_001, ..main }, main, 7),
            (prices(u128::MAX, u128::MAX), rollup, 7),
            (prices(1, 0), main, 0),
        ] {
            assert!(own.are_dear(&now, base_fee), "{own:?} {now:?}");
        }
    }
}
