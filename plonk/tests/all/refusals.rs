//! What is no proof: each ends with an error of its own, and none with a panic.

use crate::random_circuit::{RandomCircuit, Shape};
use halo2_proofs::circuit::{Layouter, SimpleFloorPlanner, Value};
use halo2_proofs::plonk::{
    Advice, Circuit, Column, ConstraintSystem, Error, FirstPhase, Fixed, Instance, SecondPhase, keygen_pk, keygen_vk,
};
use halo2_proofs::poly::Rotation;
use halo2_proofs::poly::kzg::commitment::ParamsKZG;
use halo2_proofs::transcript::{Blake2bWrite, Challenge255, TranscriptWriterBuffer};
use halo2curves::bn256::{Bn256, Fr, G1Affine};
use halo2curves::ff::Field;
use plonk::{Options, ProofStage, ProveError, Prover, Tables, UnusableKey, Unwatched, Watch};
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

const K: u32 = 6;

fn setup() -> (ParamsKZG<Bn256>, Arc<Tables>) {
    let params = plonk::setup(K, ChaCha20Rng::seed_from_u64(K.into()));
    let tables = Arc::new(Tables::new(&params));
    (params, tables)
}

fn prepare<C: Circuit<Fr>>(circuit: &C) -> Prover {
    let (params, tables) = setup();
    let vk = keygen_vk(&params, circuit).unwrap();
    Prover::new(Arc::new(keygen_pk(&params, vk, circuit).unwrap()), tables).unwrap()
}

fn prove<C: Circuit<Fr>>(
    prover: &Prover,
    circuit: &C,
    instances: &[&[Fr]],
    watch: &dyn Watch,
) -> Result<Vec<u8>, ProveError> {
    let mut transcript = Blake2bWrite::<_, G1Affine, Challenge255<_>>::init(Vec::new());
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    prover.prove(circuit, instances, &mut rng, &mut transcript, Options::new(watch))?;
    Ok(transcript.finalize())
}

/// A value that must be in a table of zero and one, and equal to the public input.
#[derive(Clone)]
struct Bit {
    value: Value<Fr>,
    /// Asks the assigned cell for its value, and assigns that to another.
    asks_back: bool,
    row: usize,
}

const BIT: Bit = Bit { value: Value::unknown(), asks_back: false, row: 0 };

impl Bit {
    fn of(value: Fr) -> Self {
        Self { value: Value::known(value), ..BIT }
    }
}

impl Circuit<Fr> for Bit {
    type Config = (Column<Advice>, Column<Fixed>, Column<Instance>);
    type FloorPlanner = SimpleFloorPlanner;
    type Params = ();

    fn without_witnesses(&self) -> Self {
        BIT
    }

    fn configure(cs: &mut ConstraintSystem<Fr>) -> Self::Config {
        let (value, table, instance) = (cs.advice_column(), cs.fixed_column(), cs.instance_column());
        cs.enable_equality(value);
        cs.enable_equality(instance);
        cs.lookup_any("bit", |cells| {
            vec![(cells.query_advice(value, Rotation::cur()), cells.query_fixed(table, Rotation::cur()))]
        });
        (value, table, instance)
    }

    fn synthesize(&self, (value, table, instance): Self::Config, mut layouter: impl Layouter<Fr>) -> Result<(), Error> {
        let cell = layouter.assign_region(
            || "bit",
            |mut region| {
                region.assign_fixed(table, 0, Fr::ONE);
                let cell = region.assign_advice(value, self.row, self.value);
                if self.asks_back {
                    region.assign_advice(value, 1, cell.value().map(|value| **value));
                }
                Ok(cell.cell())
            },
        )?;
        layouter.constrain_instance(cell, instance, 0);
        Ok(())
    }
}

#[test]
fn an_honest_bit_is_proven() {
    let prover = prepare(&BIT);
    assert!(prove(&prover, &Bit::of(Fr::ONE), &[&[Fr::ONE]], &Unwatched).is_ok());
}

#[test]
fn an_input_that_is_not_in_the_table() {
    let prover = prepare(&BIT);
    let two = Fr::from(2);
    assert!(matches!(prove(&prover, &Bit::of(two), &[&[two]], &Unwatched), Err(ProveError::Lookup)));
}

#[test]
fn a_cell_without_a_value_or_a_place() {
    let prover = prepare(&BIT);
    for circuit in [
        BIT,
        Bit { asks_back: true, ..Bit::of(Fr::ONE) },
        // In the rows for random values, and beyond all rows.
        Bit { row: (1 << K) - 1, ..Bit::of(Fr::ONE) },
        Bit { row: 1 << K, ..Bit::of(Fr::ONE) },
    ] {
        assert!(matches!(prove(&prover, &circuit, &[&[Fr::ONE]], &Unwatched), Err(ProveError::Layout(_))));
    }
}

