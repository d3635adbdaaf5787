//! The public state of one game, and what each action does to it: the contract's twin, and what players and auditors check everything by.

use alloy_primitives::{Address, B256, U256};
use fog::ensure;

use crate::board::GOAL;
use crate::{Acceptance, Action, Fault, Opening, Roll, Square, promise, roll_die, seed_of};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Who opened the game; makes the odd rolls.
    Creator,
    /// Who joined it; makes the even rolls.
    Joiner,
}

impl Role {
    /// Whose roll it is; rolls are counted from 1.
    pub fn of_roll(roll: u64) -> Self {
        if roll % 2 == 1 { Self::Creator } else { Self::Joiner }
    }

    pub fn other(self) -> Self {
        match self {
            Self::Creator => Self::Joiner,
            Self::Joiner => Self::Creator,
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Taken back after nobody had joined in time.
    Cancelled,
    /// A player reached square 100.
    Finished,
    /// A player gave up.
    Resigned,
    /// The player to roll let its time pass.
    TimedOut,
}

/// Who won, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Nobody, if the game was cancelled.
    pub winner: Option<Role>,
    pub outcome: Outcome,
}

/// Where a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Waits for an opponent.
    Open,
    Playing,
    Over(Ending),
}

/// A game as everybody can see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    opening: Opening,
    game_id: B256,
    joiner: Option<Address>,
    status: Status,
    head: B256,
    rolls: u64,
    /// When the time for the next roll began, in seconds.
    since: u64,
    squares: [Square; 2],
    /// What each player has promised for its next roll.
    promised: [B256; 2],
    /// The number given in clear for the next roll.
    number: U256,
}

impl Table {
    /// A game that waits for an opponent.
    pub fn open(opening: Opening) -> Self {
        let game_id = opening.game_id();
        Self {
            game_id,
            joiner: None,
            status: Status::Open,
            head: game_id,
            rolls: 0,
            since: 0,
            squares: [Square::START; 2],
            promised: [opening.promised, B256::ZERO],
            number: U256::ZERO,
            opening,
        }
    }

    pub fn opening(&self) -> &Opening {
        &self.opening
    }

    pub fn game_id(&self) -> B256 {
        self.game_id
    }

    /// Where the game stands.
    pub fn status(&self) -> Status {
        self.status
    }

    /// What the next message has to follow.
    pub fn head(&self) -> B256 {
        self.head
    }

    /// How many rolls have been made.
    pub fn rolls(&self) -> u64 {
        self.rolls
    }

    /// Where a player stands.
    pub fn square(&self, role: Role) -> Square {
        self.squares[role as usize]
    }

    /// The promise for a player's next roll.
    pub fn promised(&self, role: Role) -> B256 {
        self.promised[role as usize]
    }

    /// The number given in clear for the next roll.
    pub fn number(&self) -> U256 {
        self.number
    }

    /// Who plays a role; there is no joiner yet in an open game.
    pub fn player(&self, role: Role) -> Option<Address> {
        match role {
            Role::Creator => Some(self.opening.creator),
            Role::Joiner => self.joiner,
        }
    }

    /// The role of an account.
    pub fn role_of(&self, account: Address) -> Option<Role> {
        [Role::Creator, Role::Joiner].into_iter().find(|role| self.player(*role) == Some(account))
    }

    /// Whose roll is next.
    pub fn to_roll(&self) -> Role {
        Role::of_roll(self.rolls + 1)
    }

    /// The last second for the next roll of a game in play.
    pub fn deadline(&self) -> u64 {
        self.since.saturating_add(self.opening.terms.turn.into())
    }

    /// What the numbers make of the next roll, if this one is revealed: a die, and where the roller then stands.
    pub fn outcome_of(&self, revealed: U256) -> (crate::Die, Square) {
        let die = roll_die(seed_of(revealed, self.number), self.game_id, self.rolls + 1);
        (die, self.square(self.to_roll()).after(die))
    }

    /// An action of an account at a block time (seconds), or why it doesn't count; then nothing has changed.
    pub fn apply(&mut self, sender: Address, action: &Action, time: u64) -> Result<(), Fault> {
        match action {
            Action::Cancel => self.cancel(time),
            Action::Join(acceptance) => self.join(sender, acceptance, time),
            Action::Roll(roll) => self.roll(sender, roll, time),
            Action::Resign => self.resign(sender, time),
            Action::ClaimTimeout => self.claim_timeout(time),
        }
    }

    fn cancel(&mut self, time: u64) -> Result<(), Fault> {
        ensure!(self.status == Status::Open, Fault::WrongStatus);
        let expiry = self.opening.terms.expiry;
        ensure!(time > expiry, Fault::StillInTime(expiry));
        self.end(None, Outcome::Cancelled);
        Ok(())
    }

    fn join(&mut self, sender: Address, acceptance: &Acceptance, time: u64) -> Result<(), Fault> {
        ensure!(self.status == Status::Open, Fault::WrongStatus);
        ensure!(acceptance.head == self.head, Fault::WrongHead(self.head));
        ensure!(time <= self.opening.terms.expiry, Fault::Expired);
        ensure!(sender != self.opening.creator, Fault::SelfPlay);
        ensure!(self.opening.terms.opponent.is_none_or(|invited| invited == sender), Fault::NotInvited);
        self.joiner = Some(sender);
        self.status = Status::Playing;
        self.promised[Role::Joiner as usize] = acceptance.promised;
        self.number = acceptance.number;
        self.head = acceptance.next_head(sender);
        self.since = time;
        Ok(())
    }

    fn roll(&mut self, sender: Address, roll: &Roll, time: u64) -> Result<(), Fault> {
        self.expect_in_play(time)?;
        let role = self.to_roll();
        ensure!(self.player(role) == Some(sender), Fault::NotYourTurn);
        ensure!(roll.head == self.head, Fault::WrongHead(self.head));
        let promised = promise(sender, self.rolls + 1, roll.revealed);
        ensure!(promised == self.promised(role), Fault::WrongReveal);
        let (die, square) = self.outcome_of(roll.revealed);
        ensure!(roll.die == die, Fault::WrongDie { declared: roll.die, found: die });
        ensure!(roll.square == square, Fault::WrongSquare { declared: roll.square, found: square });
        self.squares[role as usize] = square;
        self.promised[role as usize] = roll.promised;
        self.number = roll.number;
        self.head = roll.next_head();
        self.rolls += 1;
        self.since = time;
        if square == GOAL {
            self.end(Some(role), Outcome::Finished);
        }
        Ok(())
    }

    fn resign(&mut self, sender: Address, time: u64) -> Result<(), Fault> {
        self.expect_in_play(time)?;
        let role = self.role_of(sender).ok_or(Fault::NotPlayer)?;
        self.end(Some(role.other()), Outcome::Resigned);
        Ok(())
    }

    fn claim_timeout(&mut self, time: u64) -> Result<(), Fault> {
        ensure!(self.status == Status::Playing, Fault::WrongStatus);
        ensure!(time > self.deadline(), Fault::StillInTime(self.deadline()));
        self.end(Some(self.to_roll().other()), Outcome::TimedOut);
        Ok(())
    }

    /// Time decides, not who calls first: after the deadline only the claim is left.
    fn expect_in_play(&self, time: u64) -> Result<(), Fault> {
        ensure!(self.status == Status::Playing, Fault::WrongStatus);
        ensure!(time <= self.deadline(), Fault::OutOfTime);
        Ok(())
    }

    fn end(&mut self, winner: Option<Role>, outcome: Outcome) {
        self.status = Status::Over(Ending { winner, outcome });
    }
}
