//! A player's public key of Goldwasser–Micali: the modulus `m = p·q` and `y`, a non-residue with Jacobi symbol +1. A bit `b` is
//! encrypted as `r²·yᵇ`.
//!
//! Elements are written, kept and sent in Montgomery form, as `a·2²⁰⁴⁸ mod m`, 256 bytes, big-endian. Since 2²⁰⁴⁸ is a square, that number
//! is a residue where `a` is one, and nobody has to convert.

use super::random::number_below;
use crypto_bigint::{
    JacobiSymbol, Odd, U2048,
    modular::{FixedMontyForm, FixedMontyParams},
};
use rand_chacha::ChaCha20Rng;

/// Bits of a modulus.
pub const MODULUS_BITS: usize = 2048;
/// Bytes of an element.
pub const ELEMENT: usize = MODULUS_BITS / 8;
/// Bytes of a public key: `m`, then `y`.
pub const PUBLIC_KEY: usize = 2 * ELEMENT;

const LIMBS: usize = U2048::LIMBS;

#[derive(Clone)]
pub struct PublicKey {
    params: FixedMontyParams<LIMBS>,
    modulus: [u8; ELEMENT],
    y: U2048,
}

/// Why bytes are no public key.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum PublicKeyError {
    /// The modulus is even or shorter than 2,048 bits.
    #[error("the modulus is not an odd number of 2048 bits")]
    Modulus,
    /// `y` is not below the modulus, or its Jacobi symbol isn't +1.
    #[error("y is no element with Jacobi symbol +1")]
    NonResidue,
}

impl PublicKey {
    /// The key of a modulus and `y`, if they can be one. Whether the modulus has two prime factors and `y` is a non-residue can't be
    /// seen.
    pub fn new(modulus: U2048, y: U2048) -> Result<Self, PublicKeyError> {
        let is_long = modulus.bits_vartime() as usize == MODULUS_BITS;
        let odd: Option<Odd<U2048>> = Odd::new(modulus).into();
        let odd = odd.filter(|_| is_long).ok_or(PublicKeyError::Modulus)?;
        let key = Self { params: FixedMontyParams::new_vartime(odd), modulus: to_bytes(&modulus), y };
        (y < modulus && key.jacobi(&y) == 1).then_some(key).ok_or(PublicKeyError::NonResidue)
    }

    pub fn from_bytes(bytes: &[u8; PUBLIC_KEY]) -> Result<Self, PublicKeyError> {
        let (modulus, y) = bytes.split_at(ELEMENT);
        Self::new(U2048::from_be_slice(modulus), U2048::from_be_slice(y))
    }

    /// The modulus `m`, then `y`, each as big-endian bytes.
    pub fn to_bytes(&self) -> [u8; PUBLIC_KEY] {
        let mut bytes = [0; PUBLIC_KEY];
        bytes[..ELEMENT].copy_from_slice(&self.modulus);
        bytes[ELEMENT..].copy_from_slice(&to_bytes(&self.y));
        bytes
    }

    pub fn modulus(&self) -> &U2048 {
        self.params.modulus().as_ref()
    }

    /// The non-residue `y`, by which a bit 1 is encrypted.
    pub fn y(&self) -> &U2048 {
        &self.y
    }

    pub fn one(&self) -> &U2048 {
        self.params.one()
    }

    /// Whether these bytes are below the modulus.
    pub fn is_element(&self, bytes: &[u8]) -> bool {
        bytes < &self.modulus[..]
    }

    /// The element of [`ELEMENT`] bytes; `None` if they are not below the modulus.
    pub fn element(&self, bytes: &[u8]) -> Option<U2048> {
        self.is_element(bytes).then(|| U2048::from_be_slice(bytes))
    }

    pub fn random(&self, rng: &mut ChaCha20Rng) -> U2048 {
        number_below(rng, self.modulus())
    }

    pub fn mul(&self, a: &U2048, b: &U2048) -> U2048 {
        let form = |element: &U2048| FixedMontyForm::from_montgomery(*element, &self.params);
        (form(a) * form(b)).to_montgomery()
    }

    pub fn square(&self, a: &U2048) -> U2048 {
        FixedMontyForm::from_montgomery(*a, &self.params).square().to_montgomery()
    }

    /// The inverses of units, by one inversion for all.
    pub fn invert_all(&self, units: &[U2048]) -> Vec<U2048> {
        let mut product = *self.one();
        let mut before = Vec::with_capacity(units.len());
        for unit in units {
            before.push(product);
            product = self.mul(&product, unit);
        }
        let inverse = FixedMontyForm::from_montgomery(product, &self.params).invert();
        let inverse: Option<FixedMontyForm<LIMBS>> = inverse.into();
        let mut after = inverse.expect("who finds an element that is no unit has factored the modulus").to_montgomery();
        let mut inverses = vec![U2048::ZERO; units.len()];
        for (place, unit) in units.iter().enumerate().rev() {
            inverses[place] = self.mul(&after, &before[place]);
            after = self.mul(&after, unit);
        }
        inverses
    }

    /// The plain number whose plain root is the root of an element: squaring divides by 2²⁰⁴⁸ what is written here.
    pub fn to_root_domain(&self, element: &U2048) -> U2048 {
        FixedMontyForm::new(element, &self.params).to_montgomery()
    }

    /// Whether `2ᵐ − 2` and the modulus `m` have no common divisor. So `m` is no power of a prime, which would be one; of a random
    /// product of two primes it is true but for a negligible part.
    pub fn has_two_primes(&self) -> bool {
        let power = FixedMontyForm::new(&U2048::from_u8(2), &self.params).pow_vartime(self.modulus()).retrieve();
        let difference = power.sub_mod(&U2048::from_u8(2), self.params.modulus().as_nz_ref());
        self.modulus().gcd_vartime(&difference) == U2048::ONE
    }

    /// The Jacobi symbol of a public element. Its time depends on the element.
    pub fn jacobi(&self, element: &U2048) -> i8 {
        symbol(element.jacobi_symbol_vartime(self.params.modulus()))
    }
}

/// The bytes of an element.
pub fn to_bytes(element: &U2048) -> [u8; ELEMENT] {
    let mut bytes = [0; ELEMENT];
    bytes.copy_from_slice(element.to_be_bytes().as_ref());
    bytes
}

/// A Jacobi symbol as −1, 0 or 1.
pub fn symbol(symbol: JacobiSymbol) -> i8 {
    symbol as i8
}
