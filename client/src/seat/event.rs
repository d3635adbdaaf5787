//! What a seat is told and what it wants done. The runtime turns link, chain, prover, clock and
//! keyboard into events, and carries out the effects **in their order**: an [`Effect::Journal`] is on disk before the
//! effect after it begins. Nothing here does I/O.

use crate::journal::Entry;
use fog::engine::{self, Fault, Finished, GameKeys, MoveStep, OnChain, Phase};
use fog::statement::turn::{TURN_INPUTS, TurnPublic};
use fog::word::to_word;
use game::{ChainEvent, Command, Message, MessageId, MoveFields, Notice, Transaction, WireError};
use halo2curves::bn256::Fr;
use rules::Sight;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

#[derive(Debug)]
pub enum Event {
    /// The chain tells something that is **final** (N blocks deep, per chain). In order; repeats are ignored.
    Final(ChainEvent),
    /// A move is in a block that isn't final yet. Only shown, and remembered if it is one's own.
    Seen(MoveFields),
    /// A move told by [`Event::Seen`] is no longer on the chain.
    Dropped { ply: u16 },
    /// A game between the machines was woken, in a block that isn't final yet. Not the seat's business but that of who plays it
    /// between the machines.
    WakeSeen {
        /// The ply to come in the position that stands.
        ply: u16,
        /// Until when a later one may take its place, since 1970.
        until: u64,
    },
    /// A wake told by [`Event::WakeSeen`] is no longer on the chain.
    WakeDropped,
    /// The link is up (again).
    Connected,
    /// There is no link any more, and won't be.
    LinkCut,
    /// A message of the opponent's seat.
    Received(Message),
    /// Bytes of the opponent that are no message.
    Unreadable(WireError),
    /// A job of [`Effect::Run`] has run.
    Done(JobId, Done),
    /// A transaction was refused or lost. It is sent again later unless the chain moves on.
    TransactionFailed {
        transaction: Box<Transaction>,
        /// Whether it certainly has no effect, now or later; else it may still get into a block.
        is_certain: bool,
        reason: String,
    },
    /// The user wants something.
    Command(Command),
    Tick {
        /// The chain's time, in seconds since 1970.
        now: u64,
        /// This machine's date, in seconds since 1970.
        date: u64,
        /// When the time of the player to act runs out, by the contract's clock.
        deadline: Option<u64>,
    },
}

/// Something to be done.
pub enum Effect {
    /// Write this down before anything after it.
    Journal(Entry),
    /// Run this on any thread; tell [`Event::Done`] with the same number.
    Run(JobId, Job),
    /// Send a transaction. Repeats carry the same content: one that is already on its way need not be sent twice.
    SendTransaction(Transaction),
    /// Send this to the opponent's seat; it may get lost.
    SendMessage(Message),
    Notify(Notice),
}

/// In a word or two, for logs: the statements and messages themselves run to thousands of numbers.
impl fmt::Debug for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Journal(entry) => write!(f, "Journal(ply {})", entry.ply()),
            Self::Run(id, job) => write!(f, "Run({}, {job:?})", id.0),
            Self::SendTransaction(Transaction::Move { fields, .. }) => {
                write!(f, "SendTransaction(move {})", fields.ply)
            }
            Self::SendTransaction(transaction) => {
                write!(f, "SendTransaction({:?} {:?})", transaction.action(), transaction.ply())
            }
            Self::SendMessage(message) => write!(f, "SendMessage({})", message.id()),
            Self::Notify(Notice::View(view)) => {
                let sight = if view.sight.is_some() { "with" } else { "without" };
                write!(f, "Notify(View {} {:?} {sight} a sight)", view.ply, view.phase)
            }
            Self::Notify(notice) => write!(f, "Notify({notice:?})"),
        }
    }
}

/// The number of a job within its seat. A result is matched by it alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JobId(pub(super) u64);

#[cfg(test)]
impl JobId {
    /// A number for tests.
    pub(crate) fn test(number: u64) -> Self {
        Self(number)
    }
}

#[cfg(test)]
impl Job {
    /// A job for tests.
    pub(crate) fn test(kind: JobKind, work: impl FnOnce() -> Done + Send + 'static) -> Self {
        Self { kind, work: Box::new(work) }
    }
}

