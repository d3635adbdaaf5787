//! The messages of the link: what one seat can say to the other, and how each is told from the others.
//!
//! Sight-lines' requests and answers have kinds of their own, whose bytes are frozen; every other engine's are numbered messages of
//! a session, of the sizes that the session's shape says.
//!
//! Protocol section 6: a player sends the 64 points of its request with its move, and its answers once a move is
//! final. Sizes are fixed by the protocol (section 7, "Encodings"); the proof alone has a maximum. Nothing here knows
//! the network or bytes (that is `frame`), and nothing here judges what a message says: points, proofs and roots are
//! the seat's business.

use std::fmt;

use alloy_primitives::B256;
pub use fog::engine::Phase;
use fog::word::{from_word, to_word};
use halo2curves::bn256::Fr;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The version of these encodings; another version is refused by name.
pub const VERSION: u8 = 1;
/// Bytes of a request: 64 points of two coordinates.
pub const POINTS_BYTES: usize = 64 * 64;
/// Elements of an answer: 732 and the clear pass.
pub const ELEMENTS: usize = 733;
/// Most bytes that a proof may have.
pub const MAX_PROOF_BYTES: usize = 16 * 1024;
/// Bytes of a hello: one signature.
pub const HELLO_BYTES: usize = 65;
/// Bytes of a session's message that one frame carries; a longer message goes in several, one after the other.
pub const PIECE_BYTES: usize = 64 * 1024;
/// Bytes before those of a piece: the message's number, the piece's, and the message's length.
pub const PIECE_HEADER_BYTES: usize = 8;
/// Bytes before the body.
pub const HEADER_BYTES: usize = 37;
/// Bytes of the elements of an answer.
pub const ELEMENTS_BYTES: usize = ELEMENTS * 32;

/// What makes bytes no message. Each is the sender's fault, whoever it is.
#[derive(Clone, Debug, Error, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WireError {
    /// Another version of the link.
    #[error("the message is of version {0} of the link, not {VERSION}")]
    Version(u8),
    #[error("there is no message of kind {0}")]
    Kind(u8),
    /// A message of another game.
    #[error("the message belongs to game {0:#x}")]
    WrongGame(B256),
    /// A phase other than 0 and 1, or one where the kind has none.
    #[error("the message's phase can't be {0}")]
    Phase(u8),
    /// A ply where the kind has none.
    #[error("a hello has no ply, and this one says {0}")]
    Ply(u16),
    /// The message ends too early.
    #[error("the message is truncated")]
    Truncated,
    /// The message goes on after its end.
    #[error("the message is oversized")]
    Oversized,
    /// The proof is longer than any.
    #[error("a proof of {0} bytes is longer than the {MAX_PROOF_BYTES} allowed")]
    ProofTooLong(usize),
    /// A message of a session that is longer than any of the game's engine.
    #[error("a message of {0} bytes is longer than any of this game's engine")]
    MessageTooLong(usize),
    /// A piece that doesn't follow on the one before it.
    #[error("a piece of a message is out of its place")]
    Piece,
    /// An element isn't below the field's modulus.
    #[error("element {0} is not below the field's modulus")]
    Element(usize),
    /// An acknowledgement that means nothing.
    #[error("the acknowledgement is malformed")]
    Acknowledgement,
}

/// What a message is about: a message's whole address within its game, and the key that makes it idempotent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MessageId {
    /// The ply of the receiver's move, or of the move that made the request.
    pub ply: u16,
    /// The phase of an answer; [`Phase::Pre`] for requests.
    #[serde(rename = "when", with = "crate::notice::When")]
    pub phase: Phase,
    pub kind: MessageKind,
    /// The number of a message within its session; 0 for others.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub index: u16,
}

fn is_zero(index: &u16) -> bool {
    *index == 0
}

/// A session of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SessionId {
    SetUp,
    Exchange {
        /// The ply of the receiver's move.
        ply: u16,
        /// Before or after that move.
        phase: Phase,
    },
}

