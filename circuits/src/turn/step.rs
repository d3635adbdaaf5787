//! The geometry of a move: who moves, from where to where, and which squares are opened for it.
//!
//! The *viewer* is the piece whose sight the move relies on: the moving piece, or the rook when castling. Types, pawn modes
//! and directions are one-hot flags; squares follow from the viewer's square by adding steps, and stay on the board because a later one-hot
//! of their file and rank says so ([`super::board`]).

use halo2curves::bn256::Fr;
use rules::{
    PieceType,
    geometry::{DIRECTIONS, KNIGHT_STEPS},
};

use super::{
    desk::Desk,
    opening::Opening,
    public::Public,
    witness::{STEPS, Witness},
};
use crate::gadget::Cell;

/// The flags and squares of a move.
pub struct Step {
    /// The viewer's type, one-hot: pawn, knight, bishop, rook, queen, king.
    pub kind: [Cell; 6],
    /// The moving piece's type, 1 to 6.
    pub moved: Cell,
    /// Castling to the king's side, the queen's side.
    pub wings: [Cell; 2],
    /// Castling at all.
    pub castle: Cell,
    /// Single push, double push, capture toward file a, toward file h.
    pub pawn: [Cell; 4],
    /// Either capture.
    pub pawn_captures: Cell,
    /// The direction or knight step, one-hot.
    pub direction: [Cell; 8],
    /// The viewer is a bishop, rook or queen.
    pub slides: Cell,
    /// It slides and isn't the rook of a castling.
    pub straight: Cell,
    /// Which of the squares after the viewer's are opened: ones, then zeros.
    pub active: [Cell; STEPS],
    pub from_file: Cell,
    pub from_rank: Cell,
    pub to_file: Cell,
    pub to_rank: Cell,
}

impl Step {
    pub fn new(d: &mut Desk<'_, '_>, public: &Public, w: &Witness, openings: &[Opening]) -> Self {
        let viewer = &openings[0];
        let kind = one_hot(d, (1..=6).map(|t| w.viewer == t));
        let types: Vec<_> = kind.iter().zip(1..).map(|(&flag, t)| (t, flag)).collect();
        let kind_number = d.arith.linear(d.sheet, &types, 0);
        d.sheet.equal(kind_number, viewer.choice);
        let wings = w.castle.map(|flag| d.arith.boolean(d.sheet, flag));
        let castle = d.arith.add(d.sheet, wings[0], wings[1]);
        let moved = d.arith.linear(d.sheet, &[(1, kind_number), (2, castle)], 0);

        let pawn = w.pawn.map(|flag| d.arith.boolean(d.sheet, flag));
        let pawn_sum = d.arith.linear(d.sheet, &pawn.map(|flag| (1, flag)), 0);
        d.sheet.equal(pawn_sum, kind[PieceType::Pawn as usize - 1]);
        let pawn_captures = d.arith.add(d.sheet, pawn[2], pawn[3]);
        let direction: [Cell; 8] = one_hot(d, (0..8).map(|i| w.direction == i))
            .try_into()
            .expect("8 directions");
        let kind: [Cell; 6] = kind.try_into().expect("6 types");
        let slides = d
            .arith
            .linear(d.sheet, &[(1, kind[2]), (1, kind[3]), (1, kind[4])], 0);
        let straight = d.arith.sub(d.sheet, slides, castle);
        let active = w.active.map(|flag| d.arith.boolean(d.sheet, flag));
        let mut step = Self {
            kind,
            moved,
            wings,
            castle,
            pawn,
            pawn_captures,
            direction,
            slides,
            straight,
            active,
            from_file: viewer.file,
            from_rank: viewer.rank,
            to_file: viewer.file,
            to_rank: viewer.rank,
        };
        step.restrict_opening(d, public);
        step.restrict_directions(d);
        let count = step.count_squares(d);
        step.place_castle(d, public, viewer, count);
        step.place_target(d, public, count);
        step.bind_squares(d, public, openings);
        step
    }

    /// Before anything can be met only pawns and knights can move, and nothing can be captured.
    fn restrict_opening(&self, d: &mut Desk<'_, '_>, public: &Public) {
        let steps_out = d.arith.add(d.sheet, self.kind[0], self.kind[1]);
        let one = d.arith.one();
        d.arith
            .assert_equal_if(d.sheet, public.opening, steps_out, one);
        d.arith
            .assert_zero_product(d.sheet, public.opening, self.pawn_captures);
    }

    /// Bishops move on diagonals, rooks along ranks and files.
    fn restrict_directions(&self, d: &mut Desk<'_, '_>) {
        let diagonal = d
            .arith
            .linear(d.sheet, &[4, 5, 6, 7].map(|i| (1, self.direction[i])), 0);
        let orthogonal = d.arith.not(d.sheet, diagonal);
        d.arith.assert_zero_product(
            d.sheet,
            self.kind[PieceType::Bishop as usize - 1],
            orthogonal,
        );
        d.arith
            .assert_zero_product(d.sheet, self.kind[PieceType::Rook as usize - 1], diagonal);
    }

    /// How many squares are opened: one by a double push, none by knights, kings and other pawns. A slider that opens none goes nowhere,
    /// which [`super::board`] refuses.
    fn count_squares(&self, d: &mut Desk<'_, '_>) -> Cell {
        for pair in self.active.windows(2) {
            let gap = d.arith.not(d.sheet, pair[0]);
            d.arith.assert_zero_product(d.sheet, pair[1], gap);
        }
        let count = d
            .arith
            .linear(d.sheet, &self.active.map(|flag| (1, flag)), 0);
        let rests = d.arith.not(d.sheet, self.slides);
        d.arith.assert_equal_if(d.sheet, rests, count, self.pawn[1]);
        count
    }

