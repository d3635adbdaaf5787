//! What players say, and its bytes.
//!
//! ```text
//! kind (1), then by kind, each word 32 bytes, big-endian, below the field's modulus:
//! 1 join     placement
//! 2 step     placement · reply
//! 3 reply    reply
//! 4 capture  place (1) · proof
//! 5 settle   —         6 resign   —         7 claim timeout   —         8 cancel   —
//!
//! placement  commitment · set hash · nine words of the set · proof
//! reply      nine raised words · own word · proof
//! ```
//!
//! All proofs of a proof system have one length, so every message has one of a few. Every word of a set and of a reply must be the x-coordinate of a
//! point, and the hash the set's: else the message is refused by name.

use fog::{
    F, ensure,
    word::{WORD, from_word, to_word},
};
use thiserror::Error;

use crate::{NEIGHBOURHOOD, Reply, Set, lift};

/// Bytes of a placement without its proof.
pub const PLACEMENT_BYTES: usize = (2 + NEIGHBOURHOOD) * WORD;
/// Bytes of a reply without its proof.
pub const REPLY_BYTES: usize = (NEIGHBOURHOOD + 1) * WORD;
/// Bytes of a step without its proofs and kind.
pub const STEP_BYTES: usize = PLACEMENT_BYTES + REPLY_BYTES;
/// Bytes of a capture without its proof and kind.
pub const CAPTURE_BYTES: usize = 1;

/// A king's new position, in public.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    pub commitment: F,
    /// The set of its neighbourhood.
    pub set: Set,
    /// The proof of *tag step*.
    pub proof: Vec<u8>,
}

/// What a player does.
#[expect(clippy::large_enum_variant, reason = "a handful a ply")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Takes the second seat, its king placed.
    Join(Placement),
    /// Makes a step, and replies to the opponent's standing set from the new position.
    Step {
        placement: Placement,
        /// The reply to the opponent's set.
        reply: Reply,
        /// The proof of *tag reply*.
        proof: Vec<u8>,
    },
    /// Replies to the new set of the opponent's.
    Reply {
        reply: Reply,
        /// The proof of *tag reply*.
        proof: Vec<u8>,
    },
    /// Shows that the reply with the latest step has the opponent's king in it.
    Capture {
        /// The place in the own set, 0 to 8.
        place: u8,
        /// The proof of *tag capture*.
        proof: Vec<u8>,
    },
    /// Has no capture to show after the last ply: drawn.
    Settle,
    Resign,
    /// The opponent has let its time pass.
    ClaimTimeout,
    /// Takes a game back that nobody has joined in time.
    Cancel,
}

/// The kinds of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    Join = 1,
    Step = 2,
    Reply = 3,
    Capture = 4,
    Settle = 5,
    Resign = 6,
    ClaimTimeout = 7,
    Cancel = 8,
}

impl Kind {
    pub const ALL: [Self; 8] = [
        Self::Join,
        Self::Step,
        Self::Reply,
        Self::Capture,
        Self::Settle,
        Self::Resign,
        Self::ClaimTimeout,
        Self::Cancel,
    ];

    /// The length of a message of this kind, if proofs have `proof` bytes.
    pub fn bytes(self, proof: usize) -> usize {
        1 + match self {
            Self::Join => PLACEMENT_BYTES + proof,
            Self::Step => STEP_BYTES + 2 * proof,
            Self::Reply => REPLY_BYTES + proof,
            Self::Capture => CAPTURE_BYTES + proof,
            _ => 0,
        }
    }
}

/// Why bytes are no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Malformed {
    #[error("an empty message")]
    Empty,
    /// No kind of message has this number.
    #[error("{0} is no kind of message")]
    UnknownKind(u8),
    /// Another length than that of its kind.
    #[error("the message has {got} bytes, not {expected}")]
    WrongLength {
        /// That of its kind.
        expected: usize,
        got: usize,
    },
    /// A word that is no field element, counted from 0.
    #[error("word {0} is not below the field's modulus")]
    NotInField(usize),
    /// A word that is no x-coordinate of a point.
    #[error("word {0} is not the x-coordinate of a point")]
    NoPoint(usize),
    /// The hash isn't that of the set.
    #[error("the hash is not that of the set")]
    WrongSetHash,
    /// A capture at no place of a set.
    #[error("a set has no place {0}")]
    NoPlace(u8),
}

