//! Fees of EIP-1559, and what a node accepts in place of a transaction that it has: both fees higher by a tenth at least (geth's
//! `txpool.pricebump`); here an eighth, as some ask for more.

use serde::{Deserialize, Serialize};

/// How far above the market a transaction is raised that isn't included and that no node calls too cheap.
const ABOVE_MARKET: u128 = 4;

/// Fees for a unit of gas, in wei.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fees {
    /// The most that is paid, `maxFeePerGas`.
    pub max: u128,
    /// What of it goes to the block's proposer, `maxPriorityFeePerGas`.
    pub tip: u128,
}

impl Fees {
    /// These fees, with at most `ceiling` for a unit of gas.
    pub fn at_most(self, ceiling: u128) -> Self {
        Self { max: self.max.min(ceiling), tip: self.tip.min(ceiling) }
    }

    /// Fees that replace these: an eighth higher at least, and `market` at least; none if `ceiling` leaves no room.
    pub fn raised(self, market: Self, ceiling: u128) -> Option<Self> {
        let least = self.outbid();
        let tip = least.tip.max(market.tip);
        let market = market.max.saturating_add(tip - market.tip);
        let raised = Self { max: least.max.max(market), tip }.at_most(ceiling);
        raised.reach(least).then_some(raised)
    }

    /// The least that replaces these.
    pub fn outbid(self) -> Self {
        Self { max: eighth_more(self.max), tip: eighth_more(self.tip) }
    }

    /// The most that waiting alone is a reason for, where this is the market: a node that passes nothing on could have any price paid otherwise.
    pub fn bound_of_waiting(self) -> u128 {
        self.max.saturating_mul(ABOVE_MARKET)
    }

    /// Whether these are as good as `other`.
    pub fn reach(self, other: Self) -> bool {
        self.max >= other.max && self.tip >= other.tip
    }
}

/// 12.5 % more, rounded up, and 1 wei at least.
fn eighth_more(fee: u128) -> u128 {
    fee.saturating_add(fee.div_ceil(8).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replacements_are_an_eighth_higher_and_at_the_market() {
        let old = Fees { max: 100, tip: 10 };
        let cheap = Fees { max: 50, tip: 1 };
        assert_eq!(old.raised(cheap, 1_000), Some(Fees { max: 113, tip: 12 }));
        let dear = Fees { max: 400, tip: 20 };
        assert_eq!(old.raised(dear, 1_000), Some(dear));
        assert_eq!(old.raised(dear, 200), Some(Fees { max: 200, tip: 20 }));
        assert_eq!(old.raised(dear, 112), None);
        assert_eq!(Fees { max: 0, tip: 0 }.raised(Fees { max: 0, tip: 0 }, 9), Some(Fees { max: 1, tip: 1 }));
        assert_eq!(Fees { max: u128::MAX, tip: 0 }.raised(dear, u128::MAX), Some(Fees { max: u128::MAX, tip: 20 }));
    }
}
