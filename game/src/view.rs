//! A board as one player may see it (protocol, section 2 and section 6, step 2).

use crate::notice::shape;
use fog::engine::Phase;
use rules::{Color, Move, Side, Sight};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A board to be shown: own pieces, and what they see of the opponent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "Json", into = "Json")]
pub struct View {
    /// The ply of the own move that this is the sight before or after.
    pub ply: u16,
    /// Before or after it; always proven.
    pub phase: Phase,
    /// Own pieces and rights.
    pub side: Side,
    /// What they see; nothing on a player's first move.
    pub sight: Option<Sight>,
    /// The moves to choose from, if it is this player's turn.
    pub legal: Vec<Move>,
    /// How often White and Black have captured until then. Of a game without proofs it is what they have said.
    pub points: [u16; 2],
}

impl View {
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

    /// The board that the view shows, as `rules::board::line` writes it; none while the sight isn't proven.
    pub fn board(&self) -> Option<String> {
        let sight = self.sight_shown()?;
        Some(rules::board::line(&self.side, &sight))
    }
}

/// A view in JSON: `board` is for readers, the rest gives the view back.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Json {
    ply: u16,
    #[serde(with = "crate::notice::When")]
    when: Phase,
    board: Option<String>,
    /// The moves to choose from, if it is this player's turn.
    #[schemars(with = "Vec<String>")]
    legal: Vec<Move>,
    /// How often White and Black have captured until then. Of a game without proofs it is what they have said.
    points: [u16; 2],
    #[schemars(with = "shape::Side")]
    side: Side,
    #[schemars(with = "Option<shape::Sight>")]
    sight: Option<Sight>,
}

impl From<View> for Json {
    fn from(view: View) -> Self {
        Self {
            ply: view.ply,
            when: view.phase,
            board: view.board(),
            legal: view.legal,
            points: view.points,
            side: view.side,
            sight: view.sight,
        }
    }
}

impl From<Json> for View {
    fn from(json: Json) -> Self {
        let Json { ply, when, legal, points, side, sight, .. } = json;
        Self { ply, phase: when, side, sight, legal, points }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sight_is_the_true_one() {
        let start = rules::Position::start();
        for color in Color::ALL {
            let view = View {
                ply: color.index() as u16,
                phase: Phase::Pre,
                side: start.side(color).clone(),
                sight: None,
                legal: Vec::new(),
                points: [0; 2],
            };
            assert_eq!(view.board(), Some(start.board_string(color)));
            let later = View { ply: 2, ..view };
            assert_eq!(later.board(), None);
        }
    }
}