impl Action {
    pub fn kind(&self) -> Kind {
        match self {
            Self::Join(_) => Kind::Join,
            Self::Step { .. } => Kind::Step,
            Self::Reply { .. } => Kind::Reply,
            Self::Capture { .. } => Kind::Capture,
            Self::Settle => Kind::Settle,
            Self::Resign => Kind::Resign,
            Self::ClaimTimeout => Kind::ClaimTimeout,
            Self::Cancel => Kind::Cancel,
        }
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![self.kind() as u8];
        match self {
            Self::Join(placement) => placement.write(&mut bytes),
            Self::Step { placement, reply, proof } => {
                placement.write(&mut bytes);
                write_reply(reply, proof, &mut bytes);
            }
            Self::Reply { reply, proof } => write_reply(reply, proof, &mut bytes),
            Self::Capture { place, proof } => {
                bytes.push(*place);
                bytes.extend(proof);
            }
            Self::Settle | Self::Resign | Self::ClaimTimeout | Self::Cancel => {}
        }
        bytes
    }

    /// The action of some bytes, where proofs have `proof_bytes` bytes.
    pub fn from_bytes(bytes: &[u8], proof_bytes: usize) -> Result<Self, Malformed> {
        let (&number, rest) = bytes.split_first().ok_or(Malformed::Empty)?;
        let kind = Kind::ALL.into_iter().find(|kind| *kind as u8 == number).ok_or(Malformed::UnknownKind(number))?;
        let expected = kind.bytes(proof_bytes);
        ensure!(bytes.len() == expected, Malformed::WrongLength { expected, got: bytes.len() });
        let mut reader = Reader { rest, word: 0, proof_bytes };
        Ok(match kind {
            Kind::Join => Self::Join(reader.placement()?),
            Kind::Step => {
                let placement = reader.placement()?;
                let (reply, proof) = reader.reply()?;
                Self::Step { placement, reply, proof }
            }
            Kind::Reply => {
                let (reply, proof) = reader.reply()?;
                Self::Reply { reply, proof }
            }
            Kind::Capture => {
                let place = reader.take(CAPTURE_BYTES)[0];
                ensure!(usize::from(place) < NEIGHBOURHOOD, Malformed::NoPlace(place));
                Self::Capture { place, proof: reader.proof() }
            }
            Kind::Settle => Self::Settle,
            Kind::Resign => Self::Resign,
            Kind::ClaimTimeout => Self::ClaimTimeout,
            Kind::Cancel => Self::Cancel,
        })
    }
}

impl Placement {
    fn write(&self, bytes: &mut Vec<u8>) {
        for value in [&self.commitment, &self.set.hash()].into_iter().chain(&self.set.0) {
            bytes.extend(to_word(value));
        }
        bytes.extend(&self.proof);
    }
}

fn write_reply(reply: &Reply, proof: &[u8], bytes: &mut Vec<u8>) {
    for value in reply.raised.iter().chain([&reply.own]) {
        bytes.extend(to_word(value));
    }
    bytes.extend(proof);
}

/// Reads a message whose length has been checked.
struct Reader<'b> {
    rest: &'b [u8],
    word: usize,
    proof_bytes: usize,
}

impl<'b> Reader<'b> {
    fn take(&mut self, count: usize) -> &'b [u8] {
        let (taken, rest) = self.rest.split_at(count);
        self.rest = rest;
        taken
    }

    fn proof(&mut self) -> Vec<u8> {
        self.take(self.proof_bytes).to_vec()
    }

    fn field(&mut self) -> Result<F, Malformed> {
        let mut word = [0; WORD];
        word.copy_from_slice(self.take(WORD));
        self.word += 1;
        from_word(&word).ok_or(Malformed::NotInField(self.word - 1))
    }

    fn x(&mut self) -> Result<F, Malformed> {
        let x = self.field()?;
        ensure!(lift(x).is_some(), Malformed::NoPoint(self.word - 1));
        Ok(x)
    }

    fn nine(&mut self) -> Result<[F; NEIGHBOURHOOD], Malformed> {
        let mut nine = [F::zero(); NEIGHBOURHOOD];
        for x in &mut nine {
            *x = self.x()?;
        }
        Ok(nine)
    }

    fn placement(&mut self) -> Result<Placement, Malformed> {
        let [commitment, set_hash] = [self.field()?, self.field()?];
        let set = Set(self.nine()?);
        ensure!(set.hash() == set_hash, Malformed::WrongSetHash);
        Ok(Placement { commitment, set, proof: self.proof() })
    }

    fn reply(&mut self) -> Result<(Reply, Vec<u8>), Malformed> {
        let reply = Reply { raised: self.nine()?, own: self.x()? };
        Ok((reply, self.proof()))
    }
}
