//! A board as one player may see it (protocol, section 2 and section 6, step 2).

use crate::notice::shape;
use fog::engine::Phase;
use rules::{Color, Move, Side, Sight};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

// Comments of fields with two slashes stay out of the schema.
/// A board to be shown: own pieces, and what they see of the opponent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct View {
    // The ply of the own move that this is the sight before or after.
    pub ply: u16,
    // Before or after it.
    #[serde(rename = "when", with = "crate::notice::When")]
    pub phase: Phase,
    // What the side and the sight give, for readers of the JSON.
    board: Option<String>,
    /// The moves to choose from, if it is this player's turn.
    #[schemars(with = "Vec<String>")]
    pub legal: Vec<Move>,
    /// How often White and Black have captured until then. Of a game without proofs it is what they have said.
    pub points: [u16; 2],
    // Own pieces and rights.
    #[schemars(with = "shape::Side")]
    pub side: Side,
    // What they see; nothing on a player's first move, and until it is proven.
    #[schemars(with = "Option<shape::Sight>")]
    pub sight: Option<Sight>,
}

impl View {
    /// A board to be shown before or after the own move of a ply.
    pub fn new(ply: u16, phase: Phase, side: Side, sight: Option<Sight>, legal: Vec<Move>, points: [u16; 2]) -> Self {
        let mut view = Self { ply, phase, board: None, legal, points, side, sight };
        view.board = view.sight_shown().map(|sight| rules::board::line(&view.side, &sight));
        view
    }

    /// The sight that the view stands for; none while it isn't proven. On a player's first move no sight is exchanged and none is
    /// needed: neither player can have met the other yet (protocol, section 6), so all that is in reach is empty.
    pub fn sight_shown(&self) -> Option<Sight> {
        // Before its first move Black is shown the board while White moves, too.
        let own = Color::of_ply(self.ply.into()) == self.side.color;
        let opening = self.ply < 2 && (self.phase == Phase::Pre || !own);
        self.sight.clone().or_else(|| {
            let nobody = Side::empty(!self.side.color);
            opening.then(|| Sight::between(&self.side, &nobody, true))
        })
    }

    /// What the view shows; nothing while its sight isn't proven.
    pub fn seen(&self) -> Sight {
        self.sight_shown().unwrap_or(Sight::DARK)
    }

    /// An own move as players write it on this board.
    pub fn written(&self, mv: &Move) -> String {
        self.side.san(mv, &self.seen())
    }

    /// The board that the view shows, as `rules::board::line` writes it; none while the sight isn't proven.
    pub fn board(&self) -> Option<String> {
        self.board.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sight_is_the_true_one() {
        let start = rules::Position::start();
        for color in Color::ALL {
            let view = |ply| View::new(ply, Phase::Pre, start.side(color).clone(), None, Vec::new(), [0; 2]);
            assert_eq!(view(color.index() as u16).board(), Some(start.board_string(color)));
            assert_eq!(view(2).board(), None);
        }
    }
}
