//! Why a message is refused.

use fog::engine::Fault;

/// What is wrong with a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Bytes that are no polynomial.
    #[error("a coefficient is not below its modulus")]
    Coefficient,
    /// An opening of another commitment.
    #[error("it is not what the player committed to")]
    Commitment,
    /// A seal over something else: other messages before, another exchange, or another product.
    #[error("its seal is of other content, of another exchange, or of another product")]
    Seal,
    /// A plaintext that no item and view vectors have as their product.
    #[error("it decrypts to what is no product of an item and a view: a wrong share, or wrong keys")]
    Product,
}

impl Refusal {
    /// The fault of a message that is none.
    pub fn malformed(self, index: usize) -> Fault {
        Fault::Malformed { index, cause: self.into() }
    }

    /// The fault of a message whose commitment or seal is another one.
    pub fn unproven(self, index: usize) -> Fault {
        Fault::Proof { index, cause: self.into() }
    }
}
