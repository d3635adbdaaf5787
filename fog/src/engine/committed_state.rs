//! What a player puts into an exchange and into the proof of a move: its own state.

use super::{Exchange, Fault, Word};
use rules::{Color, Move, Side, Sight, Square};
use zeroize::Zeroizing;

/// One player's own state, as committed to on chain.
#[derive(Clone)]
pub struct CommittedState {
    /// Own pieces and rights as committed to: a piece captured since is still there.
    pub side: Side,
    /// The salt of the commitment.
    pub salt: Zeroizing<Word>,
    pub commitment: Word,
    /// The own moves that led here, those of [`Exchange::steps`].
    pub steps: Vec<OwnMove>,
    /// Own squares that hold a promoted pawn, one bit each, a1 lowest (for engines that announce it as a pawn).
    pub promoted: u64,
    /// Board and sight of the last finished exchange, for engines that add to it; `None` if there is none or it was lost.
    pub before: Option<Box<(Side, Sight)>>,
}

impl CommittedState {
    /// A state without own moves, promoted pawns and an earlier sight.
    pub fn new(side: Side, salt: Word, commitment: Word) -> Self {
        Self { side, salt: Zeroizing::new(salt), commitment, steps: Vec::new(), promoted: 0, before: None }
    }

    /// Whether it is that of the player of `color`, and the one on chain in an exchange.
    pub fn check(&self, color: Color, exchange: &Exchange) -> Result<(), Fault> {
        let is_own = self.side.color == color && self.commitment == exchange.commitments[color.index()];
        ensure!(is_own, Fault::internal("the own state is not the one on chain"));
        Ok(())
    }
}

/// An own move, and the state that it was made from.
#[derive(Clone)]
pub struct OwnMove {
    /// Own pieces and rights as committed to before the move: one captured by then is still there.
    pub side: Side,
    /// The salt of the commitment before the move.
    pub salt: Zeroizing<Word>,
    pub mv: Move,
}

/// One own move, as its proof needs it.
#[derive(Clone)]
pub struct MoveStep {
    /// The state before the move, as on chain.
    pub before: CommittedState,
    /// The state after it.
    pub after: CommittedState,
    pub mv: Move,
    /// The square on which it captures, as it will be posted (*en passant*: the captured pawn's).
    pub capture: Option<Square>,
    /// Whether it captures a king, as it will be posted.
    pub king_fell: bool,
    /// The *pre* exchange that the move relies on and all messages of its session; `None` on a player's first move.
    pub seen: Option<(Exchange, Vec<Vec<u8>>)>,
}

crate::redacted!(CommittedState, MoveStep, OwnMove);
