//! *item* and *view* as a whole, against their native twin; and a forgery for every constraint that ties slots to a ciphertext.

use std::collections::BTreeSet;

use engines::{
    alone::Scene,
    bfv::{
        encrypted::{ENCRYPTED_COLUMNS, LANE_BITS, LANES, SUMS},
        vector::{Kind, SLOTS},
    },
    testing::{encrypted, encrypted_of, mutations_encrypted, scenes},
};
use ff::Field;
use fog::{engine::Phase, testing::seed};
use halo2curves::bn256::Fr;

use super::super::{Ciphertext, EncryptedCircuit};
use crate::{
    StatementCircuit,
    gadget::ring::{
        RingCircuit, RingStatement,
        relation::{MULTIPLES, Relations},
        tests::{assert_only, every_constraint_of_the_relations_is_needed, every_digit_has_its_range, refusals},
    },
    laid::{LaidCircuit, is_satisfied},
};

/// The column of the ciphertext's second part, and the first of weights.
const SECOND: usize = 3;
const WEIGHTS: usize = 4;

/// The circuit takes what the native check takes, at the edges of each relation, and refuses what that refuses; and every public input of the board is bound.
fn agree<const ITEM: bool>(kind: Kind, number: u64) {
    let (mut kinds_of_scenes, mut kinds_of_draws) = (BTreeSet::new(), BTreeSet::new());
    let scenes = scenes(seed(number)).take(100).filter(|Scene { exchange, .. }| {
        let of_move = (exchange.receiver().index(), exchange.phase == Phase::Pre);
        kinds_of_scenes.insert((of_move, exchange.pending.is_some()))
    });
    for (public, private) in encrypted_of(kind, scenes) {
        let board = public.board;
        let is_new = kinds_of_draws.insert((board.color.index(), board.phase == Phase::Pre, board.pending.is_some()));
        if !is_new {
            continue;
        }
        let mut laid = LaidCircuit::statement::<EncryptedCircuit<ITEM>>(&public, &private);
        assert!(laid.is_satisfied(), "{kind:?} {board:?}");
        match kinds_of_draws.len() {
            1 => {}
            6 => break,
            _ => continue,
        }
        for row in 0..laid.instance[ENCRYPTED_COLUMNS].len() {
            laid.instance[ENCRYPTED_COLUMNS][row] += Fr::ONE;
            assert!(!laid.is_satisfied(), "public input {row}");
            laid.instance[ENCRYPTED_COLUMNS][row] -= Fr::ONE;
        }
        for mutation in mutations_encrypted(&public, &private) {
            let is_taken = is_satisfied::<EncryptedCircuit<ITEM>>(&mutation.public, &mutation.private);
            assert_eq!(is_taken, mutation.expected.is_none(), "{kind:?}: {}", mutation.name);
        }
    }
    assert_eq!(kinds_of_draws.len(), 2 * 3, "{kinds_of_draws:?}");
}

#[test]
fn encrypted_items_agree() {
    agree::<true>(Kind::Item, 331);
}

#[test]
fn encrypted_views_agree() {
    agree::<false>(Kind::View, 332);
}

/// The relations of a ciphertext without its board: any slots.
fn honest(number: u64) -> RingCircuit<Ciphertext<true>> {
    let (public, private) = encrypted(Kind::Item, seed(number)).next().expect("a sight");
    RingCircuit::new(&public, &private)
}

#[test]
fn every_constraint_of_the_relations_of_ciphertexts_is_needed() {
    every_constraint_of_the_relations_is_needed(honest(333), SECOND);
}

#[test]
fn every_digit_of_ciphertexts_has_its_range() {
    every_digit_has_its_range(&honest(334));
}

/// The circuit with other slots and other public inputs, whose sums are made as well as can be.
fn with_slots(
    circuit: &RingCircuit<Ciphertext<true>>,
    public: Vec<Vec<Fr>>,
    slots: Vec<Fr>,
) -> RingCircuit<Ciphertext<true>> {
    let mut numbers = circuit.numbers();
    numbers.slots = slots;
    numbers.sum(&Ciphertext::<true>::relations(), &public);
    RingCircuit::forged(public, numbers)
}

/// Each of the sums tells other slots alone: the weights of all others are 0. Where none has weights, none does.
#[test]
fn every_sum_tells_other_slots() {
    let circuit = honest(335);
    let mut slots = circuit.numbers().slots.clone();
    assert_eq!(slots.len(), SLOTS);
    slots[SLOTS / 2] += Fr::ONE;
    let base = Fr::from(2).pow([LANE_BITS as u64]);
    let below = |value: Fr, lane: usize| {
        let bytes = halo2curves::ff::PrimeField::to_repr(&value);
        let start = lane * LANE_BITS / 8;
        let bytes: [u8; 10] = bytes.as_ref()[start..start + 10].try_into().expect("ten bytes");
        bytes.iter().rev().fold(Fr::ZERO, |sum, byte| sum * Fr::from(256) + Fr::from(u64::from(*byte)))
    };
    let only = |kept: Option<(usize, usize)>| {
        let mut public = circuit.public();
        for (column, values) in public[WEIGHTS..].iter_mut().enumerate() {
            for value in values.iter_mut() {
                *value = match kept {
                    Some((sum, lane)) if sum == column % SUMS => below(*value, lane) * base.pow([lane as u64]),
                    _ => Fr::ZERO,
                };
            }
        }
        public
    };
    let nothing = with_slots(&circuit, only(None), slots.clone());
    assert!(refusals(&nothing).is_empty(), "without weights nothing is told");
    for (sum, lane) in (0..SUMS).flat_map(|sum| (0..LANES).map(move |lane| (sum, lane))) {
        let right = with_slots(&circuit, only(Some((sum, lane))), circuit.numbers().slots.clone());
        assert!(refusals(&right).is_empty(), "{sum} {lane}");
        assert_only(&with_slots(&circuit, only(Some((sum, lane))), slots.clone()), "the sum is complete");
    }
}

/// Other slots, with sums that are made to end as they must but for one constraint.
#[test]
fn every_constraint_of_sums_is_needed() {
    let circuit = honest(336);
    let mut slots = circuit.numbers().slots.clone();
    slots[7] += Fr::ONE;
    let wrong = with_slots(&circuit, circuit.public(), slots);
    let Relations { sums, .. } = Ciphertext::<true>::relations();
    let rows = engines::bfv::parameters::DEGREE + MULTIPLES * sums.len();
    for sum in 0..SUMS {
        let other = 1 - sum;
        let with = |change: &dyn Fn(&mut Vec<Fr>)| {
            let (mut public, mut numbers) = (wrong.public(), wrong.numbers());
            // The other sum tells nothing.
            for column in [WEIGHTS + other, WEIGHTS + SUMS + other] {
                public[column].fill(Fr::ZERO);
            }
            numbers.sum(&Ciphertext::<true>::relations(), &public);
            change(&mut numbers.sums[sum]);
            RingCircuit::<Ciphertext<true>>::forged(public, numbers)
        };
        assert_only(&with(&|_| ()), "the sum is complete");
        assert_only(&with(&|values| values[0] = Fr::ZERO), "sum = plaintext·weight − slot·weight + sum'");
        let shift = |values: &mut Vec<Fr>| {
            let missing = values[0];
            values[..=rows].iter_mut().for_each(|value| *value -= missing);
        };
        assert_only(&with(&shift), "sums end");
    }
}
