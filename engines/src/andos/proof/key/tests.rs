//! Right keys are proven; for false ones there is no proof, whoever makes it.

use super::*;
use crate::andos::{
    random::{KEY_BYTES, number},
    secret_key::symbol_modulo,
};
use crypto_bigint::{U512, U1024};
use crypto_primes::{Flavor, hazmat::SmallFactorsSieve, is_prime};
use rand_chacha::ChaCha20Rng;
use std::num::NonZeroU32;

const CONTEXT: Word = [5; 32];

fn stream(byte: u8) -> StreamKey {
    StreamKey::from_bytes([byte; KEY_BYTES])
}

#[test]
fn a_right_key_is_proven_and_no_byte_of_the_proof_may_change() {
    let key = SecretKey::generate(&stream(1));
    let proof = prove(&key, &CONTEXT);
    assert_eq!(proof.len(), KEY_PROOF);
    assert_eq!(verify(key.public(), &CONTEXT, &proof), Ok(()));
    for place in [0, 1, ROOT - 1, KEY_PROOF - ROOT, KEY_PROOF - 1] {
        let mut wrong = proof.clone();
        wrong[place] ^= 1;
        assert_eq!(verify(key.public(), &CONTEXT, &wrong), Err(KeyProofError::Root));
    }
    assert_eq!(verify(key.public(), &[6; 32], &proof), Err(KeyProofError::Root));
    assert_eq!(verify(key.public(), &CONTEXT, &proof[1..]), Err(KeyProofError::Root));
}

/// The owner of a right modulus names a residue `y`, and does its best.
#[test]
fn a_residue_in_the_place_of_y_is_refused() {
    let key = SecretKey::generate(&stream(2));
    let residue = key.public().square(&key.public().random(&mut stream(3).stream(0)));
    let false_key = key.with_y(residue);
    assert_eq!(verify(false_key.public(), &CONTEXT, &prove(&false_key, &CONTEXT)), Err(KeyProofError::Root));
}

#[test]
fn a_prime_and_a_power_are_refused() {
    let key = SecretKey::generate(&stream(4));
    let proof = prove(&key, &CONTEXT);
    let mut rng = stream(5).stream(0);
    let mut prime = |from: U2048, bits: u32| {
        let start = (number::<{ U2048::LIMBS }>(&mut rng) >> (2056 - bits)) | from;
        let sieve = SmallFactorsSieve::new(start, NonZeroU32::new(bits).expect("it isn't 0"), false);
        let mut sieve = sieve.expect("no more bits");
        sieve.find(|candidate| is_prime(Flavor::Any, candidate)).expect("primes are everywhere")
    };
    let cube = prime(U2048::from_u8(11) << 679, 683).wrapping_pow(&U1024::from_u8(3));
    let prime = prime(U2048::ONE << 2047, 2048);
    for modulus in [prime, cube] {
        let one = PublicKey::new(modulus, U2048::ONE).expect("it has the symbol +1");
        assert_eq!(verify(&one, &CONTEXT, &proof), Err(KeyProofError::OnePrime));
    }
}

/// A product of three primes, with `y` a non-residue modulo two of them. Some of the elements has no root in any coset, by its
/// Legendre symbols: so no bytes are a proof.
#[test]
fn for_a_modulus_of_three_primes_there_is_no_proof() {
    let mut rng = stream(6).stream(0);
    let primes = three_primes(&mut rng);
    let symbols = |x: &U2048| primes.map(|prime| symbol_modulo(x, &prime));
    let [p, q, r] = primes.map(|prime| prime.resize::<{ U2048::LIMBS }>());
    let modulus = p.wrapping_mul(&q).wrapping_mul(&r);
    let y = loop {
        let drawn = number::<{ U2048::LIMBS }>(&mut rng).shr_vartime(1);
        if symbols(&drawn) == [-1, -1, 1] {
            break drawn;
        }
    };
    let key = PublicKey::new(modulus, y).expect("nothing of it can be seen");
    let u = opposite(&key);
    let has_root = |x: &U2048| (0..4).any(|coset| symbols(&member(&key, x, &u, coset)) == [1; 3]);
    let answered = elements(&key, &CONTEXT).iter().filter(|x| has_root(x)).count();
    assert!((30..98).contains(&answered), "{answered} of {ELEMENTS}: half of them");
}

/// One of 1,024 bits and two of 512, their product of 2,048.
fn three_primes(rng: &mut ChaCha20Rng) -> [U1024; 3] {
    let mut prime = |bits: u32| {
        let top = U1024::from_u8(7) << (bits - 3);
        let start = U512::from_be_slice(&stream_bytes(rng)).resize::<{ U1024::LIMBS }>() >> 4 | top;
        let bits = NonZeroU32::new(bits).expect("it isn't 0");
        let mut sieve = SmallFactorsSieve::new(start, bits, false).expect("no more bits");
        sieve.find(|candidate| is_prime(Flavor::Any, candidate)).expect("primes are everywhere")
    };
    [prime(1024), prime(512), prime(512)]
}

fn stream_bytes(rng: &mut ChaCha20Rng) -> [u8; 64] {
    let mut bytes = [0; 64];
    rand_chacha::rand_core::RngCore::fill_bytes(rng, &mut bytes);
    bytes
}
