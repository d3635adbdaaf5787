//! Positions in which the player to move has no move, or one only: found by closing the moves of random positions one after the other. Which
//! moves a position has is asked of the rules.

use super::walk::Walk;
use rand::{Rng, rngs::StdRng, seq::SliceRandom};
use rules::{
    Color, Move, PieceType, Position, Side, Square,
    geometry::{DIRECTIONS, ahead},
};

/// Moves closed before a position is given up.
const PATIENCE: usize = 1500;
/// Men of a side, and pawns among them, at most.
const MEN: usize = 16;
const PAWNS: usize = 8;

/// Positions that a search seldom finds, White to move: eight pawns, and king and rook at home with the right to castle.
const FOUND: [&str; 2] =
    ["7k/8/8/1p2p1p1/1Pp1P1P1/1pPp1p1p/NP1P1P1P/KRB5 w - -", "7n/8/2bk3p/1n2p2b/2b1P3/1pPpPn1b/1P1PRP1P/3NKRBR w K -"];

/// A position without a move for the player to move.
pub fn blocked(rng: &mut StdRng) -> Walk {
    let color = *Color::ALL.choose(rng).expect("two colors");
    loop {
        let (mut walk, kept) = if rng.gen_ratio(1, 4) { (found(rng, color), Vec::new()) } else { random(rng, color) };
        if close(&mut walk, &kept, rng) {
            finish(&mut walk, rng);
            return walk;
        }
    }
}

/// One of the positions found before, for either color.
fn found(rng: &mut StdRng, color: Color) -> Walk {
    let fen = FOUND.choose(rng).expect("positions");
    let position = Position::from_fen(&format!("{fen} 0 1")).expect("a position");
    let sides = Color::ALL.map(|side| {
        let white = position.side(if color == Color::White { side } else { !side });
        let mut pieces = white.pieces;
        if color == Color::Black {
            (0..32).for_each(|square| pieces.swap(square, square ^ 56));
        }
        Side { pieces, rights: white.rights, ..Side::empty(side) }
    });
    Walk::from_sides(sides, color)
}

/// Two kings, that of the player to move often in a corner, at times with a queen. Also the squares of what the player to move keeps.
fn random(rng: &mut StdRng, color: Color) -> (Walk, Vec<Square>) {
    let mut walk = Walk::from_sides(Color::ALL.map(Side::empty), color);
    let squares: Vec<Square> = Square::all().collect();
    let any = |rng: &mut StdRng| *squares.choose(rng).expect("squares");
    let mut kept = Vec::new();
    let corner = [0, 7].map(|index| *[index, 7 - index].choose(rng).expect("two ends"));
    let king = if rng.r#gen() { Square::at(corner[0], corner[1]).expect("a corner") } else { any(rng) };
    put(&mut walk, color, king, PieceType::King);
    kept.push(king);
    if rng.r#gen() {
        let (file, rank) = DIRECTIONS[rng.gen_range(0..DIRECTIONS.len())];
        kept.extend(king.offset(file, rank).filter(|square| put(&mut walk, color, *square, PieceType::Queen)));
    }
    let theirs = any(rng);
    put(&mut walk, !color, theirs, PieceType::King);
    (walk, kept)
}

/// Any piece but a king, more often a pawn.
fn piece(rng: &mut StdRng) -> PieceType {
    use PieceType::{Bishop, Knight, Pawn, Queen, Rook};
    *[Pawn, Pawn, Pawn, Pawn, Knight, Bishop, Rook, Queen].choose(rng).expect("types")
}

/// Puts a piece on a square if a position may have it there; whether it does.
fn put(walk: &mut Walk, color: Color, square: Square, piece: PieceType) -> bool {
    let is_free = walk.sides.iter().all(|side| side.piece(square).is_none());
    let side = &mut walk.sides[color.index()];
    let pawns = side.men().filter(|(_, piece)| *piece == PieceType::Pawn).count();
    let fits = piece != PieceType::Pawn || ((1..7).contains(&square.rank()) && pawns < PAWNS);
    let fits = is_free && fits && side.men().count() < MEN;
    if fits {
        side.pieces[square.index()] = Some(piece);
    }
    fits
}

