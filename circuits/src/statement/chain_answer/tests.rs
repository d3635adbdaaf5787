//! *chain answer* against its native twin, and every cell that it has beyond the relation of *answer*: copies, chains, public inputs.

mod rigidity;
mod values;

use std::{collections::BTreeSet, sync::Arc};

use ff::Field;
use fog::{
    engine::Phase,
    statement::chain_answer::{CHAIN_ANSWER_INPUTS, ChainAnswerPrivate, ChainAnswerPublic, check, gather},
    testing::{AnswerCase, answers, break_each, chain_answers, mutations_chain_answer, seed, wrong_answers},
};
use halo2curves::bn256::Fr;
use rand::{SeedableRng, rngs::StdRng};

use super::{ChainAnswerCircuit, ChainWitness};
use crate::{
    StatementCircuit,
    gadget::{
        Columns as _, Layout, Tamper,
        poseidon::ROWS,
        trace::{assert_copies, lay},
    },
    laid::{self, LaidCircuit, is_satisfied},
    statement::answer::{
        AnswerCircuit,
        config::{AnswerConfig, LANES},
        tests::forgeries,
    },
};

/// Advice columns of a lane.
const LANE: usize = 8;

fn draw(seed: u64, case: AnswerCase) -> (ChainAnswerPublic, ChainAnswerPrivate) {
    chain_answers(seed, Some(case)).next().expect("an endless row")
}

fn instance(public: &ChainAnswerPublic) -> Vec<Fr> {
    ChainAnswerCircuit::instance(public).remove(0)
}

#[test]
fn answers_of_every_kind_satisfy_the_circuit() {
    let seed = seed(71);
    let mut kinds = BTreeSet::new();
    let cases = AnswerCase::ALL.into_iter().map(|case| draw(seed, case));
    for (public, private) in cases.chain(chain_answers(seed, None).take(3)) {
        assert_eq!(
            LaidCircuit::statement::<ChainAnswerCircuit>(&public, &private).refusals(),
            [],
            "{:?}",
            public.header
        );
        kinds.insert((public.header.receiver as u8, public.header.phase == Phase::Pre));
    }
    assert_eq!(kinds.len(), 4, "both colors in both phases");
}

#[test]
fn a_broken_value_breaks_the_circuit() {
    let seed = seed(72);
    let draws = AnswerCase::ALL.into_iter().rev().map(|case| (case, draw(seed, case)));
    break_each(&mutations_chain_answer(), 1, draws, |name, public, private, expected| {
        assert_eq!(check(public, private), Err(expected), "{name}");
        assert!(!is_satisfied::<ChainAnswerCircuit>(public, private), "{name}: the circuit doesn't notice");
    });
}

/// Elements that the board doesn't make, under their own root and with their own `y`.
#[test]
fn wrong_elements_break_the_circuit() {
    let (public, private) = answers(seed(73), Some(AnswerCase::PrePendingPawnRank)).next().expect("an endless row");
    let wrong = wrong_answers(&public, &private);
    assert!(wrong.len() >= 15, "{}", wrong.len());
    for (name, public, private) in wrong {
        assert!(!is_satisfied::<ChainAnswerCircuit>(&public, &private), "{name}: the circuit doesn't notice");
    }
}

#[test]
fn every_public_input_is_bound() {
    let (public, private) = draw(seed(74), AnswerCase::PrePendingPawnRank);
    assert_eq!(instance(&public).len(), CHAIN_ANSWER_INPUTS);
    laid::every_public_input_is_bound::<ChainAnswerCircuit>(&public, &private);
}

#[test]
fn the_relation_s_bindings_refuse_their_forgeries_here_too() {
    let (public, private) = draw(seed(75), AnswerCase::Pre);
    let honest = ChainAnswerCircuit::new(&public, &private);
    let of = |answer| ChainWitness { answer, z: honest.witness.z };
    let make = |answer, tampers| ChainAnswerCircuit { witness: Arc::new(of(answer)), tampers };
    let [laid, forged] = forgeries::refused(&honest.witness.answer, &instance(&public), make);
    assert_eq!(laid, forged);
}

