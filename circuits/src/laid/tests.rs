//! halo2's `MockProver` finds what a laid circuit does.

use std::{collections::BTreeSet, panic::catch_unwind};

use engines::{
    bfv::vector::Kind,
    testing::{captured, decryptions, encrypted, key_shares},
};
use ff::Field;
use fog::testing::seed;
use halo2_proofs::{
    circuit::{Layouter, SimpleFloorPlanner, Value},
    dev::{FailureLocation, MockProver, VerifyFailure},
    plonk::{Advice, Any, Circuit, Column, ConstraintSystem, Error, Fixed, Instance},
    poly::Rotation,
};
use halo2curves::bn256::Fr;
use rand::{Rng, SeedableRng, rngs::StdRng, seq::SliceRandom};

use super::{CellId, LaidCircuit, joined};
use crate::{
    AnyCircuit, CapturedCircuit, DecryptionCircuit, KeyShareCircuit, StatementCircuit,
    gadget::{
        Tamper,
        ring::{RingCircuit, RingStatement},
        trace,
    },
    rigidity::{Rigid, SEED},
    statement::bfv::EncryptedCircuit,
};

/// Cells that are broken at once.
const BROKEN: usize = 40;

/// Cells besides, of each advice column that lookups read.
const BROKEN_OF_LOOKUPS: usize = 12;

/// Gates and lookups that don't hold, by name and row; and of the copies that don't hold which cells they make one variable of, by one of them.
type Findings = (BTreeSet<(String, usize)>, BTreeSet<CellId>);