impl SessionId {
    /// The address of a message of the session, or of the wish for one.
    pub const fn message(self, index: u16, is_wish: bool) -> MessageId {
        let (ply, phase, [sent, wanted]) = match self {
            Self::SetUp => (0, Phase::Pre, [MessageKind::SetUp, MessageKind::WantSetUp]),
            Self::Exchange { ply, phase } => (ply, phase, [MessageKind::Exchange, MessageKind::WantExchange]),
        };
        MessageId { ply, phase, kind: if is_wish { wanted } else { sent }, index }
    }
}

impl MessageId {
    /// The address of a kind of message of a ply and a phase.
    pub const fn new(kind: MessageKind, ply: u16, phase: Phase) -> Self {
        Self { ply, phase, kind, index: 0 }
    }

    /// The address of the request made with the move of a ply.
    pub const fn request(ply: u16) -> Self {
        Self::new(MessageKind::Request, ply, Phase::Pre)
    }
}

impl fmt::Display for MessageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.kind, self.phase) {
            (MessageKind::Request, _) => write!(f, "request of ply {}", self.ply),
            (MessageKind::Answer, Phase::Pre) => write!(f, "answer before ply {}", self.ply),
            (MessageKind::Answer, Phase::Post) => write!(f, "answer after ply {}", self.ply),
            (MessageKind::Want, Phase::Pre) => write!(f, "wish for the request or the answer before ply {}", self.ply),
            (MessageKind::Want, Phase::Post) => write!(f, "wish for the answer after ply {}", self.ply),
            (MessageKind::SetUp, _) => write!(f, "message {} of the set-up", self.index),
            (MessageKind::WantSetUp, _) => write!(f, "wish for message {} of the set-up", self.index),
            (MessageKind::Exchange, _) => write!(f, "message {} of the sight {}", self.index, At(self)),
            (MessageKind::WantExchange, _) => write!(f, "wish for message {} of the sight {}", self.index, At(self)),
        }
    }
}

/// Where in the game a sight is.
struct At<'a>(&'a MessageId);

impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let when = if self.0.phase == Phase::Pre { "before" } else { "after" };
        write!(f, "{when} ply {}", self.0.ply)
    }
}

/// The kinds of messages that the seat sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MessageKind {
    /// The points of a request.
    Request,
    /// The elements of an answer and their proof.
    Answer,
    /// Please send this (again).
    Want,
    /// A message of the set-up.
    SetUp,
    /// A message of an exchange.
    Exchange,
    /// Please send that message of the set-up (again).
    WantSetUp,
    /// Please send that message of an exchange (again).
    WantExchange,
}

impl MessageKind {
    /// Whether it asks for another message.
    pub fn is_wish(self) -> bool {
        matches!(self, Self::Want | Self::WantSetUp | Self::WantExchange)
    }
}

/// A message between the seats of a game.
#[derive(Clone, PartialEq, Eq)]
pub enum Message {
    /// The 64 points of the request made with the sender's move.
    Request {
        /// The ply of that move.
        ply: u16,
        /// x₀, y₀, …, x₆₃, y₆₃, unchecked.
        points: Box<[u8; POINTS_BYTES]>,
    },
    /// The receiver's sight: elements in wire order and the *answer* proof.
    Answer {
        /// The ply of the receiver's move.
        ply: u16,
        /// Before or after that move.
        phase: Phase,
        /// The 733 elements in wire order.
        elements: Vec<Fr>,
        proof: Vec<u8>,
    },
    /// Please send this (again): the request made with your move of that ply, or, if the ply is one of mine, the answer
    /// of that phase.
    Want {
        /// The ply of the wanted message.
        ply: u16,
        /// Its phase; [`Phase::Pre`] for a request.
        phase: Phase,
    },
    /// A message of a session, of an engine other than sight-lines.
    Session {
        session: SessionId,
        /// Its number there, counted from 0.
        index: u16,
        /// What it says, unchecked.
        bytes: Vec<u8>,
    },
    /// Please send that message of a session (again).
    WantSession {
        session: SessionId,
        /// The number of the wanted message.
        index: u16,
    },
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Message({})", self.id())
    }
}