    /// Castling: a rook in its corner looks toward the king over two or three squares. It can't be in both corners, so not both wings are meant.
    fn place_castle(
        &mut self,
        d: &mut Desk<'_, '_>,
        public: &Public,
        viewer: &Opening,
        count: Cell,
    ) {
        let one = d.arith.one();
        let seven = d.arith.constant(d.sheet, 7);
        let four = d.arith.constant(d.sheet, 4);
        let [king_side, queen_side] = self.wings;
        let home = d.arith.linear(d.sheet, &[(7, public.color)], 0);
        let squares = d
            .arith
            .linear(d.sheet, &[(2, king_side), (3, queen_side)], 0);
        d.arith.assert_equal_if(
            d.sheet,
            self.castle,
            self.kind[PieceType::Rook as usize - 1],
            one,
        );
        d.arith
            .assert_equal_if(d.sheet, self.castle, viewer.rank, home);
        d.arith
            .assert_equal_if(d.sheet, self.castle, count, squares);
        d.arith
            .assert_equal_if(d.sheet, king_side, viewer.file, seven);
        d.arith
            .assert_zero_product(d.sheet, queen_side, viewer.file);
        d.arith
            .assert_equal_if(d.sheet, king_side, self.direction[3], one);
        d.arith
            .assert_equal_if(d.sheet, queen_side, self.direction[2], one);
        self.from_file = d.arith.select(d.sheet, self.castle, four, viewer.file);
    }

    /// `to = from + step`.
    fn place_target(&mut self, d: &mut Desk<'_, '_>, public: &Public, count: Cell) {
        let [rays, knights] = [self.steps(d, &DIRECTIONS), self.steps(d, &KNIGHT_STEPS)];
        let [single, double, toward_a, toward_h] = self.pawn;
        let [king_side, queen_side] = self.wings;
        let knight = self.kind[PieceType::Knight as usize - 1];
        let length = d.arith.mul_add(
            d.sheet,
            self.straight,
            count,
            self.kind[PieceType::King as usize - 1],
        );
        let targets = [self.from_file, self.from_rank]
            .into_iter()
            .enumerate()
            .map(|(axis, from)| {
                let sum = d.arith.mul_add(d.sheet, length, rays[axis], from);
                d.arith.mul_add(d.sheet, knight, knights[axis], sum)
            });
        let targets: Vec<_> = targets.collect();
        let sides = [
            (1, targets[0]),
            (-1, toward_a),
            (1, toward_h),
            (2, king_side),
            (-2, queen_side),
        ];
        self.to_file = d.arith.linear(d.sheet, &sides, 0);
        let pushed = d.arith.linear(
            d.sheet,
            &[(1, single), (2, double), (1, self.pawn_captures)],
            0,
        );
        self.to_rank = d.arith.mul_add(d.sheet, public.up, pushed, targets[1]);
        let pawn_rank = d.arith.linear(d.sheet, &[(5, public.color)], 1);
        d.arith
            .assert_equal_if(d.sheet, double, self.from_rank, pawn_rank);
    }

    /// The chosen step among eight: file and rank.
    fn steps(&self, d: &mut Desk<'_, '_>, steps: &[(i8, i8); 8]) -> [Cell; 2] {
        [0, 1].map(|axis| {
            let amount = |step: (i8, i8)| i64::from(if axis == 0 { step.0 } else { step.1 });
            let terms: Vec<_> = self
                .direction
                .iter()
                .zip(steps)
                .map(|(&flag, &step)| (amount(step), flag))
                .collect();
            d.arith.linear(d.sheet, &terms, 0)
        })
    }

    /// The opened squares lie one after the other on the viewer's way.
    fn bind_squares(&self, d: &mut Desk<'_, '_>, public: &Public, openings: &[Opening]) {
        let [file_step, rank_step] = self.steps(d, &DIRECTIONS);
        let file_step = d.arith.mul(d.sheet, self.slides, file_step);
        let rank_step = d.arith.mul(d.sheet, self.slides, rank_step);
        let rank_step = d.arith.mul_add(
            d.sheet,
            self.kind[PieceType::Pawn as usize - 1],
            public.up,
            rank_step,
        );
        let viewer = &openings[0];
        for (i, (&active, opening)) in self.active.iter().zip(&openings[1..]).enumerate() {
            let distance = i as i64 + 1;
            let file = d
                .arith
                .linear(d.sheet, &[(1, viewer.file), (distance, file_step)], 0);
            let rank = d
                .arith
                .linear(d.sheet, &[(1, viewer.rank), (distance, rank_step)], 0);
            d.arith.assert_equal_if(d.sheet, active, opening.file, file);
            d.arith.assert_equal_if(d.sheet, active, opening.rank, rank);
        }
    }
}

/// Booleans of which exactly one is 1.
#[track_caller]
pub fn one_hot(d: &mut Desk<'_, '_>, flags: impl Iterator<Item = bool>) -> Vec<Cell> {
    let mut cells = Vec::with_capacity(8);
    for flag in flags {
        cells.push(d.arith.boolean(d.sheet, flag));
    }
    let sum = sum(d, &cells);
    let one = d.arith.one();
    d.sheet.equal(sum, one);
    cells
}

/// The sum of some cells.
pub fn sum(d: &mut Desk<'_, '_>, cells: &[Cell]) -> Cell {
    let terms: Vec<(Fr, Cell)> = cells.iter().map(|&cell| (Fr::one(), cell)).collect();
    d.arith.linear_field(d.sheet, &terms, Fr::zero())
}
