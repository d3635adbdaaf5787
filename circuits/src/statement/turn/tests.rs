//! *turn* against its native twin: whatever the twin accepts satisfies the circuit, whatever it refuses doesn't.

mod edges;
pub(in crate::statement) mod forgeries;
mod near_misses;
pub(in crate::statement) mod rigidity;
mod values;

use ff::Field;
use fog::{
    statement::turn::{TurnPrivate, TurnPublic, check},
    testing::{Illegal, TurnCase, illegal_turns, mutations_turn, seed, turns},
};
use halo2_proofs::dev::{CellValue, MockProver, VerifyFailure};
use halo2curves::bn256::Fr;

use super::{TurnCircuit, config::PUBLIC_INPUTS};
use crate::{StatementCircuit, gadget::fixed_base};

fn failures(circuit: &TurnCircuit, public: &TurnPublic) -> Vec<VerifyFailure> {
    let instance = TurnCircuit::instance(public);
    let prover = MockProver::run(TurnCircuit::K, circuit, instance).expect("a turn fits its rows");
    prover.verify().err().unwrap_or_default()
}

fn is_satisfied(public: &TurnPublic, private: &TurnPrivate) -> bool {
    failures(&TurnCircuit::new(public, private), public).is_empty()
}

#[test]
fn legal_moves_of_every_kind_satisfy_the_circuit() {
    let seed = seed(21);
    for case in TurnCase::ALL {
        for (public, private) in turns(seed, Some(case)).take(2) {
            let found = failures(&TurnCircuit::new(&public, &private), &public);
            assert!(found.is_empty(), "{case:?} {}: {:#?}", private.mv, &found[..found.len().min(3)]);
        }
    }
}

#[test]
fn moves_of_random_games_satisfy_the_circuit() {
    let seed = seed(22);
    for (public, private) in turns(seed, None).take(24) {
        assert!(is_satisfied(&public, &private), "{}", private.mv);
    }
}

#[test]
fn a_broken_value_breaks_the_circuit() {
    let seed = seed(23);
    let mutations = mutations_turn();
    let mut applied = vec![false; mutations.len()];
    // The last cases first: those of rare moves, whose mutations apply to nothing else.
    for case in TurnCase::ALL.into_iter().rev() {
        let (public, private) = turns(seed, Some(case)).next().expect("an endless row");
        for (mutation, applied) in mutations.iter().zip(&mut applied).filter(|(_, applied)| !**applied) {
            let (mut public, mut private) = (public.clone(), private.clone());
            let Some(expected) = (mutation.apply)(&mut public, &mut private) else {
                continue;
            };
            assert_eq!(check(&public, &private), Err(expected), "{}", mutation.name);
            assert!(!is_satisfied(&public, &private), "{case:?}, {}: the circuit doesn't notice", mutation.name);
            *applied = true;
        }
    }
    for (mutation, applied) in mutations.iter().zip(applied) {
        assert!(applied, "{} never applied", mutation.name);
    }
}

#[test]
fn an_illegal_move_breaks_the_circuit() {
    let seed = seed(24);
    for case in Illegal::ALL {
        for (public, private, expected) in illegal_turns(seed, case).take(2) {
            assert_eq!(check(&public, &private), Err(expected), "{case:?}");
            assert!(!is_satisfied(&public, &private), "{case:?} {}: the circuit doesn't notice", private.mv);
        }
    }
}

#[test]
fn every_public_input_is_bound() {
    let (public, private) = turns(seed(25), Some(TurnCase::PawnCapture)).next().expect("an endless row");
    let circuit = TurnCircuit::new(&public, &private);
    let valid = TurnCircuit::instance(&public);
    for i in 0..valid[0].len() {
        let mut other = valid.clone();
        other[0][i] += Fr::ONE;
        let prover = MockProver::run(TurnCircuit::K, &circuit, other).expect("it fits");
        assert!(prover.verify().is_err(), "public input {i}");
    }
}

/// The fixed columns of the window table hold coefficients and round constants below it and nothing above it: none of them may pass for a window's mark.
#[test]
fn no_row_beside_the_table_passes_for_an_entry() {
    let (public, private) = turns(seed(26), Some(TurnCase::PawnPush)).next().expect("an endless row");
    let circuit = TurnCircuit::new(&public, &private);
    let instance = TurnCircuit::instance(&public);
    let prover = MockProver::run(TurnCircuit::K, &circuit, instance).expect("it fits");
    let marks: Vec<_> = (1..=fixed_base::WINDOWS).map(fixed_base::mark).collect();
    let first = &prover.fixed()[0];
    let is_mark = |cell: &CellValue<Fr>| matches!(cell, CellValue::Assigned(value) if marks.contains(value));
    let (above, table) = first.split_at(PUBLIC_INPUTS);
    let (table, below) = table.split_at(fixed_base::TABLE_ROWS);
    assert!(table.iter().all(is_mark));
    assert!(!above.iter().chain(below).any(is_mark));
}
