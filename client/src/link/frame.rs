//! The bytes of the link: one frame a stream, of a size that its header announces.
//!
//! Protocol section 6, with the sizes of section 7 ("Encodings"). Integers are big-endian, as in the chain's words. A
//! header is checked whole before a byte of the body is read. Reading from the network is `codec`.
//!
//! ```text
//! offset  0  version, 1 byte
//!         1  kind, 1 byte: 0 hello, 1 request, 2 answer, 3 want; 4 set-up, 5 exchange, 6 want of a set-up's message, 7 of an
//!            exchange's (4 to 7 in games of engines other than sight-lines, and no others there but hellos); 8 ply,
//!            9 countersigned, 10 result, 11 have (8 to 11 in games between the machines)
//!         2  game id, 32 bytes
//!        34  ply, 2 bytes (hello, set-up and result: 0; have: how many plies)
//!        36  phase, 1 byte (0 before the receiver's move, 1 after it; hello, request and set-up: 0)
//!        37  hello:   signature, 65 bytes (see `binding`)
//!            request: 64 points, x then y, 4,096 bytes
//!            answer:  733 elements, 23,456 bytes; length of the proof, 2 bytes; the proof
//!            want:    nothing; ply and phase are those of the wanted message
//!            set-up, exchange: number of the message, 2 bytes; of the piece, 2 bytes; bytes of the message, 4 bytes; the piece,
//!                     65,536 bytes or what is left of the message (see `pieces`)
//!            want of their messages: number of the message, 2 bytes
//!            ply:     C′, request root, answer root, 96 bytes; capture, king, offer, 3 bytes; clock, 4 bytes; signature, 64 bytes;
//!                     64 points, 4,096 bytes; length of the proof, 2 bytes; the proof
//!            countersigned: signature, 64 bytes
//!            result:  winner, outcome, 2 bytes; digest, 32 bytes; signature, 64 bytes
//!            have:    nothing
//! ```

use alloy::primitives::B256;
use fog::ensure;
use fog::word::{from_word, to_word};
use halo2curves::bn256::Fr;

use super::pieces::{Piece, piece_len};
use game::message::{
    ELEMENTS_BYTES, HEADER_BYTES, HELLO_BYTES, MAX_PROOF_BYTES, Message, MessageId, MessageKind, PIECE_HEADER_BYTES,
    PLY_BYTES, POINTS_BYTES, Phase, RESULT_BYTES, SIGNATURE_BYTES, SessionId, SignedPly, VERSION, WireError,
};
use thiserror::Error;

/// What one stream of the link carries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Frame {
    /// Who the peer is.
    Hello(Box<[u8; HELLO_BYTES]>),
    /// A message of the seat.
    Message(Message),
    /// A piece of a session's message.
    Piece(Piece),
}

/// Which frames a game has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frames {
    /// Sight-lines' requests and answers.
    Answers,
    /// The same, and what is signed in a game between the machines.
    Channel,
    /// Messages of sessions, of so many bytes at most.
    Sessions {
        /// Bytes of the engine's longest message.
        max_message: usize,
    },
}

impl Frame {
    /// Frame `number` of a message.
    pub(super) fn of(message: &Message, number: u16) -> Self {
        Piece::of(message, number).map_or_else(|| Self::Message(message.clone()), Self::Piece)
    }

    /// The bytes of the frame in `game`.
    pub(super) fn encode(&self, game: B256) -> Vec<u8> {
        let (kind, ply, phase) = match self {
            Self::Hello(_) => (HELLO, 0, Phase::Pre),
            Self::Message(message) => number(message.id()),
            Self::Piece(piece) => number(piece.session.message(piece.index, false)),
        };
        let mut bytes = vec![VERSION, kind];
        bytes.extend_from_slice(game.as_slice());
        bytes.extend_from_slice(&ply.to_be_bytes());
        bytes.push(phase as u8);
        match self {
            Self::Hello(signature) => bytes.extend_from_slice(signature.as_slice()),
            Self::Message(Message::Answer { elements, proof, .. }) => {
                bytes.reserve_exact(32 * elements.len() + 2 + proof.len());
                for element in elements {
                    bytes.extend_from_slice(&to_word(element));
                }
                // `check` has bounded the length of everything that is sent.
                bytes.extend_from_slice(&(proof.len() as u16).to_be_bytes());
                bytes.extend_from_slice(proof);
            }
            Self::Message(Message::Ply(signed)) => {
                bytes.extend(signed.head());
                bytes.extend_from_slice(&(signed.proof.len() as u16).to_be_bytes());
                bytes.extend_from_slice(&signed.proof);
            }
            Self::Message(Message::WantSession { index, .. }) => bytes.extend_from_slice(&index.to_be_bytes()),
            Self::Message(message) => bytes.extend(message.engine_bytes()),
            Self::Piece(Piece { index, number, total, bytes: piece, .. }) => {
                bytes.extend_from_slice(&index.to_be_bytes());
                bytes.extend_from_slice(&number.to_be_bytes());
                bytes.extend_from_slice(&total.to_be_bytes());
                bytes.extend_from_slice(piece);
            }
        }
        bytes
    }
}

