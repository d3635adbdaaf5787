//! Where a king stands, with the exponents that serve while it stands there, and the commitment to them.

use fog::{
    F,
    poseidon::{Tag, hash},
};

use crate::tag::{Exponent, Square};

/// A king's position, secret but for the first one's square.
#[derive(Clone, PartialEq, Eq)]
pub struct Position {
    pub square: Square,
    /// The exponent of the set that is looked with, `a`.
    pub look: Exponent,
    /// The exponent of the replies that are given, `b`: one for all replies from here. It hides one square, and the sets that it raises are
    /// those that the opponent may look with.
    pub answer: Exponent,
}

fog::redacted!(Position);

impl Position {
    /// `H(PRF; a, b)`: both exponents are committed to, and hide the square.
    pub fn salt(&self) -> F {
        hash(Tag::Prf, self.look.digits(), self.answer.digits())
    }

    /// The commitment `H(KING; square, salt)` to where the king stands.
    pub fn commitment(&self) -> F {
        commit(self.square, self.salt())
    }
}

/// The commitment to a square under a salt.
pub fn commit(square: Square, salt: F) -> F {
    hash(Tag::King, F::from(square.code()), salt)
}
