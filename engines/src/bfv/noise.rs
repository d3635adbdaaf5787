//! Measures what the flood hides, and that it hides it and no more.

use super::{
    captured,
    decryption::{FLOOD_FACTOR, FLOOD_FACTOR_BITS},
    pairs::{Exchange, ciphers, noise},
    parameters::{DEGREE, DROPPED, FLOOD_BITS, PLAINTEXT, Parameters},
    ring,
    transcript::Transcript,
};
use crate::psi::pairs::Boards;
use fhe::bfv::Encoding;
use fhe_traits::FheDecoder;
use fog::{
    engine::{Branch, Phase},
    testing::{Walk, seed},
};
use num_bigint::BigUint;
use rand::{Rng, SeedableRng, rngs::StdRng};

/// What the documents say of keys as they are drawn: `|e| < 2^11`, so that the flood leaves a distance of 2⁻⁸² at most.
const NOISE_BITS: u32 = 11;

/// What they say of all keys: `|e| < 2^17.8`.
const WORST_NOISE: f64 = 228_000.0;

fn largest(noise: &[i128]) -> u128 {
    noise.iter().map(|noise| noise.unsigned_abs()).max().unwrap_or_default()
}

#[test]
fn noise_of_products_is_far_below_the_flood() {
    let mut rng = StdRng::seed_from_u64(seed(173));
    let (mut walk, mut worst, mut squares) = (Walk::start(), 0, 0.0);
    let cases = 4;
    for case in 0..cases {
        let ciphers = ciphers(&mut rng);
        let mut boards = Boards::random(&mut walk, &mut rng);
        boards.phase = [Phase::Pre, Phase::Post][case % 2];
        let exchange = Exchange::new(&ciphers, boards, &mut rng);
        let product = exchange.product();
        let (sender, receiver) = (&exchange.sender.cipher, &exchange.receiver.cipher);
        let bare = sender.bare_share(&product);
        let plaintext = receiver.opened(&product, &bare).expect("a plaintext");
        let plaintext = Vec::<u64>::try_decode(&plaintext, Encoding::poly_at_level(DROPPED)).expect("coefficients");
        let rest = &product.ciphertext[0] + &*receiver.bare_share(&product);
        let of_product = noise(&(&rest + &*bare), &plaintext);
        worst = worst.max(largest(&of_product));
        squares += of_product.iter().map(|noise| (*noise as f64).powi(2)).sum::<f64>();

        let mut stream = Transcript::new(&rng.r#gen()).stream(&Branch::from_bytes(rng.r#gen()), "flood");
        let share = sender.decryption_share(&product, &mut stream).expect("a share");
        let share = ring::read(2, &share, Parameters::get().expect("parameters").switched()).expect("a share");
        let flooded = largest(&noise(&(&rest + &share[0]), &plaintext));
        assert!(flooded > 1 << (FLOOD_BITS - 1), "the flood is there");
        assert!(flooded < (1 << FLOOD_BITS) + (1 << NOISE_BITS), "and no larger than it is said to be");
    }
    let deviation = (squares / (cases * DEGREE) as f64).sqrt();
    let distance = f64::from(FLOOD_BITS + 1) - (DEGREE as f64).log2() - (worst as f64).log2();
    println!("noise of products: at most {worst}, deviation {deviation:.1}; flooded to a distance of 2^-{distance:.1}");
    assert!(worst < 1 << NOISE_BITS);
    // 117 by the derivation: the rounding of the last division, times the joint key.
    assert!((100.0..140.0).contains(&deviation));
}

/// The bounds of the documents as numbers: decryption can't fail, and the distances are what is said.
#[test]
fn the_flood_leaves_room_for_the_plaintext() {
    let room = Parameters::get().expect("parameters").switched().modulus() / (2 * PLAINTEXT);
    assert!(room.bits() == 113 && BigUint::from((1_u128 << FLOOD_BITS) + (1 << 18)) < room);
    let distance = |noise: f64| f64::from(FLOOD_BITS + 1) - (DEGREE as f64).log2() - noise.log2();
    assert!(distance(f64::from(1 << NOISE_BITS)) >= 82.0);
    let worst = (1.0 + DEGREE as f64 * 52.0) / 2.0 + 2.0;
    assert!(worst < WORST_NOISE && distance(WORST_NOISE) > 75.0);
    // Every share that *decryption* takes leaves room for the plaintext, and what it opens fits *captured*.
    let most: BigUint = (BigUint::from(1_u32) << FLOOD_FACTOR_BITS) / FLOOD_FACTOR + (1_u32 << 18);
    assert!(most > BigUint::from(1_u128 << FLOOD_BITS) && most < room);
    assert!(most * PLAINTEXT < BigUint::from(1_u32) << captured::NOISE_BITS);
}
