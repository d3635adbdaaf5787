//! That a game may have the committed board, as far as its men tell, whatever set is made of it. The native twin is `engines::psi::statement::men`.
//!
//! Men are counted on the board as it is committed, before the captured piece is removed. Of the men that aren't kings the prover says what became of
//! those that a game begins with: which officers still stand, how many pawns were promoted to each kind, and how many have fallen. Sums bind that to
//! what stands on the board; nothing else need be said of it, for whatever fits is a way that a game can go.

use engines::psi::statement::men::{Officers, PAWNS, is_outer};
use rules::{Color, PieceType, Square};

use crate::{
    gadget::{Cell, Context, Label, state::StateWitness},
    statement::bfv::{
        board::{Board, Man},
        view::Looks,
    },
};

pub struct Labels {
    /// Every square is empty or holds one of the six types.
    pub types: Label,
    /// No pawn stands on the first or the last rank.
    pub pawn_ranks: Label,
    /// There is one king.
    pub one_king: Label,
    /// Officers of a kind are those that still stand, and promoted pawns.
    pub officers: Label,
    /// Each of eight pawns stands, was promoted or has fallen.
    pub pawns: Label,
    /// A double push leads from an empty square over an empty square to a pawn.
    pub double_push: Label,
}

/// Bits of a number of pawns.
const PAWN_BITS: usize = 4;

/// Binds the men of a board, and its double push.
pub fn constrain(cx: &mut Context<'_>, board: &Board, labels: &Labels, committed: &StateWitness) {
    let squares = Squares::new(cx, board);
    let everywhere = |_: Square| true;
    let empty: Vec<Cell> = squares.0.iter().map(|looks| looks.empty).collect();
    let mut all = vec![cx.sum(&empty)];
    let pawns = squares.count(cx, PieceType::Pawn, everywhere);
    let kings = squares.count(cx, PieceType::King, everywhere);
    all.extend([pawns, kings]);
    cx.equal(labels.one_king, kings, cx.one);
    let outer = squares.count(cx, PieceType::Pawn, is_outer);
    cx.equal(labels.pawn_ranks, outer, cx.zero);

    let told = Told::new(&committed.types);
    let mut fates = vec![pawns];
    for (officers, [standing, promoted]) in Officers::ALL.iter().zip(told.officers) {
        let count = squares.count(cx, officers.piece, |square| officers.may_stand(square));
        all.push(count);
        let standing: Vec<Cell> = (0..officers.at_start).map(|man| cx.boolean(man < standing)).collect();
        let promoted = number(cx, promoted);
        fates.push(promoted);
        let of_kind = cx.sum(&[&standing[..], &[promoted]].concat());
        cx.equal(labels.officers, of_kind, count);
    }
    let total = cx.sum(&all);
    let board_squares = cx.constant(Square::all().len() as u64);
    cx.equal(labels.types, total, board_squares);
    fates.push(number(cx, told.fallen));
    let fates = cx.sum(&fates);
    let at_start = cx.constant(PAWNS as u64);
    cx.equal(labels.pawns, fates, at_start);

    let (fitting, any) = (squares.double_push(cx, board), cx.sum(&board.pushes));
    cx.equal(labels.double_push, fitting, any);
}

/// A number of pawns that the prover chooses.
fn number(cx: &mut Context<'_>, value: usize) -> Cell {
    let bits = cx.free_bits((value as u64).into(), PAWN_BITS);
    cx.number(&bits)
}

/// What stands on each square, as committed.
struct Squares(Vec<Looks>);

impl Squares {
    fn new(cx: &mut Context<'_>, board: &Board) -> Self {
        let looks = board.committed.iter().map(|&bits| {
            let neither = cx.bilinear([1, -1, -1, 1], bits[0], bits[1]);
            Looks::new(cx, Man { bits, neither })
        });
        Self(looks.collect())
    }

    fn at(&self, square: Square) -> &Looks {
        &self.0[square.index()]
    }

    /// How many pieces of a type stand on some squares.
    fn count(&self, cx: &mut Context<'_>, piece: PieceType, is_counted: impl Fn(Square) -> bool) -> Cell {
        let squares = Square::all().filter(|square| is_counted(*square));
        let flags: Vec<Cell> = squares.map(|square| self.at(square).is(piece)).collect();
        cx.sum(&flags)
    }

    /// 1 if there is a double push with a pawn where it ends and nothing behind it.
    fn double_push(&self, cx: &mut Context<'_>, board: &Board) -> Cell {
        let mut fitting = Vec::new();
        for file in 0..8 {
            let of_color = Color::ALL.map(|color| {
                let at = |rank| self.at(Square::at(file, rank).expect("a square"));
                let (from, to) = (color.pawn_rank(), color.double_push_rank());
                let behind = cx.mul(at(from).empty, at(from.midpoint(to)).empty);
                cx.mul(behind, at(to).is(PieceType::Pawn))
            });
            let [white, black] = of_color;
            fitting.push(cx.select(board.color, black, white));
        }
        cx.inner_product(&board.pushes, &fitting)
    }
}

/// What became of the men that a game begins with. Of a board that no game has it doesn't fit.
struct Told {
    /// By kind, how many of the first ones still stand, and how many pawns were promoted to it.
    officers: [[usize; 2]; 5],
    /// Pawns that have fallen.
    fallen: usize,
}

impl Told {
    fn new(types: &[u8; 64]) -> Self {
        let count = |piece: PieceType, is_counted: &dyn Fn(Square) -> bool| {
            Square::all().filter(|square| types[square.index()] == piece.code() && is_counted(*square)).count()
        };
        let officers = Officers::ALL.map(|officers| {
            let found = count(officers.piece, &|square| officers.may_stand(square));
            [found.min(officers.at_start), found.saturating_sub(officers.at_start)]
        });
        let promoted: usize = officers.iter().map(|[_, promoted]| promoted).sum();
        let fallen = PAWNS.saturating_sub(count(PieceType::Pawn, &|_| true) + promoted);
        Self { officers, fallen }
    }
}