/// What comes after the relation binds cells by copies and by chains alone. Whoever changes one of these cells, and makes all that follows
/// from it fit, is refused at that very cell.
#[test]
fn every_copy_into_roots_and_values_is_bound() {
    let seed = seed(76);
    let (public, private) = draw(seed, AnswerCase::PrePendingPawnRank);
    let honest = ChainAnswerCircuit::new(&public, &private);
    let instance = instance(&public);
    let (_, trace) = lay(&honest, &instance);
    let relation = AnswerCircuit::rows();
    let (hashes, arithmetic) = (relation.hashes - 1, relation.points + relation.arithmetic);
    let after = |&(column, row): &(usize, usize)| row >= if column < LANES * LANE { hashes } else { arithmetic };
    let copies: BTreeSet<_> = trace.copies().filter(after).collect();

    let hashed = copies.iter().filter(|(column, _)| *column < LANES * LANE).count();
    // Two inputs for each node of two trees, two coordinates a point, 14 fields a record.
    assert_eq!(hashed, 2 * (2 * 63) + 64 * (2 + 14));
    // Four operands an operation, of which one is free: z.
    let operations = ChainAnswerCircuit::rows().arithmetic - relation.arithmetic;
    assert_eq!(copies.len() - hashed, 4 * operations - 1);

    let mut rng = StdRng::seed_from_u64(seed);
    let tampers = copies.iter().map(|&(column, row)| Tamper { column, row, delta: Fr::random(&mut rng) });
    let broken = ChainAnswerCircuit { tampers: tampers.collect(), ..honest };
    assert_copies(&broken, &instance, &copies);
}

/// The six hashes of a record after its first one begin with the one before: 64 records, two beside each other.
#[test]
fn every_chain_of_a_record_is_bound() {
    let seed = seed(77);
    let (public, private) = draw(seed, AnswerCase::PostPending);
    let honest = ChainAnswerCircuit::new(&public, &private);
    let first = AnswerCircuit::rows().hashes - 1;
    let links = (0..64 / LANES).flat_map(|pair| (1..7).map(move |link| first + (7 * pair + link) * ROWS));
    let links: Vec<usize> = links.collect();
    let mut rng = StdRng::seed_from_u64(seed);
    for lane in 0..LANES {
        let column = lane * LANE;
        let tampers = links.iter().map(|&row| Tamper { column, row, delta: Fr::random(&mut rng) });
        let broken = ChainAnswerCircuit { tampers: tampers.collect(), ..honest.clone() };
        let laid = lay(&broken, &instance(&public)).0;
        // One row at a time, lest a failure of one pass for that of another.
        for &row in &links {
            let found = laid.broken_gates(row..row + 1);
            let of_chains = found.iter().filter(|refusal| refusal.what.contains("s0 = output 0 before"));
            assert_eq!(of_chains.count(), 1, "lane {lane}, row {row}");
        }
    }
}

/// The columns are those of the peer-to-peer form; only the gate of chains is new, one for each lane.
#[test]
fn it_has_answer_s_columns() {
    let [mut own, mut answer] = [(); 2].map(|()| halo2_proofs::plonk::ConstraintSystem::<Fr>::default());
    AnswerConfig::<true>::configure(&mut own);
    AnswerConfig::<false>::configure(&mut answer);
    let columns = |meta: &halo2_proofs::plonk::ConstraintSystem<Fr>| {
        let permuted = meta.permutation().get_columns();
        (meta.num_advice_columns(), meta.num_fixed_columns(), meta.num_instance_columns(), permuted)
    };
    assert_eq!(columns(&own), columns(&answer));
    let names = |meta: &halo2_proofs::plonk::ConstraintSystem<Fr>| {
        meta.gates().iter().map(|gate| gate.name().to_string()).filter(|name| name != "chain").collect::<Vec<_>>()
    };
    assert_eq!(names(&own), names(&answer));
    assert_eq!(own.gates().len(), answer.gates().len() + LANES);
}

/// A request or an elements' list can be gathered only whole.
#[test]
fn elements_without_a_place_have_no_statement() {
    let (mut public, private) = answers(seed(78), Some(AnswerCase::Pre)).next().expect("an endless row");
    public.elements.pop();
    assert!(gather(&public, private).is_err());
}
