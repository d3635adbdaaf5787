//! A real proof of *turn*, made and verified with development parameters. What the mock prover can't see (the degree of
//! the quotient, the permutation's chunks) is seen here.

use circuits::{StatementCircuit, TurnCircuit};
use fog::{
    curve::{FogSecret, Scalar},
    statement::turn::{TurnInputs, TurnPrivate, TurnPublic, gather},
};
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
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use std::time::Instant;

fn a_first_move() -> (TurnPublic, TurnPrivate) {
    gather(&TurnInputs {
        side: &rules::Side::start(rules::Color::Black),
        salt: Fr::zero(),
        pending: None,
        mv: "g8f6".parse().expect("a move"),
        next_salt: Fr::from(7),
        fog_key: FogSecret::from_uniform([3; 32]).key(),
        sight: None,
        next_scalars: &std::array::from_fn(|s| Scalar::from(1000 + s as u64)),
    })
    .expect("g8f6 is legal from the start")
}

#[test]
fn a_turn_is_proved_and_verified() {
    let params = ParamsKZG::<Bn256>::setup(TurnCircuit::K, ChaCha20Rng::seed_from_u64(1));
    let blank = TurnCircuit::blank();
    let vk = keygen_vk(&params, &blank).expect("a verifying key");
    let cs = vk.cs();
    println!(
        "degree {}, {} advice, {} fixed, {} permuted columns, {} lookups",
        cs.degree(),
        cs.num_advice_columns(),
        cs.num_fixed_columns(),
        cs.permutation().get_columns().len(),
        cs.lookups().len()
    );
    let pk = keygen_pk(&params, vk, &blank).expect("a proving key");

    let (public, private) = a_first_move();
    let instance = TurnCircuit::instance(&public);
    let columns: Vec<&[Fr]> = instance.iter().map(Vec::as_slice).collect();
    let start = Instant::now();
    let circuit = TurnCircuit::new(&public, &private);
    let mut transcript = Blake2bWrite::<_, G1Affine, Challenge255<_>>::init(vec![]);
    create_proof::<KZGCommitmentScheme<Bn256>, ProverSHPLONK<'_, Bn256>, _, _, _, _>(
        &params,
        &pk,
        &[circuit],
        &[&columns],
        ChaCha20Rng::seed_from_u64(2),
        &mut transcript,
    )
    .expect("a proof");
    let proof = transcript.finalize();
    println!("proved in {:?}, {} bytes", start.elapsed(), proof.len());

    let verify = |instance: &[&[Fr]]| {
        let mut transcript = Blake2bRead::<_, G1Affine, Challenge255<_>>::init(proof.as_slice());
        verify_proof::<KZGCommitmentScheme<Bn256>, VerifierSHPLONK<'_, Bn256>, _, _, _>(
            params.verifier_params(),
            pk.get_vk(),
            SingleStrategy::new(&params),
            &[instance],
            &mut transcript,
        )
    };
    verify(&columns).expect("the proof is valid");
    for i in 0..instance[0].len() {
        let mut other = instance[0].clone();
        other[i] += Fr::one();
        assert!(verify(&[&other]).is_err(), "public input {i} isn't bound");
    }
}
