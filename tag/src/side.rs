//! One player's side of one game: a pure machine. What was said, that time passes and where the player wants its king go in; what is to be sent and
//! told comes out. It believes nothing: every message goes through its own [`Table`].
//!
//! It stores no secret: where its king stands follows from the commitment on record and the seed.

use alloy_primitives::Address;
use fog::{F, statement::Proves};

use crate::{
    Action, Ending, Fault, NEIGHBOURHOOD, Phase, Placement, Position, Proofs, Reply, Role, Secrets, Size, Square,
    Status, Table, find,
    grid::{Step, neighbourhood},
    statement::{
        capture::{self, CaptureStatement},
        reply::{self, ReplyStatement},
        step::{self, StepStatement},
    },
};

#[expect(clippy::large_enum_variant, reason = "a handful a ply")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Somebody has said this, finally, at a block time in seconds.
    Said { sender: Address, action: Action, time: u64 },
    /// It is this block time now, in seconds.
    Time(u64),
    /// The player wants its king there.
    Go(Square),
    /// The player gives up.
    GiveUp,
}

/// What follows from it.
#[expect(clippy::large_enum_variant, reason = "a handful a ply")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// To be sent. The same again is the same but for the blinding of proofs: repeated sending does no harm.
    Send(Action),
    /// The own king sees this now: the opponent's king, or nothing.
    Sees(Option<Square>),
    /// It is this player's turn to step, until this second.
    YourTurn(u64),
    /// The game is over.
    Over(Ending),
}

/// What a game in play asks of a player now, a capture first of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duty {
    /// To show that its king sees the other, and where.
    Capture(Square),
    /// To step: the player's choice.
    Step,
    /// To reply to the other's new set.
    Reply,
    /// To end a game that is over without a capture.
    Settle,
}

#[derive(Clone, Debug)]
pub struct Side {
    account: Address,
    secrets: Secrets,
    table: Table,
    position: Option<Position>,
}

impl Side {
    /// A side of a game that waits for an opponent: the creator's, or that of who is about to join. [`Fault::ForeignPosition`] if the creator's
    /// placement isn't of the secrets of its account.
    pub fn new(account: Address, secrets: Secrets, table: Table) -> Result<Self, Fault> {
        let mut side = Self { account, secrets, table, position: None };
        if side.role() == Some(Role::Creator) {
            side.recall(F::zero(), F::zero(), [side.start(Role::Creator)])?;
        }
        Ok(side)
    }

    /// The creator's king, placed: what a game is opened with.
    pub fn first_placement(size: Size, secrets: &Secrets, proofs: &dyn Proofs) -> Result<Placement, Fault> {
        let position = secrets.position(F::zero(), F::zero(), size.start(false));
        placement(size, None, position, proofs)
    }

    /// The game as this side sees it.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// This player's role, once it has one.
    pub fn role(&self) -> Option<Role> {
        self.table.role_of(self.account)
    }

    /// Where the own king stands, once it is placed.
    pub fn square(&self) -> Option<Square> {
        self.position.as_ref().map(|position| position.square)
    }

    pub fn joining(&self, proofs: &dyn Proofs) -> Result<Action, Fault> {
        let position = self.secrets.position(F::zero(), self.set_hash(Role::Creator), self.start(Role::Joiner));
        Ok(Action::Join(placement(self.table.terms().size, None, position, proofs)?))
    }

    /// Takes an event. A fault is an action that doesn't count; it changes nothing, and the game goes on without it.
    pub fn on(&mut self, event: &Event, proofs: &dyn Proofs) -> Result<Vec<Effect>, Fault> {
        match event {
            Event::Said { sender, action, time } => {
                let mut effects = Vec::from_iter(self.hear(*sender, action, *time, proofs)?);
                effects.extend(self.follow(proofs)?);
                Ok(effects)
            }
            Event::Time(now) if self.is_overdue(*now) => Ok(vec![Effect::Send(Action::ClaimTimeout)]),
            Event::Time(_) => Ok(Vec::new()),
            Event::Go(square) => Ok(vec![Effect::Send(self.step_to(*square, proofs)?)]),
            Event::GiveUp => {
                let is_player = matches!(self.table.status(), Status::Playing(_)) && self.role().is_some();
                if is_player { Ok(vec![Effect::Send(Action::Resign)]) } else { Err(Fault::WrongStatus) }
            }
        }
    }

