//! A player's state and its commitment (protocol section 4). The native twin is `fog::commitment`.

use ff::Field;
use fog::{
    commitment::{COUNTER_BIT, DOUBLE_PUSH_BIT, KING_SIDE_BIT, QUEEN_SIDE_BIT, STATE_BITS, TYPE_BITS},
    poseidon::Tag,
};
use halo2curves::bn256::Fr;
use rules::{Color, Side};

use super::{Cell, Context, Label, power};

/// No double push and eight files.
const PUSHES: usize = 9;

/// A state and its salt, as committed.
#[derive(Clone)]
pub struct StateWitness {
    /// The types by square, 0 for none.
    pub types: [u8; 64],
    /// Castling rights, king's side and queen's side.
    pub rights: [bool; 2],
    /// The double push's file, 1 to 8, or 0 for none.
    pub double_push: u8,
    /// Moves since a pawn's.
    pub since_pawn: u8,
    pub salt: Fr,
}

impl StateWitness {
    /// Of a side, whatever it holds: what doesn't fit the encoding opens nothing.
    pub fn new(side: &Side, salt: Fr) -> Self {
        Self {
            types: side.pieces.map(|piece| piece.map_or(0, |piece| piece as u8)),
            rights: [side.rights.king_side, side.rights.queen_side],
            double_push: side.double_push.map_or(0, |file| file.saturating_add(1)),
            since_pawn: side.since_pawn,
            salt,
        }
    }

    pub fn blank() -> Self {
        Self::new(&Side::empty(Color::White), Fr::ZERO)
    }
}

// Wipes what opens the commitment. Best effort: the prover's polynomials hold it too, while they live.
fog::wiped_on_drop!(StateWitness: types = [0; 64], rights, double_push, since_pawn, salt);

/// A committed state, decoded: every type is three booleans, so it has one reading.
#[derive(Clone, Debug)]
pub struct State {
    pub commitment: Cell,
    /// The bits of each square's type.
    pub types: Vec<[Cell; TYPE_BITS]>,
    /// A flag for no double push and for each file.
    pub pushes: Vec<Cell>,
    /// The bits of the moves since a pawn's.
    pub counter: Vec<Cell>,
}

impl State {
    /// Decodes a state and hashes it. A double push is one of nine flags (`label`), so no other file can be said.
    pub fn open(cx: &mut Context<'_>, label: Label, witness: &StateWitness) -> Self {
        let mut terms: Vec<(Fr, Cell)> = Vec::with_capacity(STATE_BITS);
        let types = witness.types.iter().enumerate().map(|(square, kind)| {
            let bits = std::array::from_fn(|i| cx.boolean(kind >> i & 1 == 1));
            terms.extend((TYPE_BITS * square..).map(|bit| power(2, bit)).zip(bits));
            bits
        });
        let types = types.collect();
        let push = usize::from(witness.double_push);
        let pushes = cx.one_hot(label, (0..PUSHES).map(|i| i == push));
        let push = cx.index(&pushes, 1);
        let rights = witness.rights.map(|right| cx.boolean(right));
        let counter = (0..STATE_BITS - COUNTER_BIT).map(|i| witness.since_pawn >> i & 1 == 1);
        let counter: Vec<Cell> = counter.map(|bit| cx.boolean(bit)).collect();
        terms.extend((KING_SIDE_BIT..).map(|bit| power(2, bit)).zip(rights));
        terms.push((power(2, DOUBLE_PUSH_BIT), push));
        terms.extend((COUNTER_BIT..).map(|bit| power(2, bit)).zip(counter.iter().copied()));
        let packed = cx.add_terms(cx.zero, &terms);
        Self { commitment: commit(cx, packed, witness.salt), types, pushes, counter }
    }
}

/// The commitment to a packed state.
pub fn commit(cx: &mut Context<'_>, packed: Cell, salt: Fr) -> Cell {
    let salt = cx.witness(salt);
    cx.hash(Tag::Commit, packed, salt)[0]
}

/// The word `Σ 8^s·type_s` over all squares `s`.
pub fn pack_types(cx: &mut Context<'_>, types: &[Cell; 64]) -> Cell {
    let weights = (0..).map(|square| power(2, TYPE_BITS * square));
    let terms: Vec<_> = weights.zip(types.iter().copied()).collect();
    cx.add_terms(cx.zero, &terms)
}

/// What stands above the types in a packed state: castling rights, the double push's file (0 none) and the counter.
pub fn pack_extras(cx: &mut Context<'_>, rights: [Cell; 2], push: Cell, counter: Cell) -> Cell {
    let weight = |bit: usize| 1i64 << (bit - KING_SIDE_BIT);
    let [king_side, queen_side] = rights;
    cx.linear(
        &[
            (1, king_side),
            (weight(QUEEN_SIDE_BIT), queen_side),
            (weight(DOUBLE_PUSH_BIT), push),
            (weight(COUNTER_BIT), counter),
        ],
        0,
    )
}

/// A packed state from its types and what stands above them.
pub fn pack_state(cx: &mut Context<'_>, types: Cell, extras: Cell) -> Cell {
    let terms = [(Fr::ONE, types), (power(2, KING_SIDE_BIT), extras)];
    cx.add_terms(cx.zero, &terms)
}
