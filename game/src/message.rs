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

use crate::{GameResult, MoveFields, Outcome};
use alloy_primitives::B256;
pub use fog::engine::Phase;
use fog::word::{from_word, to_word};
use halo2curves::bn256::Fr;
use rules::Square;
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
/// Bytes of a signature in the form of EIP-2098.
pub const SIGNATURE_BYTES: usize = 64;
/// Bytes of a result that is signed.
pub const RESULT_BYTES: usize = 34;
/// Bytes of a signed ply before its proof.
pub const PLY_BYTES: usize = 3 * 32 + 3 + 4 + SIGNATURE_BYTES + POINTS_BYTES;
/// How the contract writes "no square".
const NO_SQUARE: u8 = 64;
/// In the place of the winner.
const NOBODY: u8 = 2;
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
    /// A number that means nothing there.
    #[error("the message says what can't be")]
    Meaningless,
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
            (MessageKind::Answer, when) => write!(f, "answer {when} ply {}", self.ply),
            (MessageKind::Want, Phase::Pre) => write!(f, "wish for the request or the answer before ply {}", self.ply),
            (MessageKind::Want, Phase::Post) => write!(f, "wish for the answer after ply {}", self.ply),
            (MessageKind::SetUp, _) => write!(f, "message {} of the set-up", self.index),
            (MessageKind::WantSetUp, _) => write!(f, "wish for message {} of the set-up", self.index),
            (MessageKind::Exchange, when) => write!(f, "message {} of the sight {when} ply {}", self.index, self.ply),
            (MessageKind::WantExchange, when) => {
                write!(f, "wish for message {} of the sight {when} ply {}", self.index, self.ply)
            }
            (MessageKind::Ply, _) => write!(f, "signed move of ply {}", self.ply),
            (MessageKind::Countersigned, _) => write!(f, "signature under ply {}", self.ply),
            (MessageKind::Result, _) => f.write_str("signed result"),
            (MessageKind::Have, _) => write!(f, "word that it has {} plies", self.ply),
        }
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
    /// A ply of a game between the machines.
    Ply,
    /// The opponent's signature under the position after the receiver's ply.
    Countersigned,
    /// How the game ended, as its sender signs it.
    Result,
    /// How many plies the sender has.
    Have,
}

impl MessageKind {
    /// Whether it asks for another message.
    pub fn is_wish(self) -> bool {
        matches!(self, Self::Want | Self::WantSetUp | Self::WantExchange | Self::Have)
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
    /// A ply of a game between the machines, in place of a transaction and a request.
    Ply(Box<SignedPly>),
    /// The sender's signature under the position after the receiver's move.
    Countersigned {
        /// The ply of that move.
        ply: u16,
        signature: [u8; SIGNATURE_BYTES],
    },
    /// How the game ended, as the sender signs it.
    Result { result: GameResult, signature: [u8; SIGNATURE_BYTES] },
    /// How many plies the sender has: please send what it lacks.
    Have { plies: u16 },
}

/// A ply as its mover signs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedPly {
    pub fields: MoveFields,
    /// What the mover then has on its clock, in seconds.
    pub clock: u32,
    /// Of the mover, under the position after it; zero where a king fell, for there is no such position.
    pub signature: [u8; SIGNATURE_BYTES],
    /// The points of the request made with it, unchecked.
    pub points: Box<[u8; POINTS_BYTES]>,
    pub proof: Vec<u8>,
}

impl SignedPly {
    /// All but the proof: C′, both roots, the capture's square, king and offer, the clock, the signature, the points.
    pub fn head(&self) -> Vec<u8> {
        let MoveFields { next_commitment, next_request_root, answer_root, capture, king_fell, offer_draw, .. } =
            self.fields;
        let words = [next_commitment, next_request_root, answer_root].map(|word| to_word(&word));
        let flags = [capture.map_or(NO_SQUARE, u8::from), u8::from(king_fell), u8::from(offer_draw)];
        [words.as_flattened(), &flags, &self.clock.to_be_bytes(), &self.signature, &self.points[..]].concat()
    }

