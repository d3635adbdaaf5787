//! The geometry of a move: who moves, from where to where, and which squares are opened for it.
//!
//! The *viewer* is the piece whose sight the move relies on: the moving piece, or the rook when castling. Types, pawn modes
//! and directions are one-hot flags; squares follow from the viewer's square by adding steps, and stay on the board because a later one-hot
//! of their file and rank says so ([`super::board`]).

use halo2curves::bn256::Fr;
use rules::{
    PieceType, Square,
    geometry::{DIRECTIONS, KNIGHT_STEPS},
};

use super::{
    move_witness::{MoveWitness, STEPS},
    mover::Mover,
    opened_square::OpenedSquare,
    public::Public,
    witness::Witness,
};
use crate::gadget::{Cell, Context};

/// The flags and squares of a move.
pub struct MoveFlags {
    /// The viewer's type, one-hot: pawn, knight, bishop, rook, queen, king.
    pub kind: [Cell; 6],
    /// The moving piece's type, 1 to 6.
    pub moved: Cell,
    /// Castling to the king's side, the queen's side.
    pub wings: [Cell; 2],
    pub castle: Cell,
    /// Single push, double push, capture toward file a, toward file h.
    pub pawn: [Cell; 4],
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

/// The piece whose sight a move needs, or would need.
pub struct Viewer {
    pub file: Cell,
    pub rank: Cell,
    /// What *turn* says of it besides.
    pub asked: Option<Asked>,
}

/// What a request says of the viewer, and whether the ply has one.
pub struct Asked {
    pub choice: Cell,
    pub opening: Cell,
}

impl Viewer {
    /// On a square that the prover chooses, of which nothing was asked.
    pub fn chosen(cx: &mut Context<'_>, square: Square) -> Self {
        let index = cx.free_bits(Fr::from(square.index() as u64), 6);
        Self { file: cx.number(&index[..3]), rank: cx.number(&index[3..]), asked: None }
    }

    /// File and rank so many steps on its way.
    pub fn after(&self, cx: &mut Context<'_>, [file_step, rank_step]: [Cell; 2], steps: i64) -> [Cell; 2] {
        let file = cx.linear(&[(1, self.file), (steps, file_step)], 0);
        [file, cx.linear(&[(1, self.rank), (steps, rank_step)], 0)]
    }
}

impl MoveFlags {
    /// Lays a turn's flags and squares, and what binds them to each other and to the opened squares.
    pub fn new(cx: &mut Context<'_>, public: &Public, w: &Witness, opened: &[OpenedSquare]) -> Self {
        let OpenedSquare { file, rank, choice, .. } = opened[0];
        let viewer = Viewer { file, rank, asked: Some(Asked { choice, opening: public.inputs.opening }) };
        let flags = Self::of_move(cx, &public.mover, &w.mv, &viewer);
        flags.bind_squares(cx, &public.mover, &viewer, opened);
        flags
    }

    /// Lays a move's flags and squares, and what binds them to each other.
    pub fn of_move(cx: &mut Context<'_>, mover: &Mover, w: &MoveWitness, viewer: &Viewer) -> Self {
        let mut flags = Self::flags(cx, w, viewer);
        if let Some(asked) = &viewer.asked {
            flags.restrict_opening(cx, asked.opening);
        }
        flags.restrict_directions(cx);
        let count = flags.count_squares(cx);
        flags.place_castle(cx, mover, viewer, count);
        flags.place_target(cx, mover, count);
        flags
    }

    /// The flags that the prover chooses; `from` and `to` are the viewer's square for now.
    fn flags(cx: &mut Context<'_>, w: &MoveWitness, viewer: &Viewer) -> Self {
        let kind = cx.one_hot("T3.one_type", (1..=6).map(|t| w.viewer == t));
        let types: Vec<_> = kind.iter().zip(1..).map(|(&flag, t)| (t, flag)).collect();
        let kind_number = cx.linear(&types, 0);
        if let Some(asked) = &viewer.asked {
            cx.equal("T13.viewer_choice", kind_number, asked.choice);
        }
        let wings = w.castle.map(|flag| cx.boolean(flag));
        let castle = cx.add(wings[0], wings[1]);
        let moved = cx.linear(&[(1, kind_number), (2, castle)], 0);

        let pawn = w.pawn.map(|flag| cx.boolean(flag));
        let pawn_sum = cx.linear(&pawn.map(|flag| (1, flag)), 0);
        cx.equal("T5.pawn_way", pawn_sum, kind[PieceType::Pawn as usize - 1]);
        let pawn_captures = cx.add(pawn[2], pawn[3]);
        let direction: [Cell; 8] =
            cx.one_hot("T5.one_direction", (0..8).map(|i| w.direction == i)).try_into().expect("8 directions");
        let kind: [Cell; 6] = kind.try_into().expect("6 types");
        let slides = cx.linear(&[(1, kind[2]), (1, kind[3]), (1, kind[4])], 0);
        let straight = cx.sub(slides, castle);
        let active = w.active.map(|flag| cx.boolean(flag));
        Self {
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
        }
    }

    /// 1 if the viewer is of this type.
    pub fn is(&self, piece: PieceType) -> Cell {
        self.kind[piece as usize - 1]
    }

    /// Before anything can be met only pawns and knights can move, and nothing can be captured.
    fn restrict_opening(&self, cx: &mut Context<'_>, opening: Cell) {
        let steps_out = cx.add(self.is(PieceType::Pawn), self.is(PieceType::Knight));
        cx.assert_equal_if("T9.pawn_or_knight", opening, steps_out, cx.one);
        cx.assert_zero_product("T9.no_capture", opening, self.pawn_captures);
    }

