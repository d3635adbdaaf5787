//! A packet: 64 squares of four encrypted bits each, lowest bit first, 65,536 bytes. The sender makes one a phase; the receiver answers
//! each question with a permuted re-randomisation of it (Brassard, Crépeau and Robert, *All-or-nothing disclosure of secrets*).

use super::{
    public_key::{ELEMENT, PublicKey, to_bytes},
    random::{StreamKey, permutation},
    secret_key::SecretKey,
};
use crypto_bigint::U2048;
use rand_chacha::rand_core::RngCore;
use rayon::prelude::*;

/// Squares of a packet.
pub const SQUARES: usize = 64;
/// Encrypted bits of a square.
pub const BITS: usize = 4;
/// Bytes of a square.
pub const SQUARE: usize = BITS * ELEMENT;
/// Bytes of a packet.
pub const PACKET: usize = SQUARES * SQUARE;

/// The sender's packet of 64 codes of four bits.
pub fn encrypt(key: &SecretKey, codes: &[u8; SQUARES], randomness: &StreamKey) -> Vec<u8> {
    let mut packet = vec![0; PACKET];
    let squares = packet.par_chunks_mut(SQUARE).zip(codes).enumerate();
    squares.for_each(|(square, (bytes, code))| {
        let mut rng = randomness.stream(square);
        for (bit, bytes) in bytes.chunks_mut(ELEMENT).enumerate() {
            bytes.copy_from_slice(&to_bytes(&key.encrypt(code >> bit & 1 == 1, &mut rng)));
        }
    });
    packet
}

/// The four bits of one square. Four streams of the randomness are used, `first` and the next.
pub fn decrypt(key: &SecretKey, square: &[u8], randomness: &StreamKey, first: usize) -> u8 {
    let bits = square.par_chunks(ELEMENT).enumerate();
    let bits = bits.map(|(bit, bytes)| {
        let element = U2048::from_be_slice(bytes);
        u8::from(key.decrypt(&element, &mut randomness.stream(first + bit))) << bit
    });
    bits.sum()
}

/// Whether all elements of a packet are below the modulus.
pub fn is_packet(key: &PublicKey, bytes: &[u8]) -> bool {
    bytes.len() == PACKET && bytes.chunks(ELEMENT).all(|element| key.is_element(element))
}

/// What a list of encrypted codes looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// How many codes, at most 64.
    pub squares: usize,
    /// Bits of each, at most 8.
    pub bits: usize,
    /// Whether bits may be flipped when the list is permuted and re-randomised.
    pub flips: bool,
}

impl Form {
    /// A packet, as questions are made from it.
    pub const PACKET: Self = Self { squares: SQUARES, bits: BITS, flips: true };

    /// Bytes of a code.
    pub const fn square_bytes(&self) -> usize {
        self.bits * ELEMENT
    }

    /// Bytes of a list.
    pub const fn bytes(&self) -> usize {
        self.squares * self.square_bytes()
    }

    /// By place, the square that randomness puts there.
    pub fn permute(&self, randomness: &StreamKey) -> Vec<u8> {
        permutation(self.squares, &mut randomness.stream(self.squares))
    }

    /// The mask and the roots that randomness gives a place.
    pub fn draw(&self, key: &PublicKey, randomness: &StreamKey, place: usize) -> (u8, Vec<U2048>) {
        let mut rng = randomness.stream(place);
        let mask = if self.flips { rng.next_u32() & ((1 << self.bits) - 1) } else { 0 };
        (mask as u8, (0..self.bits).map(|_| key.random(&mut rng)).collect())
    }
}

/// A list that others are made from: each element, and the same with its bit flipped.
#[derive(Clone)]
pub struct Source {
    /// What the list looks like.
    pub form: Form,
    elements: Vec<[U2048; 2]>,
}

/// How a list was made from another.
#[derive(Clone)]
pub struct Blinding {
    /// By place, the square of the source that went there.
    pub squares: Vec<u8>,
    /// By place, the bits that were flipped.
    pub masks: Vec<u8>,
}

impl Blinding {
    /// The place to which a square went.
    pub fn place(&self, square: usize) -> usize {
        let place = self.squares.iter().position(|from| usize::from(*from) == square);
        place.expect("a permutation has every square")
    }
}

impl Source {
    /// Reads a list; `None` if it has another length or an element is not below the modulus.
    pub fn new(key: &PublicKey, form: Form, bytes: &[u8]) -> Option<Self> {
        let pair = |bytes: &[u8]| {
            let element = U2048::from_be_slice(bytes);
            // Without flips the second is never taken.
            let flipped = if form.flips { key.mul(&element, key.y()) } else { element };
            [element, flipped]
        };
        let is_right = bytes.len() == form.bytes() && bytes.chunks(ELEMENT).all(|element| key.is_element(element));
        is_right.then(|| Self { form, elements: bytes.par_chunks(ELEMENT).map(pair).collect() })
    }

    /// A uniform permutation of the list, each element multiplied by the square of a uniform one, each bit flipped or not by a uniform
    /// mask. So with an honest key the result is uniform, whatever the permutation.
    pub fn rerandomise(&self, key: &PublicKey, randomness: &StreamKey) -> (Vec<u8>, Blinding) {
        let squares = self.form.permute(randomness);
        let mut list = vec![0; self.form.bytes()];
        let places = list.par_chunks_mut(self.form.square_bytes()).enumerate();
        let masks = places.map(|(place, bytes)| {
            let (mask, roots) = self.form.draw(key, randomness, place);
            self.write(key, usize::from(squares[place]), mask, &roots, bytes);
            mask
        });
        let masks = masks.collect();
        (list, Blinding { squares, masks })
    }

    /// Writes one place of a list: a square, bits flipped by a mask, times the squares of roots.
    pub fn write(&self, key: &PublicKey, square: usize, mask: u8, roots: &[U2048], bytes: &mut [u8]) {
        let elements = &self.elements[square * self.form.bits..];
        for (bit, (root, bytes)) in roots.iter().zip(bytes.chunks_mut(ELEMENT)).enumerate() {
            let element = &elements[bit][usize::from(mask >> bit & 1)];
            bytes.copy_from_slice(&to_bytes(&key.mul(element, &key.square(root))));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::andos::random::KEY_BYTES;

    #[test]
    fn a_rerandomised_packet_holds_the_same_codes_elsewhere() {
        let stream = |byte| StreamKey::from_bytes([byte; KEY_BYTES]);
        let key = SecretKey::generate(&stream(1));
        let codes = std::array::from_fn(|square| ((7 * square) & 15) as u8);
        let packet = encrypt(&key, &codes, &stream(2));
        let source = Source::new(key.public(), Form::PACKET, &packet).expect("a packet");
        let (other, blinding) = source.rerandomise(key.public(), &stream(3));
        assert!(is_packet(key.public(), &other));
        assert_eq!(source.rerandomise(key.public(), &stream(3)).0, other);
        for (square, code) in codes.iter().enumerate() {
            let place = blinding.place(square);
            let [here, there] =
                [(&packet, square), (&other, place)].map(|(packet, at)| &packet[at * SQUARE..][..SQUARE]);
            assert_eq!(decrypt(&key, here, &stream(4), 0), *code);
            assert_eq!(decrypt(&key, there, &stream(5), 4) ^ blinding.masks[place], *code);
            assert_ne!(here, there);
        }
        let mut wrong = packet;
        wrong[..ELEMENT].fill(0xff);
        assert!(Source::new(key.public(), Form::PACKET, &wrong).is_none());
    }
}
