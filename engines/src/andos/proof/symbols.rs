//! That all elements of a packet have Jacobi symbol +1: with a well formed key, that each is an encrypted bit, and no mark by which the
//! sender knows its squares again.
//!
//! A symbol takes as long as 300 products. So the products of 40 random halves of the elements are looked at: each finds a wrong
//! element with a half, all of them but for 2⁻⁴⁰.

use crate::andos::{
    public_key::{ELEMENT, PublicKey},
    random::StreamKey,
};
use crypto_bigint::U2048;
use rand_chacha::rand_core::RngCore;
use rayon::prelude::*;

/// Random products that are looked at.
const PRODUCTS: usize = 40;

/// Whether all elements of a packet have the symbol +1. The randomness is the verifier's alone.
pub fn are_all_one(key: &PublicKey, packet: &[u8], randomness: &StreamKey) -> bool {
    let elements: Vec<U2048> = packet.chunks(ELEMENT).map(U2048::from_be_slice).collect();
    (0..PRODUCTS).into_par_iter().all(|number| {
        let mut rng = randomness.stream(number);
        let taken = elements.iter().filter(|_| rng.next_u32() & 1 == 1);
        let product = taken.fold(*key.one(), |product, element| key.mul(&product, element));
        key.jacobi(&product) == 1
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::andos::{packet, random::KEY_BYTES, secret_key::SecretKey};

    #[test]
    fn one_element_with_another_symbol_is_found() {
        let stream = |byte| StreamKey::from_bytes([byte; KEY_BYTES]);
        let key = SecretKey::generate(&stream(1));
        let right = packet::encrypt(&key, &[5; packet::SQUARES], &stream(2));
        assert!(are_all_one(key.public(), &right, &stream(3)));
        let mut rng = stream(4).stream(0);
        let drawn = std::iter::repeat_with(|| key.public().random(&mut rng));
        let odd = drawn.into_iter().find(|x| key.public().jacobi(x) == -1).expect("one of two");
        for place in [0, 100, 255] {
            let mut wrong = right.clone();
            wrong[place * ELEMENT..][..ELEMENT].copy_from_slice(&crate::andos::public_key::to_bytes(&odd));
            assert!(!are_all_one(key.public(), &wrong, &stream(5)));
        }
    }
}
