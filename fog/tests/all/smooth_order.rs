//! Regression against a known system: exponents in `F*` fall to Pohlig–Hellman, because `|F| − 1` is smooth enough; the order
//! of Grumpkin is prime, so there the same attack has no subgroup to work in (protocol section 3).

use ff::{Field, PrimeField};
use fog::{
    F,
    curve::{Scalar, mul, random_scalar},
    poseidon::{Tag, hash},
    testing::seed,
    word::{from_word, to_word},
};
use group::Group;
use halo2curves::grumpkin::G1Affine;
use rand::{Rng, SeedableRng, rngs::StdRng};

/// The small odd primes that divide `|F| − 1`.
const SMALL_PRIMES: [u64; 5] = [13, 29, 983, 11003, 237_073];

/// A big-endian number divided by a small one, and the remainder.
fn divide(number: [u8; 32], divisor: u64) -> ([u8; 32], u64) {
    let mut quotient = [0; 32];
    let mut rest: u64 = 0;
    for (digit, byte) in quotient.iter_mut().zip(number) {
        rest = rest << 8 | u64::from(byte);
        *digit = (rest / divisor) as u8;
        rest %= divisor;
    }
    (quotient, rest)
}

/// Little-endian limbs, as `pow` takes exponents.
fn limbs(number: [u8; 32]) -> [u64; 4] {
    let mut limbs = [0; 4];
    for (limb, chunk) in limbs.iter_mut().rev().zip(number.chunks_exact(8)) {
        *limb = u64::from_be_bytes(chunk.try_into().expect("eight bytes"));
    }
    limbs
}

/// How the known system names a square: an element of `F*`, which a secret exponent then hides.
fn name(square: u64) -> F {
    hash(Tag::Leaf, F::from(square), F::ZERO)
}

/// Baby steps, giant steps: `k` with `base^k = value` in the subgroup of order `prime`.
fn logarithm(base: F, value: F, prime: u64) -> Option<u64> {
    let width = (prime as f64).sqrt().ceil() as u64;
    let babies: Vec<F> = std::iter::successors(Some(F::ONE), |last| Some(*last * base)).take(width as usize).collect();
    let giant = base.pow_vartime([width]).invert().unwrap_or(F::ONE);
    let mut at = value;
    for step in 0..width {
        if let Some(baby) = babies.iter().position(|baby| *baby == at) {
            return Some(step * width + baby as u64);
        }
        at *= giant;
    }
    None
}

/// Squares whose hidden name could be `hidden`, given one square whose hidden name is known.
fn attack(known: (u64, F), hidden: F) -> Vec<u64> {
    let order = to_word(&-F::ONE);
    let mut candidates: Vec<u64> = (0..64).collect();
    for prime in SMALL_PRIMES {
        let (cofactor, rest) = divide(order, prime);
        assert_eq!(rest, 0, "{prime} divides |F| - 1");
        let project = |value: F| value.pow_vartime(limbs(cofactor));
        let base = project(name(known.0));
        if base == F::ONE {
            continue;
        }
        let Some(exponent) = logarithm(base, project(known.1), prime) else {
            continue;
        };
        candidates.retain(|square| project(name(*square)).pow_vartime([exponent]) == project(hidden));
    }
    candidates
}

#[test]
fn exponents_in_the_field_give_the_hidden_square_away() {
    let mut rng = StdRng::seed_from_u64(seed(51));
    for _ in 0..8 {
        let secret = F::random(&mut rng).to_repr();
        let mut exponent = [0; 4];
        for (limb, chunk) in exponent.iter_mut().zip(secret.chunks_exact(8)) {
            *limb = u64::from_le_bytes(chunk.try_into().expect("eight bytes"));
        }
        let hide = |square: u64| name(square).pow_vartime(exponent);
        let square = rng.gen_range(0..64);
        let started = std::time::Instant::now();
        let found = attack((4, hide(4)), hide(square));
        println!("square {square} found as {found:?} in {:?}", started.elapsed());
        assert_eq!(found, [square]);
    }
}

#[test]
fn the_order_of_grumpkin_has_no_small_factor_and_is_prime() {
    let mut order = to_word(&-Scalar::ONE);
    order[31] += 1;
    for divisor in 2..(1 << 17) {
        assert_ne!(divide(order, divisor).1, 0, "{divisor} divides q");
    }
    // q = 3 mod 4, so q - 1 is twice an odd number: strong probable primality for many bases, in arithmetic modulo q
    assert_eq!(order[31] & 3, 3);
    let odd = limbs(divide(to_word(&-Scalar::ONE), 2).0);
    let mut rng = StdRng::seed_from_u64(seed(52));
    for _ in 0..40 {
        let power = random_scalar(&mut rng).pow_vartime(odd);
        assert!(power == Scalar::ONE || power == -Scalar::ONE, "q is composite");
    }
}

#[test]
fn points_have_no_small_order_to_project_to() {
    let g = G1Affine::generator();
    assert!(bool::from((mul(&g, &-Scalar::ONE) + g).is_identity()));
    // In F* a cofactor sends each element into a subgroup of as many elements as the prime; were there such a one here, that many times the projection
    // would be no point at all. It is told by the same arithmetic that the attack projects by.
    let mut order = to_word(&-Scalar::ONE);
    order[31] += 1;
    for prime in SMALL_PRIMES {
        let cofactor = divide(order, prime).0;
        let projected = mul(&g, &from_word(&cofactor).expect("below the order"));
        assert_ne!(mul(&projected, &Scalar::from(prime)), G1Affine::default(), "a subgroup of order {prime}");
    }
}