/// What the library finds; `classes` has of each cell which of those it shares its class with stands for it.
fn by_mock_prover(k: u32, circuit: &AnyCircuit, laid: &LaidCircuit, classes: &[CellId]) -> Findings {
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
fn compare<C: StatementCircuit>(circuit: &C, instance: Vec<Vec<Fr>>) -> usize {
    let circuit = AnyCircuit::of(circuit.clone());
    let laid = LaidCircuit::of_rows(C::K, &circuit, instance);
    let classes = joined((laid.columns + laid.instance.len()) * laid.rows, laid.copies.iter().copied());
    let in_place = [laid.broken_gates(laid.usable()), laid.broken_lookups()].concat();
    let in_place = in_place.into_iter().map(|refusal| (refusal.what, refusal.row)).collect();
    let parted = laid.broken_copies().into_iter().flatten().map(|cell| classes[cell as usize]).collect();
    let found: Findings = (in_place, parted);
    assert_eq!(found, by_mock_prover(C::K, &circuit, &laid, &classes));
    found.0.len() + found.1.len()
}

/// The advice columns that inputs of lookups read.
fn looked_up(laid: &LaidCircuit) -> BTreeSet<usize> {
    let inputs = laid.meta.lookups().iter().flat_map(|lookup| lookup.input_expressions());
    let columns = inputs.map(|input| {
        let both = |a: BTreeSet<usize>, b: BTreeSet<usize>| &a | &b;
        let none = BTreeSet::new;
        input.evaluate(
            &|_| none(),
            &|_| none(),
            &|_| none(),
            &|query| BTreeSet::from([query.column_index()]),
            &|_| none(),
            &|_| none(),
            &|a| a,
            &both,
            &both,
            &|a, _| a,
        )
    });
    columns.flatten().collect()
}

/// Of a statement's honest witness, and of one with broken cells and another public input.
pub fn agree<C: Rigid>(tampered: impl Fn(&C, Vec<Tamper>) -> C) {
    let honest = C::honest(SEED).swap_remove(0).circuit;
    let (laid, trace) = trace::lay(&honest, &[]);
    let mut instance: Vec<Fr> = trace.public.iter().map(|cell| cell.value).chain(trace.given).collect();
    assert_eq!(compare(&honest, vec![instance.clone()]), 0, "{}", C::NAME);
    let mut rng = StdRng::seed_from_u64(seed(SEED));
    let mut cells: BTreeSet<CellId> = laid.order.choose_multiple(&mut rng, BROKEN).copied().collect();
    for column in looked_up(&laid) {
        let of_column: Vec<CellId> = laid.order.iter().copied().filter(|cell| laid.place(*cell).0 == column).collect();
        cells.extend(of_column.choose_multiple(&mut rng, BROKEN_OF_LOOKUPS));
    }
    let tampers = cells.into_iter().map(|cell| {
        let (column, row) = laid.place(cell);
        Tamper { column, row, delta: Fr::random(&mut rng) }
    });
    let tampers = tampers.collect();
    instance[0] += Fr::ONE;
    let count = compare(&tampered(&honest, tampers), vec![instance]);
    assert!(count >= BROKEN / 2, "{}: {count} refusals", C::NAME);
}

/// Of a circuit of polynomials, and of one with broken digits, sums and other public inputs.
fn agree_on_polynomials<S: RingStatement>(honest: &RingCircuit<S>) {
    assert_eq!(compare(honest, honest.public()), 0, "{}", S::NAME);
    let (mut public, mut numbers) = (honest.public(), honest.numbers());
    let mut rng = StdRng::seed_from_u64(seed(SEED));
    for column in numbers.limbs.iter_mut().chain(&mut numbers.small).chain(&mut numbers.sums) {
        let row = rng.gen_range(0..column.len());
        column[row] = Fr::random(&mut rng);
    }
    public[0][5] += Fr::ONE;
    let count = compare(&RingCircuit::<S>::forged(public.clone(), numbers), public);
    assert!(count > honest.numbers().limbs.len(), "{}: {count} refusals", S::NAME);
}

#[test]
fn the_mock_prover_finds_the_same_of_shares() {
    let (public, private) = key_shares().remove(0);
    agree_on_polynomials(&KeyShareCircuit::new(&public, &private));
    let (public, private) = decryptions(seed(SEED)).next().expect("a decryption");
    agree_on_polynomials(&DecryptionCircuit::new(&public, &private));
}

#[test]
fn the_mock_prover_finds_the_same_of_captures() {
    let (public, private) = captured(seed(SEED)).next().expect("a capture");
    agree_on_polynomials(&CapturedCircuit::new(&public, &private));
}

#[test]
fn the_mock_prover_finds_the_same_of_encrypted_boards() {
    agree_on_a_board::<true>(Kind::Item);
    agree_on_a_board::<false>(Kind::View);
}

/// Of a board with its ciphertext, and of one under other public inputs.
fn agree_on_a_board<const ITEM: bool>(kind: Kind) {
    let (public, private) = encrypted(kind, seed(SEED)).next().expect("a sight");
    let mut instance = EncryptedCircuit::<ITEM>::instance(&public);
    let circuit = EncryptedCircuit::<ITEM>::new(&public, &private);
    assert_eq!(compare(&circuit, instance.clone()), 0);
    instance.iter_mut().for_each(|column| column[0] += Fr::ONE);
    assert!(compare(&circuit, instance) >= 2);
}

/// One bit that is public, with a defect of its columns.
struct Defective<const DEFECT: u8>;

const NO_DEFECT: u8 = 0;
/// The gate is on in rows that nobody lays, where it holds of zeros alone.
const WITHOUT_A_SWITCH: u8 = 1;
/// The gate of the first row reads the last one.
const READS_THE_LAST_ROW: u8 = 2;
/// The bit is copied to the public input from a column that takes no copies.
const WITHOUT_COPIES: u8 = 3;

impl<const DEFECT: u8> Circuit<Fr> for Defective<DEFECT> {
    type Config = (Column<Advice>, Column<Fixed>, Column<Instance>);
    type FloorPlanner = SimpleFloorPlanner;
    type Params = ();

    fn without_witnesses(&self) -> Self {
        Self
    }

    fn configure(meta: &mut ConstraintSystem<Fr>) -> Self::Config {
        let (bit, switch, public) = (meta.advice_column(), meta.fixed_column(), meta.instance_column());
        meta.enable_equality(public);
        if DEFECT != WITHOUT_COPIES {
            meta.enable_equality(bit);
        }
        meta.create_gate("bit", |meta| {
            let on = meta.query_fixed(switch, Rotation::cur());
            let read = if DEFECT == READS_THE_LAST_ROW { Rotation::prev() } else { Rotation::cur() };
            let bit = meta.query_advice(bit, read);
            let is_bit = bit.clone() * bit.clone() - bit;
            vec![if DEFECT == WITHOUT_A_SWITCH { is_bit } else { on * is_bit }]
        });
        (bit, switch, public)
    }

    fn synthesize(&self, (bit, switch, public): Self::Config, mut layouter: impl Layouter<Fr>) -> Result<(), Error> {
        let cell = layouter.assign_region(
            || "bit",
            |mut region| {
                region.assign_fixed(switch, 0, Fr::ONE);
                Ok(region.assign_advice(bit, 0, Value::known(Fr::ONE)).cell())
            },
        )?;
        layouter.constrain_instance(cell, public, 0);
        Ok(())
    }
}

/// What is said to refuse a circuit, by panic or by list; and whether the library refuses it too.
fn refusal<const DEFECT: u8>(inputs: Vec<Fr>) -> (String, bool) {
    let of_panic = |panic: Box<dyn std::any::Any + Send>| *panic.downcast::<String>().expect("a sentence");
    let laid = catch_unwind(|| LaidCircuit::of_rows(4, &Defective::<DEFECT>, vec![inputs.clone()]).refusals());
    let said = laid.map_or_else(of_panic, |refusals| format!("{refusals:?}"));
    let by_library = catch_unwind(|| MockProver::run(4, &Defective::<DEFECT>, vec![inputs.clone()]).unwrap().verify());
    (said, !matches!(by_library, Ok(Ok(()))))
}

#[test]
fn defects_of_columns_are_refused() {
    let one = || vec![Fr::ONE];
    assert_eq!(refusal::<NO_DEFECT>(one()), ("[]".to_owned(), false));
    let cases = [
        (refusal::<WITHOUT_A_SWITCH>(one()), "on where nothing is laid"),
        (refusal::<READS_THE_LAST_ROW>(one()), "row 15 holds what a prover likes"),
        (refusal::<WITHOUT_COPIES>(one()), "aren't enabled"),
        (refusal::<NO_DEFECT>(vec![Fr::ONE; 16]), "too many public inputs"),
        (refusal::<NO_DEFECT>(vec![Fr::ZERO]), "copy"),
    ];
    for ((said, by_library), expected) in cases {
        assert!(said.contains(expected) && by_library, "{expected}: {said}, {by_library}");
    }
}
