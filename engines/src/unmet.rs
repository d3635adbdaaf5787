//! The relations of this crate's statements by name: what a check refuses a statement for.

/// Which relation of a statement doesn't hold. Letters are those of the statement in its own file, which is named first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the statement doesn't hold: {self:?}")]
pub enum Unmet {
    /// A number of the private state doesn't fit its bits.
    StateRange,
    /// The commitment doesn't open to state and salt.
    Commitment,
    /// A coefficient of a secret polynomial isn't small, or there are too few or too many.
    Large,
    /// The library refuses a polynomial, as one of another ring.
    Ring,
    /// The key of ciphertexts, or a player's share of it, is not that of the secret.
    Key,
    /// Of *key share*: an `h_j` isn't made of `s` and `u`.
    First,
    /// Of *key share*: a `k_j` isn't made of `s`.
    Second,
    /// Of *key share*: an `r_j` isn't made of `s`, `u` and what both players have opened.
    Round2,
    /// Of *item* and *view*: it is no encryption with this mask, under the joint key.
    Encryption,
    /// Of *item* and *view*: it is not the vector of the board.
    Vector,
    /// Of *decryption*: `d` is no share of this key, or too much was added.
    Share,
    /// Of *captured*: the view is no encryption with this mask, under the joint key.
    View,
    /// The product opens to no plaintext with the other's share.
    #[error("the product doesn't open with these shares")]
    Noise,
    /// No man is seen on the square.
    #[error("no man was seen on the captured square")]
    Empty,
    /// A pawn stands on the first or the last rank.
    PawnRank,
    /// The committed board has no king, or more than one.
    Kings,
    /// The committed board has men that neither a game begins with nor promotions make.
    Men,
    /// Where the double push says that its pawn stands and came from, something else does.
    DoublePush,
    /// The set has more elements than entries.
    #[error("the set has more elements than a proven set may have")]
    Outgrown,
    /// The places of the tags are not all places, each once.
    Places,
    /// There is not one weight for each entry.
    Weights,
    /// The digest is another list's, or has another salt.
    Digest,
    /// Of *shown* and *asked*: the weighted sum is of other points.
    Sum,
}