    /// A ply from its head and its proof; none if the head says what can't be.
    pub fn of(ply: u16, head: &[u8], proof: Vec<u8>) -> Option<Self> {
        let (words, rest) = head.split_first_chunk::<{ 3 * 32 }>()?;
        let (words, _) = words.as_chunks();
        let words: Vec<Fr> = words.iter().map(from_word).collect::<Option<_>>()?;
        let [next_commitment, next_request_root, answer_root] = words[..] else { return None };
        let ([capture, king_fell, offer_draw], rest) = rest.split_first_chunk()?;
        let (clock, rest) = rest.split_first_chunk()?;
        let (signature, points) = rest.split_first_chunk()?;
        let capture = match *capture {
            NO_SQUARE => None,
            index => Some(Square::new(index)?),
        };
        let boolean = |byte: u8| (byte <= 1).then_some(byte == 1);
        let (king_fell, offer_draw) = (boolean(*king_fell)?, boolean(*offer_draw)?);
        let fields =
            MoveFields { ply, next_commitment, next_request_root, answer_root, capture, king_fell, offer_draw };
        let points = Box::new(points.try_into().ok()?);
        Some(Self { fields, clock: u32::from_be_bytes(*clock), signature: *signature, points, proof })
    }
}

impl GameResult {
    /// Its bytes: the winner, the outcome and the last position's digest.
    pub fn to_bytes(&self) -> [u8; RESULT_BYTES] {
        let winner = self.creator_won.map_or(NOBODY, |creator_won| u8::from(!creator_won));
        let mut bytes = [0; RESULT_BYTES];
        (bytes[0], bytes[1]) = (winner, self.outcome as u8);
        bytes[2..].copy_from_slice(self.last.as_slice());
        bytes
    }
}

/// A result from its bytes; none if they say what can't be.
fn result_of(bytes: &[u8; RESULT_BYTES]) -> Option<GameResult> {
    let creator_won = match bytes[0] {
        0 => Some(true),
        1 => Some(false),
        NOBODY => None,
        _ => return None,
    };
    let (outcome, _) = *Outcome::NAMES.get(usize::from(bytes[1]))?;
    Some(GameResult { creator_won, outcome, last: B256::from_slice(&bytes[2..]) })
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
            Self::Ply(ref signed) => MessageId::new(MessageKind::Ply, signed.fields.ply, Phase::Pre),
            Self::Countersigned { ply, .. } => MessageId::new(MessageKind::Countersigned, ply, Phase::Pre),
            Self::Result { .. } => MessageId::new(MessageKind::Result, 0, Phase::Pre),
            Self::Have { plies } => MessageId::new(MessageKind::Have, plies, Phase::Pre),
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

    /// What the message carries: a request's points, an answer's elements and then its proof, a ply's head without its proof.
    pub fn engine_bytes(&self) -> Vec<u8> {
        match self {
            Self::Request { points, .. } => points.to_vec(),
            Self::Answer { elements, proof, .. } => {
                let mut bytes: Vec<u8> = elements.iter().flat_map(to_word).collect();
                bytes.extend_from_slice(proof);
                bytes
            }
            Self::Session { bytes, .. } => bytes.clone(),
            Self::Want { .. } | Self::WantSession { .. } | Self::Have { .. } => Vec::new(),
            Self::Ply(signed) => signed.head(),
            Self::Countersigned { signature, .. } => signature.to_vec(),
            Self::Result { result, signature } => [&result.to_bytes()[..], signature].concat(),
        }
    }

    /// A result that is signed, from its bytes; none if they say what can't be.
    pub fn result(bytes: &[u8]) -> Option<Self> {
        let (result, signature) = bytes.split_first_chunk()?;
        Some(Self::Result { result: result_of(result)?, signature: signature.try_into().ok()? })
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
                Self::Ply(signed) => PLY_BYTES + 2 + signed.proof.len(),
                Self::Countersigned { .. } => SIGNATURE_BYTES,
                Self::Result { .. } => RESULT_BYTES + SIGNATURE_BYTES,
                Self::Have { .. } => 0,
            }
    }

    /// Refuses what this side must not send: a wrong number of elements or too long a proof.
    pub fn check(&self) -> Result<(), WireError> {
        match self {
            Self::Answer { elements, .. } if elements.len() < ELEMENTS => Err(WireError::Truncated),
            Self::Answer { elements, .. } if elements.len() > ELEMENTS => Err(WireError::Oversized),
            Self::Answer { proof, .. } if proof.len() > MAX_PROOF_BYTES => Err(WireError::ProofTooLong(proof.len())),
            Self::Ply(signed) if signed.proof.len() > MAX_PROOF_BYTES => {
                Err(WireError::ProofTooLong(signed.proof.len()))
            }
            Self::Session { bytes, .. } if u32::try_from(bytes.len()).is_err() => {
                Err(WireError::MessageTooLong(bytes.len()))
            }
            _ => Ok(()),
        }
    }
}
