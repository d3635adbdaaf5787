//! Record fields 8 to 13, and all elements together (protocol section 5 and "Encodings").
//!
//! Fields that the receiver's color moves or changes are made for both colors and chosen by the public bit: a pawn's payload, and
//! the double push of a file, which stands on rank 2 or 7.

use fog::{
    engine::sight_lines::geometry::{
        AHEAD_BIT, EN_PASSANT_BIT, PAWN_FIELD, PUSH_FIELD, knight_target, pawn_may_stand, step,
    },
    poseidon::Tag,
};
use halo2curves::bn256::Fr;
use rules::{
    Color, PieceType, Square,
    geometry::{DIRECTIONS, KNIGHT_STEPS, PAWN_SIDES, ahead, pawn_attacks},
};

use super::{board::Board, masks::Masks, rays};
use crate::gadget::{Cell, Context};

/// What the fields are made of.
struct Maker<'d, 'r> {
    cx: &'d mut Context<'r>,
    board: &'d Board,
    masks: &'d Masks,
    color: Cell,
    /// The double-pushed file, for each receiver's color 0 unless it is this one.
    pushed: [Vec<Cell>; 2],
}

/// All elements, in their places.
#[derive(Clone, Debug)]
pub struct Elements {
    /// Fields 0 to 12 by square; none where a field doesn't exist.
    pub fields: Vec<[Option<Cell>; PUSH_FIELD]>,
    /// Field 13 of the receiver's pawn rank, by file.
    pub pushes: Vec<Cell>,
    /// The pass of the receiver's captured square, or 0.
    pub clear_pass: Cell,
}

impl Elements {
    pub fn make(cx: &mut Context<'_>, color: Cell, board: &Board, masks: &Masks, rays: &rays::Fields) -> Self {
        let white = cx.not(color);
        let pushed = [white, color].map(|is_receiver| {
            let files = board.pushed.iter();
            files.map(|&file| cx.mul(file, is_receiver)).collect()
        });
        let mut maker = Maker { cx, board, masks, color, pushed };
        let fields = Square::all().map(|square| {
            let mut fields = [None; PUSH_FIELD];
            let (steps, ciphertexts) = fields.split_at_mut(PAWN_FIELD);
            steps.copy_from_slice(&rays[square.index()]);
            ciphertexts.copy_from_slice(&maker.ciphertexts(square));
            fields
        });
        Self {
            fields: fields.collect(),
            pushes: (0..8).map(|file| maker.double_push(file)).collect(),
            clear_pass: maker.clear_pass(),
        }
    }

    /// In the order of the public inputs of the peer-to-peer form.
    pub fn in_order(&self) -> impl Iterator<Item = Cell> + '_ {
        let fields = self.fields.iter().flatten().flatten();
        fields.chain(&self.pushes).copied().chain([self.clear_pass])
    }
}

impl Maker<'_, '_> {
    /// Fields 8 to 12, each 0 on the receiver's captured square.
    fn ciphertexts(&mut self, square: Square) -> [Option<Cell>; PUSH_FIELD - PAWN_FIELD] {
        let s = square.index();
        let standing = self.masks.standing[s];
        let pawn = pawn_may_stand(square).then(|| {
            let sum = self.pawn(square);
            self.cx.mul(standing, sum)
        });
        let steps = 0..KNIGHT_STEPS.len();
        let knight = self.targets(square, PieceType::Knight, steps.map(|i| knight_target(square, i)));
        let knight = self.cx.mul(standing, knight);
        let (masks, keys) = (self.masks.of(s, PieceType::Queen), self.masks.own_keys[s]);
        let [orth, diag] = [0, 1].map(|i| self.cx.mul_add(standing, masks[i], keys[i]));
        let steps = 0..DIRECTIONS.len();
        let king = self.targets(square, PieceType::King, steps.map(|d| step(square, d)));
        let king = self.cx.mul(standing, king);
        [pawn, Some(knight), Some(orth), Some(diag), Some(king)]
    }

