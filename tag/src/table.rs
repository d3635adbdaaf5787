//! The public state of one game, by which every action is checked: the twin of the contract.
//!
//! ```text
//! ply p: the mover (the creator if p is even) steps and replies to the other's set; then the other replies to the new set
//! ```
//!
//! From a step on it is the other player's turn, until that one steps: it replies, and then it is to move. By the reply that came with the step it may show a
//! capture in place of either. So at any time one of the players at most may capture. After the last ply it does so, or settles.

use alloy_primitives::Address;
use fog::{F, ensure, statement::Proves};

use crate::{
    Action, Fault, Placement, Proofs, Reply, Set, Size,
    statement::{
        capture::{CapturePublic, CaptureStatement},
        reply::{ReplyPublic, ReplyStatement},
        step::{StepPublic, StepStatement},
    },
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    pub size: Size,
    /// Plies after which the game is drawn; at least 1.
    pub plies: u16,
    /// The time for each action, in seconds.
    pub turn: u32,
    /// The last block time at which the game can be joined, in seconds.
    pub expiry: u64,
    /// Who may join; anyone if there is none.
    pub opponent: Option<Address>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Opens the game and makes the first step.
    Creator = 0,
    Joiner = 1,
}

impl Role {
    /// Who steps at a ply, counted from 0.
    pub fn of_ply(ply: u16) -> Self {
        if ply.is_multiple_of(2) { Self::Creator } else { Self::Joiner }
    }

    pub fn other(self) -> Self {
        if self == Self::Creator { Self::Joiner } else { Self::Creator }
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Taken back after nobody had joined in time.
    Cancelled,
    /// A king was seen.
    Captured,
    /// All plies were made.
    Drawn,
    /// A player gave up.
    Resigned,
    /// A player let its time pass.
    TimedOut,
}

/// Who won, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Nobody, if the game was drawn or cancelled.
    pub winner: Option<Role>,
    pub outcome: Outcome,
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

/// Where a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Waits for an opponent.
    Open,
    Playing(Phase),
    Over(Ending),
}

/// A king in public: the commitment to its position, and its set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct King {
    commitment: F,
    set: Set,
    set_hash: F,
}

impl From<&Placement> for King {
    fn from(placement: &Placement) -> Self {
        Self { commitment: placement.commitment, set: placement.set, set_hash: placement.set.hash() }
    }
}

/// A game as everybody can see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    terms: Terms,
    creator: Address,
    joiner: Option<Address>,
    status: Status,
    ply: u16,
    /// When the time for the next action began, in seconds.
    since: u64,
    kings: [Option<King>; 2],
    /// The reply that came with the latest step.
    answered: Option<Reply>,
}

impl Table {
    /// A game that waits for an opponent, the creator's king placed. [`Fault::WrongStepProof`] unless that is proven.
    pub fn open(terms: Terms, creator: Address, placement: &Placement, proofs: &dyn Proofs) -> Result<Self, Fault> {
        let mut table = Self {
            terms,
            creator,
            joiner: None,
            status: Status::Open,
            ply: 0,
            since: 0,
            kings: [None; 2],
            answered: None,
        };
        table.place(Role::Creator, placement, proofs)?;
        Ok(table)
    }

    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// Where the game stands.
    pub fn status(&self) -> Status {
        self.status
    }

    /// Plies that are over.
    pub fn ply(&self) -> u16 {
        self.ply
    }

    /// Who steps at this ply.
    pub fn mover(&self) -> Role {
        Role::of_ply(self.ply)
    }

