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
    Move, OwnKing, Phase, Placement, Proofs, Reply, Setup, Square, Tag, Wrong,
    state::King,
    statement::{
        capture::{CapturePublic, CaptureStatement},
        reply::{ReplyPublic, ReplyStatement},
        step::{StepPublic, StepStatement},
    },
};
use crate::{Checked, Ending, Outcome, Role, Rules};

impl Tag {
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
    fn open(_: B256, setup: Setup, placement: &Placement, proofs: &dyn Proofs) -> Checked<Self, Self> {
        let mut state = Self { setup, phase: Phase::Step, ply: 0, kings: [None; 2], answered: None };
        state.place(Role::Creator, placement, proofs)?;
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
