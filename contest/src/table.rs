//! The public state of one game, and what each action does to it: the contract's twin, and what players and auditors check everything by.

use std::ops::Deref;

use alloy_primitives::{Address, B256};
use fog::ensure;

use crate::{Action, Checked, Ending, Fault, Opening, Outcome, Role, Rules};

/// Where a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Waits for an opponent.
    Open,
    Playing,
    Over(Ending),
}

/// A game as everybody can see it; what only its own rules have is what it dereferences to.
#[derive(Clone, Debug, PartialEq)]
pub struct Table<R: Rules> {
    opening: Opening<R>,
    game_id: B256,
    joiner: Option<Address>,
    status: Status,
    /// When the time for the next action began, in seconds.
    since: u64,
    state: R,
}

impl<R: Rules> Deref for Table<R> {
    type Target = R;

    fn deref(&self) -> &R {
        &self.state
    }
}

impl<R: Rules> Table<R> {
    /// A game that waits for an opponent. A fault if the creator's entry is wrong.
    pub fn open(opening: Opening<R>, proofs: &R::Proofs) -> Checked<R, Self> {
        let game_id = opening.game_id();
        let state = R::open(game_id, opening.terms.setup, &opening.entry, proofs)?;
        Ok(Self { opening, game_id, joiner: None, status: Status::Open, since: 0, state })
    }

    pub fn opening(&self) -> &Opening<R> {
        &self.opening
    }

    pub fn game_id(&self) -> B256 {
        self.game_id
    }

    /// Where the game stands.
    pub fn status(&self) -> Status {
        self.status
    }

    /// How the game ended, if it is over.
    pub fn ending(&self) -> Option<Ending> {
        if let Status::Over(ending) = self.status { Some(ending) } else { None }
    }

    /// Who plays a role; there is no joiner yet in an open game.
    pub fn player(&self, role: Role) -> Option<Address> {
        [Some(self.opening.creator), self.joiner][role as usize]
    }

    /// The role of an account.
    pub fn role_of(&self, account: Address) -> Option<Role> {
        Role::ALL.into_iter().find(|role| self.player(*role) == Some(account))
    }

    /// Who has to say the next thing of a game in play.
    pub fn due(&self) -> Role {
        self.state.due()
    }

    /// Turns that are over.
    pub fn turn(&self) -> u64 {
        self.state.turn()
    }

    /// Whether the game is in play and waits for an account.
    pub fn waits_for(&self, account: Address) -> bool {
        self.status == Status::Playing && self.player(self.due()) == Some(account)
    }

    /// The last second for the next action of a game in play.
    pub fn deadline(&self) -> u64 {
        self.since.saturating_add(self.opening.terms.turn.into())
    }

    /// An action of an account at a block time (seconds), or why it doesn't count; then nothing has changed.
    pub fn apply(&mut self, sender: Address, action: &Action<R>, time: u64, proofs: &R::Proofs) -> Checked<R> {
        match action {
            Action::Cancel => self.cancel(time),
            Action::Join(acceptance) => self.join(sender, acceptance, time, proofs),
            Action::Move(mv) => self.make(sender, mv, time, proofs),
            Action::Resign => self.resign(sender, time),
            Action::ClaimTimeout => self.claim_timeout(time),
        }
    }

    fn cancel(&mut self, time: u64) -> Checked<R> {
        ensure!(self.status == Status::Open, Fault::WrongStatus);
        let expiry = self.opening.terms.expiry;
        ensure!(time > expiry, Fault::StillInTime(expiry));
        self.status = Status::Over(Ending { winner: None, outcome: Outcome::Cancelled });
        Ok(())
    }

    fn join(&mut self, sender: Address, acceptance: &R::Acceptance, time: u64, proofs: &R::Proofs) -> Checked<R> {
        ensure!(self.status == Status::Open, Fault::WrongStatus);
        ensure!(time <= self.opening.terms.expiry, Fault::Expired);
        ensure!(sender != self.opening.creator, Fault::SelfPlay);
        ensure!(self.opening.terms.opponent.is_none_or(|invited| invited == sender), Fault::NotInvited);
        self.state.join(sender, acceptance, proofs)?;
        (self.joiner, self.status, self.since) = (Some(sender), Status::Playing, time);
        Ok(())
    }

    fn make(&mut self, sender: Address, mv: &R::Move, time: u64, proofs: &R::Proofs) -> Checked<R> {
        self.expect_in_play(time)?;
        ensure!(self.state.awaits(mv), Fault::WrongStatus);
        ensure!(self.waits_for(sender), Fault::NotYourTurn);
        let ending = self.state.make(sender, mv, proofs)?;
        self.since = time;
        if let Some(ending) = ending {
            self.status = Status::Over(ending);
        }
        Ok(())
    }

    fn resign(&mut self, sender: Address, time: u64) -> Checked<R> {
        self.expect_in_play(time)?;
        let role = self.role_of(sender).ok_or(Fault::NotPlayer)?;
        self.status = Status::Over(Ending { winner: Some(role.other()), outcome: Outcome::Resigned });
        Ok(())
    }

    fn claim_timeout(&mut self, time: u64) -> Checked<R> {
        ensure!(self.status == Status::Playing, Fault::WrongStatus);
        ensure!(time > self.deadline(), Fault::StillInTime(self.deadline()));
        self.status = Status::Over(self.state.late());
        Ok(())
    }

    /// Time decides, not who calls first: after the deadline only the claim is left.
    fn expect_in_play(&self, time: u64) -> Checked<R> {
        ensure!(self.status == Status::Playing, Fault::WrongStatus);
        ensure!(time <= self.deadline(), Fault::OutOfTime);
        Ok(())
    }
}
