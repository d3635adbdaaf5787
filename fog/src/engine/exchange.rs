//! One exchange: one sight for one player at one ply, as both players and the chain know it.

use super::{About, Game, Word};
use rules::{Color, Side, Square};

/// Which of a ply's two sights an exchange gives to the player whose ply it is. It is shown as a sight is called: before or after its receiver's move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, derive_more::Display)]
#[repr(u8)]
pub enum Phase {
    /// Before the receiver's move.
    #[display("before")]
    Pre = 0,
    #[display("after")]
    Post = 1,
}

/// A step from one board to the next, as the chain has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PostedStep {
    /// The player's commitment before the move.
    pub commitment: Word,
    /// The square on which the opponent's move before had captured.
    pub pending: Option<Square>,
    /// The square on which the move captured.
    pub capture: Option<Square>,
}

/// The public facts of one exchange. The receiver is the player whose move `ply` is; the other player sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// The ply of the receiver's move, in both phases.
    pub ply: u64,
    /// Before or after that move.
    pub phase: Phase,
    /// How often a receiver that lost its memory began again. Always 0 for engines that withstand cheating.
    pub attempt: u8,
    /// The commitments on chain by color, before any removal.
    pub commitments: [Word; 2],
    /// The square on which the last move captured.
    pub pending: Option<Square>,
    /// Pieces left by color, the captured one gone: 16 less the captures on chain.
    pub men: [u8; 2],
    /// By color the steps that led to its commitment, the last one last, for engines that prove them: one, and after a player's second move its first one
    /// too, since no sight waits for that. None before a player's first move, and where they aren't known.
    pub steps: [Vec<PostedStep>; 2],
}

impl Exchange {
    /// Who gets the sight.
    pub fn receiver(&self) -> Color {
        Color::of_ply(self.ply)
    }

    /// Whose pieces are seen.
    pub fn sender(&self) -> Color {
        !self.receiver()
    }

    /// The captured square if the piece that stood there was `color`'s: it is that of the player to move.
    pub fn pending_of(&self, color: Color) -> Option<Square> {
        let is_to_move = (self.phase == Phase::Pre) == (color == self.receiver());
        self.pending.filter(|_| is_to_move)
    }

    /// A committed side as it stands in this exchange, its captured piece removed.
    pub fn board(&self, side: &Side) -> Side {
        side.without(self.pending_of(side.color))
    }

    /// What binds randomness, messages and transcripts to this exchange, for engines that have no binding of their own.
    pub fn id(&self, engine: &About, game: &Game) -> Word {
        let square = self.pending.map_or(64, |square| square.index() as u8);
        let place = [self.phase as u8, self.attempt, self.men[0], self.men[1], square];
        let [white, black] = &self.commitments;
        game.digest("fogmate/exchange/1", engine, &[&self.ply.to_be_bytes(), &place, white, black])
    }
}
