//! The rules of tag, by which every action is checked.
//!
//! ```text
//! ply p: the mover (the creator if p is even) steps and replies to the other's set; then the other replies to the new set
//! ```
//!
//! From a step on it is the other player's turn, until that one steps: it replies, and then it is to move. By the reply that came with the step it may show a
//! capture in place of either. So at any time one of the players at most may capture. After the last ply it does so, or settles.

use alloy_primitives::{Address, B256, U256};
use fog::{F, statement::Proves, word::to_word};

use crate::tag::{
    Move, OwnKing, Placement, Proofs, Reply, Set, Size, Square, Wrong,
    statement::{
        capture::{CapturePublic, CaptureStatement},
        reply::{ReplyPublic, ReplyStatement},
        step::{StepPublic, StepStatement},
    },
};
use crate::{Checked, Ending, Opening, Outcome, Role, Rules};

/// What is agreed besides stake and time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    pub size: Size,
    /// Plies after which the game is drawn; at least 1.
    pub plies: u16,
}

/// What a game in play waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Step,
    /// The other's reply to it.
    Reply,
    /// After the last ply: that the player whose turn it would be captures or settles.
    Last,
}

/// A king in public: the commitment to its position, and its set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct King {
    commitment: F,
    set: Set,
    set_hash: F,
}

/// The public state of a game of tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    setup: Setup,
    phase: Phase,
    ply: u16,
    kings: [Option<King>; 2],
    /// The reply that came with the latest step.
    answered: Option<Reply>,
}

impl Tag {
    pub fn size(&self) -> Size {
        self.setup.size
    }

    /// Plies after which the game is drawn.
    pub fn plies(&self) -> u16 {
        self.setup.plies
    }

    /// What the game waits for, once it is in play.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Plies that are over.
    pub fn ply(&self) -> u16 {
        self.ply
    }

    /// Who steps at this ply.
    pub fn mover(&self) -> Role {
        Role::of_turn(self.ply.into())
    }

    /// The commitment of a player's king; none before it is placed.
    pub fn commitment(&self, role: Role) -> Option<F> {
        self.kings[role as usize].map(|king| king.commitment)
    }

    /// The standing set of a player; none before its king is placed.
    pub fn set(&self, role: Role) -> Option<Set> {
        self.kings[role as usize].map(|king| king.set)
    }

    /// The reply that came with the latest step, by which the player that is due may capture.
    pub fn answered(&self) -> Option<Reply> {
        self.answered
    }

    fn king(&self, role: Role) -> Result<King, Wrong> {
        self.kings[role as usize].ok_or(Wrong::NotPlaced)
    }

    fn place(&mut self, role: Role, placement: &Placement, proofs: &dyn Proofs) -> Result<(), Wrong> {
        let start = self.setup.size.start(role == Role::Joiner);
        self.kings[role as usize] = Some(self.step_of(role, placement, Some(start), proofs)?);
        Ok(())
    }

    /// The king of a proven placement: at its start, or a step from where it was.
    fn step_of(
        &self,
        role: Role,
        Placement { commitment, set, proof }: &Placement,
        start: Option<Square>,
        proofs: &dyn Proofs,
    ) -> Result<King, Wrong> {
        let (commitment, set, set_hash) = (*commitment, *set, set.hash());
        let previous = if start.is_some() { None } else { self.commitment(role) };
        let (previous, size) = (previous.unwrap_or(F::zero()), self.setup.size);
        let public = StepPublic { previous, commitment, size, start, set_hash, set };
        Proves::<StepStatement>::verify(proofs, &public, proof).map_err(|_| Wrong::StepProof)?;
        Ok(King { commitment, set, set_hash })
    }

    /// Verifies a reply from the position under a commitment to the standing set of the other player than `role`.
    fn check_reply(
        &self,
        (role, commitment): (Role, F),
        reply: &Reply,
        proof: &[u8],
        proofs: &dyn Proofs,
    ) -> Result<(), Wrong> {
        let public = ReplyPublic { commitment, set_hash: self.king(role.other())?.set_hash, reply: *reply };
        Proves::<ReplyStatement>::verify(proofs, &public, proof).map_err(|_| Wrong::ReplyProof)
    }

