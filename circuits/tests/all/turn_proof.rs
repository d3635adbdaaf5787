//! A real proof of *turn*, made and verified with development parameters. What the mock prover can't see (the degree of
//! the quotient, the permutation's chunks) is seen here.

use crate::common::Keys;
use circuits::{StatementCircuit, TurnCircuit};
use fog::{
    curve::{FogSecret, Scalar},
    statement::turn::{TurnDraft, TurnPrivate, TurnPublic, gather},
};
use halo2curves::bn256::Fr;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

fn a_first_move() -> (TurnPublic, TurnPrivate) {
    gather(&TurnDraft {
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
    let keys = Keys::make::<TurnCircuit>(ChaCha20Rng::seed_from_u64(1));
    let (public, private) = a_first_move();
    let instance = TurnCircuit::instance(&public);
    let circuit = TurnCircuit::new(&public, &private);
    let proof = keys.prove(circuit, &instance, ChaCha20Rng::seed_from_u64(2));

    let verify = |instance: &[Vec<Fr>]| keys.verify(&proof, instance);
    verify(&instance).expect("the proof is valid");
    for i in 0..instance[0].len() {
        let mut other = instance[0].clone();
        other[i] += Fr::one();
        assert!(verify(&[other]).is_err(), "public input {i} isn't bound");
    }
}
