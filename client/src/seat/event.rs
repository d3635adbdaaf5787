//! What a seat is told and what it wants done. The runtime turns link, chain, prover, clock and
//! keyboard into events, and carries out the effects **in their order**: an [`Effect::Journal`] is on disk before the
//! effect after it begins. Nothing here does I/O.

use crate::journal::Entry;
use fog::engine::{self, CommittedState, Exchange, Fault, Finished, GameKeys, MoveStep, OnChain, Phase, Published};
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
            Self::SendTransaction(transaction) => write!(f, "SendTransaction({transaction:?})"),
            Self::SendMessage(message) => write!(f, "SendMessage({})", message.id()),
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

/// Work that takes long and needs nothing of the seat: a step of an exchange, or the proof of a move.
pub enum Job {
    /// Proves an own move.
    ProveMove {
        ply: u16,
        /// What the player holds for the game.
        keys: Arc<dyn GameKeys>,
        step: Box<MoveStep>,
    },
    /// Verifies the proof of a move.
    VerifyMove {
        /// What the player holds for the game.
        keys: Arc<dyn GameKeys>,
        proof: Box<MoveProof>,
    },
    /// Proves the own request, for a demand.
    ProveRequest {
        /// The ply of the sight.
        ply: u16,
        /// What the player holds for the game.
        keys: Arc<dyn GameKeys>,
        /// The own state that it stands for.
        own: Box<CommittedState>,
    },
    /// Makes and proves an answer for the chain.
    ProvePublished {
        /// The ply of the sight.
        ply: u16,
        /// Before or after that move.
        phase: Phase,
        /// What the player holds for the game.
        keys: Arc<dyn GameKeys>,
        exchange: Box<Exchange>,
        /// The own state in it.
        own: Box<CommittedState>,
        request: Vec<u8>,
    },
    /// Proves how many moves the own state counts without a pawn's.
    ProveFifty {
        /// What the player holds for the game.
        keys: Arc<dyn GameKeys>,
        own: Box<CommittedState>,
    },
    /// Proves that there is no move.
    ProveNoMove {
        /// What the player holds for the game.
        keys: Arc<dyn GameKeys>,
        own: Box<CommittedState>,
        /// The exchange before the own move.
        exchange: Box<Exchange>,
        messages: Vec<Vec<u8>>,
    },
    /// Makes and proves an answer for the opponent.
    Give(MessageId, engine::Job<()>),
    /// Verifies and opens an answer of the opponent.
    Receive(MessageId, engine::Job<Sight>),
    /// A step of the engine's set-up.
    SetUp(engine::Job<Arc<dyn GameKeys>>),
}

/// What came of a [`Job`].
#[derive(Debug)]
pub enum Done {
    /// The proof of a move.
    ProveMove(Result<Vec<u8>, Fault>),
    /// Whether the opponent's proof is right.
    VerifyMove(Result<(), Fault>),
    /// The proof of a request.
    ProveRequest(Result<Vec<u8>, Fault>),
    /// An answer for the chain.
    ProvePublished(Result<Published, Fault>),
    /// The proof of a claim, or of the answer to one.
    ProveClaim(Result<Vec<u8>, Fault>),
    /// A step of an answer.
    Give(Finished<()>),
    /// A step of a sight.
    Receive(Finished<Sight>),
    /// A step of the set-up.
    SetUp(Finished<Arc<dyn GameKeys>>),
}

impl Job {
    /// Slow. Does the work; a panic in it is a fault of this side.
    pub fn run(self) -> Done {
        match self {
            Self::ProveMove { keys, step, .. } => {
                let prove = AssertUnwindSafe(|| keys.prove_move(&step));
                let result = catch_unwind(prove);
                Done::ProveMove(result.unwrap_or_else(|_| Err(Fault::internal("the prover panicked"))))
            }
            Self::VerifyMove { keys, proof } => Done::VerifyMove(on_chain(&*keys, |keys| {
                let inputs = proof.inputs.each_ref().map(to_word);
                keys.verify_move(&inputs, &proof.proof)
            })),
            Self::ProveRequest { keys, own, .. } => {
                Done::ProveRequest(on_chain(&*keys, |keys| keys.prove_request(&own)))
            }
            Self::ProvePublished { keys, exchange, own, request, .. } => {
                Done::ProvePublished(on_chain(&*keys, |keys| keys.prove_answer(&exchange, &own, &request)))
            }
            Self::ProveFifty { keys, own } => Done::ProveClaim(on_chain(&*keys, |keys| keys.prove_fifty(&own))),
            Self::ProveNoMove { keys, own, exchange, messages } => {
                Done::ProveClaim(on_chain(&*keys, |keys| keys.prove_no_move(&exchange, &own, &messages)))
            }
            Self::Give(_, step) => Done::Give(step.run()),
            Self::Receive(_, step) => Done::Receive(step.run()),
            Self::SetUp(step) => Done::SetUp(step.run()),
        }
    }
}

/// Work for the chain; a panic in it is a fault of this side.
fn on_chain<T>(keys: &dyn GameKeys, work: impl FnOnce(&dyn OnChain) -> Result<T, Fault>) -> Result<T, Fault> {
    let keys = keys.on_chain().ok_or_else(|| Fault::internal("no contract verifies this engine's statements"))?;
    let result = catch_unwind(AssertUnwindSafe(|| work(keys)));
    result.unwrap_or_else(|_| Err(Fault::internal("the prover or the verifier panicked")))
}

/// What it is about; the work itself is full of secrets.
impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ProveMove { ply, .. } => write!(f, "ProveMove(ply {ply})"),
            Self::VerifyMove { proof, .. } => write!(f, "VerifyMove(ply {})", proof.ply),
            Self::ProveRequest { ply, .. } => write!(f, "ProveRequest(ply {ply})"),
            Self::ProvePublished { ply, phase, .. } => write!(f, "ProvePublished(ply {ply}, {phase:?})"),
            Self::ProveFifty { .. } => f.write_str("ProveFifty"),
            Self::ProveNoMove { .. } => f.write_str("ProveNoMove"),
            Self::Give(id, _) => write!(f, "Give({id})"),
            Self::Receive(id, _) => write!(f, "Receive({id})"),
            Self::SetUp(_) => f.write_str("SetUp"),
        }
    }
}
