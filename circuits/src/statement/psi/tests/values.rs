//! The parts of *shown* and *asked* square by square: which elements are active, what men a board may have, and the digest.

use engines::{
    bfv::vector::Kind,
    psi::{
        catalogue::{Extent, SetKind},
        digest::{asked_digest, shown_digest},
        statement::{
            men::{Officers, PAWNS, is_outer},
            numbers,
        },
    },
};
use fog::{
    engine::{Phase, sight_lines::context::square_number},
    testing::{Walk, seed},
};
use halo2curves::bn256::Fr;
use rand::{Rng, SeedableRng, rngs::StdRng, seq::SliceRandom};
use rules::{CastlingRights, Color, PieceType, Side, Square};

use super::super::{
    AskedCircuit, ShownCircuit,
    active::{dummies, list},
    asked,
    config::SetConfig,
    digest::digest,
    men, shown,
};
use crate::{
    gadget::{Context, Label, Layout, Point, state::StateWitness, weighted_sum::Laid},
    statement::bfv::{board::Board, witness::Witness},
    values::{Dry, compare, differ, differ_in, flag},
};

/// A player's board in an exchange.
#[derive(Clone, Debug)]
struct Held {
    side: Side,
    pending: Option<Square>,
    phase: Phase,
}

impl Held {
    fn witness(&self) -> Witness {
        Witness {
            state: StateWitness::new(&self.side, Fr::zero()),
            pending: square_number(self.pending) as usize,
            is_black: self.side.color == Color::Black,
            is_pre: self.phase == Phase::Pre,
            salt: Fr::zero(),
        }
    }
}

/// Each piece alone on each square, standing and captured; each double push; any boards; and positions of random games: of both colors in both phases.
fn boards(rng: &mut StdRng) -> Vec<Held> {
    let both = |number: usize| (Color::ALL[number % 2], [Phase::Pre, Phase::Post][number / 2 % 2]);
    let mut boards = Vec::new();
    for (number, (square, piece)) in
        Square::all().flat_map(|square| PieceType::ALL.map(|piece| (square, piece))).enumerate()
    {
        // By turns, so that each square has each color and phase.
        let (color, phase) = both(number + square.index() / 8);
        let mut side = Side::empty(color);
        side.pieces[square.index()] = Some(piece);
        boards.push(Held { side: side.clone(), pending: None, phase });
        if number % 6 == square.index() % 6 {
            boards.push(Held { side, pending: Some(square), phase });
        }
    }
    for (number, file) in (0..4).flat_map(|number| (0..8).map(move |file| (number, file))) {
        let (color, phase) = both(number);
        let side = Side { double_push: Some(file), ..Side::start(color) };
        boards.push(Held { side, pending: None, phase });
    }
    for number in 0..120 {
        let (color, phase) = both(number);
        let men = rng.gen_range(1..24);
        let mut side = Side::empty(color);
        side.pieces =
            [(); 64].map(|()| PieceType::from_code(rng.gen_range(1..7)).filter(|_| rng.gen_range(0..64) < men));
        side.double_push = rng.gen_range(0..16u8).checked_sub(8);
        boards.push(Held { side, pending: Square::all().nth(number % 80), phase });
    }
    let mut walk = Walk::start();
    for number in 0..80 {
        walk.advance(rng);
        let (_, phase) = both(number);
        boards.push(Held { side: walk.mover().clone(), pending: walk.pending, phase });
        boards.push(Held { side: walk.other().clone(), pending: None, phase });
    }
    boards
}

/// Whether the circuit lists just what the native set has. A set that is outgrown has no list.
fn differs_in_list<const SHOWN: bool, const SMALL: bool, C: Layout<Columns = SetConfig<SHOWN, SMALL>>>(
    dry: &Dry<C>,
    held: &Held,
) -> Option<String> {
    let kind = SetConfig::<SHOWN, SMALL>::KIND;
    let expected = numbers(kind, SetConfig::<SHOWN, SMALL>::EXTENT, held.pending, held.phase, &held.side).ok();
    let dummies = dummies::<SHOWN, SMALL>(expected.as_deref().unwrap_or_default());
    let ((), trace) = dry.lay(|config, cx| {
        let (of, labels) = if SHOWN { (Kind::Item, &shown::LABELS) } else { (Kind::View, &asked::LABELS) };
        let board = Board::open(cx, of, labels, &held.witness());
        list(cx, config, &board, "entries", dummies);
    });
    let expected = expected?;
    let is_flag = |(active, _): &&(Fr, u64)| [Fr::zero(), Fr::one()].contains(active);
    let listed = trace.listed.iter().filter(|(active, _)| *active == Fr::one()).map(|(_, number)| *number);
    differ((held, "flags"), trace.listed.iter().filter(is_flag).count(), trace.listed.len())
        .or(differ(held, listed.collect::<Vec<_>>(), expected))
        .or(differ_in(held, &trace, &[]))
}