    fn check_capture(&self, role: Role, place: u8, proof: &[u8], proofs: &dyn Proofs) -> Result<(), Wrong> {
        let reply = self.answered.ok_or(Wrong::NothingAnswered)?;
        let shared = *reply.raised.get(usize::from(place)).ok_or(Wrong::NoPlace(place))?;
        let public = CapturePublic { commitment: self.king(role)?.commitment, own: reply.own, shared };
        Proves::<CaptureStatement>::verify(proofs, &public, proof).map_err(|_| Wrong::CaptureProof)
    }
}

impl Rules for Tag {
    const NAME: &'static str = "tag";
    type Setup = Setup;
    /// The creator's king, placed.
    type Entry = Placement;
    /// The joiner's king, placed.
    type Acceptance = Placement;
    type Move = Move;
    type Wrong = Wrong;
    type Proofs = dyn Proofs;
    type Hand = OwnKing;

    fn setup_words(Setup { size, plies }: &Setup) -> Vec<B256> {
        vec![U256::from(size.side()).into(), U256::from(*plies).into()]
    }

    fn entry_words(Placement { commitment, set, .. }: &Placement) -> Vec<B256> {
        vec![to_word(commitment).into(), to_word(&set.hash()).into()]
    }

    /// [`Wrong::StepProof`] unless the creator's king is proven to be placed.
    fn open(opening: &Opening<Self>, proofs: &dyn Proofs) -> Checked<Self, Self> {
        let setup = opening.terms.setup;
        let mut state = Self { setup, phase: Phase::Step, ply: 0, kings: [None; 2], answered: None };
        state.place(Role::Creator, &opening.entry, proofs)?;
        Ok(state)
    }

    fn join(&mut self, _: Address, placement: &Placement, proofs: &dyn Proofs) -> Checked<Self> {
        Ok(self.place(Role::Joiner, placement, proofs)?)
    }

    fn turn(&self) -> u64 {
        self.ply.into()
    }

    /// The player who hasn't made the latest step.
    fn due(&self) -> Role {
        if self.phase == Phase::Reply { self.mover().other() } else { self.mover() }
    }

    fn awaits(&self, mv: &Move) -> bool {
        match mv {
            Move::Step { .. } => self.phase == Phase::Step,
            Move::Reply { .. } => self.phase == Phase::Reply,
            Move::Capture { .. } => true,
            Move::Settle => self.phase == Phase::Last,
        }
    }

    fn make(&mut self, _: Address, mv: &Move, proofs: &dyn Proofs) -> Checked<Self, Option<Ending>> {
        let role = self.due();
        match mv {
            Move::Step { placement, reply, proof } => {
                let king = self.step_of(role, placement, None, proofs)?;
                self.check_reply((role, king.commitment), reply, proof, proofs)?;
                self.kings[role as usize] = Some(king);
                (self.answered, self.phase) = (Some(*reply), Phase::Reply);
            }
            Move::Reply { reply, proof } => {
                self.check_reply((role, self.king(role)?.commitment), reply, proof, proofs)?;
                self.ply += 1;
                self.phase = if self.ply >= self.setup.plies { Phase::Last } else { Phase::Step };
            }
            Move::Capture { place, proof } => {
                self.check_capture(role, *place, proof, proofs)?;
                return Ok(Some(Ending { winner: Some(role), outcome: Outcome::Won }));
            }
            Move::Settle => return Ok(Some(Ending { winner: None, outcome: Outcome::Drawn })),
        }
        Ok(None)
    }

    /// Who is due has lost; after the last ply nothing was captured in time, so the game is drawn.
    fn late(&self) -> Ending {
        match self.phase {
            Phase::Last => Ending { winner: None, outcome: Outcome::Drawn },
            Phase::Step | Phase::Reply => Ending { winner: Some(self.due().other()), outcome: Outcome::TimedOut },
        }
    }

    fn name_of(mv: &Move) -> &'static str {
        match mv {
            Move::Step { .. } => "step",
            Move::Reply { .. } => "reply",
            Move::Capture { .. } => "capture",
            Move::Settle => "settle",
        }
    }
}
