//! One player's own king. It stores no secret: where the king stands follows from the commitment on record and the seed.

use alloy_primitives::Address;
use fog::{F, engine::Branch, statement::Proves};

use crate::tag::{
    Move, NEIGHBOURHOOD, Phase, Placement, Position, Proofs, Reply, Secrets, Setup, Size, Square, Tag, Wrong, find,
    grid::{Step, neighbourhood},
    statement::{
        capture::{self, CaptureStatement},
        reply::{self, ReplyStatement},
        step::{self, StepStatement},
    },
};
use crate::{Action, Checked, Fault, Hand, Role, Rules as _};

/// A player's own king: its secrets, and its position once it is placed.
#[derive(Clone)]
pub struct OwnKing {
    secrets: Secrets,
    position: Option<Position>,
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

/// What a player perceives by an action.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sight {
    /// Where the own king stands after it.
    pub king: Option<Square>,
    /// What the own king sees by it: the opponent's king, or nothing; none if it tells nothing of that.
    pub sees: Option<Option<Square>>,
}

impl OwnKing {
    /// Where the own king stands, once it is placed.
    pub fn square(&self) -> Option<Square> {
        self.position.as_ref().map(|position| position.square)
    }

    fn position(&self) -> Result<&Position, Wrong> {
        self.position.as_ref().ok_or(Wrong::NotPlaced)
    }

    /// What a reply shows, if this player has a king.
    fn look(&self, reply: &Reply) -> Result<Option<Option<Square>>, Wrong> {
        let seen = |position| Ok(find(position, reply)?.map(|(_, square)| square));
        self.position.as_ref().map(seen).transpose()
    }

    /// Where the captor stands in whose set this player's king is at a place: as far the other way.
    fn look_back(&self, place: u8) -> Option<Option<Square>> {
        let back = (NEIGHBOURHOOD - 1).checked_sub(place.into())?;
        Some(Some(neighbourhood(self.square()?)[back]?))
    }

    /// The reply of a position to the opponent's standing set, proven.
    fn reply(&self, position: &Position, game: &Tag, proofs: &dyn Proofs) -> Result<(Reply, Vec<u8>), Wrong> {
        let set = game.set(game.due().other()).ok_or(Wrong::NotPlaced)?;
        let (public, private) = reply::gather(&set, position)?;
        let proof = Proves::<ReplyStatement>::prove(proofs, &public, &private).map_err(|_| Wrong::NotProved)?;
        Ok((public.reply, proof))
    }

    /// The capture that the reply with the latest step shows.
    fn capture(&self, game: &Tag, proofs: &dyn Proofs) -> Result<Move, Wrong> {
        let reply = game.answered().ok_or(Wrong::NothingAnswered)?;
        let (place, public, private) = capture::gather(&reply, self.position()?)?;
        let proof = Proves::<CaptureStatement>::prove(proofs, &public, &private).map_err(|_| Wrong::NotProved)?;
        Ok(Move::Capture { place: place as u8, proof })
    }

    /// Finds the position that a role has committed to among those on some squares, entered from the commitment `previous`.
    fn recall(
        &mut self,
        game: &Tag,
        role: Role,
        previous: F,
        squares: impl IntoIterator<Item = Square>,
    ) -> Result<(), Wrong> {
        let set = set_hash(game, role.other());
        let mut positions = squares.into_iter().map(|square| self.secrets.position(previous, set, square));
        let found = positions.find(|position| Some(position.commitment()) == game.commitment(role));
        self.position = Some(found.ok_or(Wrong::ForeignPosition)?);
        Ok(())
    }
}

impl Hand<Tag> for OwnKing {
    type Duty = Duty;
    /// Where the king steps.
    type Choice = Square;
    type Sight = Sight;
    const CHOICE: Duty = Duty::Step;

    fn new(branch: Branch) -> Self {
        Self { secrets: Secrets::new(branch), position: None }
    }

    /// The creator's king, placed.
    fn entry(&self, _: Address, setup: &Setup, proofs: &dyn Proofs) -> Checked<Tag, Placement> {
        let position = self.secrets.position(F::zero(), F::zero(), setup.size.start(false));
        Ok(placement(setup.size, None, position, proofs)?)
    }

