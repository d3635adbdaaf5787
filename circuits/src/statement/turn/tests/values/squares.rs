//! Squares as flags of files and ranks: all 64, those beyond the edges, and none.

use ff::Field;
use fog::{statement::turn::TurnInputs, testing::seed};
use halo2curves::bn256::Fr;
use rand::{Rng, SeedableRng, rngs::StdRng};
use rules::{Color, Square, castling::Wing};

use super::{
    super::super::{
        OPENING, TurnCircuit,
        opened_square::{OpenedSquare, Roots},
        points::Chains,
        public::Public,
        square_flags::SquareFlags,
    },
    all_squares, blank, of_turn, opened,
};
use crate::{
    gadget::{Cell, Context},
    values::{Dry, compare, differ, differ_in, flag},
};

/// What flags say of a square: its weight, what stands there, and whether it is a corner of either wing.
fn said(cx: &mut Context<'_>, flags: &SquareFlags, public: &Public, types: &[Cell]) -> [Fr; 4] {
    let weight = flags.weight(cx);
    let there = flags.read(cx, types);
    let [king_side, queen_side] = Wing::ALL.map(|wing| flags.is_corner(cx, &public.mover, wing));
    [weight, there, king_side, queen_side].map(|cell| cell.value)
}

/// What flags should say of a square; of no square all of it is 0.
fn expected(square: Option<Square>, color: Color, types: &[u8; 64]) -> [Fr; 4] {
    square.map_or([Fr::ZERO; 4], |square| {
        let [king_side, queen_side] = Wing::ALL.map(|wing| flag(wing.rook_from(color) == square));
        let there = Fr::from(u64::from(types[square.index()]));
        [Fr::from(8).pow([square.index() as u64]), there, king_side, queen_side]
    })
}

#[test]
fn flags_are_those_of_every_square() {
    let rng = &mut StdRng::seed_from_u64(seed(131));
    let (dry, blank) = (Dry::<TurnCircuit>::new(), blank());
    let mut cases = Vec::new();
    for square in all_squares().into_iter().map(Some).chain([None]) {
        for color in Color::ALL {
            cases.push((square, color, [(); 64].map(|()| rng.gen_range(1..8u8))));
        }
    }
    compare("turn: squares", &cases, |(square, color, types)| {
        let ([at, maybe], trace) = dry.lay(|_, cx| {
            let public = Public::new(cx, &of_turn(&blank, *color, false).public);
            let types = types.map(|kind| cx.witness(u64::from(kind).into()));
            let number = cx.witness(Fr::from(square.map_or(64, |square| square.index() as u64)));
            let maybe = SquareFlags::maybe(cx, number, *square);
            // A move's squares are never none.
            let on = square.unwrap_or(all_squares()[0]);
            let [file, rank] = [on.file(), on.rank()].map(|at| cx.witness(u64::from(at).into()));
            let at = SquareFlags::at(cx, file, rank);
            [at, maybe].map(|flags| said(cx, &flags, &public, &types))
        });
        let on = square.unwrap_or(all_squares()[0]);
        differ(square, at, expected(Some(on), *color, types))
            .or(differ(square, maybe, expected(*square, *color, types)))
            .or(differ_in(square, &trace, &[]))
    });
}

#[test]
fn no_other_square_is_said() {
    let dry = Dry::<TurnCircuit>::new();
    let numbers = || (0..=64).map(|number| (number, Square::new(number as u8)));
    for (number, square) in numbers().flat_map(|(number, _)| numbers().map(move |(_, square)| (number, square))) {
        let ((), trace) = dry.lay(|_, cx| {
            let number = cx.witness(Fr::from(number));
            SquareFlags::maybe(cx, number, square);
        });
        let is_said = square.map_or(64, |square| square.index() as u64) == number;
        assert_eq!(differ((number, square), trace.refused().is_empty(), is_said), None);
    }
    // One file or rank beyond the edge, on either side.
    for (file, rank) in [(8, 3), (3, 8), (-1, 3), (3, -1)] {
        let ((), trace) = dry.lay(|_, cx| {
            let [file, rank] = [file, rank].map(|at: i64| cx.linear(&[], at));
            SquareFlags::at(cx, file, rank);
        });
        assert!(!trace.refused().is_empty(), "file {file}, rank {rank}");
    }
}

/// With a seventh bit, which no path has, one could say a square that there isn't.
#[test]
fn an_opened_square_has_six_bits() {
    let (dry, blank) = (Dry::<TurnCircuit>::new(), blank());
    let (found, _) = dry.lay(|config, cx| {
        let public = Public::new(cx, &blank.public);
        let chains = Chains::new(cx, config, &OPENING, public.fog_key(), blank.offset);
        let TurnInputs { request_root, answer_root, context, .. } = public.inputs;
        let roots = Roots { live: public.live, request_root, answer_root, context };
        let found = all_squares().into_iter().map(|square| {
            let OpenedSquare { index, file, rank, square, .. } =
                OpenedSquare::new(cx, &roots, &chains, &opened(&blank, square, 0));
            (index, [file, rank, square])
        });
        found.collect::<Vec<_>>()
    });
    let cases: Vec<_> = all_squares().into_iter().zip(found).collect();
    compare("turn: opened squares", &cases, |(square, (index, numbers))| {
        let index: Vec<Fr> = index.iter().map(|bit| bit.value).collect();
        let number = square.index();
        let expected = [usize::from(square.file()), usize::from(square.rank()), number];
        differ(square, index, (0..6).map(|bit| flag(number >> bit & 1 == 1)).collect()).or(differ(
            square,
            numbers.map(|cell| cell.value),
            expected.map(|value| Fr::from(value as u64)),
        ))
    });
}
