//! *no move* value by value: every step of every piece, and all that a pawn can see.

use fog::{
    commitment::{TYPE_BITS, commit},
    engine::sight_lines::geometry::{AHEAD_BIT, EN_PASSANT_BIT, PAWN_BITS, PAWN_FIELD},
    statement::no_move::MAX_PAWNS,
    testing::seed,
};
use halo2curves::bn256::Fr;
use rand::{Rng, SeedableRng, rngs::StdRng};
use rules::{
    Color, PieceType, Side, Square,
    geometry::{DIRECTIONS, FIRST_DIAGONAL, KNIGHT_STEPS, ahead},
};

use super::super::{
    NoMoveCircuit, OpenedSquare,
    board::{Board, Man},
    pawns,
    witness::{Witness, unused},
};
use crate::{
    gadget::{Cell, Context, Label, state::StateWitness, trace::Trace},
    values::{Dry, compare, differ, differ_in, flag},
};

const PAWN: u8 = PieceType::Pawn as u8;
const KNIGHT: u8 = PieceType::Knight as u8;
const KING: u8 = PieceType::King as u8;
/// A type that no piece has. The circuit takes it for a queen.
const NO_TYPE: u8 = 7;

/// A board by types, and the captured square or 64.
struct Stand {
    types: [u8; 64],
    pending: usize,
}

impl Stand {
    fn witness(&self, blank: &Witness) -> Witness {
        let mut witness = blank.clone();
        let mut state = StateWitness::blank();
        state.types = self.types;
        (witness.state, witness.pending) = (state, self.pending);
        witness
    }

    /// The type on a square, the captured piece removed.
    fn at(&self, square: Square) -> u8 {
        if square.index() == self.pending { 0 } else { self.types[square.index()] }
    }

    /// How many first steps of pieces but pawns lead to an empty square.
    fn steps(&self) -> usize {
        let of = |from: Square| {
            let targets = offsets(self.at(from)).iter().filter_map(move |&(file, rank)| from.offset(file, rank));
            targets.filter(|target| self.at(*target) == 0).count()
        };
        Square::all().map(of).sum()
    }
}

fn offsets(kind: u8) -> &'static [(i8, i8)] {
    match PieceType::from_code(kind) {
        Some(PieceType::Pawn) => &[],
        None if kind == 0 => &[],
        Some(PieceType::Knight) => &KNIGHT_STEPS,
        Some(PieceType::Bishop) => &DIRECTIONS[FIRST_DIAGONAL..],
        Some(PieceType::Rook) => &DIRECTIONS[..FIRST_DIAGONAL],
        Some(PieceType::Queen | PieceType::King) | None => &DIRECTIONS,
    }
}

/// On a board full of pawns one piece with a single square to go to: of every kind, from every square, by every offset, over the edge too. Then any boards.
fn stands(rng: &mut StdRng) -> Vec<Stand> {
    let mut stands = Vec::new();
    for from in Square::all() {
        for kind in KNIGHT..=NO_TYPE {
            for &(file, rank) in offsets(kind) {
                let mut types = [PAWN; 64];
                types[from.index()] = kind;
                if let Some(target) = from.offset(file, rank) {
                    types[target.index()] = 0;
                }
                stands.push(Stand { types, pending: 64 });
            }
        }
        // Captured it goes nowhere, and its square is one to go to.
        for kind in PAWN..=KING {
            let mut types = [KNIGHT; 64];
            types[from.index()] = kind;
            stands.push(Stand { types, pending: from.index() });
        }
    }
    for _ in 0..200 {
        let types = [(); 64].map(|()| rng.gen_range(0..=NO_TYPE));
        stands.push(Stand { types, pending: rng.gen_range(0..=64) });
    }
    stands
}

fn differs_on_board(stand: &Stand, board: &Board, trace: &Trace) -> Option<String> {
    let count = stand.steps();
    let [steps] = trace.bindings("N3.no_step").map(|bound| bound.left.value).collect::<Vec<_>>()[..] else {
        return Some("there is not one sum of steps".to_owned());
    };
    let refused: &[Label] = if count > 0 { &["N3.no_step"] } else { &[] };
    let men = Square::all().zip(&board.men).find_map(|(square, man)| {
        let kind = stand.at(square);
        let [orthogonal, diagonal] = [[4, 5, 6, 7], [3, 5, 6, 7]].map(|kinds| kinds.contains(&kind));
        let expected = [kind == 0, kind == PAWN, kind == KNIGHT, orthogonal, diagonal].map(flag);
        let Man { empty, pawn, knight, orthogonal, diagonal } = man;
        differ(square, [empty, pawn, knight, orthogonal, diagonal].map(|cell| cell.value), expected)
    });
    differ("steps", steps, Fr::from(count as u64))
        .or(men)
        .or(differ("pending", board.pending.value, Fr::from(stand.pending as u64)))
        .or(differ_in("steps", trace, refused))
}

