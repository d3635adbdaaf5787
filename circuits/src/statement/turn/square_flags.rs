//! A square as flags of its file and rank, by which its type is read from a board and weighed in a packed state.

use halo2curves::bn256::Fr;
use rules::{Color, Square, castling::Wing};

use super::mover::Mover;
use crate::gadget::{Cell, Context, power};

/// A square as flags of its file and rank: all zeros for *no square*.
pub struct SquareFlags {
    files: Vec<Cell>,
    ranks: Vec<Cell>,
}

impl SquareFlags {
    /// A square on the board, whose coordinates are given.
    pub fn at(cx: &mut Context<'_>, file: Cell, rank: Cell) -> Self {
        let mut axis = |value: Cell| {
            let flags = cx.one_hot("T5.one_file_and_rank", (0..8).map(|i| value.value == Fr::from(i)));
            let index = cx.index(&flags, 1);
            cx.equal("T5.on_board", index, value);
            flags
        };
        Self { files: axis(file), ranks: axis(rank) }
    }

    /// The square that `number` says, 64 for none.
    pub fn maybe(cx: &mut Context<'_>, number: Cell, square: Option<Square>) -> Self {
        let mut axis = |at: Option<u8>| -> Vec<Cell> { (0..8).map(|i| cx.boolean(at == Some(i))).collect() };
        let (files, ranks) = (axis(square.map(|s| s.file())), axis(square.map(|s| s.rank())));
        let (some, same) = (cx.sum(&files), cx.sum(&ranks));
        cx.equal("T2.file_and_rank", some, same);
        let none = cx.is_zero(some);
        let exists = cx.not(none);
        cx.equal("T2.one_square", exists, some);
        let (file, rank) = (cx.index(&files, 1), cx.index(&ranks, 8));
        let said = cx.linear(&[(1, file), (1, rank), (64, none)], 0);
        cx.equal("T2.pending", said, number);
        Self { files, ranks }
    }

    /// `8^square`: the weight of the square's type in a packed state, 0 for no square.
    pub fn weight(&self, cx: &mut Context<'_>) -> Cell {
        let mut weigh = |flags: &[Cell], step: usize| {
            let weights = (0..).map(|i| power(8, i * step));
            let terms: Vec<_> = weights.zip(flags.iter().copied()).collect();
            cx.add_terms(cx.zero, &terms)
        };
        let (file, rank) = (weigh(&self.files, 1), weigh(&self.ranks, 8));
        cx.mul(file, rank)
    }

    /// What stands on the square, 0 for no square.
    pub fn read(&self, cx: &mut Context<'_>, types: &[Cell]) -> Cell {
        let rows: Vec<_> = types.chunks_exact(8).map(|row| cx.inner_product(&self.files, row)).collect();
        cx.inner_product(&self.ranks, &rows)
    }

    /// Whether it is the corner where the rook of a wing stands at the start.
    pub fn is_corner(&self, cx: &mut Context<'_>, mover: &Mover, wing: Wing) -> Cell {
        let file = usize::from(wing.rook_from(Color::White).file());
        let home = cx.select(mover.color, self.ranks[7], self.ranks[0]);
        cx.mul(self.files[file], home)
    }
}
