//! The numbers of one row, and what the relations are about in it: the same for expressions of the gates and for the prover's values.

use std::ops::{Add, Mul, Sub};

use ff::Field;
use halo2curves::bn256::Fr;
use num_bigint::{BigInt, Sign};

use super::relation::{LIMB_BITS, Place, Relations};

/// An integer as a field element.
pub fn element(number: &BigInt) -> Fr {
    let digits = number.magnitude().iter_u64_digits();
    let base = Fr::from(1 << 32).square();
    let magnitude = digits.rev().fold(Fr::ZERO, |sum, digit| sum * base + Fr::from(digit));
    if number.sign() == Sign::Minus { -magnitude } else { magnitude }
}

/// What a row is computed with.
pub trait Number:
    Clone + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Mul<Fr, Output = Self>
{
    fn constant(value: Fr) -> Self;
}

impl Number for Fr {
    fn constant(value: Fr) -> Self {
        value
    }
}

/// The private numbers of a row.
pub struct Row<T> {
    pub secrets: Vec<T>,
    /// `over` and `rest` of each relation.
    pub parts: Vec<[T; 2]>,
}

impl<T: Number> Row<T> {
    /// The numbers that the digits of a row make.
    pub fn new(relations: &Relations, small: &[T], limbs: &[T]) -> Self {
        let number = |Place { digits, limb, small: top }: Place| {
            let half = T::constant(-Fr::from(digits.half()));
            let top = if digits.has_top { small[top].clone() } else { T::constant(Fr::ZERO) };
            let limbs = limbs[limb..limb + digits.limbs].iter();
            limbs.rev().fold(top, |sum, limb| sum * Fr::from(1 << LIMB_BITS) + limb.clone()) + half
        };
        let parts = relations.places().into_iter().map(|places| places.map(number)).collect();
        Self { secrets: small[..relations.secrets].to_vec(), parts }
    }

    /// What is linear in all relations, mixed.
    pub fn linear(&self, relations: &Relations, public: &[T], mix: &T) -> T {
        let parts = relations.relations.iter().zip(&self.parts).map(|(relation, [over, rest])| {
            let multiples = relation.multiples.iter();
            let alone = public[relation.public].clone();
            let sum = multiples.fold(alone, |sum, (factor, secret)| sum + self.secrets[*secret].clone() * *factor);
            sum * relation.factor - over.clone() * element(&relation.modulus.clone().into()) - rest.clone()
        });
        mixed(parts.collect(), mix)
    }
}

/// The relations as one: the sum of theirs with powers of a challenge.
pub fn mixed<T: Number>(mut relations: Vec<T>, mix: &T) -> T {
    let last = relations.pop().unwrap_or_else(|| T::constant(Fr::ZERO));
    relations.into_iter().rev().fold(last, |sum, relation| sum * mix.clone() + relation)
}