    /// Takes what was said, finally; gives what the own king sees by it, if it tells that. Nothing is proven: what is to be done now says
    /// [`Self::duty`]. A fault is as with [`Self::on`].
    pub fn hear(
        &mut self,
        sender: Address,
        action: &Action,
        time: u64,
        proofs: &dyn Proofs,
    ) -> Result<Option<Effect>, Fault> {
        let previous = self.role().and_then(|role| self.table.commitment(role)).unwrap_or(F::zero());
        self.table.apply(sender, action, time, proofs)?;
        let is_own = sender == self.account;
        match action {
            Action::Join(_) if is_own => {
                self.recall(F::zero(), self.set_hash(Role::Creator), [self.start(Role::Joiner)])?;
            }
            Action::Step { .. } if is_own => self.recall_step(previous)?,
            Action::Step { reply, .. } => return self.look(reply),
            Action::Reply { reply, .. } if !is_own => return self.look(reply),
            Action::Capture { place, .. } if !is_own => return Ok(self.look_back(*place)),
            _ => {}
        }
        Ok(None)
    }

    /// What a reply shows, if this player has a king.
    fn look(&self, reply: &Reply) -> Result<Option<Effect>, Fault> {
        self.position
            .as_ref()
            .map(|position| Ok(Effect::Sees(find(position, reply)?.map(|(_, square)| square))))
            .transpose()
    }

    /// Where the captor stands in whose set this player's king is at a place: as far the other way.
    fn look_back(&self, place: u8) -> Option<Effect> {
        let back = (NEIGHBOURHOOD - 1).checked_sub(place.into())?;
        Some(Effect::Sees(Some(neighbourhood(self.square()?)[back]?)))
    }

    /// What the game asks of this player now, if anything.
    pub fn duty(&self) -> Result<Option<Duty>, Fault> {
        let (phase, role, position) = match (self.table.status(), self.role(), &self.position) {
            (Status::Playing(phase), Some(role), Some(position)) => (phase, role, position),
            _ => return Ok(None),
        };
        if role != self.table.due() {
            return Ok(None);
        }
        if let Some(reply) = self.table.answered()
            && let Some((_, square)) = find(position, &reply)?
        {
            return Ok(Some(Duty::Capture(square)));
        }
        Ok(Some(match phase {
            Phase::Step => Duty::Step,
            Phase::Reply => Duty::Reply,
            Phase::Last => Duty::Settle,
        }))
    }

    /// Does a duty that leaves no choice: the action, proven. [`Fault::WrongStatus`] for a step.
    pub fn perform(&self, duty: Duty, proofs: &dyn Proofs) -> Result<Action, Fault> {
        let position = self.position.as_ref().ok_or(Fault::WrongStatus)?;
        match duty {
            Duty::Capture(_) => self.capture(position, proofs),
            Duty::Step => Err(Fault::WrongStatus),
            Duty::Reply => {
                let (reply, proof) = self.proven_reply(position, proofs)?;
                Ok(Action::Reply { reply, proof })
            }
            Duty::Settle => Ok(Action::Settle),
        }
    }

    /// What follows from the state of the game.
    fn follow(&self, proofs: &dyn Proofs) -> Result<Option<Effect>, Fault> {
        if let Status::Over(ending) = self.table.status() {
            return Ok(Some(Effect::Over(ending)));
        }
        Ok(match self.duty()? {
            None => None,
            Some(Duty::Step) => Some(Effect::YourTurn(self.table.deadline())),
            Some(duty) => Some(Effect::Send(self.perform(duty, proofs)?)),
        })
    }

