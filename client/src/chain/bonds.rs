//! The bonds that the contract keeps of a game (protocol, section 8, "Bonds").

use alloy::primitives::{Address, B256};
use chain::Prices;
use game::Slot;
use rules::Color;

use super::{Chain, ChainError};

/// A bond that nobody has earned so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bond {
    /// Where it is kept.
    pub slot: Slot,
    pub owner: Address,
    /// The last second in which it can be earned, since 1970.
    pub deadline: u64,
    /// How much it is, in wei.
    pub wei: u128,
}

impl Chain {
    /// Whether bonds pay for what they should: the contract's prices are those of the chain as it is now.
    pub async fn bonds_hold(&self) -> Result<bool, ChainError> {
        Ok(self.prices().await?.hold(&Prices::measure(self.provider()).await?))
    }

    /// Whether bonds cost many times what they are for, as the chain is now: whoever has deployed a contract chooses its prices.
    pub async fn bonds_are_dear(&self) -> Result<bool, ChainError> {
        let now = Prices::measure(self.provider()).await?;
        Ok(self.prices().await?.are_dear(&now, self.base_fee().await?))
    }

    /// The prices by which the contract reckons bonds.
    pub async fn prices(&self) -> Result<Prices, ChainError> {
        let said = self.contract.prices().call().await?;
        let (least_price, data_price) = (said.leastPrice.to(), said.dataPrice.to());
        Ok(Prices { answer_share_gas: said.answerShareGas, least_price, data_price })
    }

    /// The bonds of a game, as of the latest block.
    pub async fn bonds(&self, game: B256) -> Result<Vec<Bond>, ChainError> {
        let found = self.contract.game(game).call().await?;
        let mut bonds = Vec::new();
        if !found.holdBond.is_zero() {
            let owner = found.players.get(usize::from(found.holdOwner));
            let owner = owner.ok_or(ChainError::Nonsense("a hold belongs to neither player"))?.account;
            let (deadline, wei) = (found.holdDeadline.to(), found.holdBond.to());
            bonds.push(Bond { slot: Slot::Hold, owner, deadline, wei });
        }
        for (color, player) in Color::ALL.into_iter().zip(&found.players) {
            if !player.postBond.is_zero() {
                let (slot, owner) = (Slot::of_post(color), player.account);
                bonds.push(Bond { slot, owner, deadline: player.postDeadline.to(), wei: player.postBond.to() });
            }
        }
        Ok(bonds)
    }
}
