//! The mover's state before and after the move (protocol section 4).
//!
//! Only the new types are decoded square by square: they are the choices of the next request. The old packed state follows from the new one by
//! undoing the move, with the squares that changed read to hold what a legal move leaves there. So each old type is a number in 0..8 too, and
//! the committed state has no other decoding.

use ff::Field;
use fog::{commitment as state, poseidon::Tag};
use halo2curves::bn256::Fr;
use rules::{Color, PieceType, castling::Wing};

use super::{
    desk::Desk,
    public::Public,
    step::{Step, one_hot, sum},
    witness::Witness,
};
use crate::gadget::Cell;

/// A square as flags of its file and rank: all zeros for *no square*.
struct Pointer {
    files: Vec<Cell>,
    ranks: Vec<Cell>,
}

impl Pointer {
    /// A square on the board, whose coordinates are given.
    fn at(d: &mut Desk<'_, '_>, file: Cell, rank: Cell) -> Self {
        let mut axis = |value: Cell| {
            let flags = one_hot(d, (0..8).map(|i| value.value == Fr::from(i)));
            let weighed = weigh(d, &flags, 1);
            d.sheet.equal(weighed, value);
            flags
        };
        Self {
            files: axis(file),
            ranks: axis(rank),
        }
    }

    /// The square that `number` says, 64 for none.
    fn maybe(d: &mut Desk<'_, '_>, number: Cell, square: Option<rules::Square>) -> Self {
        let mut axis = |at: Option<u8>| -> Vec<Cell> {
            (0..8)
                .map(|i| d.arith.boolean(d.sheet, at == Some(i)))
                .collect()
        };
        let (files, ranks) = (
            axis(square.map(|s| s.file())),
            axis(square.map(|s| s.rank())),
        );
        let (some, same) = (sum(d, &files), sum(d, &ranks));
        d.sheet.equal(some, same);
        let none = d.arith.is_zero(d.sheet, some);
        let exists = d.arith.not(d.sheet, none);
        d.sheet.equal(exists, some);
        let (file, rank) = (weigh(d, &files, 1), weigh(d, &ranks, 8));
        let weighed = d
            .arith
            .linear(d.sheet, &[(1, file), (1, rank), (64, none)], 0);
        d.sheet.equal(weighed, number);
        Self { files, ranks }
    }

    /// `8^square`: the weight of the square's type in a packed state, 0 for no square.
    fn weight(&self, d: &mut Desk<'_, '_>) -> Cell {
        let powers = |flags: &[Cell], step: u64| -> Vec<(Fr, Cell)> {
            flags
                .iter()
                .enumerate()
                .map(|(i, &flag)| (Fr::from(8).pow([i as u64 * step]), flag))
                .collect()
        };
        let file = d
            .arith
            .linear_field(d.sheet, &powers(&self.files, 1), Fr::ZERO);
        let rank = d
            .arith
            .linear_field(d.sheet, &powers(&self.ranks, 8), Fr::ZERO);
        d.arith.mul(d.sheet, file, rank)
    }

    /// What stands on the square, 0 for no square.
    fn read(&self, d: &mut Desk<'_, '_>, types: &[Cell]) -> Cell {
        let rows: Vec<_> = types
            .chunks_exact(8)
            .map(|row| d.arith.inner_product(d.sheet, &self.files, row))
            .collect();
        d.arith.inner_product(d.sheet, &self.ranks, &rows)
    }

    /// Whether it is the corner where the rook of a wing stands at the start.
    fn is_corner(&self, d: &mut Desk<'_, '_>, public: &Public, wing: Wing) -> Cell {
        let file = usize::from(wing.rook_from(Color::White).file());
        let home = d
            .arith
            .select(d.sheet, public.color, self.ranks[7], self.ranks[0]);
        d.arith.mul(d.sheet, self.files[file], home)
    }
}

/// `Σ i·step·flagᵢ`.
fn weigh(d: &mut Desk<'_, '_>, flags: &[Cell], step: i64) -> Cell {
    let terms: Vec<_> = flags
        .iter()
        .enumerate()
        .skip(1)
        .map(|(i, &flag)| (i as i64 * step, flag))
        .collect();
    d.arith.linear(d.sheet, &terms, 0)
}