impl Message {
    /// What tells this message from all others of the game.
    pub fn id(&self) -> MessageId {
        match *self {
            Self::Request { ply, .. } => MessageId::request(ply),
            Self::Answer { ply, phase, .. } => MessageId::new(MessageKind::Answer, ply, phase),
            Self::Want { ply, phase } => MessageId::new(MessageKind::Want, ply, phase),
            Self::Session { session, index, .. } => session.message(index, false),
            Self::WantSession { session, index } => session.message(index, true),
        }
    }

    /// The wish with an address; none if it is no wish's.
    pub fn wish(id: MessageId) -> Option<Self> {
        let MessageId { ply, phase, kind, index } = id;
        match kind {
            MessageKind::Want => Some(Self::Want { ply, phase }),
            MessageKind::WantSetUp => Some(Self::WantSession { session: SessionId::SetUp, index }),
            MessageKind::WantExchange => Some(Self::WantSession { session: SessionId::Exchange { ply, phase }, index }),
            _ => None,
        }
    }

    /// The request that an engine has made; none if it has another length than the link carries.
    pub fn request(ply: u16, request: &[u8]) -> Option<Self> {
        let points = Box::new(request.try_into().ok()?);
        Some(Self::Request { ply, points })
    }

    /// The answer that an engine's message carries: elements in wire order, then the proof. None if it is too short or an element
    /// is no field element.
    pub fn answer(ply: u16, phase: Phase, message: &[u8]) -> Option<Self> {
        let (elements, proof) = message.split_at_checked(ELEMENTS_BYTES)?;
        let (words, _) = elements.as_chunks();
        let elements = words.iter().map(from_word).collect::<Option<_>>()?;
        Some(Self::Answer { ply, phase, elements, proof: proof.to_vec() })
    }

    /// The message of an exchange that an engine has made, in the form that its kind has on the link: [`Self::answer`], or a
    /// session's. None of another kind.
    pub fn of_exchange(id: MessageId, bytes: &[u8]) -> Option<Self> {
        let MessageId { ply, phase, kind, index } = id;
        match kind {
            MessageKind::Answer => Self::answer(ply, phase, bytes),
            MessageKind::Exchange => {
                let session = SessionId::Exchange { ply, phase };
                Some(Self::Session { session, index, bytes: bytes.to_vec() })
            }
            _ => None,
        }
    }

    /// What the message carries for an engine: a request's points, an answer's elements and then its proof.
    pub fn engine_bytes(&self) -> Vec<u8> {
        match self {
            Self::Request { points, .. } => points.to_vec(),
            Self::Answer { elements, proof, .. } => {
                let mut bytes: Vec<u8> = elements.iter().flat_map(to_word).collect();
                bytes.extend_from_slice(proof);
                bytes
            }
            Self::Session { bytes, .. } => bytes.clone(),
            Self::Want { .. } | Self::WantSession { .. } => Vec::new(),
        }
    }

    /// How many frames it takes.
    pub fn frames(&self) -> usize {
        match self {
            Self::Session { bytes, .. } => bytes.len().div_ceil(PIECE_BYTES).max(1),
            _ => 1,
        }
    }

    /// Bytes on the wire, headers included.
    pub fn wire_len(&self) -> usize {
        let frames = self.frames();
        frames * HEADER_BYTES
            + match self {
                Self::Request { .. } => POINTS_BYTES,
                Self::Answer { proof, .. } => ELEMENTS_BYTES + 2 + proof.len(),
                Self::Want { .. } => 0,
                Self::Session { bytes, .. } => frames * PIECE_HEADER_BYTES + bytes.len(),
                Self::WantSession { .. } => 2,
            }
    }

    /// Refuses what this side must not send: a wrong number of elements or too long a proof.
    pub fn check(&self) -> Result<(), WireError> {
        match self {
            Self::Answer { elements, .. } if elements.len() < ELEMENTS => Err(WireError::Truncated),
            Self::Answer { elements, .. } if elements.len() > ELEMENTS => Err(WireError::Oversized),
            Self::Answer { proof, .. } if proof.len() > MAX_PROOF_BYTES => Err(WireError::ProofTooLong(proof.len())),
            Self::Session { bytes, .. } if u32::try_from(bytes.len()).is_err() => {
                Err(WireError::MessageTooLong(bytes.len()))
            }
            _ => Ok(()),
        }
    }
}
