//! Encrypted codes that are multiplied by known squares, forth and back.

use crate::andos::{
    packet::{BITS, SQUARE},
    public_key::{ELEMENT, PublicKey, to_bytes},
    random::StreamKey,
    secret_key::SecretKey,
};
use crypto_bigint::U2048;

pub type Code = [U2048; BITS];

/// A code of a list.
pub fn code(list: &[u8], square: usize) -> Code {
    std::array::from_fn(|bit| U2048::from_be_slice(&list[square * SQUARE + bit * ELEMENT..][..ELEMENT]))
}

pub fn code_bytes(code: &Code) -> Vec<u8> {
    code.iter().flat_map(to_bytes).collect()
}

/// Draws random units, each with its inverse.
pub struct Units<'a> {
    key: &'a PublicKey,
    units: std::vec::IntoIter<(U2048, U2048)>,
}

impl<'a> Units<'a> {
    /// As many as `codes` codes need.
    pub fn new(key: &'a PublicKey, randomness: &StreamKey, codes: usize) -> Self {
        let mut rng = randomness.stream(0);
        let drawn: Vec<U2048> = (0..codes * BITS).map(|_| key.random(&mut rng)).collect();
        let inverses = key.invert_all(&drawn);
        let units: Vec<_> = drawn.into_iter().zip(inverses).collect();
        Self { key, units: units.into_iter() }
    }

    /// A re-randomised code, and the roots that lead to it and back.
    pub fn rerandomise(&mut self, code: &Code) -> (Code, Code, Code) {
        let (mut to, mut back) = ([U2048::ZERO; BITS], [U2048::ZERO; BITS]);
        let made = std::array::from_fn(|bit| {
            (to[bit], back[bit]) = self.units.next().expect("as many as are needed");
            self.key.mul(&code[bit], &self.key.square(&to[bit]))
        });
        (made, to, back)
    }
}

/// The roots that lead from one code to another that is the same; something else if it isn't.
pub fn roots(key: &SecretKey, from: &Code, to: &Code) -> Code {
    let inverses = key.public().invert_all(from);
    std::array::from_fn(|bit| key.root(&key.public().mul(&to[bit], &inverses[bit])))
}
