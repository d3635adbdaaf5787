//! The primes behind a public key, and what their owner alone can do: tell a residue from a non-residue by a Legendre symbol modulo `p`,
//! and encrypt by the Chinese remainder theorem at half the length.
//!
//! The Legendre symbol's time depends on its argument, which the peer chose in part. So the argument is first multiplied by the
//! square of a random number: the symbol stays, and the time is that of a uniform element of the same character.

use super::{
    public_key::PublicKey,
    random::{StreamKey, number, number_below},
};
use crypto_bigint::{
    NonZero, Odd, U1024, U2048,
    modular::{FixedMontyForm, FixedMontyParams},
};
use crypto_primes::{Flavor, hazmat::SmallFactorsSieve, is_prime};
use rand_chacha::ChaCha20Rng;
use std::{hint::black_box, num::NonZeroU32};

const LIMBS: usize = U1024::LIMBS;

/// Arithmetic modulo one prime factor, in Montgomery form as for the modulus (2¹⁰²⁴ is a square too).
struct Prime {
    params: FixedMontyParams<LIMBS>,
    /// `y` modulo the prime.
    y: FixedMontyForm<LIMBS>,
}

pub struct SecretKey {
    public: PublicKey,
    p: Prime,
    q: Prime,
    /// The inverse of `q` modulo `p`.
    q_inverse: FixedMontyForm<LIMBS>,
}

/// The first prime at or above a random number of 1,024 bits whose two highest are set, so that the product of two has 2,048. It is 3
/// modulo 4, so that roots are powers.
fn random_prime(rng: &mut ChaCha20Rng) -> U1024 {
    let bits = NonZeroU32::new(U1024::BITS).expect("it isn't 0");
    loop {
        let start = number::<LIMBS>(rng) | (U1024::from_u8(3) << (U1024::BITS - 2));
        let sieve = SmallFactorsSieve::new(start, bits, false).expect("the number has no more bits");
        let mut candidates = sieve.into_iter();
        let is_right = |candidate: &U1024| candidate.as_limbs()[0].0 % 4 == 3 && is_prime(Flavor::Any, candidate);
        if let Some(prime) = candidates.find(is_right) {
            return prime;
        }
    }
}

impl Prime {
    /// With a random non-residue.
    fn new(prime: &U1024, rng: &mut ChaCha20Rng) -> Self {
        let odd = Odd::new(*prime).expect("such a prime is odd");
        let params = FixedMontyParams::new(odd);
        let y = loop {
            let drawn = FixedMontyForm::from_montgomery(number_below(rng, prime), &params);
            if legendre(&drawn) == -1 {
                break drawn;
            }
        };
        Self { params, y }
    }

    fn number(&self) -> &U1024 {
        self.params.modulus().as_ref()
    }

    fn random(&self, rng: &mut ChaCha20Rng) -> FixedMontyForm<LIMBS> {
        FixedMontyForm::from_montgomery(number_below(rng, self.number()), &self.params)
    }

    /// A uniform residue, or non-residue if `bit`.
    fn encrypt(&self, bit: bool, rng: &mut ChaCha20Rng) -> FixedMontyForm<LIMBS> {
        let one = FixedMontyForm::one(&self.params);
        self.random(rng).square() * [one, self.y][usize::from(bit)]
    }

    /// The root of a residue, itself a residue, all as plain numbers.
    fn root(&self, residue: &U2048) -> FixedMontyForm<LIMBS> {
        let modulus = NonZero::new(*self.number()).expect("a prime isn't 0");
        let exponent = self.number().shr_vartime(2).wrapping_add(&U1024::ONE);
        let root = FixedMontyForm::new(&residue.rem(&modulus), &self.params).pow(&exponent);
        FixedMontyForm::from_montgomery(root.retrieve(), &self.params)
    }

    fn reduce(&self, element: &U2048) -> FixedMontyForm<LIMBS> {
        let modulus = NonZero::new(*self.number()).expect("a prime isn't 0");
        FixedMontyForm::from_montgomery(element.rem(&modulus), &self.params)
    }
}

fn legendre(element: &FixedMontyForm<LIMBS>) -> i8 {
    super::public_key::symbol(element.as_montgomery().jacobi_symbol_vartime(element.params().modulus()))
}

impl SecretKey {
    /// A new key. Takes some 100 ms.
    pub fn generate(randomness: &StreamKey) -> Self {
        let prime = |number| {
            let mut rng = randomness.stream(number);
            let prime = random_prime(&mut rng);
            Prime::new(&prime, &mut rng)
        };
        let (a, b) = rayon::join(|| prime(0), || prime(1));
        Self::from_primes(a, b)
    }

    fn from_primes(a: Prime, b: Prime) -> Self {
        let (p, q) = if a.number() > b.number() { (a, b) } else { (b, a) };
        let inverse = FixedMontyForm::new(q.number(), &p.params).invert();
        let q_inverse = Option::from(inverse).expect("two random primes of 1,024 bits differ");
        let modulus: U2048 = p.number().concatenating_mul(q.number());
        let y = join(&p, &q, &q_inverse, &p.y, &q.y);
        let public = PublicKey::new(modulus, y).expect("two non-residues make the symbol +1");
        Self { public, p, q, q_inverse }
    }

    /// What the peer gets.
    pub fn public(&self) -> &PublicKey {
        &self.public
    }

    /// A uniform element that holds a bit: a residue for 0, a non-residue with Jacobi symbol +1 for 1.
    pub fn encrypt(&self, bit: bool, rng: &mut ChaCha20Rng) -> U2048 {
        let (a, b) = (self.p.encrypt(bit, rng), self.q.encrypt(bit, rng));
        join(&self.p, &self.q, &self.q_inverse, &a, &b)
    }

