//! Tables on disk.

use crate::random_circuit::{RandomCircuit, Shape};
use halo2_proofs::plonk::{keygen_pk, keygen_vk, verify_proof};
use halo2_proofs::poly::kzg::multiopen::VerifierSHPLONK;
use halo2_proofs::poly::kzg::strategy::SingleStrategy;
use halo2_proofs::transcript::{Blake2bRead, Blake2bWrite, Challenge255, TranscriptReadBuffer, TranscriptWriterBuffer};
use halo2curves::bn256::{Bn256, Fr, G1Affine};
use plonk::{Lanes, Options, Prover, Tables, Unwatched};
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use std::sync::Arc;

#[test]
fn tables_are_read_as_they_were_written_and_for_their_parameters_only() {
    let [params, others] = [1, 2].map(|seed| plonk::setup(4, ChaCha20Rng::seed_from_u64(seed)));
    let bytes = Tables::new(&params).to_bytes();
    let read = Tables::from_bytes(&params, &bytes).unwrap();
    assert_eq!((read.k(), read.to_bytes()), (4, bytes.clone()));
    assert!(Tables::from_bytes(&others, &bytes).is_none());
    assert!(Tables::from_bytes(&params, &bytes[1..]).is_none());
    assert!(Tables::from_bytes(&params, &bytes[..bytes.len() / 2]).is_none());
    assert!(Tables::from_bytes(&params, &[]).is_none());
    assert!(Tables::from_bytes(&plonk::setup(5, ChaCha20Rng::seed_from_u64(1)), &bytes).is_none());
    // A coordinate that stands for itself plus the prime would be zero to one path and not to another; and a point beside the curve.
    let [last, multiple] = [bytes.len() - 64, 64 << 4];
    let plus = |place: usize, number: [u64; 4]| {
        let (mut spoilt, mut carry) = (bytes.clone(), 0u128);
        for (word, number) in spoilt[place..place + 32].chunks_exact_mut(8).zip(number) {
            carry += u128::from(u64::from_le_bytes(word.try_into().unwrap())) + u128::from(number);
            word.copy_from_slice(&(carry as u64).to_le_bytes());
            carry >>= 64;
        }
        spoilt
    };
    let prime = [0x3c208c16d87cfd47, 0x97816a916871ca8d, 0xb85045b68181585d, 0x30644e72e131a029];
    for place in [multiple, last] {
        assert!(Tables::from_bytes(&params, &plus(place, prime)).is_none());
        assert!(Tables::from_bytes(&params, &plus(place, [1, 0, 0, 0])).is_none());
    }
}

#[test]
fn wrong_multiples_give_proofs_that_do_not_verify_and_nothing_worse() {
    const SHAPE: Shape =
        Shape { k: 6, free: 3, bound: 2, degree: 4, lookups: 1, instances: 1, copies: true, reach: 1, seed: 3 };
    let params = plonk::setup(SHAPE.k, ChaCha20Rng::seed_from_u64(1));
    let circuit = RandomCircuit(SHAPE);
    let verifying = keygen_vk(&params, &circuit).unwrap();
    let key = Arc::new(keygen_pk(&params, verifying.clone(), &circuit).unwrap());
    let mut bytes = Tables::new(&params).to_bytes();
    let (half, bases) = (bytes.len() / 2, 64 << SHAPE.k);
    // Each multiple is its base: points that are added are the same ones again and again.
    for table in bytes.chunks_exact_mut(half) {
        let (right, rest) = table.split_at_mut(bases);
        rest.chunks_exact_mut(bases).for_each(|multiples| multiples.copy_from_slice(right));
    }
    let tables = Arc::new(Tables::from_bytes(&params, &bytes).expect("they are points"));
    let prover = Prover::new(key, tables).unwrap();
    let instances = SHAPE.instance_values();
    let instances: Vec<&[Fr]> = instances.iter().map(Vec::as_slice).collect();
    for lanes in [None, Some(Lanes::portable())].into_iter().chain(Lanes::detect().map(Some)) {
        let mut transcript = Blake2bWrite::<_, G1Affine, Challenge255<_>>::init(Vec::new());
        let options = Options { lanes, ..Options::new(&Unwatched) };
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        if prover.prove(&circuit, &instances, &mut rng, &mut transcript, options).is_ok() {
            let proof = transcript.finalize();
            let mut transcript = Blake2bRead::<_, G1Affine, Challenge255<_>>::init(&proof[..]);
            let strategy = SingleStrategy::new(&params);
            let verified = verify_proof::<_, VerifierSHPLONK<'_, Bn256>, _, _, _>(
                &params,
                &verifying,
                strategy,
                &[&instances],
                &mut transcript,
            );
            assert!(verified.is_err(), "{lanes:?}");
        }
    }
}
