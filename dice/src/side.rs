//! One player's side of one game: a pure machine. What was said, that time passes and what the player wants go in; what is to be sent and told
//! comes out. It believes nothing: every message goes through its own [`Table`], which replays the roll.

use alloy_primitives::{Address, B256};

use crate::{Acceptance, Action, Ending, Fault, Opening, Role, Roll, Secrets, Status, Table, promise};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Somebody has said this, finally, at a block time in seconds.
    Said { sender: Address, action: Action, time: u64 },
    /// It is this block time now, in seconds.
    Time(u64),
    /// The player wants to roll.
    Throw,
    /// The player gives up.
    GiveUp,
}

/// What follows from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// To be sent. The same again is the same: repeated sending does no harm.
    Send(Action),
    /// A player has rolled, and the machine has found the roll right.
    Rolled { role: Role, roll: Roll },
    /// It is this player's turn until this second.
    YourTurn(u64),
    /// The game is over.
    Over(Ending),
}

#[derive(Debug)]
pub struct Side {
    account: Address,
    secrets: Secrets,
    table: Table,
    /// The head after which this player made its standing promise.
    promised_after: B256,
}

impl Side {
    /// A side of a game that waits for an opponent: the creator's, or that of who is about to join.
    pub fn new(account: Address, secrets: Secrets, opening: Opening) -> Self {
        let table = Table::open(opening);
        Self { account, secrets, table, promised_after: B256::ZERO }
    }

    /// The promise of an invitation.
    pub fn first_promise(creator: Address, secrets: &Secrets) -> B256 {
        promise(creator, 1, secrets.promised(B256::ZERO))
    }

    /// The game as this side sees it.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// This player's role, once it has one.
    pub fn role(&self) -> Option<Role> {
        self.table.role_of(self.account)
    }

    pub fn acceptance(&self) -> Acceptance {
        let head = self.table.game_id();
        let promised = promise(self.account, 2, self.secrets.promised(head));
        Acceptance { head, number: self.secrets.number(head), promised }
    }

    /// Takes an event. A fault is an action that doesn't count; it changes nothing, and the game goes on without it.
    pub fn on(&mut self, event: &Event) -> Result<Vec<Effect>, Fault> {
        match event {
            Event::Said { sender, action, time } => self.said(*sender, action, *time),
            Event::Time(now) => Ok(self.time(*now)),
            Event::Throw => Ok(vec![Effect::Send(Action::Roll(self.next_roll()?))]),
            Event::GiveUp => {
                let is_player = self.table.status() == Status::Playing && self.role().is_some();
                if is_player { Ok(vec![Effect::Send(Action::Resign)]) } else { Err(Fault::WrongStatus) }
            }
        }
    }

    fn said(&mut self, sender: Address, action: &Action, time: u64) -> Result<Vec<Effect>, Fault> {
        let (role, before) = (self.table.to_roll(), self.table.head());
        self.table.apply(sender, action, time)?;
        if sender == self.account && self.table.head() != before {
            self.promised_after = before;
        }
        let mut effects = Vec::new();
        if let Action::Roll(roll) = action {
            effects.push(Effect::Rolled { role, roll: roll.clone() });
        }
        match self.table.status() {
            Status::Over(ending) => effects.push(Effect::Over(ending)),
            Status::Playing if self.is_my_turn() => effects.push(Effect::YourTurn(self.table.deadline())),
            _ => {}
        }
        Ok(effects)
    }

    /// An opponent that keeps its roll to itself has lost when its time is over.
    fn time(&self, now: u64) -> Vec<Effect> {
        let is_late = self.table.status() == Status::Playing && now > self.table.deadline();
        if is_late && self.role().is_some() && !self.is_my_turn() {
            return vec![Effect::Send(Action::ClaimTimeout)];
        }
        Vec::new()
    }

    /// Whether it is this player who rolls next.
    pub fn is_my_turn(&self) -> bool {
        self.table.status() == Status::Playing && self.role() == Some(self.table.to_roll())
    }

    /// The roll that is this player's to make: it follows from the seed and what was said, and there is no other.
    ///
    /// [`Fault::WrongReveal`] if the standing promise isn't of this seed.
    fn next_roll(&self) -> Result<Roll, Fault> {
        if self.table.status() != Status::Playing {
            return Err(Fault::WrongStatus);
        }
        if !self.is_my_turn() {
            return Err(Fault::NotYourTurn);
        }
        let (head, roll) = (self.table.head(), self.table.rolls() + 1);
        let revealed = self.secrets.promised(self.promised_after);
        if promise(self.account, roll, revealed) != self.table.promised(self.table.to_roll()) {
            return Err(Fault::WrongReveal);
        }
        let (die, square) = self.table.outcome_of(revealed);
        let promised = promise(self.account, roll + 2, self.secrets.promised(head));
        Ok(Roll { head, revealed, number: self.secrets.number(head), promised, die, square })
    }
}