#[test]
fn every_step_of_every_piece_is_counted() {
    let (dry, blank) = (Dry::<NoMoveCircuit>::new(), Witness::blank());
    let cases = stands(&mut StdRng::seed_from_u64(seed(78)));
    compare("no move: steps", &cases, |stand| {
        let witness = stand.witness(&blank);
        let (board, trace) = dry.lay(|_, cx| {
            let board = Board::open(cx, &witness);
            board.assert_no_step(cx);
            board
        });
        let mut side = Side::empty(Color::White);
        side.pieces = stand.types.map(PieceType::from_code);
        let has_types = !stand.types.contains(&NO_TYPE);
        let commitment = has_types.then(|| differ("commitment", board.commitment.value, commit(&side, Fr::zero())));
        differs_on_board(stand, &board, &trace).or(commitment.flatten())
    });
}

/// There are 64 squares, and nowhere.
#[test]
fn no_other_square_is_captured() {
    let mut witness = Witness::blank();
    witness.pending = 65;
    let (_, trace) = Dry::<NoMoveCircuit>::new().lay(|_, cx| Board::open(cx, &witness));
    assert_eq!(differ_in("square 65", &trace, &["N2.pending"]), None);
}

/// A pawn that is opened, and what is said of it.
#[derive(Clone, Copy)]
struct Pawn {
    square: Square,
    /// What its record holds under a mask.
    payload: u64,
    /// What was asked for.
    choice: u8,
    behind_own: bool,
}

impl Pawn {
    /// One that stands before a piece of the opponent.
    fn blocked(square: Square) -> Self {
        Self { square, payload: 1 << AHEAD_BIT, choice: PAWN, behind_own: false }
    }

    fn lay(&self, cx: &mut Context<'_>) -> OpenedSquare {
        let mask = [1000, 2000].map(Fr::from);
        let mut opened = unused();
        (opened.square, opened.choice) = (self.square, self.choice);
        opened.record[PAWN_FIELD] = mask[0] + Fr::from(self.payload);
        OpenedSquare::of_values(cx, &opened, mask)
    }
}

/// Which pawns are opened on a board, by slot.
struct Opening {
    color: Color,
    types: [u8; 64],
    pawns: [Option<Pawn>; MAX_PAWNS],
}

impl Opening {
    /// Of pawns alone, the first in a slot of choice.
    fn of(color: Color, pawns: &[Pawn], slot: usize) -> Self {
        let mut opening = Self { color, types: [0; 64], pawns: [None; MAX_PAWNS] };
        for (number, pawn) in pawns.iter().enumerate() {
            opening.types[pawn.square.index()] = PAWN;
            opening.pawns[(slot + number) % MAX_PAWNS] = Some(*pawn);
        }
        opening
    }

    /// What must refuse it, slot by slot where there is a binding for each.
    fn expected(&self) -> [Vec<(Label, bool)>; MAX_PAWNS] {
        self.pawns.map(|pawn| {
            let is = |holds: &dyn Fn(Pawn) -> bool| pawn.is_some_and(|pawn| !holds(pawn));
            let range = is(&|pawn| pawn.payload >> PAWN_BITS == 0);
            let bits = |pawn: Pawn| pawn.payload % (1 << PAWN_BITS);
            vec![
                ("N7.choice", is(&|pawn| pawn.choice == PAWN)),
                ("N10.payload", range),
                ("N11.captures", is(&|pawn| bits(pawn) % (1 << AHEAD_BIT) == 0)),
                ("N11.en_passant", is(&|pawn| bits(pawn) >> EN_PASSANT_BIT == 0)),
                ("N12.blocked", is(&|pawn| pawn.behind_own || bits(pawn) >> AHEAD_BIT & 1 == 1)),
            ]
        })
    }

    /// Whether what is said of own pieces ahead is true. Of pawns on the outer ranks none is.
    fn is_own_ahead_true(&self) -> bool {
        let is_behind = |square: Square| {
            let front = ahead(square, self.color).filter(|_| (1..7).contains(&square.rank()));
            front.is_some_and(|front| self.types[front.index()] != 0)
        };
        let said = |square| self.pawns.iter().flatten().any(|pawn| pawn.square == square && pawn.behind_own);
        let pawns = Square::all().filter(|square| self.types[square.index()] == PAWN);
        pawns.into_iter().all(|square| said(square) == is_behind(square))
    }

    /// Whether the pawns are opened, each once.
    fn is_complete(&self) -> bool {
        let opened = |square: &Square| self.pawns.iter().flatten().filter(|pawn| pawn.square == *square).count();
        Square::all().all(|square| opened(&square) == usize::from(self.types[square.index()] == PAWN))
    }