    /// The capture that the reply with the latest step shows.
    fn capture(&self, position: &Position, proofs: &dyn Proofs) -> Result<Action, Fault> {
        let reply = self.table.answered().ok_or(Fault::NothingAnswered)?;
        let (place, public, private) = capture::gather(&reply, position)?;
        let proof = Proves::<CaptureStatement>::prove(proofs, &public, &private).map_err(|_| Fault::NotProved)?;
        Ok(Action::Capture { place: place as u8, proof })
    }

    /// The reply of a position to the opponent's standing set.
    fn proven_reply(&self, position: &Position, proofs: &dyn Proofs) -> Result<(Reply, Vec<u8>), Fault> {
        let role = self.role().ok_or(Fault::NotPlayer)?;
        let set = self.table.set(role.other()).ok_or(Fault::WrongStatus)?;
        let (public, private) = reply::gather(&set, position)?;
        let proof = Proves::<ReplyStatement>::prove(proofs, &public, &private).map_err(|_| Fault::NotProved)?;
        Ok((public.reply, proof))
    }

    /// The step to a square, proven, with the reply from there.
    pub fn step_to(&self, square: Square, proofs: &dyn Proofs) -> Result<Action, Fault> {
        let role = self.role().ok_or(Fault::NotPlayer)?;
        fog::ensure!(self.table.status() == Status::Playing(Phase::Step), Fault::WrongStatus);
        fog::ensure!(role == self.table.due(), Fault::NotYourTurn);
        let before = self.position.as_ref().ok_or(Fault::WrongStatus)?;
        let position = self.secrets.position(before.commitment(), self.set_hash(role.other()), square);
        let placement = placement(self.table.terms().size, Some(before), position.clone(), proofs)?;
        let (reply, proof) = self.proven_reply(&position, proofs)?;
        Ok(Action::Step { placement, reply, proof })
    }

    /// Whether this player may claim: an opponent that keeps a step or a reply to itself has lost when its time is over.
    pub fn is_overdue(&self, now: u64) -> bool {
        let is_late = matches!(self.table.status(), Status::Playing(_)) && now > self.table.deadline();
        is_late && self.role().is_some_and(|role| role != self.table.due())
    }

    /// Finds the position after the own step: one of eight.
    fn recall_step(&mut self, previous: F) -> Result<(), Fault> {
        let role = self.role().ok_or(Fault::NotPlayer)?;
        let from = self.square().ok_or(Fault::ForeignPosition)?;
        self.recall(previous, self.set_hash(role.other()), Step::all().filter_map(|step| from.after(step)))
    }

    /// Finds the position that was committed to among those on some squares.
    fn recall(&mut self, previous: F, set: F, squares: impl IntoIterator<Item = Square>) -> Result<(), Fault> {
        let commitment = self.role().and_then(|role| self.table.commitment(role));
        let mut positions = squares.into_iter().map(|square| self.secrets.position(previous, set, square));
        let found = positions.find(|position| Some(position.commitment()) == commitment);
        drop(positions);
        self.position = Some(found.ok_or(Fault::ForeignPosition)?);
        Ok(())
    }

    fn start(&self, role: Role) -> Square {
        self.table.terms().size.start(role == Role::Joiner)
    }

    fn set_hash(&self, role: Role) -> F {
        self.table.set(role).map_or(F::zero(), |set| set.hash())
    }
}

/// A king's new position, proven.
fn placement(
    size: Size,
    before: Option<&Position>,
    position: Position,
    proofs: &dyn Proofs,
) -> Result<Placement, Fault> {
    let (public, private) = step::gather(size, before, position)?;
    let proof = Proves::<StepStatement>::prove(proofs, &public, &private).map_err(|_| Fault::NotProved)?;
    Ok(Placement { commitment: public.commitment, set: public.set, proof })
}
