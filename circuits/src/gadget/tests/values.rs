//! Encodings value by value: every bit of a state, every index of a path, every term of a polynomial.

use ff::Field;
use fog::{commitment, merkle, testing::seed};
use halo2curves::bn256::Fr;
use rand::{Rng, SeedableRng, rngs::StdRng};
use rules::{Color, PieceType, Side};

use super::super::{
    merkle::root_from_path,
    polynomial::{Term, evaluate_terms},
    state::{State, StateWitness},
};
use crate::{
    FiftyCircuit,
    values::{Dry, compare, differ, differ_in, flag},
};

/// Sides with each type on each square, each right, double push and counter.
fn sides(rng: &mut StdRng) -> Vec<Side> {
    let random = |number: u8| {
        let mut side = Side::empty(Color::White);
        side.pieces = [(); 64].map(|()| PieceType::from_code(rng.gen_range(0..=6)));
        (side.rights.king_side, side.rights.queen_side) = (number & 1 == 1, number & 2 == 2);
        side.double_push = (number % 9).checked_sub(1);
        side.since_pawn = number;
        side
    };
    (0..=127).map(random).collect()
}

#[test]
fn every_bit_of_a_state_is_opened() {
    let dry = Dry::<FiftyCircuit>::new();
    compare("state", &sides(&mut StdRng::seed_from_u64(seed(45))), |side| {
        let (state, trace) = dry.lay(|_, cx| State::open(cx, "push", &StateWitness::new(side, Fr::ONE)));
        let types: Vec<_> = state.types.iter().map(|bits| bits.map(|cell| cell.value)).collect();
        let expected =
            side.pieces.map(|piece| [0, 1, 2].map(|bit| flag(piece.map_or(0, PieceType::code) >> bit & 1 == 1)));
        let pushes: Vec<Fr> = state.pushes.iter().map(|cell| cell.value).collect();
        let file = side.double_push.map_or(0, |file| file + 1);
        let counter: Vec<Fr> = state.counter.iter().map(|cell| cell.value).collect();
        differ(side, state.commitment.value, commitment::commit(side, Fr::ONE))
            .or(differ(side, types, expected.to_vec()))
            .or(differ(side, pushes, (0..9).map(|other| flag(other == file)).collect()))
            .or(differ(side, counter, (0..7).map(|bit| flag(side.since_pawn >> bit & 1 == 1)).collect()))
            .or(differ_in(side, &trace, &[]))
    });
}

/// One bit more, and a number could be twice as great as it may.
#[test]
fn every_bit_of_a_number_is_free_and_no_more() {
    let rng = &mut StdRng::seed_from_u64(seed(46));
    let dry = Dry::<FiftyCircuit>::new();
    let cases: Vec<(u64, usize)> = (0..=64).map(|count| (rng.r#gen(), count)).collect();
    compare("free bits", &cases, |(value, count)| {
        let (found, _) = dry.lay(|_, cx| cx.free_bits(Fr::from(*value), *count));
        let found: Vec<Fr> = found.iter().map(|bit| bit.value).collect();
        differ((value, count), found, (0..*count).map(|bit| flag(value >> bit & 1 == 1)).collect())
    });
}

/// There are eight files, and none.
#[test]
fn no_other_file_is_pushed_on() {
    let mut witness = StateWitness::new(&Side::empty(Color::White), Fr::ONE);
    witness.double_push = 9;
    let (_, trace) = Dry::<FiftyCircuit>::new().lay(|_, cx| State::open(cx, "push", &witness));
    assert_eq!(differ_in("file 9", &trace, &["push"]), None);
}

#[test]
fn every_index_has_its_path() {
    let rng = &mut StdRng::seed_from_u64(seed(46));
    let dry = Dry::<FiftyCircuit>::new();
    let cases: Vec<(usize, Fr, merkle::Path)> =
        (0..64).map(|index| (index, Fr::random(&mut *rng), [(); 6].map(|()| Fr::random(&mut *rng)))).collect();
    compare("path", &cases, |(index, leaf, path)| {
        let (root, trace) = dry.lay(|_, cx| {
            let leaf = cx.witness(*leaf);
            let bits: Vec<_> = (0..6).map(|bit| cx.witness(flag(index >> bit & 1 == 1))).collect();
            root_from_path(cx, "path", leaf, &bits, path).value
        });
        differ(index, root, merkle::root_from_path(*leaf, *index, path)).or(differ_in(index, &trace, &[]))
    });
}

/// Any terms may be left out but the last.
#[test]
fn every_term_of_a_polynomial_counts() {
    let rng = &mut StdRng::seed_from_u64(seed(47));
    let dry = Dry::<FiftyCircuit>::new();
    let z = Fr::random(&mut *rng);
    let cases: Vec<Vec<Option<Fr>>> = (0..256)
        .map(|out: u32| (0..9).map(|term| (out >> term & 1 == 0).then(|| Fr::random(&mut *rng))).collect())
        .collect();
    compare("polynomial", &cases, |values| {
        let (found, _) = dry.lay(|_, cx| {
            let point = cx.witness(z);
            let terms: Vec<Term> = values
                .iter()
                .map(|value| Term {
                    value: cx.witness(value.unwrap_or_default()),
                    step: value.map_or(cx.one, |_| point),
                })
                .collect();
            evaluate_terms(cx, &terms).value
        });
        let expected = values.iter().flatten().rev().fold(Fr::ZERO, |sum, value| sum * z + value);
        differ(values, found, expected)
    });
}
