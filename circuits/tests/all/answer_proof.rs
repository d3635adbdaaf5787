//! A real proof of *answer*, made and verified with development parameters: what the mock prover can't see (the quotient's
//! degree, the permutation's chunks, the transcript's binding of all 869 public inputs) is seen here.

use crate::common::Keys;
use circuits::{AnswerCircuit, StatementCircuit};
use fog::testing::{AnswerCase, answers, seed};
use halo2curves::bn256::Fr;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use std::time::Instant;

#[test]
fn an_answer_is_proved_and_verified() {
    let seed = seed(41);
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let keys = Keys::make::<AnswerCircuit>(&mut rng);

    let cases = [AnswerCase::PrePendingPawnRank, AnswerCase::PostPendingRight];
    for case in cases {
        let (public, private) = answers(seed, Some(case)).next().expect("an endless row");
        let instance = AnswerCircuit::instance(&public);
        let start = Instant::now();
        let circuit = AnswerCircuit::new(&public, &private);
        println!("{case:?}: witness in {:?}", start.elapsed());
        let proof = keys.prove(circuit, &instance, &mut rng);

        let verify = |instance: &[Vec<Fr>]| keys.verify(&proof, instance);
        let start = Instant::now();
        verify(&instance).expect("the proof is valid");
        println!("verified in {:?}", start.elapsed());
        // All 869 take long, and the mock prover looks at all: here some, others with each seed.
        for _ in 0..16 {
            let i = rng.gen_range(0..instance[0].len());
            let mut other = instance[0].clone();
            other[i] += Fr::one();
            assert!(verify(&[other]).is_err(), "public input {i} isn't bound");
        }
        let mut short = public.clone();
        short.elements.pop();
        let short = AnswerCircuit::instance(&short);
        assert!(verify(&short).is_err(), "an element is missing");
    }
}
