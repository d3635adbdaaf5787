//! Sets of squares as the bits of a number, and what pieces reach on a board of such sets.

use rules::geometry::{DIRECTIONS, KNIGHT_STEPS, PAWN_SIDES};
use rules::{Color, Square};

/// A set of squares: bit 0 is a1, bit 63 is h8.
pub type Bits = u64;

/// The squares on which pawns can stand.
pub const PAWN_SQUARES: Bits = 0x00ff_ffff_ffff_ff00;

/// The set of one square.
#[inline]
pub const fn bit(square: Square) -> Bits {
    1 << square.index()
}

/// The squares of a set, ascending.
#[derive(Clone, Copy, Debug)]
pub struct Squares(pub Bits);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        // Of no bits there are 64 trailing zeros, which is no square's number.
        let square = Square::new(self.0.trailing_zeros() as u8)?;
        self.0 &= self.0 - 1;
        Some(square)
    }
}

/// What is reached from each square by single steps.
const fn steps(of: &[(i8, i8)]) -> [Bits; 64] {
    let mut reached = [0; 64];
    let mut from = 0;
    while from < 64 {
        let mut i = 0;
        while i < of.len() {
            if let Some(square) = Square::new(from as u8)
                && let Some(to) = square.offset(of[i].0, of[i].1)
            {
                reached[from] |= bit(to);
            }
            i += 1;
        }
        from += 1;
    }
    reached
}

/// The squares from each square to the edge, by direction.
const fn rays() -> [[Bits; 64]; 8] {
    let mut rays = [[0; 64]; 8];
    let mut d = 0;
    while d < 8 {
        let mut from = 0;
        while from < 64 {
            let mut at = Square::new(from as u8);
            while let Some(square) = at {
                at = square.offset(DIRECTIONS[d].0, DIRECTIONS[d].1);
                if let Some(next) = at {
                    rays[d][from] |= bit(next);
                }
            }
            from += 1;
        }
        d += 1;
    }
    rays
}

static KNIGHT: [Bits; 64] = steps(&KNIGHT_STEPS);
static KING: [Bits; 64] = steps(&DIRECTIONS);
static RAYS: [[Bits; 64]; 8] = rays();
static PAWN: [[Bits; 64]; 2] = [
    steps(&[(PAWN_SIDES[0], Color::White.forward()), (PAWN_SIDES[1], Color::White.forward())]),
    steps(&[(PAWN_SIDES[0], Color::Black.forward()), (PAWN_SIDES[1], Color::Black.forward())]),
];

/// What a knight on a square attacks.
#[inline]
pub fn knight(from: Square) -> Bits {
    KNIGHT[from.index()]
}

/// What a king on a square attacks.
#[inline]
pub fn king(from: Square) -> Bits {
    KING[from.index()]
}

/// What a pawn of a color on a square attacks.
#[inline]
pub fn pawn(from: Square, color: Color) -> Bits {
    PAWN[color.index()][from.index()]
}

/// The ray in a direction up to the first piece, which it includes.
#[inline]
fn ray(d: usize, from: Square, occupied: Bits) -> Bits {
    let ray = RAYS[d][from.index()];
    let blockers = ray & occupied;
    if blockers == 0 {
        return ray;
    }
    let ascends = DIRECTIONS[d].0 + 8 * DIRECTIONS[d].1 > 0;
    let first = if ascends { blockers.trailing_zeros() } else { 63 - blockers.leading_zeros() };
    ray ^ RAYS[d][first as usize]
}

/// What a rook on a square attacks.
#[inline]
pub fn rook(from: Square, occupied: Bits) -> Bits {
    ray(0, from, occupied) | ray(1, from, occupied) | ray(2, from, occupied) | ray(3, from, occupied)
}

/// What a bishop on a square attacks.
#[inline]
pub fn bishop(from: Square, occupied: Bits) -> Bits {
    ray(4, from, occupied) | ray(5, from, occupied) | ray(6, from, occupied) | ray(7, from, occupied)
}

/// A set moved forward by one rank, as a color's pawns advance.
#[inline]
pub const fn forward(bits: Bits, color: Color) -> Bits {
    match color {
        Color::White => bits << 8,
        Color::Black => bits >> 8,
    }
}
