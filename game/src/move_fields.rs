//! What a move declares to everybody (protocol, section 6, step 3).

use halo2curves::bn256::Fr;
use rules::Square;

/// The public fields of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveFields {
    /// The ply it is.
    pub ply: u16,
    /// The mover's next commitment, C′.
    pub next_commitment: Fr,
    /// The root of the mover's new request.
    pub next_request_root: Fr,
    /// The root of the answer to the other player's standing request, or 0.
    pub answer_root: Fr,
    /// The square of the captured piece.
    pub capture: Option<Square>,
    /// Whether that piece was the king.
    pub king_fell: bool,
    /// Whether a draw is offered with it.
    pub offer_draw: bool,
}

impl MoveFields {
    /// Whether the game ends with it: a king falls, or plies can't be counted after it. The contract verifies such a move at once.
    pub fn ends_the_game(&self) -> bool {
        self.king_fell || self.ply == u16::MAX - 1
    }
}
