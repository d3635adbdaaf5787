//! The contract's money (`Bonds.sol`, `PullPayments.sol`): stakes and bonds that lie in it, and what it owes to each player. One account
//! holds all of it, so that what comes in must be there or have gone out: [`ModelChain::check_money`].

use super::Refusal;
use super::storage::{ModelChain, Status};
use game::Slot;

/// Half of what answering takes more gas than demanding.
pub(super) const ANSWER_GAS: u128 = 430_000;
/// What the answer to a claim of fifty moves takes.
pub(super) const RESPOND_GAS: u128 = 460_000;
/// How far the base fee may rise until the answer, and the bond still pays.
const RISE: u128 = 4;

/// Amounts in wei. Roles: the creator is 0, the joiner 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Purse {
    /// What lies in the contract's account.
    pub balance: u128,
    /// What each role has paid in, and fetched.
    pub paid: [u128; 2],
    /// What each role has fetched.
    pub fetched: [u128; 2],
    /// What each role has earned of the other's bonds.
    pub earned: [u128; 2],
    /// What each role can fetch.
    pub credit: [u128; 2],
    /// The stake of each.
    pub stake: u128,
    /// Stakes of a game that isn't over.
    pub stakes: [u128; 2],
    /// Bonds: of the hold, of White's demand, of Black's, each with the role that has put it in.
    pub bonds: [Option<(usize, u128)>; 3],
}

impl Purse {
    /// A stake comes in.
    pub(super) fn stake(&mut self, role: usize, amount: u128) {
        self.pay(role, amount);
        self.stakes[role] += amount;
        self.stake = amount;
    }

    fn pay(&mut self, role: usize, amount: u128) {
        self.balance += amount;
        self.paid[role] += amount;
    }

    /// The stakes are put aside: both for the winner, or each player's own.
    pub(super) fn decide(&mut self, winner: Option<usize>) {
        for (role, amount) in std::mem::take(&mut self.stakes).into_iter().enumerate() {
            self.credit[winner.unwrap_or(role)] += amount;
        }
    }

    /// What is owed or still at stake.
    fn obligations(&self) -> u128 {
        let bonds: u128 = self.bonds.iter().flatten().map(|(_, amount)| amount).sum();
        self.stakes.iter().chain(&self.credit).sum::<u128>() + bonds
    }
}

impl ModelChain {
    /// A bond comes in.
    pub(super) fn bond(&mut self, slot: usize, role: usize, gas: u128) {
        let amount = RISE * gas * self.base_fee;
        self.purse.pay(role, amount);
        // As in the contract: a bond that still lay there would stay in the account, owed to nobody.
        self.purse.bonds[slot] = Some((role, amount));
    }

    /// A bond is shared out: to who answered what the answer earned, the rest to who put it in.
    pub(super) fn settle(&mut self, slot: usize, gas: u128) {
        if let Some((owner, amount)) = self.purse.bonds[slot].take() {
            let earned = (gas * self.base_fee).min(amount);
            self.purse.credit[1 - owner] += earned;
            self.purse.earned[1 - owner] += earned;
            self.purse.credit[owner] += amount - earned;
        }
    }

    /// A bond goes back to who put it in.
    pub(super) fn give_back(&mut self, slot: Slot) -> Result<(), Refusal> {
        let (owner, amount) = self.purse.bonds[slot as usize].take().ok_or("NothingOwed")?;
        self.purse.credit[owner] += amount;
        Ok(())
    }

    /// A role fetches what it is owed.
    pub(super) fn fetch(&mut self, role: usize) {
        let amount = std::mem::take(&mut self.purse.credit[role]);
        self.purse.balance -= amount;
        self.purse.fetched[role] += amount;
    }

    /// The account holds exactly what is owed and at stake, and what has come in is there or was fetched.
    ///
    /// # Errors
    /// With what is wrong.
    pub fn check_money(&self) -> Result<(), String> {
        let purse = &self.purse;
        let fetched: u128 = purse.fetched.iter().sum();
        let paid: u128 = purse.paid.iter().sum();
        let is_right = purse.balance == purse.obligations() && paid == purse.balance + fetched;
        let is_decided = self.status != Status::Over || purse.stakes == [0; 2];
        if is_right && is_decided { Ok(()) } else { Err(format!("the contract's money doesn't add up: {purse:?}")) }
    }
}
