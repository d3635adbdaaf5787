//! What an open board is worth to its player to move, in hundredths of a pawn: pieces, where they stand, and how far they reach.

use rules::{Color, PieceType, Square};

use crate::army::Army;
use crate::bits::{Bits, Squares, bit, forward, pawn};
use crate::board::Board;

/// At most so much strength besides pawns (a queen counts 2, other pieces 1) makes an endgame, in which kings come out.
const ENDGAME: u32 = 6;
/// How near a file or a rank is to the middle.
const MIDDLE: [i32; 8] = [0, 1, 2, 3, 3, 2, 1, 0];
const FILE_A: Bits = 0x0101_0101_0101_0101;

/// A piece's worth; the king's is above that of all others together.
#[must_use]
pub const fn worth(piece: PieceType) -> i32 {
    match piece {
        PieceType::Pawn => 100,
        PieceType::Knight => 310,
        PieceType::Bishop => 320,
        PieceType::Rook => 500,
        PieceType::Queen => 950,
        PieceType::King => 20_000,
    }
}

/// The rank of a square, counted from a color's own home rank.
fn own_rank(square: Square, color: Color) -> i32 {
    i32::from(square.rank().abs_diff(color.home_rank()))
}

/// How central a square is, 0 to 6.
pub fn centrality(square: Square) -> i32 {
    MIDDLE[usize::from(square.file())] + MIDDLE[usize::from(square.rank())]
}

fn of_pawn(square: Square, color: Color, pawns: Bits, is_endgame: bool) -> i32 {
    let advance = own_rank(square, color) - 1;
    let is_doubled = (pawns & (FILE_A << square.file())).count_ones() > 1;
    let of_advance = advance * advance * if is_endgame { 4 } else { 2 };
    of_advance + 2 * MIDDLE[usize::from(square.file())] * advance - if is_doubled { 8 } else { 0 }
}

fn of_king(square: Square, color: Color, pawns: Bits, is_endgame: bool) -> i32 {
    if is_endgame {
        return 6 * centrality(square);
    }
    let shield = (pawn(square, color) | forward(bit(square), color)) & pawns;
    12 * shield.count_ones() as i32 - 30 * own_rank(square, color) - 8 * MIDDLE[usize::from(square.file())]
}

fn of_army(army: &Army, color: Color, occupied: Bits, is_endgame: bool) -> i32 {
    let pawns = army.of_type(PieceType::Pawn);
    let mut sum = 0;
    for piece in PieceType::ALL {
        for square in Squares(army.of_type(piece)) {
            let reach = || Army::reach(piece, square, color, occupied).count_ones() as i32;
            sum += worth(piece);
            sum += match piece {
                PieceType::Pawn => of_pawn(square, color, pawns, is_endgame),
                PieceType::Knight => 6 * centrality(square) - 18,
                PieceType::Bishop => 4 * reach() - 16,
                PieceType::Rook => 2 * reach() - 8 + if own_rank(square, color) == 6 { 15 } else { 0 },
                PieceType::Queen => reach() - 8,
                PieceType::King => of_king(square, color, pawns, is_endgame),
            };
        }
    }
    sum
}

/// The board's worth to its player to move.
pub fn evaluate(board: &Board) -> i32 {
    let occupied = board.occupied();
    let pawns_and_kings = |army: &Army| army.of_type(PieceType::Pawn) | army.of_type(PieceType::King);
    let strength = |army: &Army| {
        let pieces = army.all() & !pawns_and_kings(army);
        pieces.count_ones() + army.of_type(PieceType::Queen).count_ones()
    };
    let is_endgame = board.armies.iter().map(strength).sum::<u32>() <= ENDGAME;
    of_army(board.own(), board.turn, occupied, is_endgame) - of_army(board.other(), !board.turn, occupied, is_endgame)
}
