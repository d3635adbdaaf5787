//! With the same random numbers, this prover gives the library's bytes.

use crate::library::{self, Replay};
use crate::random_circuit::{RandomCircuit, Shape};
use halo2_proofs::dev::MockProver;
use halo2_proofs::plonk::{keygen_pk, keygen_vk};
use halo2_proofs::poly::kzg::commitment::ParamsKZG;
use halo2_proofs::transcript::{Blake2bWrite, Challenge255, TranscriptWriterBuffer};
use halo2curves::bn256::{Bn256, Fr, G1Affine};
use plonk::{Prover, Tables, Unwatched};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use std::cell::Cell;
use std::sync::Arc;

fn compare(shape: Shape, params: &ParamsKZG<Bn256>, tables: &Arc<Tables>) {
    let circuit = RandomCircuit(shape);
    let instances = shape.instance_values();
    MockProver::run(shape.k, &circuit, instances.clone()).unwrap().verify().unwrap();
    let instances: Vec<&[Fr]> = instances.iter().map(Vec::as_slice).collect();
    let vk = keygen_vk(params, &circuit).unwrap();
    let pk = keygen_pk(params, vk, &circuit).unwrap();
    let made = library::prove(params, &pk, circuit.clone(), &instances, ChaCha20Rng::seed_from_u64(shape.seed));
    let mut random = Replay(&made.random, Cell::new(0));
    let prover = Prover::new(Arc::new(pk), Arc::clone(tables)).unwrap();
    let mut transcript = Blake2bWrite::<_, G1Affine, Challenge255<_>>::init(Vec::new());
    let order = |lookup: usize, value: &Fr| made.rank(lookup, value);
    prover.prove_in_order(&circuit, &instances, &mut random, &mut transcript, &Unwatched, &order).unwrap();
    assert_eq!(random.1.get(), made.random.len(), "it drew as much as the library: {shape:?}");
    let ours = transcript.finalize();
    let differs = ours.chunks(32).zip(made.proof.chunks(32)).position(|(ours, theirs)| ours != theirs);
    assert!(ours == made.proof, "{shape:?}: first difference in word {differs:?} of {}", made.proof.len() / 32);
}

#[test]
fn random_small_circuits() {
    let seed = rand::random();
    println!("seed {seed}");
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    for k in [6, 7, 8] {
        let params = ParamsKZG::setup(k, &mut rng);
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
                compare(shape, &params, &tables);
            }
        }
    }
}

#[test]
fn the_simplest_circuits() {
    let params = ParamsKZG::setup(5, ChaCha20Rng::seed_from_u64(5));
    let tables = Arc::new(Tables::new(&params));
    let one = Shape { k: 5, free: 1, degree: 2, ..Shape::default() };
    let shapes = [
        one,
        Shape { bound: 1, ..one },
        Shape { instances: 1, ..one },
        Shape { free: 2, copies: true, ..one },
        Shape { lookups: 1, ..one },
    ];
    shapes.into_iter().for_each(|shape| compare(shape, &params, &tables));
}