#[test]
fn public_inputs_that_do_not_fit() {
    let prover = prepare(&BIT);
    let long = vec![Fr::ONE; 1 << K];
    let (one, none): (&[Fr], &[Fr]) = (&[Fr::ONE], &[]);
    for instances in [&[][..], &[one, none], &[&long]] {
        let proof = prove(&prover, &Bit::of(Fr::ONE), instances, &Unwatched);
        assert!(matches!(proof, Err(ProveError::Instances)), "{}", instances.len());
    }
}

/// Two phases, with a challenge between them.
#[derive(Clone)]
struct TwoPhases;

impl Circuit<Fr> for TwoPhases {
    type Config = ();
    type FloorPlanner = SimpleFloorPlanner;
    type Params = ();

    fn without_witnesses(&self) -> Self {
        self.clone()
    }

    fn configure(cs: &mut ConstraintSystem<Fr>) {
        let first = cs.advice_column();
        let challenge = cs.challenge_usable_after(FirstPhase);
        let second = cs.advice_column_in(SecondPhase);
        cs.create_gate("second", |cells| {
            let (first, second) =
                (cells.query_advice(first, Rotation::cur()), cells.query_advice(second, Rotation::cur()));
            vec![second - first * cells.query_challenge(challenge)]
        });
    }

    fn synthesize(&self, (): (), _: impl Layouter<Fr>) -> Result<(), Error> {
        Ok(())
    }
}

#[test]
fn keys_that_are_not_for_this_prover() {
    let (params, tables) = setup();
    let vk = keygen_vk(&params, &TwoPhases).unwrap();
    let pk = Arc::new(keygen_pk(&params, vk, &TwoPhases).unwrap());
    assert_eq!(Prover::new(pk, tables).err(), Some(UnusableKey::Phases));

    let vk = keygen_vk(&params, &BIT).unwrap();
    let pk = Arc::new(keygen_pk(&params, vk, &BIT).unwrap());
    let others = Tables::new(&plonk::setup(K + 1, ChaCha20Rng::seed_from_u64(0)));
    assert_eq!(Prover::new(pk, Arc::new(others)).err(), Some(UnusableKey::Size { key: K, tables: K + 1 }));
}

/// The library reads the degree's limit from the environment, which only another process can have differently.
#[test]
fn a_degree_without_room_for_the_permutation_argument() {
    const NAME: &str = "refusals::a_degree_without_room_for_the_permutation_argument";
    if std::env::var("MAX_DEGREE").is_err() {
        let program = std::env::current_exe().unwrap();
        let run = Command::new(program).args([NAME, "--exact"]).env("MAX_DEGREE", "2").output().unwrap();
        let said = String::from_utf8_lossy(&run.stdout);
        assert!(run.status.success() && said.contains("1 passed"), "{said}");
        return;
    }
    let (params, tables) = setup();
    let vk = keygen_vk(&params, &BIT).unwrap();
    let pk = Arc::new(keygen_pk(&params, vk, &BIT).unwrap());
    assert_eq!(Prover::new(pk, tables).err(), Some(UnusableKey::Degree(2)));
}

/// Counts how often it is asked, and says no from some time on.
#[derive(Default)]
struct Limit {
    asked: AtomicUsize,
    limit: Option<usize>,
    stages: Mutex<Vec<ProofStage>>,
}

impl Watch for Limit {
    fn begins(&self, stage: ProofStage) {
        self.stages.lock().unwrap().push(stage);
    }

    fn is_cancelled(&self) -> bool {
        let asked = self.asked.fetch_add(1, Ordering::SeqCst);
        self.limit.is_some_and(|limit| asked >= limit)
    }
}

#[test]
fn a_proof_can_be_stopped_at_every_step() {
    let shape = Shape { k: K, free: 3, bound: 2, degree: 4, lookups: 1, instances: 1, copies: true, reach: 1, seed: 3 };
    let (circuit, instances) = (RandomCircuit(shape), shape.instance_values());
    let instances: Vec<&[Fr]> = instances.iter().map(Vec::as_slice).collect();
    let prover = prepare(&circuit);
    let free = Limit::default();
    prove(&prover, &circuit, &instances, &free).unwrap();
    assert_eq!(*free.stages.lock().unwrap(), ProofStage::ALL);
    let asked = free.asked.into_inner();
    assert!(asked > 30, "it asks before every column's commitment and transform: {asked}");
    for limit in 0..asked {
        let watch = Limit { limit: Some(limit), ..Limit::default() };
        assert!(matches!(prove(&prover, &circuit, &instances, &watch), Err(ProveError::Cancelled)), "{limit}");
    }
}
