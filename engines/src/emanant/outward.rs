//! Which tiles are asked next: those that open the longest rest of a line go first, since that rest needs a round for each tile.

use crate::psi::lines::lines_of;
use rules::{Side, Square};

/// What is known of the tiles: `None` unknown, or whether one of the sender's pieces stands there.
pub type Occupied = [Option<bool>; 64];

/// Tiles asked in a round.
pub const TILES: usize = 8;

/// The tiles that lines of `own` have come to, most urgent first: by the longest rest of a line that begins with the tile, then by how
/// much all such rests have together.
pub fn frontier(own: &Side, known: &Occupied) -> Vec<Square> {
    let mut urgency = [(0, 0); 64];
    for line in lines_of(own) {
        let open: Vec<Square> = line.open_squares(own).collect();
        let first = open.iter().position(|square| known[square.index()] != Some(false));
        let Some((rest, square)) = first.map(|first| (open.len() - first, open[first])) else {
            continue;
        };
        if known[square.index()].is_none() {
            let (longest, all) = &mut urgency[square.index()];
            *longest = rest.max(*longest);
            *all += rest;
        }
    }
    let mut tiles: Vec<Square> = Square::all().filter(|square| urgency[square.index()].0 > 0).collect();
    tiles.sort_by_key(|square| std::cmp::Reverse(urgency[square.index()]));
    tiles
}
