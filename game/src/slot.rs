//! Where the contract keeps bonds.

use rules::Color;

/// Where the bond of a demand or a claim is kept: the names of the contract's enum `Slot`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// Of the hold, whoever opened it.
    Hold,
    /// Of White's demand for the sight after its move.
    WhitePost,
    /// Of Black's demand for the sight after its move.
    BlackPost,
}

impl Slot {
    /// Where the bond of a color's demand for the sight after its move is kept.
    pub fn of_post(color: Color) -> Self {
        match color {
            Color::White => Self::WhitePost,
            Color::Black => Self::BlackPost,
        }
    }
}