/// What the header says of a message.
fn number(id: MessageId) -> (u8, u16, Phase) {
    (1 + id.kind as u8, id.ply, id.phase)
}

/// The header of a frame, checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    /// Of a message; none for a hello.
    kind: Option<MessageKind>,
    ply: u16,
    phase: Phase,
}

/// The kind byte of a hello; those of messages follow in the order of [`MessageKind`].
const HELLO: u8 = 0;

impl Header {
    /// Reads a header; all that it can say is checked here, before any byte of the body is read.
    pub(super) fn decode(bytes: &[u8; HEADER_BYTES], game: B256, frames: Frames) -> Result<Self, WireError> {
        ensure!(bytes[0] == VERSION, WireError::Version(bytes[0]));
        let kind = match (bytes[1], frames) {
            (HELLO, _) => None,
            (1, Frames::Answers | Frames::Channel) => Some(MessageKind::Request),
            (2, Frames::Answers | Frames::Channel) => Some(MessageKind::Answer),
            (3, Frames::Answers | Frames::Channel) => Some(MessageKind::Want),
            (4, Frames::Sessions { .. }) => Some(MessageKind::SetUp),
            (5, Frames::Sessions { .. }) => Some(MessageKind::Exchange),
            (6, Frames::Sessions { .. }) => Some(MessageKind::WantSetUp),
            (7, Frames::Sessions { .. }) => Some(MessageKind::WantExchange),
            (8, Frames::Channel) => Some(MessageKind::Ply),
            (9, Frames::Channel) => Some(MessageKind::Countersigned),
            (10, Frames::Channel) => Some(MessageKind::Result),
            (11, Frames::Channel) => Some(MessageKind::Have),
            (other, _) => return Err(WireError::Kind(other)),
        };
        let theirs = B256::from_slice(&bytes[2..34]);
        ensure!(theirs == game, WireError::WrongGame(theirs));
        let ply = u16::from_be_bytes([bytes[34], bytes[35]]);
        let is_of_ply = !matches!(kind, None | Some(MessageKind::SetUp | MessageKind::WantSetUp | MessageKind::Result));
        ensure!(is_of_ply || ply == 0, WireError::Ply(ply));
        let phase = match (bytes[36], kind) {
            (0, _) => Phase::Pre,
            (1, Some(MessageKind::Answer | MessageKind::Want)) => Phase::Post,
            (1, Some(MessageKind::Exchange | MessageKind::WantExchange)) => Phase::Post,
            (other, _) => return Err(WireError::Phase(other)),
        };
        Ok(Self { kind, ply, phase })
    }

    /// Bytes of the body's fixed part: of an answer or a ply, up to and with the length of its proof; of a piece, what stands before it.
    pub(super) fn fixed_len(self) -> usize {
        match self.kind {
            None => HELLO_BYTES,
            Some(MessageKind::Request) => POINTS_BYTES,
            Some(MessageKind::Answer) => ELEMENTS_BYTES + 2,
            Some(MessageKind::Want) => 0,
            Some(MessageKind::SetUp | MessageKind::Exchange) => PIECE_HEADER_BYTES,
            Some(MessageKind::WantSetUp | MessageKind::WantExchange) => 2,
            Some(MessageKind::Ply) => PLY_BYTES + 2,
            Some(MessageKind::Countersigned) => SIGNATURE_BYTES,
            Some(MessageKind::Result) => RESULT_BYTES + SIGNATURE_BYTES,
            Some(MessageKind::Have) => 0,
        }
    }

    /// Bytes that follow the fixed part: a proof, or a piece.
    pub(super) fn rest_len(self, fixed: &[u8], frames: Frames) -> Result<usize, WireError> {
        match (self.kind, frames) {
            (Some(MessageKind::Answer | MessageKind::Ply), _) => {
                let [.., high, low] = fixed else {
                    return Err(WireError::Truncated);
                };
                match usize::from(u16::from_be_bytes([*high, *low])) {
                    len if len > MAX_PROOF_BYTES => Err(WireError::ProofTooLong(len)),
                    len => Ok(len),
                }
            }
            (Some(MessageKind::SetUp | MessageKind::Exchange), Frames::Sessions { max_message }) => {
                let (_, number, total) = piece_header(fixed)?;
                ensure!(total as usize <= max_message, WireError::MessageTooLong(total as usize));
                piece_len(number, total)
            }
            _ => Ok(0),
        }
    }