fn lists<const SHOWN: bool>(
    seed: u64,
    full: &Dry<impl Layout<Columns = SetConfig<SHOWN, false>>>,
    small: &Dry<impl Layout<Columns = SetConfig<SHOWN, true>>>,
) {
    let rng = &mut StdRng::seed_from_u64(seed);
    for held in boards(rng) {
        assert_eq!(differs_in_list(full, &held), None);
    }
    let name = if SHOWN { "shown: list" } else { "asked: list" };
    compare(name, &boards(rng), |held| differs_in_list(small, held));
}

/// There are 64 squares, and nowhere.
#[test]
fn no_other_square_is_captured() {
    let mut witness = Held { side: Side::empty(Color::White), pending: None, phase: Phase::Pre }.witness();
    witness.pending = 65;
    let (_, trace) =
        Dry::<ShownCircuit<true>>::new().lay(|_, cx| Board::open(cx, Kind::Item, &shown::LABELS, &witness));
    assert_eq!(differ_in("square 65", &trace, &[shown::LABELS.pending]), None);
}

#[test]
fn shown_elements_are_those_of_the_board() {
    lists(seed(189), &Dry::<ShownCircuit<false>>::new(), &Dry::<ShownCircuit<true>>::new());
}

#[test]
fn asked_elements_are_those_of_the_board() {
    lists(seed(190), &Dry::<AskedCircuit<false>>::new(), &Dry::<AskedCircuit<true>>::new());
}

/// A committed board by types, among which may be the one that no piece has.
#[derive(Clone, Debug)]
struct Committed {
    color: Color,
    types: [u8; 64],
    double_push: Option<u8>,
}

impl Committed {
    fn of(side: &Side) -> Self {
        let types = side.pieces.map(|piece| piece.map_or(0, PieceType::code));
        Self { color: side.color, types, double_push: side.double_push }
    }

    /// With another type on a square.
    fn with(&self, square: Square, kind: u8) -> Self {
        let mut other = self.clone();
        other.types[square.index()] = kind;
        other
    }

    fn side(&self) -> Side {
        let rights = CastlingRights::NONE;
        Side {
            pieces: self.types.map(PieceType::from_code),
            double_push: self.double_push,
            rights,
            ..Side::empty(self.color)
        }
    }

    /// Which labels refuse it.
    fn expected(&self, labels: &men::Labels) -> Vec<Label> {
        let side = self.side();
        let count = |piece, is: &dyn Fn(Square) -> bool| {
            side.men().filter(|(square, other)| *other == piece && is(*square)).count()
        };
        let everywhere = |_: Square| true;
        let promoted = Officers::ALL.map(|officers| officers.promoted(&side));
        let pawns = count(PieceType::Pawn, &everywhere);
        let pushed = |file| {
            let (from, to) = (self.color.pawn_rank(), self.color.double_push_rank());
            let at = |rank| self.types[Square::at(file, rank).expect("a square").index()];
            [at(from), at(from.midpoint(to)), at(to)] == [0, 0, PieceType::Pawn.code()]
        };
        let refused = [
            (labels.types, self.types.contains(&7)),
            (labels.pawn_ranks, count(PieceType::Pawn, &is_outer) > 0),
            (labels.one_king, count(PieceType::King, &everywhere) != 1),
            (labels.officers, promoted.iter().any(|promoted| *promoted > 15)),
            (labels.pawns, pawns + promoted.iter().map(|promoted| promoted % 16).sum::<usize>() > PAWNS),
            (labels.double_push, self.double_push.is_some_and(|file| !pushed(file))),
        ];
        refused.into_iter().filter(|(_, is)| *is).map(|(label, _)| label).collect()
    }
}