    /// Who has to say the next thing, and may capture: the player who hasn't made the latest step.
    pub fn due(&self) -> Role {
        match self.status {
            Status::Playing(Phase::Reply) => self.mover().other(),
            _ => self.mover(),
        }
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

    /// Who plays a role; there is no joiner yet in an open game.
    pub fn player(&self, role: Role) -> Option<Address> {
        match role {
            Role::Creator => Some(self.creator),
            Role::Joiner => self.joiner,
        }
    }

    /// The role of an account.
    pub fn role_of(&self, account: Address) -> Option<Role> {
        [Role::Creator, Role::Joiner].into_iter().find(|role| self.player(*role) == Some(account))
    }

    /// The last second for the next action of a game in play.
    pub fn deadline(&self) -> u64 {
        self.since.saturating_add(self.terms.turn.into())
    }

    /// An action of an account at a block time (seconds), or why it doesn't count; then nothing has changed.
    pub fn apply(&mut self, sender: Address, action: &Action, time: u64, proofs: &dyn Proofs) -> Result<(), Fault> {
        match action {
            Action::Cancel => self.cancel(time),
            Action::Join(placement) => self.join(sender, placement, time, proofs),
            Action::Step { placement, reply, proof } => self.step(sender, placement, (reply, proof), time, proofs),
            Action::Reply { reply, proof } => self.reply(sender, reply, proof, time, proofs),
            Action::Capture { place, proof } => self.capture(sender, *place, proof, time, proofs),
            Action::Settle => self.settle(sender, time),
            Action::Resign => self.resign(sender, time),
            Action::ClaimTimeout => self.claim_timeout(time),
        }
    }

    fn cancel(&mut self, time: u64) -> Result<(), Fault> {
        ensure!(self.status == Status::Open, Fault::WrongStatus);
        ensure!(time > self.terms.expiry, Fault::StillInTime(self.terms.expiry));
        self.end(None, Outcome::Cancelled);
        Ok(())
    }

    fn join(&mut self, sender: Address, placement: &Placement, time: u64, proofs: &dyn Proofs) -> Result<(), Fault> {
        ensure!(self.status == Status::Open, Fault::WrongStatus);
        ensure!(time <= self.terms.expiry, Fault::Expired);
        ensure!(sender != self.creator, Fault::SelfPlay);
        ensure!(self.terms.opponent.is_none_or(|invited| invited == sender), Fault::NotInvited);
        self.place(Role::Joiner, placement, proofs)?;
        self.joiner = Some(sender);
        self.status = Status::Playing(Phase::Step);
        self.since = time;
        Ok(())
    }

    fn step(
        &mut self,
        sender: Address,
        placement: &Placement,
        (reply, proof): (&Reply, &[u8]),
        time: u64,
        proofs: &dyn Proofs,
    ) -> Result<(), Fault> {
        let role = self.expect(sender, Phase::Step, time)?;
        let king = self.step_of(role, placement, None, proofs)?;
        let other = self.kings[role.other() as usize].ok_or(Fault::WrongStatus)?;
        let public = ReplyPublic { commitment: king.commitment, set_hash: other.set_hash, reply: *reply };
        Proves::<ReplyStatement>::verify(proofs, &public, proof).map_err(|_| Fault::WrongReplyProof)?;
        self.kings[role as usize] = Some(king);
        self.answered = Some(*reply);
        self.status = Status::Playing(Phase::Reply);
        self.since = time;
        Ok(())
    }

    fn reply(
        &mut self,
        sender: Address,
        reply: &Reply,
        proof: &[u8],
        time: u64,
        proofs: &dyn Proofs,
    ) -> Result<(), Fault> {
        let role = self.expect(sender, Phase::Reply, time)?;
        let [own, other] = [role, role.other()].map(|role| self.kings[role as usize]);
        let (own, other) = own.zip(other).ok_or(Fault::WrongStatus)?;
        let public = ReplyPublic { commitment: own.commitment, set_hash: other.set_hash, reply: *reply };
        Proves::<ReplyStatement>::verify(proofs, &public, proof).map_err(|_| Fault::WrongReplyProof)?;
        self.ply += 1;
        let is_last = self.ply >= self.terms.plies;
        self.status = Status::Playing(if is_last { Phase::Last } else { Phase::Step });
        self.since = time;
        Ok(())
    }

    fn capture(
        &mut self,
        sender: Address,
        place: u8,
        proof: &[u8],
        time: u64,
        proofs: &dyn Proofs,
    ) -> Result<(), Fault> {
        self.expect_in_play(time)?;
        let role = self.due();
        ensure!(self.player(role) == Some(sender), Fault::NotYourTurn);
        let reply = self.answered.ok_or(Fault::NothingAnswered)?;
        let shared = *reply.raised.get(usize::from(place)).ok_or(Fault::NoPlace(place))?;
        let commitment = self.commitment(role).ok_or(Fault::WrongStatus)?;
        let public = CapturePublic { commitment, own: reply.own, shared };
        Proves::<CaptureStatement>::verify(proofs, &public, proof).map_err(|_| Fault::WrongCaptureProof)?;
        self.end(Some(role), Outcome::Captured);
        Ok(())
    }

    fn settle(&mut self, sender: Address, time: u64) -> Result<(), Fault> {
        self.expect(sender, Phase::Last, time)?;
        self.end(None, Outcome::Drawn);
        Ok(())
    }

    fn resign(&mut self, sender: Address, time: u64) -> Result<(), Fault> {
        self.expect_in_play(time)?;
        let role = self.role_of(sender).ok_or(Fault::NotPlayer)?;
        self.end(Some(role.other()), Outcome::Resigned);
        Ok(())
    }

    /// Who is due has lost; after the last ply nothing was captured in time, so the game is drawn.
    fn claim_timeout(&mut self, time: u64) -> Result<(), Fault> {
        let Status::Playing(phase) = self.status else {
            return Err(Fault::WrongStatus);
        };
        ensure!(time > self.deadline(), Fault::StillInTime(self.deadline()));
        match phase {
            Phase::Last => self.end(None, Outcome::Drawn),
            Phase::Step | Phase::Reply => self.end(Some(self.due().other()), Outcome::TimedOut),
        }
        Ok(())
    }

    fn place(&mut self, role: Role, placement: &Placement, proofs: &dyn Proofs) -> Result<(), Fault> {
        let start = self.terms.size.start(role == Role::Joiner);
        self.kings[role as usize] = Some(self.step_of(role, placement, Some(start), proofs)?);
        Ok(())
    }

    /// The king of a proven placement: at its start, or a step from where it was.
    fn step_of(
        &self,
        role: Role,
        placement: &Placement,
        start: Option<crate::Square>,
        proofs: &dyn Proofs,
    ) -> Result<King, Fault> {
        let king = King::from(placement);
        let previous = if start.is_some() { None } else { self.commitment(role) };
        let public = StepPublic {
            previous: previous.unwrap_or(F::zero()),
            commitment: king.commitment,
            size: self.terms.size,
            start,
            set_hash: king.set_hash,
            set: king.set,
        };
        Proves::<StepStatement>::verify(proofs, &public, &placement.proof).map_err(|_| Fault::WrongStepProof)?;
        Ok(king)
    }

    /// The role of the sender, who must be the one that is due in this phase, in time.
    fn expect(&self, sender: Address, phase: Phase, time: u64) -> Result<Role, Fault> {
        self.expect_in_play(time)?;
        ensure!(self.status == Status::Playing(phase), Fault::WrongStatus);
        ensure!(self.player(self.due()) == Some(sender), Fault::NotYourTurn);
        Ok(self.due())
    }

    /// Time decides, not who calls first: after the deadline only the claim is left.
    fn expect_in_play(&self, time: u64) -> Result<(), Fault> {
        ensure!(matches!(self.status, Status::Playing(_)), Fault::WrongStatus);
        ensure!(time <= self.deadline(), Fault::OutOfTime);
        Ok(())
    }

    fn end(&mut self, winner: Option<Role>, outcome: Outcome) {
        self.status = Status::Over(Ending { winner, outcome });
    }
}
