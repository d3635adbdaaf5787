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
/// The stream of a permutation; those below are the squares'.
const PERMUTATION: usize = SQUARES;

/// Products modulo the modulus in making one packet from another.
pub const MODMULS: u64 = 2 * (SQUARES * BITS) as u64;

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

/// A packet that others are made from: each element, and the same with its bit flipped.
#[derive(Clone)]
pub struct Source(Vec<[[U2048; 2]; BITS]>);

/// How a packet was made from another.
#[derive(Clone)]
pub struct Blinding {
    /// By place, the square of the source that went there.
    pub squares: [u8; SQUARES],
    /// By place, the bits that were flipped.
    pub masks: [u8; SQUARES],
}

impl Blinding {
    /// The place to which a square went.
    pub fn place(&self, square: usize) -> usize {
        let place = self.squares.iter().position(|from| usize::from(*from) == square);
        place.expect("a permutation has every square")
    }
}

impl Source {
    /// Reads a packet; `None` if an element is not below the modulus.
    pub fn new(key: &PublicKey, packet: &[u8]) -> Option<Self> {
        let pair = |bytes: &[u8]| {
            let element = U2048::from_be_slice(bytes);
            [element, key.mul(&element, key.y())]
        };
        let square = |bytes: &[u8]| std::array::from_fn(|bit| pair(&bytes[bit * ELEMENT..][..ELEMENT]));
        is_packet(key, packet).then(|| Self(packet.par_chunks(SQUARE).map(square).collect()))
    }

    /// An element, with its bit flipped if the mask's bit is set.
    fn element(&self, square: usize, bit: usize, mask: u8) -> &U2048 {
        &self.0[square][bit][usize::from(mask >> bit & 1)]
    }

    /// A uniform permutation of the packet, each element multiplied by the square of a uniform one, each bit flipped or not by a
    /// uniform mask. So with an honest key the result is uniform, whatever the permutation.
    pub fn rerandomise(&self, key: &PublicKey, randomness: &StreamKey) -> (Vec<u8>, Blinding) {
        let squares = squares(randomness);
        let mut packet = vec![0; PACKET];
        let places = packet.par_chunks_mut(SQUARE).enumerate();
        let masks = places.map(|(place, bytes)| {
            let (mask, roots) = draw(key, randomness, place);
            self.write(key, usize::from(squares[place]), mask, &roots, bytes);
            mask
        });
        let masks: Vec<u8> = masks.collect();
        let masks = masks.try_into().expect("one a square");
        (packet, Blinding { squares, masks })
    }

    /// Writes one place of a packet: a square, bits flipped by a mask, times the squares of roots.
    pub fn write(&self, key: &PublicKey, square: usize, mask: u8, roots: &[U2048; BITS], bytes: &mut [u8]) {
        for ((bit, root), bytes) in roots.iter().enumerate().zip(bytes.chunks_mut(ELEMENT)) {
            let element = key.mul(self.element(square, bit, mask), &key.square(root));
            bytes.copy_from_slice(&to_bytes(&element));
        }
    }
}

/// By place, the square that randomness puts there.
pub fn squares(randomness: &StreamKey) -> [u8; SQUARES] {
    permutation(&mut randomness.stream(PERMUTATION))
}

/// The mask and the roots that randomness gives a place.
pub fn draw(key: &PublicKey, randomness: &StreamKey, place: usize) -> (u8, [U2048; BITS]) {
    let mut rng = randomness.stream(place);
    let mask = (rng.next_u32() & 0xf) as u8;
    (mask, std::array::from_fn(|_| key.random(&mut rng)))
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
        let source = Source::new(key.public(), &packet).expect("a packet");
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
        assert!(Source::new(key.public(), &wrong).is_none());
    }
}