    /// Bishops move on diagonals, rooks along ranks and files.
    fn restrict_directions(&self, cx: &mut Context<'_>) {
        let diagonal = cx.linear(&[4, 5, 6, 7].map(|i| (1, self.direction[i])), 0);
        let orthogonal = cx.not(diagonal);
        cx.assert_zero_product("T5.bishop", self.is(PieceType::Bishop), orthogonal);
        cx.assert_zero_product("T5.rook", self.is(PieceType::Rook), diagonal);
    }

    /// How many squares are opened: one by a double push, none by knights, kings and other pawns. A slider that opens none goes nowhere,
    /// which [`super::board`] refuses.
    fn count_squares(&self, cx: &mut Context<'_>) -> Cell {
        for pair in self.active.windows(2) {
            let gap = cx.not(pair[0]);
            cx.assert_zero_product("T10.no_gap", pair[1], gap);
        }
        let count = cx.linear(&self.active.map(|flag| (1, flag)), 0);
        let rests = cx.not(self.slides);
        cx.assert_equal_if("T10.count", rests, count, self.pawn[1]);
        count
    }

    /// Castling: a rook in its corner looks toward the king over two or three squares. It can't be in both corners, so not both wings are meant.
    fn place_castle(&mut self, cx: &mut Context<'_>, mover: &Mover, viewer: &Viewer, count: Cell) {
        let seven = cx.constant(7);
        let four = cx.constant(4);
        let [king_side, queen_side] = self.wings;
        let home = cx.linear(&[(7, mover.color)], 0);
        let squares = cx.linear(&[(2, king_side), (3, queen_side)], 0);
        cx.assert_equal_if("T8.rook", self.castle, self.is(PieceType::Rook), cx.one);
        cx.assert_equal_if("T8.home_rank", self.castle, viewer.rank, home);
        cx.assert_equal_if("T10.castling_count", self.castle, count, squares);
        cx.assert_equal_if("T8.king_side_corner", king_side, viewer.file, seven);
        cx.assert_zero_product("T8.queen_side_corner", queen_side, viewer.file);
        cx.assert_equal_if("T8.king_side_direction", king_side, self.direction[3], cx.one);
        cx.assert_equal_if("T8.queen_side_direction", queen_side, self.direction[2], cx.one);
        self.from_file = cx.select(self.castle, four, viewer.file);
    }

    /// `to = from + step`.
    fn place_target(&mut self, cx: &mut Context<'_>, mover: &Mover, count: Cell) {
        let [rays, knights] = [self.steps(cx, &DIRECTIONS), self.steps(cx, &KNIGHT_STEPS)];
        let [single, double, toward_a, toward_h] = self.pawn;
        let [king_side, queen_side] = self.wings;
        let knight = self.is(PieceType::Knight);
        let length = cx.mul_add(self.straight, count, self.is(PieceType::King));
        let targets = [self.from_file, self.from_rank].into_iter().enumerate().map(|(axis, from)| {
            let sum = cx.mul_add(length, rays[axis], from);
            cx.mul_add(knight, knights[axis], sum)
        });
        let targets: Vec<_> = targets.collect();
        let sides = [(1, targets[0]), (-1, toward_a), (1, toward_h), (2, king_side), (-2, queen_side)];
        self.to_file = cx.linear(&sides, 0);
        let pushed = cx.linear(&[(1, single), (2, double), (1, self.pawn_captures)], 0);
        self.to_rank = cx.mul_add(mover.up, pushed, targets[1]);
        let pawn_rank = cx.linear(&[(5, mover.color)], 1);
        cx.assert_equal_if("T18.pawn_rank", double, self.from_rank, pawn_rank);
    }

    /// The square on which the move captures, 64 for none: its target if that is `occupied`, *en passant* the square beside the pawn.
    pub fn captured(&self, cx: &mut Context<'_>, occupied: Cell, en_passant: Cell) -> Cell {
        let to = cx.linear(&[(1, self.to_file), (8, self.to_rank)], -64);
        let beside = cx.linear(&[(1, self.to_file), (8, self.from_rank)], -64);
        let sum = cx.inner_product(&[occupied, en_passant], &[to, beside]);
        cx.linear(&[(1, sum)], 64)
    }

    /// The chosen step among eight: file and rank.
    fn steps(&self, cx: &mut Context<'_>, steps: &[(i8, i8); 8]) -> [Cell; 2] {
        [0, 1].map(|axis| {
            let amount = |step: (i8, i8)| i64::from(if axis == 0 { step.0 } else { step.1 });
            let terms: Vec<_> = self.direction.iter().zip(steps).map(|(&flag, &step)| (amount(step), flag)).collect();
            cx.linear(&terms, 0)
        })
    }

    /// What one step on the way of a slider or of a pawn adds to file and rank.
    pub fn way(&self, cx: &mut Context<'_>, mover: &Mover) -> [Cell; 2] {
        let [file_step, rank_step] = self.steps(cx, &DIRECTIONS);
        let file_step = cx.mul(self.slides, file_step);
        let rank_step = cx.mul(self.slides, rank_step);
        [file_step, cx.mul_add(self.is(PieceType::Pawn), mover.up, rank_step)]
    }

    /// The opened squares lie one after the other on the viewer's way.
    fn bind_squares(&self, cx: &mut Context<'_>, mover: &Mover, viewer: &Viewer, opened: &[OpenedSquare]) {
        let way = self.way(cx, mover);
        for (i, (&active, square)) in self.active.iter().zip(&opened[1..]).enumerate() {
            let [file, rank] = viewer.after(cx, way, i as i64 + 1);
            cx.assert_equal_if("T10.file", active, square.file, file);
            cx.assert_equal_if("T10.rank", active, square.rank, rank);
        }
    }
}