/// Proves that `C` opens to the state before the move and `C'` to the one after it, whose types `next_types` are.
pub fn constrain(
    d: &mut Desk<'_, '_>,
    public: &Public,
    w: &Witness,
    step: &Step,
    next_types: &[Cell; 64],
) {
    let from = Pointer::at(d, step.from_file, step.from_rank);
    let to = Pointer::at(d, step.to_file, step.to_rank);
    let pending = Pointer::maybe(d, public.pending, w.pending);

    let placed = placed(d, public, w, step);
    let changes = [
        moved_away(d, public, step, &from, next_types),
        arrived(d, &to, placed, next_types),
        captured(d, public, w, step, &pending, next_types),
        castled(d, public, step, next_types),
    ];
    let next_packed = pack(d, next_types);
    let packed = d.arith.linear(
        d.sheet,
        &[
            (1, next_packed),
            (1, changes[0]),
            (1, changes[1]),
            (1, changes[2]),
        ],
        0,
    );
    let packed = d.arith.add(d.sheet, packed, changes[3]);
    let [extras, next_extras] = extras(d, public, w, step, &from, &pending);

    for (packed, extras, salt, commitment) in [
        (packed, extras, w.salts[0], public.commitment),
        (next_packed, next_extras, w.salts[1], public.next_commitment),
    ] {
        let above = Fr::from(2).pow([state::KING_SIDE_BIT as u64]);
        let whole = d
            .arith
            .linear_field(d.sheet, &[(Fr::ONE, packed), (above, extras)], Fr::ZERO);
        let salt = d.witness(salt);
        let hash = d.hash(Tag::Commit, whole, salt).outputs[0];
        d.sheet.equal(hash, commitment);
    }
}

/// `Σ 8^s·type_s`.
fn pack(d: &mut Desk<'_, '_>, types: &[Cell; 64]) -> Cell {
    let terms: Vec<_> = types
        .iter()
        .enumerate()
        .map(|(s, &t)| (Fr::from(8).pow([s as u64]), t))
        .collect();
    d.arith.linear_field(d.sheet, &terms, Fr::ZERO)
}

/// The piece that the move leaves on its target: a pawn on the last rank, and no other piece, becomes knight, bishop, rook or queen.
fn placed(d: &mut Desk<'_, '_>, public: &Public, w: &Witness, step: &Step) -> Cell {
    let to_last = d
        .arith
        .linear(d.sheet, &[(1, step.to_rank), (7, public.color)], -7);
    let on_last = d.arith.is_zero(d.sheet, to_last);
    let promotes = d
        .arith
        .mul(d.sheet, on_last, step.kind[PieceType::Pawn as usize - 1]);
    let which = d
        .arith
        .free_bits(d.sheet, Fr::from(u64::from(w.promotion)), 2);
    let promoted = d.arith.linear(d.sheet, &[(1, which[0]), (2, which[1])], 2);
    d.arith.select(d.sheet, promotes, promoted, step.moved)
}

/// The moved piece stood on `from`, where nothing stands now.
fn moved_away(
    d: &mut Desk<'_, '_>,
    public: &Public,
    step: &Step,
    from: &Pointer,
    next_types: &[Cell; 64],
) -> Cell {
    let left = from.read(d, next_types);
    let zero = d.arith.zero();
    d.sheet.equal(left, zero);
    // A captured piece moves no more: its type would be added to the mover's.
    let number = d.arith.linear(
        d.sheet,
        &[
            (1, step.from_file),
            (8, step.from_rank),
            (-1, public.pending),
        ],
        0,
    );
    d.arith.assert_nonzero(d.sheet, number);
    let weight = from.weight(d);
    d.arith.mul(d.sheet, weight, step.moved)
}

/// Nothing stood on `to`, where the placed piece stands now.
fn arrived(d: &mut Desk<'_, '_>, to: &Pointer, placed: Cell, next_types: &[Cell; 64]) -> Cell {
    let there = to.read(d, next_types);
    d.sheet.equal(there, placed);
    let weight = to.weight(d);
    let gained = d.arith.mul(d.sheet, weight, placed);
    d.arith.linear(d.sheet, &[(-1, gained)], 0)
}

/// Some piece stood on the pending square, where nothing stands now unless the move went there.
fn captured(
    d: &mut Desk<'_, '_>,
    public: &Public,
    w: &Witness,
    step: &Step,
    pending: &Pointer,
    next_types: &[Cell; 64],
) -> Cell {
    let there = pending.read(d, next_types);
    let to = d
        .arith
        .linear(d.sheet, &[(1, step.to_file), (8, step.to_rank)], 0);
    let entered = d.arith.is_equal(d.sheet, to, public.pending);
    let not_entered = d.arith.not(d.sheet, entered);
    d.arith.assert_zero_product(d.sheet, not_entered, there);
    let bits = d
        .arith
        .free_bits(d.sheet, Fr::from(u64::from(w.removed)), 3);
    let removed = d.arith.weigh(d.sheet, &bits);
    let weight = pending.weight(d);
    d.arith.mul(d.sheet, weight, removed)
}

