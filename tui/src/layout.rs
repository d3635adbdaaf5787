//! Where everything is on a screen of a size.

use ratatui::layout::{Position, Rect};
use rules::Square;

/// A screen below this has no room for a board.
pub(crate) const LEAST: (u16, u16) = (40, 16);

/// The places of a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    pub(crate) area: Rect,
    /// Columns and rows of a square.
    pub(crate) square: (u16, u16),
    pub(crate) board: Rect,
    pub(crate) panel: Rect,
}

impl Layout {
    /// The layout of an area; none if it is too small.
    pub fn of(area: Rect) -> Option<Self> {
        let Rect { x, y, width, height } = area;
        if width < LEAST.0 || height < LEAST.1 {
            return None;
        }
        // Title, names of files, status and input take a row each.
        let square = match (width, height) {
            (100.., 28..) => (6, 3),
            (_, 24..) => (4, 2),
            _ => (2, 1),
        };
        let board = Rect::new(x + 3, y + 1, 8 * square.0, 8 * square.1);
        let beside = board.right() + 3;
        let below = board.bottom() + 1;
        let panel = match width >= 76 {
            true => Rect::new(beside, y + 1, area.right() - beside, height - 3),
            false => Rect::new(x + 1, below, width - 2, (y + height).saturating_sub(below + 2)),
        };
        Some(Self { area, square, board, panel })
    }

    /// The row of what is going on, and the row that is typed in.
    pub(crate) fn last_rows(&self) -> [Rect; 2] {
        let Rect { x, width, .. } = self.area;
        [2, 1].map(|up| Rect::new(x, self.area.bottom() - up, width, 1))
    }

    /// Where a square is drawn; `flipped` has Black below.
    pub(crate) fn place(&self, square: Square, flipped: bool) -> Rect {
        let (file, rank) = (u16::from(square.file()), u16::from(square.rank()));
        let (column, row) = if flipped { (7 - file, rank) } else { (file, 7 - rank) };
        let (width, height) = self.square;
        Rect::new(self.board.x + column * width, self.board.y + row * height, width, height)
    }

    /// The square at a place of the screen.
    pub(crate) fn square_at(&self, column: u16, row: u16, flipped: bool) -> Option<Square> {
        let is_there = |square: &Square| self.place(*square, flipped).contains(Position::new(column, row));
        Square::all().find(is_there)
    }
}
