//! Answers on the wire (protocol "Encodings": Wire order): 732 elements and the clear pass, as big-endian words.
//!
//! Squares ascending, fields ascending, present ones only: 0 to 7 where `s − d` is on the board, 8 on ranks 2 to 7, 13 on
//! the receiver's pawn rank (0 on its captured square, whose pass comes last). A decoded answer may still be wrong:
//! only its proof says that it is right.

use super::Answer;
use crate::{
    F,
    engine::sight_lines::geometry::{PUSH_FIELD, is_present},
    merkle::RECORD_FIELDS,
    word::{WORD, from_word, to_word},
};
use ff::Field;
use rules::{Color, Square};

/// Elements of an answer, the clear pass included.
pub const ELEMENTS: usize = 733;
/// Bytes of an answer on the wire.
pub const ANSWER_BYTES: usize = ELEMENTS * WORD;

/// Why a message is not an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    /// Another number of elements.
    #[error("an answer has {ELEMENTS} elements, not {0}")]
    Count(usize),
    /// Another number of bytes.
    #[error("an answer has {ANSWER_BYTES} bytes, not {0}")]
    Length(usize),
    /// An element that is not below the field's modulus.
    #[error("element {0} is not below the field's modulus")]
    ElementTooLarge(usize),
    /// A clear pass although nothing was captured.
    #[error("the answer has a clear pass, but nothing was captured")]
    UnexpectedPass,
    /// A double-push field on the captured square, which has to be 0.
    #[error("the double-push field of the captured square {0} is not 0")]
    PushOnPending(Square),
}

/// The places of the 732 elements.
fn places(receiver: Color) -> impl Iterator<Item = (Square, usize)> {
    Square::all().flat_map(move |square| {
        (0..RECORD_FIELDS).filter(move |field| is_present(square, *field, receiver)).map(move |field| (square, field))
    })
}

impl Answer {
    /// The answer as the 733 field elements of the chain's calldata, in the frozen order.
    pub fn to_wire(&self) -> Vec<F> {
        let mut wire = Vec::with_capacity(ELEMENTS);
        wire.extend(places(self.receiver).map(|(square, field)| {
            if field == PUSH_FIELD && self.pending == Some(square) { F::ZERO } else { self.record(square)[field] }
        }));
        wire.push(self.pending.map_or(F::ZERO, |square| self.record(square)[PUSH_FIELD]));
        wire
    }

    /// The answer of 733 elements.
    pub fn from_wire(wire: &[F], receiver: Color, pending: Option<Square>) -> Result<Self, WireError> {
        let (clear, elements) = match wire.split_last() {
            Some((clear, elements)) if wire.len() == ELEMENTS => (*clear, elements),
            _ => return Err(WireError::Count(wire.len())),
        };
        let mut records = [[F::ZERO; RECORD_FIELDS]; 64];
        for ((square, field), value) in places(receiver).zip(elements) {
            records[square.index()][field] = *value;
        }
        match pending {
            None if clear != F::ZERO => return Err(WireError::UnexpectedPass),
            None => (),
            Some(square) => {
                let push = &mut records[square.index()][PUSH_FIELD];
                ensure!(*push == F::ZERO, WireError::PushOnPending(square));
                *push = clear;
            }
        }
        Ok(Self { records, receiver, pending })
    }

    /// The answer as bytes of the message: its elements, big-endian.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.to_wire().iter().flat_map(to_word).collect()
    }

    /// The answer in a message.
    pub fn from_bytes(bytes: &[u8], receiver: Color, pending: Option<Square>) -> Result<Self, WireError> {
        ensure!(bytes.len() == ANSWER_BYTES, WireError::Length(bytes.len()));
        let (words, _) = bytes.as_chunks();
        let element = |(index, word)| from_word(word).ok_or(WireError::ElementTooLarge(index));
        let wire: Vec<F> = words.iter().enumerate().map(element).collect::<Result<_, _>>()?;
        Self::from_wire(&wire, receiver, pending)
    }
}
