//! halo2's `MockProver` finds what a laid circuit does.

use std::collections::BTreeSet;

use engines::testing::{encrypted, key_shares};
use ff::Field;
use fog::testing::seed;
use halo2_proofs::{
    dev::{FailureLocation, MockProver, VerifyFailure},
    plonk::{Any, Circuit},
};
use halo2curves::bn256::Fr;
use rand::{Rng, SeedableRng, rngs::StdRng, seq::SliceRandom};

use super::{CellId, Laid, joined};
use crate::{
    KeyShareCircuit, StatementCircuit,
    gadget::{Tamper, trace},
    rigidity::{Rigid, SEED},
    statement::bfv::EncryptedCircuit,
};

/// Cells that are broken at once.
const BROKEN: usize = 40;

/// Gates and lookups that don't hold, by name and row; and of the copies that don't hold which cells they make one variable of, by one of them.
type Findings = (BTreeSet<(String, usize)>, BTreeSet<CellId>);

/// What the library finds; `classes` has of each cell which of those it shares its class with stands for it.
fn by_mock_prover<C: Circuit<Fr, Params = ()>>(k: u32, circuit: &C, laid: &Laid, classes: &[CellId]) -> Findings {
    let prover = MockProver::run(k, circuit, laid.instance.clone()).expect("it fits its rows");
    // All circuits have one region, which begins on the first row.
    let row_of = |location: FailureLocation| match location {
        FailureLocation::InRegion { offset, .. } => offset,
        FailureLocation::OutsideRegion { row } => row,
    };
    let mut findings = Findings::default();
    for failure in prover.verify().err().unwrap_or_default() {
        match failure {
            VerifyFailure::ConstraintNotSatisfied { constraint, location, .. } => {
                findings.0.insert((constraint.to_string(), row_of(location)));
            }
            VerifyFailure::Lookup { name, lookup_index, location } => {
                findings.0.insert((format!("lookup {lookup_index} ('{name}')"), row_of(location)));
            }
            VerifyFailure::Permutation { column, location } => {
                let is_instance = column.column_type() == Any::Instance;
                let column = if is_instance { laid.columns + column.index() } else { column.index() };
                findings.1.insert(classes[laid.cell(column, row_of(location)) as usize]);
            }
            other => panic!("{other}"),
        }
    }
    findings
}

/// Both find the same; gives how much that is.
fn compare<C: Circuit<Fr, Params = ()>>(k: u32, circuit: &C, instance: Vec<Vec<Fr>>) -> usize {
    let laid = Laid::of(k, circuit, instance);
    let classes = joined((laid.columns + laid.instance.len()) * laid.rows, laid.copies.iter().copied());
    let in_place = [laid.broken_gates(laid.usable()), laid.broken_lookups()].concat();
    let in_place = in_place.into_iter().map(|refusal| (refusal.what, refusal.row)).collect();
    let parted = laid.broken_copies().into_iter().flatten().map(|cell| classes[cell as usize]).collect();
    let found: Findings = (in_place, parted);
    assert_eq!(found, by_mock_prover(k, circuit, &laid, &classes));
    found.0.len() + found.1.len()
}

/// Of a statement's honest witness, and of one with broken cells and another public input.
pub fn agree<C: Rigid>(tampered: impl Fn(&C, Vec<Tamper>) -> C) {
    let honest = C::honest(SEED).swap_remove(0).circuit;
    let (laid, trace) = trace::lay(&honest, &[]);
    let mut instance: Vec<Fr> = trace.public.iter().map(|cell| cell.value).chain(trace.given).collect();
    assert_eq!(compare(C::K, &honest, vec![instance.clone()]), 0, "{}", C::NAME);
    let mut rng = StdRng::seed_from_u64(seed(SEED));
    let cells = laid.order.choose_multiple(&mut rng, BROKEN);
    let tampers = cells.map(|cell| {
        let (column, row) = laid.place(*cell);
        Tamper { column, row, delta: Fr::random(&mut rng) }
    });
    let tampers = tampers.collect();
    instance[0] += Fr::ONE;
    let count = compare(C::K, &tampered(&honest, tampers), vec![instance]);
    assert!(count >= BROKEN / 2, "{}: {count} refusals", C::NAME);
}

/// Circuits of two phases, with broken digits and other public inputs.
#[test]
fn of_polynomials_too() {
    let (public, private) = key_shares().remove(0);
    let honest = KeyShareCircuit::new(&public, &private);
    assert_eq!(compare(KeyShareCircuit::K, &honest, honest.public()), 0);
    let (mut columns, mut numbers) = (honest.public(), honest.numbers());
    let mut rng = StdRng::seed_from_u64(seed(SEED));
    for digits in numbers.limbs.iter_mut().chain(&mut numbers.small) {
        let row = rng.gen_range(0..digits.len());
        digits[row] = Fr::random(&mut rng);
    }
    columns[0][5] += Fr::ONE;
    let count = compare(KeyShareCircuit::K, &KeyShareCircuit::forged(columns.clone(), numbers), columns);
    assert!(count > honest.numbers().limbs.len(), "{count} refusals");
    let (public, private) = encrypted(engines::bfv::vector::Kind::Item, seed(SEED)).next().expect("a sight");
    let mut instance = EncryptedCircuit::<true>::instance(&public);
    let circuit = EncryptedCircuit::<true>::new(&public, &private);
    assert_eq!(compare(EncryptedCircuit::<true>::K, &circuit, instance.clone()), 0);
    instance.iter_mut().for_each(|column| column[0] += Fr::ONE);
    assert!(compare(EncryptedCircuit::<true>::K, &circuit, instance) >= 2);
}