/// The proof of a move, and what it must be a proof of.
#[derive(Clone, Debug)]
pub struct MoveProof {
    pub ply: u16,
    inputs: [Fr; TURN_INPUTS],
    proof: Vec<u8>,
}

impl MoveProof {
    pub fn new(ply: u16, public: &TurnPublic, proof: &[u8]) -> Self {
        Self { ply, inputs: public.to_instance(), proof: proof.to_vec() }
    }
}

/// What a [`Job`] is about. The numbers are plies, of a sight that of its receiver's move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobKind {
    /// The proof of an own move.
    ProveMove(u16),
    /// Whether the proof of a move is right.
    VerifyMove(u16),
    /// The proof of the own request, for a demand.
    ProveRequest(u16),
    /// An answer for the chain, with its proof.
    ProvePublished(u16, Phase),
    /// How many moves the own state counts without a pawn's.
    ProveFifty,
    /// That there is no move.
    ProveNoMove,
    /// An answer for the opponent: it is made and proven.
    Give(MessageId),
    /// An answer of the opponent: it is verified and opened.
    Receive(MessageId),
    /// A step of the engine's set-up.
    SetUp,
}

/// Work that takes long and needs nothing of the seat: a step of an exchange, or the proof of a move.
pub struct Job {
    pub kind: JobKind,
    work: Box<dyn FnOnce() -> Done + Send>,
}

/// What came of a [`Job`].
#[derive(Debug)]
pub enum Done {
    /// The proof of a move.
    ProveMove(Result<Vec<u8>, Fault>),
    /// Whether the opponent's proof is right.
    VerifyMove(Result<(), Fault>),
    /// A transaction with its proof: a demand, an answer for the chain, a claim, or the answer to one.
    Proven(Result<Box<Transaction>, Fault>),
    /// A step of an answer.
    Give(Finished<()>),
    /// A step of a sight.
    Receive(Finished<Sight>),
    /// A step of the set-up.
    SetUp(Finished<Arc<dyn GameKeys>>),
}

impl Job {
    /// A step of an engine's session.
    pub(super) fn step<T: 'static>(kind: JobKind, step: engine::Job<T>, done: fn(Finished<T>) -> Done) -> Self {
        Self { kind, work: Box::new(move || done(step.run())) }
    }

    /// The proof of an own move.
    pub(super) fn prove_move(ply: u16, keys: &Arc<dyn GameKeys>, step: MoveStep) -> Self {
        let keys = keys.clone();
        let work = move || Done::ProveMove(caught("the prover panicked", || keys.prove_move(&step)));
        Self { kind: JobKind::ProveMove(ply), work: Box::new(work) }
    }

    /// Whether the proof of a move is right.
    pub(super) fn verify_move(keys: &Arc<dyn GameKeys>, proof: &MoveProof) -> Self {
        let MoveProof { ply, inputs, proof } = proof.clone();
        let inputs = inputs.each_ref().map(to_word);
        Self::on_chain(JobKind::VerifyMove(ply), keys, move |keys| keys.verify_move(&inputs, &proof), Done::VerifyMove)
    }

    /// What only an engine does whose statements a contract verifies.
    pub(super) fn on_chain<T: 'static>(
        kind: JobKind,
        keys: &Arc<dyn GameKeys>,
        work: impl FnOnce(&dyn OnChain) -> Result<T, Fault> + Send + 'static,
        done: fn(Result<T, Fault>) -> Done,
    ) -> Self {
        let keys = keys.clone();
        let of_engine = move || {
            let keys = keys.on_chain().ok_or_else(|| Fault::internal("no contract verifies this engine's statements"));
            caught("the prover or the verifier panicked", || work(keys?))
        };
        Self { kind, work: Box::new(move || done(of_engine())) }
    }

    /// Slow. Does the work; a panic in it is a fault of this side.
    pub fn run(self) -> Done {
        (self.work)()
    }
}

/// Does work; a panic in it becomes a fault of this side that says `panicked`.
fn caught<T>(panicked: &'static str, work: impl FnOnce() -> Result<T, Fault>) -> Result<T, Fault> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(Fault::internal(panicked)))
}

/// Its kind; the work itself is full of secrets.
impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}