    /// The bit that an element with Jacobi symbol +1 holds.
    pub fn decrypt(&self, element: &U2048, rng: &mut ChaCha20Rng) -> bool {
        legendre(&(self.p.reduce(element) * self.p.random(rng).square())) != 1
    }
}

impl SecretKey {
    /// The Legendre symbols of an element modulo both primes.
    pub fn symbols(&self, element: &U2048) -> [i8; 2] {
        [&self.p, &self.q].map(|prime| legendre(&prime.reduce(element)))
    }

    /// The root of an element that is a residue modulo both primes, always the same one.
    pub fn root(&self, element: &U2048) -> U2048 {
        let residue = self.public.to_root_domain(element);
        join(&self.p, &self.q, &self.q_inverse, &self.p.root(&residue), &self.q.root(&residue))
    }
}

/// The Legendre symbol of a number modulo any odd prime, for tests.
#[cfg(test)]
pub fn symbol_modulo(number: &U2048, prime: &U1024) -> i8 {
    let reduced = number.rem(&NonZero::new(*prime).expect("a prime isn't 0"));
    super::public_key::symbol(reduced.jacobi_symbol_vartime(&Odd::new(*prime).expect("it is odd")))
}

#[cfg(test)]
impl SecretKey {
    /// The key with these primes and another `y`.
    pub fn with_y(&self, y: U2048) -> Self {
        let copy = |prime: &Prime| Prime { params: prime.params, y: prime.y };
        let public = PublicKey::new(*self.public.modulus(), y).expect("it has the symbol +1");
        Self { public, p: copy(&self.p), q: copy(&self.q), q_inverse: self.q_inverse }
    }
}

/// The number below `p·q` that is `a` modulo `p` and `b` modulo `q` (Garner).
fn join(
    p: &Prime,
    q: &Prime,
    q_inverse: &FixedMontyForm<LIMBS>,
    a: &FixedMontyForm<LIMBS>,
    b: &FixedMontyForm<LIMBS>,
) -> U2048 {
    let b = b.as_montgomery();
    // `q` is the smaller one, so `b` is reduced modulo `p`.
    let difference = *a - FixedMontyForm::from_montgomery(*b, &p.params);
    let times = difference * *q_inverse;
    let product: U2048 = q.number().concatenating_mul(times.as_montgomery());
    product.wrapping_add(&b.resize())
}

impl Drop for SecretKey {
    /// Wipes the primes, as well as safe Rust can.
    fn drop(&mut self) {
        let three = FixedMontyParams::new_vartime(Odd::new(U1024::from_u8(3)).expect("3 is odd"));
        for prime in [&mut self.p, &mut self.q] {
            *prime = Prime { params: three, y: FixedMontyForm::one(&three) };
        }
        self.q_inverse = FixedMontyForm::one(&three);
        black_box(&self.p.params);
        black_box(&self.q.params);
        black_box(&self.q_inverse);
    }
}

fog::redacted!(SecretKey);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::andos::random::KEY_BYTES;

    #[test]
    fn what_is_encrypted_is_decrypted_and_products_add_bits() {
        let key = SecretKey::generate(&StreamKey::from_bytes([1; KEY_BYTES]));
        let public = key.public();
        assert_eq!(PublicKey::from_bytes(&public.to_bytes()).expect("a key").to_bytes(), public.to_bytes());
        let mut rng = StreamKey::from_bytes([2; KEY_BYTES]).stream(0);
        for (a, b) in [(false, false), (false, true), (true, false), (true, true)] {
            let [x, z] = [a, b].map(|bit| key.encrypt(bit, &mut rng));
            assert!(x < *public.modulus() && public.jacobi(&x) == 1);
            let product = public.mul(&public.mul(&x, &z), &public.square(&public.random(&mut rng)));
            assert_eq!([&x, &z, &product].map(|e| key.decrypt(e, &mut rng)), [a, b, a ^ b]);
        }
        assert!(key.decrypt(public.y(), &mut rng) && !key.decrypt(public.one(), &mut rng));
        let residue = key.encrypt(false, &mut rng);
        assert_eq!(key.symbols(&residue), [1, 1]);
        assert_eq!(public.square(&key.root(&residue)), residue);
    }

    #[test]
    fn what_can_be_no_key_is_refused() {
        use crate::andos::public_key::PublicKeyError;
        let key = SecretKey::generate(&StreamKey::from_bytes([3; KEY_BYTES]));
        let (m, y) = (*key.public().modulus(), *key.public().y());
        let refused = |m, y| PublicKey::new(m, y).err();
        assert_eq!(refused(m, y), None);
        assert_eq!(refused(m.wrapping_add(&U2048::ONE), y), Some(PublicKeyError::Modulus));
        assert_eq!(refused(m >> 1 | U2048::ONE, y), Some(PublicKeyError::Modulus));
        assert_eq!(refused(m, m), Some(PublicKeyError::NonResidue));
        assert_eq!(refused(m, U2048::ZERO), Some(PublicKeyError::NonResidue));
        let mut rng = StreamKey::from_bytes([4; KEY_BYTES]).stream(0);
        let odd_one = std::iter::repeat_with(|| key.public().random(&mut rng)).find(|x| key.public().jacobi(x) == -1);
        assert_eq!(refused(m, odd_one.expect("one of two")), Some(PublicKeyError::NonResidue));
    }
}