/// Castling takes the rook from its corner to the king's other side.
fn castled(d: &mut Desk<'_, '_>, public: &Public, step: &Step, next_types: &[Cell; 64]) -> Cell {
    let rook = d.arith.constant(d.sheet, PieceType::Rook as u64);
    let mut terms = Vec::with_capacity(4);
    for (wing, flag) in Wing::ALL.into_iter().zip(step.wings) {
        let black = d.arith.mul(d.sheet, flag, public.color);
        let white = d.arith.sub(d.sheet, flag, black);
        for (color, flag) in [(Color::White, white), (Color::Black, black)] {
            let [corner, beside] = [wing.rook_from(color), wing.rook_to(color)].map(|s| s.index());
            d.arith
                .assert_zero_product(d.sheet, flag, next_types[corner]);
            d.arith
                .assert_equal_if(d.sheet, flag, next_types[beside], rook);
            let weight = |s: usize| Fr::from(PieceType::Rook as u64) * Fr::from(8).pow([s as u64]);
            terms.push((weight(corner) - weight(beside), flag));
        }
    }
    d.arith.linear_field(d.sheet, &terms, Fr::ZERO)
}

/// The bits above the types, before and after: rights, the double push's file, the counter.
fn extras(
    d: &mut Desk<'_, '_>,
    public: &Public,
    w: &Witness,
    step: &Step,
    from: &Pointer,
    pending: &Pointer,
) -> [Cell; 2] {
    let king_moves = d.arith.add(
        d.sheet,
        step.kind[PieceType::King as usize - 1],
        step.castle,
    );
    let king_stays = d.arith.not(d.sheet, king_moves);
    let rights: Vec<_> = (Wing::ALL.into_iter().enumerate())
        .map(|(i, wing)| {
            let right = d.arith.boolean(d.sheet, w.rights[i]);
            let taken = pending.is_corner(d, public, wing);
            let kept = d.arith.not(d.sheet, taken);
            let applied = d.arith.mul(d.sheet, right, kept);
            let one = d.arith.one();
            d.arith
                .assert_equal_if(d.sheet, step.wings[i], applied, one);
            let leaves = from.is_corner(d, public, wing);
            let stays = d.arith.not(d.sheet, leaves);
            let next = d.arith.mul(d.sheet, applied, king_stays);
            (right, d.arith.mul(d.sheet, next, stays))
        })
        .collect();

    let push_bits = d
        .arith
        .free_bits(d.sheet, Fr::from(u64::from(w.double_push)), 4);
    let push = d.arith.weigh(d.sheet, &push_bits);
    // 8 for file h, and nothing above it.
    let lower = sum(d, &push_bits[..3]);
    d.arith.assert_zero_product(d.sheet, push_bits[3], lower);
    let file = d.arith.linear(d.sheet, &[(1, step.from_file)], 1);
    let next_push = d.arith.mul(d.sheet, step.pawn[1], file);

    let counter_bits = d
        .arith
        .free_bits(d.sheet, Fr::from(u64::from(w.since_pawn)), 7);
    let counter = d.arith.weigh(d.sheet, &counter_bits);
    let room = d.arith.linear(
        d.sheet,
        &[(1, counter)],
        -i64::from(rules::side::SINCE_PAWN_MAX),
    );
    let full = d.arith.is_zero(d.sheet, room);
    let more = d.arith.linear(d.sheet, &[(1, counter), (-1, full)], 1);
    let no_pawn = d
        .arith
        .not(d.sheet, step.kind[PieceType::Pawn as usize - 1]);
    let next_counter = d.arith.mul(d.sheet, no_pawn, more);

    let shift = |bit: usize| 1i64 << (bit - state::KING_SIDE_BIT);
    let [queen, double, count] = [
        state::QUEEN_SIDE_BIT,
        state::DOUBLE_PUSH_BIT,
        state::COUNTER_BIT,
    ]
    .map(shift);
    [
        (rights[0].0, rights[1].0, push, counter),
        (rights[0].1, rights[1].1, next_push, next_counter),
    ]
    .map(|(k, q, p, c)| {
        d.arith
            .linear(d.sheet, &[(1, k), (queen, q), (double, p), (count, c)], 0)
    })
}
