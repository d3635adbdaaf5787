//! With the same random numbers, this prover gives the library's bytes.

use crate::library::{self, Replay};
use crate::random_circuit::{RandomCircuit, Shape};
use circuits::{
    AnswerCircuit, AnyCircuit, ChainAnswerCircuit, FiftyCircuit, NoMoveCircuit, OwnStepCircuit, RequestDataCircuit,
    SmallAskedCircuit, SmallShownCircuit, StatementCircuit, TurnCircuit,
};
use engines::psi::catalogue::Extent;
use engines::testing::{asked_sets, shown_sets};
use fog::testing::{
    AnswerCase, NoMoveCase, TurnCase, answers, cases, chain_answers, fifties, is_long, no_moves, own_steps, requests,
    seed, turns,
};
use halo2_proofs::dev::MockProver;
use halo2_proofs::plonk::{Circuit, ProvingKey, keygen_pk, keygen_vk};
use halo2_proofs::poly::kzg::commitment::ParamsKZG;
use halo2_proofs::transcript::{Blake2bWrite, Challenge255, TranscriptWriterBuffer};
use halo2curves::bn256::{Bn256, Fr, G1Affine};
use plonk::{Lanes, Options, Prover, Tables, Unwatched};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use std::cell::Cell;
use std::fmt::Debug;
use std::sync::Arc;

/// Proves with both provers, and compares.
pub fn compare<C: Circuit<Fr> + Clone>(
    circuit: &C,
    instances: &[Vec<Fr>],
    params: &ParamsKZG<Bn256>,
    tables: &Arc<Tables>,
    what: &dyn Debug,
) {
    compare_with(&key(circuit, params), circuit, instances, params, tables, &paths(), what);
}

/// The library's proving key of a circuit.
pub fn key<C: Circuit<Fr>>(circuit: &C, params: &ParamsKZG<Bn256>) -> Arc<ProvingKey<G1Affine>> {
    let vk = keygen_vk(params, circuit).unwrap();
    Arc::new(keygen_pk(params, vk, circuit).unwrap())
}

/// Compares under a key that is there already.
pub fn compare_with<C: Circuit<Fr> + Clone>(
    key: &Arc<ProvingKey<G1Affine>>,
    circuit: &C,
    instances: &[Vec<Fr>],
    params: &ParamsKZG<Bn256>,
    tables: &Arc<Tables>,
    paths: &[Option<Lanes>],
    what: &dyn Debug,
) {
    let instances: Vec<&[Fr]> = instances.iter().map(Vec::as_slice).collect();
    let made = library::prove(params, key, circuit.clone(), &instances, ChaCha20Rng::seed_from_u64(1));
    let prover = Prover::new(Arc::clone(key), Arc::clone(tables)).unwrap();
    let order = |lookup: usize, value: &Fr| made.rank(lookup, value);
    for &lanes in paths {
        let mut random = Replay(&made.random, Cell::new(0));
        let mut transcript = Blake2bWrite::<_, G1Affine, Challenge255<_>>::init(Vec::new());
        let options = Options { lanes, order: &order, ..Options::new(&Unwatched) };
        prover.prove(circuit, &instances, &mut random, &mut transcript, options).unwrap();
        assert_eq!(random.1.get(), made.random.len(), "{what:?}, {lanes:?}: it drew as much as the library");
        let ours = transcript.finalize();
        let differs = ours.chunks(32).zip(made.proof.chunks(32)).position(|(ours, theirs)| ours != theirs);
        let words = made.proof.len() / 32;
        assert!(ours == made.proof, "{what:?}, {lanes:?}: first difference in word {differs:?} of {words}");
    }
}

/// Every way to compute: scalar, eight lanes of plain integers, and those of the processor. Where it must have some, a test of `lanes` says so.
pub fn paths() -> Vec<Option<Lanes>> {
    let fast = Lanes::detect();
    if fast.is_none() {
        println!("not run: this processor has no AVX-512 IFMA");
    }
    [None, Some(Lanes::portable())].into_iter().chain(fast.map(Some)).collect()
}

/// How large circuits are proved: as a player's machine does it, or with FOGMATE_LONG in every way.
pub fn paths_of_large_circuits() -> Vec<Option<Lanes>> {
    if is_long() { paths() } else { vec![Options::new(&Unwatched).lanes] }
}

fn compare_shape(shape: Shape, params: &ParamsKZG<Bn256>, tables: &Arc<Tables>) {
    let (circuit, instances) = (RandomCircuit(shape), shape.instance_values());
    MockProver::run(shape.k, &circuit, instances.clone()).unwrap().verify().unwrap();
    compare(&circuit, &instances, params, tables, &shape);
}