    fn session(self) -> SessionId {
        match self.kind {
            Some(MessageKind::SetUp | MessageKind::WantSetUp) => SessionId::SetUp,
            _ => SessionId::Exchange { ply: self.ply, phase: self.phase },
        }
    }

    /// The frame of a body that has been read.
    pub(super) fn frame(self, fixed: &[u8], rest: Vec<u8>) -> Result<Frame, WireError> {
        let Self { kind, ply, phase } = self;
        let message = match kind {
            None => return Ok(Frame::Hello(Box::new(fixed.try_into().map_err(|_| WireError::Truncated)?))),
            Some(MessageKind::Request) => Message::request(ply, fixed).ok_or(WireError::Truncated)?,
            Some(MessageKind::Answer) => Message::Answer { ply, phase, elements: elements(fixed)?, proof: rest },
            Some(MessageKind::Want) => Message::Want { ply, phase },
            Some(MessageKind::SetUp | MessageKind::Exchange) => {
                let (index, number, total) = piece_header(fixed)?;
                return Ok(Frame::Piece(Piece { session: self.session(), index, number, total, bytes: rest }));
            }
            Some(MessageKind::WantSetUp | MessageKind::WantExchange) => {
                let index = u16::from_be_bytes(fixed.try_into().map_err(|_| WireError::Truncated)?);
                Message::WantSession { session: self.session(), index }
            }
            Some(MessageKind::Ply) => {
                let head = fixed.get(..PLY_BYTES).ok_or(WireError::Truncated)?;
                Message::Ply(Box::new(SignedPly::of(ply, head, rest).ok_or(WireError::Meaningless)?))
            }
            Some(MessageKind::Countersigned) => {
                Message::Countersigned { ply, signature: fixed.try_into().map_err(|_| WireError::Truncated)? }
            }
            Some(MessageKind::Result) => Message::result(fixed).ok_or(WireError::Meaningless)?,
            Some(MessageKind::Have) => Message::Have { plies: ply },
        };
        Ok(Frame::Message(message))
    }
}

/// The numbers of a message and of its piece, and the message's length.
fn piece_header(bytes: &[u8]) -> Result<(u16, u16, u32), WireError> {
    let bytes: [u8; PIECE_HEADER_BYTES] = bytes.try_into().map_err(|_| WireError::Truncated)?;
    let [a, b, c, d, length @ ..] = bytes;
    Ok((u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d]), u32::from_be_bytes(length)))
}

fn elements(bytes: &[u8]) -> Result<Vec<Fr>, WireError> {
    let words = bytes.get(..ELEMENTS_BYTES).ok_or(WireError::Truncated)?;
    let (words, _) = words.as_chunks::<32>();
    let element = |(index, word)| from_word(word).ok_or(WireError::Element(index));
    words.iter().enumerate().map(element).collect()
}

/// Why a peer refused a message. The number is its acknowledgement.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[repr(u8)]
pub enum Refusal {
    /// It couldn't read it.
    #[error("the peer found the message malformed")]
    Malformed = 1,
    /// It doesn't take us for its opponent in this game.
    #[error("the peer does not take us for its opponent")]
    NotTheOpponent = 2,
    /// It wants a hello first.
    #[error("the peer wants to know who we are first")]
    NotIntroduced = 3,
    /// It has no room now.
    #[error("the peer is busy")]
    Busy = 4,
}

/// The answer to every frame: one byte.
pub type Ack = Result<(), Refusal>;

/// The byte of an acknowledgement.
pub(super) fn encode_ack(ack: Ack) -> u8 {
    ack.map_or_else(|refusal| refusal as u8, |()| 0)
}

/// The acknowledgement of a byte.
pub(super) fn decode_ack(byte: u8) -> Result<Ack, WireError> {
    use Refusal::{Busy, Malformed, NotIntroduced, NotTheOpponent};
    if byte == 0 {
        return Ok(Ok(()));
    }
    let refusals = [Malformed, NotTheOpponent, NotIntroduced, Busy];
    let known = refusals.into_iter().find(|refusal| *refusal as u8 == byte);
    known.map(Err).ok_or(WireError::Acknowledgement)
}
