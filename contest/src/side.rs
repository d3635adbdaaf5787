//! One player's side of one game: a pure machine. What was said, that time passes and what the player wants go in; what is to be sent comes out. It
//! believes nothing: every message goes through its own [`Table`].

use alloy_primitives::Address;
use fog::ensure;

use crate::{Action, Checked, Fault, Hand, Role, Rules, Status, Table};

#[derive(Clone)]
pub struct Side<R: Rules> {
    account: Address,
    hand: R::Hand,
    table: Table<R>,
}

type Duty<R> = <<R as Rules>::Hand as Hand<R>>::Duty;
type Choice<R> = <<R as Rules>::Hand as Hand<R>>::Choice;
type Sight<R> = <<R as Rules>::Hand as Hand<R>>::Sight;

impl<R: Rules> Side<R> {
    /// A side of a game that waits for an opponent: the creator's, or that of who is about to join. A fault if the creator's entry isn't of the hand
    /// of its account.
    pub fn new(account: Address, mut hand: R::Hand, table: Table<R>) -> Checked<R, Self> {
        if table.role_of(account) == Some(Role::Creator) {
            hand.sit(&table)?;
        }
        Ok(Self { account, hand, table })
    }

    /// The game as this side sees it.
    pub fn table(&self) -> &Table<R> {
        &self.table
    }

    /// What the player holds.
    pub fn hand(&self) -> &R::Hand {
        &self.hand
    }

    /// This player's role, once it has one.
    pub fn role(&self) -> Option<Role> {
        self.table.role_of(self.account)
    }

    /// What it joins the game with.
    pub fn acceptance(&self, proofs: &R::Proofs) -> Checked<R, R::Acceptance> {
        self.hand.acceptance(self.account, &self.table, proofs)
    }

    /// Takes what was said, finally, at a block time in seconds; gives what the player perceives by it. Nothing is proven: what is to be done now says
    /// [`Self::duty`]. A fault is an action that doesn't count; it changes nothing, and the game goes on without it.
    pub fn hear(&mut self, sender: Address, action: &Action<R>, time: u64, proofs: &R::Proofs) -> Checked<R, Sight<R>> {
        let mut next = self.table.clone();
        next.apply(sender, action, time, proofs)?;
        let sight = self.hand.hear(sender == self.account, [&self.table, &next], action)?;
        self.table = next;
        Ok(sight)
    }

    /// What the game asks of this player now, if anything.
    pub fn duty(&self) -> Result<Option<Duty<R>>, Fault<R::Wrong>> {
        self.table.waits_for(self.account).then(|| self.hand.duty(&self.table)).transpose()
    }

    /// The move that the player chooses.
    pub fn choose(&self, choice: Choice<R>, proofs: &R::Proofs) -> Checked<R, Action<R>> {
        self.expect_turn()?;
        Ok(Action::Move(self.hand.choose(self.account, &self.table, choice, proofs)?))
    }

    /// Does a duty that leaves no choice. The same again is the same but for the blinding of proofs.
    pub fn perform(&self, duty: Duty<R>, proofs: &R::Proofs) -> Checked<R, Action<R>> {
        self.expect_turn()?;
        Ok(Action::Move(self.hand.perform(self.account, &self.table, duty, proofs)?))
    }

    /// Gives up a game in play.
    pub fn resign(&self) -> Checked<R, Action<R>> {
        let is_player = self.table.status() == Status::Playing && self.role().is_some();
        if is_player { Ok(Action::Resign) } else { Err(Fault::WrongStatus) }
    }

    /// Whether this player may claim: an opponent that keeps its action to itself has lost when its time is over.
    pub fn is_overdue(&self, now: u64) -> bool {
        let is_late = self.table.status() == Status::Playing && now > self.table.deadline();
        is_late && self.role().is_some_and(|role| role != self.table.due())
    }

    fn expect_turn(&self) -> Checked<R> {
        ensure!(self.table.status() == Status::Playing, Fault::WrongStatus);
        ensure!(self.table.waits_for(self.account), Fault::NotYourTurn);
        Ok(())
    }
}