    fn lay(&self, cx: &mut Context<'_>) {
        let board = self.board(cx);
        let color = cx.witness(flag(self.color == Color::Black));
        let active = self.pawns.map(|pawn| cx.witness(flag(pawn.is_some())));
        // What a slot without a pawn holds means nothing.
        let nobody = Pawn { payload: 0x3ff, choice: 2, ..Pawn::blocked(Square::all().nth(63).expect("64 squares")) };
        let opened: Vec<_> = self.pawns.iter().map(|pawn| pawn.unwrap_or(nobody).lay(cx)).collect();
        let behind_own = self.pawns.map(|pawn| pawn.is_some_and(|pawn| pawn.behind_own));
        pawns::constrain(cx, &board, color, &active, behind_own, &opened);
    }

    /// The board's flags, as values.
    fn board(&self, cx: &mut Context<'_>) -> Board {
        let zero: Cell = cx.zero;
        let men = self.types.map(|kind| Man {
            empty: cx.witness(flag(kind == 0)),
            pawn: cx.witness(flag(kind == PAWN)),
            knight: zero,
            orthogonal: zero,
            diagonal: zero,
        });
        Board { commitment: zero, pending: zero, men: men.to_vec() }
    }
}

/// Every payload in every slot, one bit too many, and other choices; every pawn with something ahead of it and not, said and not; and pawns that
/// aren't opened, or others than stand there.
fn openings() -> Vec<Opening> {
    let square = |number: usize| Square::all().nth(number).expect("64 squares");
    let mut openings = Vec::new();
    for payload in 0..2 << PAWN_BITS {
        // The squares of eight pawns that aren't beside each other on a file.
        let pawn = |slot: usize| Pawn {
            payload: (payload + 61 * slot as u64) % (2 << PAWN_BITS),
            ..Pawn::blocked(square(8 + slot))
        };
        openings.push(Opening::of(Color::White, &[0, 1, 2, 3, 4, 5, 6, 7].map(pawn), 0));
    }
    for number in 0..64 {
        let color = Color::ALL[number % 2];
        for choice in 0..8 {
            let pawn = Pawn { choice, ..Pawn::blocked(square(number)) };
            openings.push(Opening::of(color, &[pawn], (number + usize::from(choice)) % MAX_PAWNS));
        }
        for (color, behind_own, kind) in
            [0, 1, 2, 3, 4, 5, 6, 7].map(|n: u8| (Color::ALL[usize::from(n & 1)], n & 2 > 0, n >> 1 & 2))
        {
            let mut opening =
                Opening::of(color, &[Pawn { behind_own, ..Pawn::blocked(square(number)) }], number % MAX_PAWNS);
            for front in
                [8, -8i8].into_iter().filter_map(|step| number.checked_add_signed(step.into())).filter(|n| *n < 64)
            {
                let is_ahead = ahead(square(number), color) == Some(square(front));
                // What stands behind a pawn says nothing.
                opening.types[front] = if is_ahead { kind } else { KNIGHT };
            }
            openings.push(opening);
        }
        // Another square is opened than the pawn's, and none.
        for bit in 0..6 {
            let mut opening = Opening::of(color, &[Pawn::blocked(square(number))], bit);
            opening.types = [0; 64];
            opening.types[number ^ 1 << bit] = PAWN;
            openings.push(opening);
        }
        let mut opening = Opening::of(color, &[], 0);
        opening.types[number] = PAWN;
        openings.push(opening);
    }
    openings
}

fn differs_in_opening(opening: &Opening, trace: &Trace) -> Option<String> {
    let slots = opening.expected().into_iter().enumerate().find_map(|(slot, expected)| {
        expected.into_iter().find_map(|(label, is_refused)| {
            let bound = trace.bindings(label).nth(slot);
            let found = bound.map(|bound| bound.left.value != bound.right.value);
            differ((label, slot), found, Some(is_refused))
        })
    });
    let found = trace.refused();
    slots
        .or(differ("N4.pawns", found.contains("N4.pawns"), !opening.is_complete()))
        .or(differ("N12.own_ahead", found.contains("N12.own_ahead"), !opening.is_own_ahead_true()))
        .or(differ("boolean", found.iter().any(|label| label.starts_with("boolean")), false))
}

#[test]
fn all_that_a_pawn_sees_counts() {
    assert_eq!((AHEAD_BIT, EN_PASSANT_BIT, PAWN_BITS), (2 * TYPE_BITS, 2 * TYPE_BITS + 1, 2 * TYPE_BITS + 3));
    let dry = Dry::<NoMoveCircuit>::new();
    compare("no move: pawns", &openings(), |opening| {
        let ((), trace) = dry.lay(|_, cx| opening.lay(cx));
        differs_in_opening(opening, &trace)
    });
}
