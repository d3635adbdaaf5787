//! Which tiles are asked next: those that open the longest rest of a line go first, since that rest needs a round for each tile.

use rules::{
    Side, Square,
    lines::{Line, lines_of},
};

/// What is known of the tiles: `None` unknown, or whether one of the sender's pieces stands there.
pub type Occupied = [Option<bool>; 64];

/// Tiles asked in a round.
pub const TILES: usize = 8;

/// The tiles that lines of `own` have come to, most urgent first: by the longest rest of a line that begins with the tile, counted in
/// unknown tiles, then by how much all such rests have together.
pub fn frontier(own: &Side, known: &Occupied) -> Vec<Square> {
    let rests: Vec<Vec<Square>> = lines_of(own).map(|line| rest(line, own, known)).collect();
    let mut urgency = [(0, 0); 64];
    for rest in &rests {
        let Some(next) = rest.first() else { continue };
        let (longest, all) = &mut urgency[next.index()];
        *longest = rest.len().max(*longest);
        *all += rest.len();
    }
    let mut tiles: Vec<Square> = Square::all().filter(|square| urgency[square.index()].0 > 0).collect();
    tiles.sort_by_key(|square| std::cmp::Reverse(urgency[square.index()]));
    tiles
}

/// The unknown tiles of a line up to the first piece that is known.
fn rest(line: &Line, own: &Side, known: &Occupied) -> Vec<Square> {
    let open = line.open_squares(own).take_while(|square| known[square.index()] != Some(true));
    open.filter(|square| known[square.index()].is_none()).collect()
}
