//! Why a message is refused.

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