    /// A mask and the types on the targets, 3 bits each.
    fn targets(&mut self, square: Square, piece: PieceType, targets: impl Iterator<Item = Option<Square>>) -> Cell {
        let [mask, _] = self.masks.of(square.index(), piece);
        let terms = self.types(targets);
        self.cx.add_terms(mask, &terms)
    }

    fn types(&self, targets: impl Iterator<Item = Option<Square>>) -> Vec<(Fr, Cell)> {
        let places = targets.enumerate();
        places
            .filter_map(|(i, target)| {
                let weight = Fr::from(1 << (fog::commitment::TYPE_BITS * i));
                Some((weight, self.board.types[target?.index()]))
            })
            .collect()
    }

    /// A pawn's mask and payload.
    fn pawn(&mut self, square: Square) -> Cell {
        let [white, black] = [Color::White, Color::Black].map(|color| {
            let mut terms = self.types(pawn_attacks(square, color).into_iter());
            if let Some(front) = ahead(square, color) {
                terms.push((Fr::from(1 << AHEAD_BIT), self.board.occupied[front.index()]));
            }
            let zero = self.cx.zero;
            self.cx.add_terms(zero, &terms)
        });
        let payload = self.cx.select(self.color, black, white);
        let [mask, _] = self.masks.of(square.index(), PieceType::Pawn);
        let mut terms = vec![(Fr::one(), payload)];
        terms.extend(self.en_passant(square));
        self.cx.add_terms(mask, &terms)
    }

    /// The en-passant bits of a pawn that stands beside where a double push ends: by file and rank alone.
    fn en_passant(&self, square: Square) -> Vec<(Fr, Cell)> {
        let receivers = [Color::White, Color::Black].into_iter();
        let here = receivers.filter(|&receiver| square.rank() == (!receiver).double_push_rank());
        here.flat_map(|receiver| {
            let sides = PAWN_SIDES.into_iter().enumerate();
            sides.filter_map(move |(bit, side)| {
                let neighbour = square.offset(side, 0)?;
                let weight = Fr::from(1 << (EN_PASSANT_BIT + bit));
                let files = &self.pushed[receiver.index()];
                Some((weight, files[usize::from(neighbour.file())]))
            })
        })
        .collect()
    }

    /// Field 13 of the file's square on the receiver's pawn rank; 0 if that is its captured square.
    fn double_push(&mut self, file: u8) -> Cell {
        let [white, black] = [Color::White, Color::Black].map(|color| {
            let two = 2 * color.forward();
            let pawn = Square::at(file, color.pawn_rank()).expect("a file of the board");
            let squares = [0, color.forward(), two].map(|rank| pawn.offset(0, rank));
            squares.map(|square| square.expect("a pawn on its first rank has two ahead").index())
        });
        let ends = [white, black].map(|[pawn, one, two]| {
            let (board, masks) = (self.board, self.masks);
            let [_, key] = masks.of(pawn, PieceType::Pawn);
            let blocked = self.cx.mul(board.empty[one], board.occupied[two]);
            [key, masks.pass(one), blocked, masks.standing[pawn]]
        });
        let [key, pass, blocked, standing] = std::array::from_fn(|i| {
            let [white, black] = [ends[0][i], ends[1][i]];
            self.cx.select(self.color, black, white)
        });
        let [mask, _] = self.cx.hash(Tag::Push, key, pass);
        let sum = self.cx.add_terms(mask, &[(Fr::one(), blocked)]);
        self.cx.mul(standing, sum)
    }

    /// The pass of the receiver's captured square, or 0.
    fn clear_pass(&mut self) -> Cell {
        let passes: Vec<Cell> = (0..64).map(|square| self.masks.pass(square)).collect();
        self.cx.inner_product(&self.masks.captured, &passes)
    }
}