/// Closes the moves one after the other, without touching what is kept; whether none is left.
fn close(walk: &mut Walk, kept: &[Square], rng: &mut StdRng) -> bool {
    let color = walk.to_move();
    for _ in 0..PATIENCE {
        let moves = walk.legal_moves();
        let Some(Move { from, to, .. }) = moves.choose(rng).copied() else {
            return walk.mover().king().is_some() && walk.other().king().is_some();
        };
        let is_push = walk.mover().piece(from) == Some(PieceType::Pawn) && from.file() == to.file();
        let blocker = piece(rng);
        let closed = match walk.other().piece(to) {
            Some(PieceType::King) => return false,
            Some(_) => {
                walk.sides[(!color).index()].pieces[to.index()] = None;
                true
            }
            None if is_push && rng.gen_ratio(2, 3) => {
                ahead(from, color).is_some_and(|front| put(walk, !color, front, blocker))
            }
            None if kept.contains(&from) || rng.r#gen() => put(walk, color, to, blocker),
            None => false,
        };
        if !closed {
            let men = walk.mover().men().map(|(square, _)| square);
            let loose: Vec<Square> = men.filter(|square| !kept.contains(square)).collect();
            let gone = if kept.contains(&from) { loose.choose(rng).copied() } else { Some(from) };
            if let Some(square) = gone {
                walk.sides[color.index()].pieces[square.index()] = None;
            }
        }
    }
    false
}

/// Gives the sides what else a state holds, and half of the time a captured piece to be removed.
fn finish(walk: &mut Walk, rng: &mut StdRng) {
    for side in &mut walk.sides {
        side.since_pawn = rng.gen_range(0..128);
    }
    let color = walk.to_move();
    let captors: Vec<Square> = walk.other().men().map(|(square, _)| square).collect();
    if rng.r#gen() && walk.mover().men().count() < MEN {
        let square = *captors.choose(rng).expect("a king");
        let pawns = walk.mover().men().filter(|(_, piece)| *piece == PieceType::Pawn).count();
        let is_pawn = (1..7).contains(&square.rank()) && pawns < PAWNS && rng.r#gen();
        let captured = if is_pawn { PieceType::Pawn } else { PieceType::Queen };
        walk.sides[color.index()].pieces[square.index()] = Some(captured);
        walk.pending = Some(square);
    }
}

/// Positions with one move only, and that move: a blocked one with one thing changed. A promotion is one move, whatever the pawn becomes; a
/// double push or castling is none, because the single push or the king's step is there too.
pub fn nearly_blocked(rng: &mut StdRng) -> Vec<(Walk, Move)> {
    let changed = changed(&blocked(rng)).into_iter();
    let only_move = |walk: &Walk| {
        let moves = walk.legal_moves();
        let first = *moves.first()?;
        moves.iter().all(|mv| (mv.from, mv.to) == (first.from, first.to)).then_some(first)
    };
    changed.filter_map(|walk| only_move(&walk).map(|mv| (walk, mv))).collect()
}

/// Everything that comes of one change: a piece is taken away, or taken by a knight, a pawn or a knight of the opponent comes, with a double push if that is possible,
/// or the last move has captured an own pawn *en passant*.
fn changed(walk: &Walk) -> Vec<Walk> {
    let (color, other) = (walk.to_move(), !walk.to_move());
    let mut all = Vec::new();
    for square in Square::all() {
        for owner in Color::ALL {
            let side = &walk.sides[owner.index()];
            if side.piece(square).is_some_and(|piece| piece != PieceType::King) && walk.pending != Some(square) {
                let mut less = walk.clone();
                less.sides[owner.index()].pieces[square.index()] = None;
                less.sides[owner.index()].rights.lose_corner(owner, square);
                let mut taken = less.clone();
                if owner == color && put(&mut taken, other, square, PieceType::Knight) {
                    all.push(taken);
                }
                all.push(less);
            }
        }
        for piece in [PieceType::Pawn, PieceType::Knight] {
            let mut more = walk.clone();
            if put(&mut more, other, square, piece) {
                all.extend((piece == PieceType::Pawn).then(|| pushed_twice(&more, square)).flatten());
                all.push(more);
            }
        }
        let is_pawn = walk.mover().piece(square) == Some(PieceType::Pawn);
        if is_pawn && walk.pending.is_none() && square.rank() == color.double_push_rank() {
            all.push(Walk { pending: Some(square), ..walk.clone() });
        }
    }
    all
}

/// The position in which the opponent's pawn on a square has just come there by a double push.
fn pushed_twice(walk: &Walk, square: Square) -> Option<Walk> {
    let other = !walk.to_move();
    let is_empty = |square: Square| walk.sides.iter().all(|side| side.piece(square).is_none());
    let passed = [1, 2].map(|steps| square.offset(0, -steps * other.forward()).is_some_and(is_empty));
    let fits = square.rank() == other.double_push_rank() && passed == [true; 2] && walk.pending.is_none();
    let mut walk = walk.clone();
    walk.sides[other.index()].double_push = Some(square.file());
    fits.then_some(walk)
}