/// The first board, and that without some men, with each type on each square; each double push, with each type on each of its squares; and any boards.
fn committed(rng: &mut StdRng) -> Vec<Committed> {
    let mut boards = Vec::new();
    for color in Color::ALL {
        let start = Side::start(color);
        let mut fewer = start.clone();
        // Two pawns, a rook and the queen have fallen.
        let fallen = [(0, color.pawn_rank()), (4, color.pawn_rank()), (0, color.home_rank()), (3, color.home_rank())];
        for square in fallen.map(|(file, rank)| Square::at(file, rank).expect("a square")) {
            fewer.pieces[square.index()] = None;
        }
        for (base, square) in
            [&start, &fewer].into_iter().flat_map(|base| Square::all().map(move |square| (base, square)))
        {
            boards.extend((0..=7).map(|kind| Committed::of(base).with(square, kind)));
        }
        for file in 0..8 {
            let at = |rank| Square::at(file, rank).expect("a square");
            let (from, to) = (color.pawn_rank(), color.double_push_rank());
            let pushed = Committed { double_push: Some(file), ..Committed::of(&start) };
            let pushed = pushed.with(at(from), 0).with(at(to), PieceType::Pawn.code());
            for rank in [from, from.midpoint(to), to] {
                boards.extend((0..=7).map(|kind| pushed.with(at(rank), kind)));
            }
        }
    }
    for number in 0..200 {
        let men = rng.gen_range(1..64);
        let types = [(); 64].map(|()| if rng.gen_range(0..64) < men { rng.gen_range(0..=7) } else { 0 });
        boards.push(Committed {
            color: Color::ALL[number % 2],
            types,
            double_push: rng.gen_range(0..16u8).checked_sub(8),
        });
    }
    boards
}

#[test]
fn every_square_counts_for_the_men() {
    let dry = Dry::<ShownCircuit<true>>::new();
    compare("sets: men", &committed(&mut StdRng::seed_from_u64(seed(191))), |committed| {
        let ((), trace) = dry.lay(|_, cx| {
            let cells = |cx: &mut Context<'_>, flags: &[bool]| -> Vec<_> {
                flags.iter().map(|is| cx.witness(flag(*is))).collect()
            };
            let bits = committed.types.map(|kind| {
                <[_; 3]>::try_from(cells(cx, &[0, 1, 2].map(|bit| kind >> bit & 1 == 1))).expect("three bits")
            });
            let pushes: [bool; 8] = std::array::from_fn(|file| committed.double_push == Some(file as u8));
            let board = Board {
                commitment: cx.zero,
                pending: cx.zero,
                color: cells(cx, &[committed.color == Color::Black])[0],
                pre: cx.zero,
                committed: bits.to_vec(),
                men: Vec::new(),
                pushes: cells(cx, &pushes),
            };
            let mut state = StateWitness::blank();
            state.types = committed.types;
            men::constrain(cx, &board, &shown::MEN, &state);
        });
        differ_in(committed, &trace, &committed.expected(&shown::MEN))
    });
}

#[test]
fn every_entry_of_a_list_is_in_its_digest() {
    let rng = &mut StdRng::seed_from_u64(seed(192));
    let dry = Dry::<ShownCircuit<true>>::new();
    for kind in SetKind::ALL {
        let entries = Extent::Small.entries(kind);
        let case = |_| {
            let mut places: Vec<usize> = (0..entries).collect();
            places.shuffle(rng);
            ((0..entries).map(|_| rng.gen_range(1..1 << 15)).collect::<Vec<u64>>(), places)
        };
        let cases: Vec<_> = (0..4).map(case).collect();
        compare(&format!("{kind:?}: digest"), &cases, |(numbers, places)| {
            let (found, _) = dry.lay(|_, cx| {
                let is_placed = kind == SetKind::Shown;
                let placed = places.iter().filter(|_| is_placed).map(|place| cx.witness(Fr::from(*place as u64 + 1)));
                let places = placed.collect();
                let numbers = numbers.iter().map(|number| cx.witness((*number).into())).collect();
                let sum = Point { x: cx.zero, y: cx.zero };
                digest(cx, kind, &Laid { numbers, places, sum }, Fr::from(5)).value
            });
            let expected = match kind {
                SetKind::Shown => shown_digest(numbers, places, Fr::from(5)),
                SetKind::Asked => asked_digest(numbers, Fr::from(5)),
            };
            differ(kind, found, expected)
        });
    }
}
