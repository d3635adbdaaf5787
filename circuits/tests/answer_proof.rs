//! A real proof of *answer*, made and verified with development parameters: what the mock prover can't see (the quotient's degree, the
//! permutation's chunks, the transcript's binding of all 869 public inputs) is seen here. Times are printed, not judged.

use circuits::{AnswerCircuit, StatementCircuit};
use fog::testing::{AnswerCase, answers, seed};
use halo2_proofs::{
    plonk::{create_proof, keygen_pk, keygen_vk, verify_proof},
    poly::{
        commitment::ParamsProver,
        kzg::{
            commitment::{KZGCommitmentScheme, ParamsKZG},
            multiopen::{ProverSHPLONK, VerifierSHPLONK},
            strategy::SingleStrategy,
        },
    },
    transcript::{
        Blake2bRead, Blake2bWrite, Challenge255, TranscriptReadBuffer, TranscriptWriterBuffer,
    },
};
use halo2curves::bn256::{Bn256, Fr, G1Affine};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use std::time::Instant;

#[test]
fn an_answer_is_proved_and_verified() {
    let seed = seed(41);
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let params = ParamsKZG::<Bn256>::setup(AnswerCircuit::K, &mut rng);
    let start = Instant::now();
    let blank = AnswerCircuit::blank();
    let vk = keygen_vk(&params, &blank).expect("a verifying key");
    let cs = vk.cs();
    println!(
        "degree {}, {} advice, {} fixed, {} permuted columns, {} blinding rows",
        cs.degree(),
        cs.num_advice_columns(),
        cs.num_fixed_columns(),
        cs.permutation().get_columns().len(),
        cs.blinding_factors()
    );
    let pk = keygen_pk(&params, vk, &blank).expect("a proving key");
    println!("keys in {:?}", start.elapsed());

    let cases = [AnswerCase::PrePendingPawnRank, AnswerCase::PostPendingRight];
    for case in cases {
        let (public, private) = answers(seed, Some(case)).next().expect("an endless row");
        let instance = AnswerCircuit::instance(&public);
        let columns: Vec<&[Fr]> = instance.iter().map(Vec::as_slice).collect();
        let start = Instant::now();
        let circuit = AnswerCircuit::new(&public, &private);
        println!("{case:?}: witness in {:?}", start.elapsed());
        let mut transcript = Blake2bWrite::<_, G1Affine, Challenge255<_>>::init(vec![]);
        create_proof::<KZGCommitmentScheme<Bn256>, ProverSHPLONK<'_, Bn256>, _, _, _, _>(
            &params,
            &pk,
            &[circuit],
            &[&columns],
            &mut rng,
            &mut transcript,
        )
        .expect("a proof");
        let proof = transcript.finalize();
        println!("proved in {:?}, {} bytes", start.elapsed(), proof.len());

        let verify = |instance: &[&[Fr]]| {
            let mut transcript =
                Blake2bRead::<_, G1Affine, Challenge255<_>>::init(proof.as_slice());
            verify_proof::<KZGCommitmentScheme<Bn256>, VerifierSHPLONK<'_, Bn256>, _, _, _>(
                params.verifier_params(),
                pk.get_vk(),
                SingleStrategy::new(&params),
                &[instance],
                &mut transcript,
            )
        };
        let start = Instant::now();
        verify(&columns).expect("the proof is valid");
        println!("verified in {:?}", start.elapsed());
        // All 869 take long, and the mock prover looks at all: here some, others with each seed.
        for _ in 0..16 {
            let i = rng.gen_range(0..instance[0].len());
            let mut other = instance[0].clone();
            other[i] += Fr::one();
            assert!(verify(&[&other]).is_err(), "public input {i} isn't bound");
        }
        let mut short = public.clone();
        short.elements.pop();
        let instance = AnswerCircuit::instance(&short);
        let columns: Vec<&[Fr]> = instance.iter().map(Vec::as_slice).collect();
        assert!(verify(&columns).is_err(), "an element is missing");
    }
}
