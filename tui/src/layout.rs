//! Where everything is on a screen of a size.

use ratatui::layout::{Position, Rect};
use rules::Square;

/// A screen below this has no room for a board.
pub(crate) const LEAST: (u16, u16) = (40, 16);

/// Columns between two small boards.
const BETWEEN: u16 = 4;

/// A board on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    pub(crate) board: Rect,
    /// Columns and rows of a square.
    pub(crate) square: (u16, u16),
}

/// The places of a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    pub(crate) area: Rect,
    pub(crate) grid: Grid,
    /// Two small boards, each with a row for its title above, where they are wanted and there is room.
    pub(crate) small: Option<[Grid; 2]>,
    pub(crate) panel: Rect,
}

impl Grid {
    fn new(x: u16, y: u16, square: (u16, u16)) -> Self {
        Self { board: Rect::new(x, y, 8 * square.0, 8 * square.1), square }
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

impl Layout {
    /// The layout of an area, with three boards if that is said; none if the area is too small.
    pub fn of(area: Rect, has_three: bool) -> Option<Self> {
        let Rect { x, y, width, height } = area;
        if width < LEAST.0 || height < LEAST.1 {
            return None;
        }
        let is_beside = width >= 76;
        // Title, names of files, status and input take a row each. Three boards in a column have room for small squares.
        let square = match (width, height) {
            (150.., 44..) => (10, 5),
            (124.., 36..) => (8, 4),
            (100.., 28..) => (6, 3),
            (_, 24..) if is_beside || !has_three => (4, 2),
            _ => (2, 1),
        };
        let grid = Grid::new(x + 3, y + 1, square);
        let (beside, below) = (grid.board.right() + 3, grid.board.bottom() + 1);
        let mut panel = match is_beside {
            true => Rect::new(beside, y + 1, area.right() - beside, height - 3),
            false => Rect::new(x + 1, below, width - 2, (y + height).saturating_sub(below + 2)),
        };
        let mut small = None;
        if has_three && panel.width >= 32 + BETWEEN && panel.height >= 12 {
            let at = |x| Grid::new(x, panel.y + 1, (2, 1));
            small = Some([at(panel.x), at(panel.x + 16 + BETWEEN)]);
            panel = Rect::new(panel.x, panel.y + 10, panel.width, panel.height - 10);
        }
        Some(Self { area, grid, small, panel })
    }

    /// Sets the last rows of the panel aside for a text of so many lines; one that is higher covers what stands above the panel.
    pub(crate) fn set_aside(&mut self, lines: usize) -> Rect {
        let panel = self.panel;
        let height = lines.min(usize::from(panel.bottom() - self.area.y - 1)) as u16;
        self.panel.height = panel.height.saturating_sub(height);
        Rect { y: panel.bottom() - height, height, ..panel }
    }

    /// The row of what is going on, and the row that is typed in.
    pub(crate) fn last_rows(&self) -> [Rect; 2] {
        let Rect { x, width, .. } = self.area;
        [2, 1].map(|up| Rect::new(x, self.area.bottom() - up, width, 1))
    }
}