#[test]
fn random_small_circuits() {
    let mut rng = ChaCha20Rng::seed_from_u64(seed(rand::random()));
    for k in [6, 7, 8] {
        let params = plonk::setup(k, &mut rng);
        let tables = Arc::new(Tables::new(&params));
        for degree in 2..=5 {
            for _ in 0..4 {
                let shape = Shape {
                    k,
                    degree,
                    free: rng.gen_range(1..6),
                    bound: rng.gen_range(0..4),
                    lookups: rng.gen_range(0..3),
                    instances: rng.gen_range(0..3),
                    copies: rng.r#gen(),
                    reach: rng.gen_range(0..4),
                    seed: rng.r#gen(),
                };
                compare_shape(shape, &params, &tables);
            }
        }
    }
}

#[test]
fn the_simplest_circuits() {
    let params = plonk::setup(5, ChaCha20Rng::seed_from_u64(5));
    let tables = Arc::new(Tables::new(&params));
    let one = Shape { k: 5, free: 1, degree: 2, ..Shape::default() };
    let shapes = [
        one,
        Shape { bound: 1, ..one },
        Shape { instances: 1, ..one },
        Shape { free: 2, copies: true, ..one },
        Shape { lookups: 1, ..one },
    ];
    shapes.into_iter().for_each(|shape| compare_shape(shape, &params, &tables));
}

/// Witnesses that a statement is proved with; a large one with one, if FOGMATE_LONG isn't set.
const WITNESSES: usize = 2;

/// Compares the proofs of a statement with some witnesses, all under the first one's key: a key hangs on no witness.
fn compare_statement<C: StatementCircuit>(
    params: &ParamsKZG<Bn256>,
    tables: &Arc<Tables>,
    draws: impl IntoIterator<Item = (C::Public, C::Private)>,
) {
    let is_large = C::K > OwnStepCircuit::K;
    let (paths, count) = if is_large { (paths_of_large_circuits(), cases(WITNESSES)) } else { (paths(), WITNESSES) };
    let mut made = None;
    for (public, private) in draws.into_iter().take(count) {
        let circuit = AnyCircuit::of(C::new(&public, &private));
        let key = made.get_or_insert_with(|| key(&circuit, params));
        compare_with(key, &circuit, &C::instance(&public), params, tables, &paths, &C::NAME);
    }
}

/// Parameters of a size that statements have, and tables for them.
fn setup(k: u32) -> (ParamsKZG<Bn256>, Arc<Tables>) {
    let params = plonk::setup(k, ChaCha20Rng::seed_from_u64(u64::from(k)));
    let tables = Arc::new(Tables::new(&params));
    (params, tables)
}

/// The statements of 2^14 rows.
#[test]
fn the_statements() {
    let (params, tables) = setup(14);
    let draws = [TurnCase::Opening, TurnCase::LongSlide].map(|case| turns(2, Some(case)).next().unwrap());
    compare_statement::<TurnCircuit>(&params, &tables, draws);
    let draws = [AnswerCase::Pre, AnswerCase::PostPending].map(|case| answers(2, Some(case)).next().unwrap());
    compare_statement::<AnswerCircuit>(&params, &tables, draws);
    compare_statement::<RequestDataCircuit>(&params, &tables, requests(2).take(WITNESSES));
    compare_statement::<FiftyCircuit>(&params, &tables, fifties(2).take(WITNESSES));
    let draws = [NoMoveCase::EightPawns, NoMoveCase::FewPawns].map(|case| no_moves(2, Some(case)).next().unwrap());
    compare_statement::<NoMoveCircuit>(&params, &tables, draws);
}

/// Those with gates that look far back and lookups into the prover's own columns.
#[test]
fn the_statements_of_sets() {
    let (params, tables) = setup(14);
    compare_statement::<SmallShownCircuit>(&params, &tables, shown_sets(Extent::Small, 2).take(1));
    compare_statement::<SmallAskedCircuit>(&params, &tables, asked_sets(Extent::Small, 2).take(1));
}

/// That of 2^11 rows.
#[test]
fn the_small_statement() {
    let (params, tables) = setup(OwnStepCircuit::K);
    let draws = [TurnCase::Opening, TurnCase::LongSlide].map(|case| own_steps(2, Some(case)).next().unwrap());
    compare_statement::<OwnStepCircuit>(&params, &tables, draws);
}

/// That of 2^15 rows.
#[test]
fn the_large_statement() {
    let (params, tables) = setup(15);
    let draws = [AnswerCase::PostPending].map(|case| chain_answers(2, Some(case)).next().unwrap());
    compare_statement::<ChainAnswerCircuit>(&params, &tables, draws);
}