    fn acceptance(&self, _: Address, game: &Tag, proofs: &dyn Proofs) -> Checked<Tag, Placement> {
        let size = game.size();
        let position = self.secrets.position(F::zero(), set_hash(game, Role::Creator), size.start(true));
        Ok(placement(size, None, position, proofs)?)
    }

    /// [`Wrong::ForeignPosition`] if the placement isn't of these secrets.
    fn sit(&mut self, game: &Tag) -> Checked<Tag> {
        Ok(self.recall(game, Role::Creator, F::zero(), [game.size().start(false)])?)
    }

    fn hear(&mut self, is_own: bool, [before, after]: [&Tag; 2], action: &Action<Tag>) -> Checked<Tag, Sight> {
        let sees = match action {
            Action::Join(_) if is_own => {
                self.recall(after, Role::Joiner, F::zero(), [after.size().start(true)])?;
                None
            }
            Action::Move(Move::Step { .. }) if is_own => {
                let (role, from) = (before.due(), self.position()?.square);
                let previous = before.commitment(role).ok_or(Wrong::NotPlaced)?;
                self.recall(after, role, previous, Step::all().filter_map(|step| from.after(step)))?;
                None
            }
            Action::Move(Move::Step { reply, .. } | Move::Reply { reply, .. }) if !is_own => self.look(reply)?,
            // Of a capture whose proof isn't shown the place isn't known.
            Action::Move(Move::Capture { place, proof }) if !is_own && !proof.is_empty() => self.look_back(*place),
            _ => None,
        };
        Ok(Sight { king: self.square(), sees })
    }

    fn duty(&self, game: &Tag) -> Checked<Tag, Duty> {
        if let Some(reply) = game.answered()
            && let Some((_, square)) = find(self.position()?, &reply)?
        {
            return Ok(Duty::Capture(square));
        }
        Ok(match game.phase() {
            Phase::Step => Duty::Step,
            Phase::Reply => Duty::Reply,
            Phase::Last => Duty::Settle,
        })
    }

    /// The step to a square, proven, with the reply from there.
    fn choose(&self, _: Address, game: &Tag, square: Square, proofs: &dyn Proofs) -> Checked<Tag, Move> {
        fog::ensure!(game.phase() == Phase::Step, Fault::WrongStatus);
        let (before, set) = (self.position()?, set_hash(game, game.due().other()));
        let position = self.secrets.position(before.commitment(), set, square);
        let placement = placement(game.size(), Some(before), position.clone(), proofs)?;
        let (reply, proof) = self.reply(&position, game, proofs)?;
        Ok(Move::Step { placement, reply, proof })
    }

    /// [`Fault::WrongStatus`] for a step.
    fn perform(&self, _: Address, game: &Tag, duty: Duty, proofs: &dyn Proofs) -> Checked<Tag, Move> {
        Ok(match duty {
            Duty::Capture(_) => self.capture(game, proofs)?,
            Duty::Step => return Err(Fault::WrongStatus),
            Duty::Reply => {
                let (reply, proof) = self.reply(self.position()?, game, proofs)?;
                Move::Reply { reply, proof }
            }
            Duty::Settle => Move::Settle,
        })
    }

    fn name_of(duty: Duty) -> &'static str {
        match duty {
            Duty::Capture(_) => "capture",
            Duty::Step => "step",
            Duty::Reply => "reply",
            Duty::Settle => "settle",
        }
    }
}

fn set_hash(game: &Tag, role: Role) -> F {
    game.set(role).map_or(F::zero(), |set| set.hash())
}

/// A king's new position, proven.
fn placement(
    size: Size,
    before: Option<&Position>,
    position: Position,
    proofs: &dyn Proofs,
) -> Result<Placement, Wrong> {
    let (public, private) = step::gather(size, before, position).map_err(Wrong::IllegalStep)?;
    let proof = Proves::<StepStatement>::prove(proofs, &public, &private).map_err(|_| Wrong::NotProved)?;
    Ok(Placement { commitment: public.commitment, set: public.set, proof })
}
