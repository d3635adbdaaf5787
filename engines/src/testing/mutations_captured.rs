//! Statements of *captured* at the edges of its relations, and beyond them.

use crate::{
    Unmet,
    bfv::{
        captured::{CapturedPublic, MOST_SEEN, NOISE_BITS, weights},
        integers::{ENCRYPTION_BITS, KeyAndMask, SMALL, centered, lifted, opened, secret},
        parameters::{DEGREE, PLAINTEXT},
    },
};
use fhe_math::rq::{Poly, Representation, traits::TryConvertFrom};
use num_bigint::{BigInt, BigUint};
use rules::{Color, Square};

/// A changed statement of polynomials, and which relation it breaks; none if it is still true.
pub struct RingMutation<P, W, E> {
    pub name: String,
    pub expected: Option<E>,
    pub public: P,
    pub private: W,
}

impl<P: Clone, W: Clone, E> RingMutation<P, W, E> {
    /// A statement after a change.
    pub fn new(name: &str, expected: Option<E>, (public, private): (&P, &W), change: &dyn Fn(&mut P, &mut W)) -> Self {
        let (mut public, mut private) = (public.clone(), private.clone());
        change(&mut public, &mut private);
        Self { name: name.to_owned(), expected, public, private }
    }
}

/// A polynomial with a number added to the coefficient of `X^power`.
pub fn plus(poly: &Poly, power: usize, number: &BigInt) -> Poly {
    plus_all(poly, [(power, number.clone())])
}

/// A polynomial with numbers added to coefficients, each by its power of `X`.
pub fn plus_all(poly: &Poly, numbers: impl IntoIterator<Item = (usize, BigInt)>) -> Poly {
    let (context, modulus) = (poly.ctx(), BigInt::from(poly.ctx().modulus().clone()));
    let mut coefficients = lifted(poly);
    for (power, number) in numbers {
        let sum: BigInt = (BigInt::from(coefficients[power].clone()) + number) % &modulus + &modulus;
        coefficients[power] = BigUint::try_from(sum % &modulus).expect("a sum from 0 on");
    }
    let residue = |value: &BigUint, prime: u64| u64::try_from(value % prime).expect("a residue");
    let rows = context.moduli().iter().flat_map(|prime| coefficients.iter().map(|value| residue(value, *prime)));
    let poly = Poly::try_convert_from(rows.collect::<Vec<u64>>(), context, false, Representation::PowerBasis);
    let mut poly = poly.expect("a polynomial of the ring");
    poly.change_representation(Representation::Ntt);
    poly
}

/// A private vector as a polynomial of the ring of another.
pub fn small(vector: &[i64], like: &Poly) -> Poly {
    (*secret(vector, like.ctx()).expect("a polynomial of the ring")).clone()
}

/// Changes of a true statement, of which each touches one relation alone where that can be.
pub fn mutations_captured(
    public: &CapturedPublic,
    private: &KeyAndMask,
) -> Vec<RingMutation<CapturedPublic, KeyAndMask, Unmet>> {
    use Unmet::{Empty, Key, Large, Noise, View};
    let mut all = Vec::new();
    let mut add = |name, expected, change: &dyn Fn(&mut CapturedPublic, &mut KeyAndMask)| {
        all.push(RingMutation::new(name, expected, (public, private), change));
    };
    let power = DEGREE - 1;
    // Small ones only make small errors, which are allowed.
    let large = BigInt::from(1) << 112;
    let key_error = centered(&(&public.share + &(&public.common * &small(&private.key, &public.share))));
    let view_error = centered(&(&public.view[1] - &(&public.common * &small(&private.mask, &public.share))));
    let (_, error) = opened(&(&public.view[0] - &(&public.joint * &small(&private.mask, &public.share))));
    let (plain, noise) = opened(&(&public.rest + &(&public.second * &small(&private.key, &public.second))));

    // Errors at their edges: how far each may go up, and down.
    let (bottom, top) = (BigInt::from(-SMALL), BigInt::from(SMALL - 1));
    for (name, beyond, edge) in
        [("the largest", 0, &top), ("too large", 1, &top), ("the least", 0, &bottom), ("too small", -1, &bottom)]
    {
        let refused = |error| (beyond != 0).then_some(error);
        let of = |errors: &[BigInt]| edge - &errors[power] + beyond;
        add(name, refused(Key), &|public, _| public.share = plus(&public.share, power, &of(&key_error)));
        add(name, refused(View), &|public, _| public.view[1] = plus(&public.view[1], power, &of(&view_error)));
    }
    let steps = |bits: u32, error: &BigInt| ((BigInt::from(1) << bits) - 1 - error) / PLAINTEXT;
    for (name, beyond) in [("the largest", 0), ("too large", 1)] {
        let refused = |error| (beyond != 0).then_some(error);
        let of_view = steps(ENCRYPTION_BITS, &error[power]) + beyond;
        let of_product = steps(NOISE_BITS, &noise[power]) + beyond;
        add(name, refused(View), &|public, _| public.view[0] = plus(&public.view[0], power, &of_view));
        add(name, refused(Noise), &|public, _| public.rest = plus(&public.rest, power, &of_product));
    }

    // Other polynomials, and other secrets.
    add("another common polynomial", Some(Key), &|public, _| public.common = plus(&public.common, power, &large));
    add("another joint key", Some(View), &|public, _| public.joint = plus(&public.joint, power, &large));
    add("another second part", Some(Noise), &|public, _| public.second = plus(&public.second, power, &large));
    add("the view's parts exchanged", Some(View), &|public, _| public.view.swap(0, 1));
    add("another key", Some(Key), &|_, private| private.key[power] = 1 - private.key[power]);
    add("another mask", Some(View), &|_, private| private.mask[power] = 1 - private.mask[power]);
    add("a large key", Some(Large), &|_, private| private.key[0] = SMALL);
    add("a large mask", Some(Large), &|_, private| private.mask[0] = -SMALL - 1);
    let last = private.key.iter().rposition(|value| *value != 0).expect("a key");
    add("a short key", Some(Large), &|_, private| private.key.truncate(last));

    // What is seen, by the plaintext's first coefficient: the number that leads to each sum.
    let of_square = weights(public.color, public.square);
    let seen = plain.iter().zip(&of_square).map(|(value, weight)| value * weight % PLAINTEXT).sum::<u64>() % PLAINTEXT;
    let inverse = (1..PLAINTEXT).find(|inverse| inverse * of_square[0] % PLAINTEXT == 1).expect("a prime");
    let modulus = BigInt::from(public.rest.ctx().modulus().clone());
    for (name, sum) in
        [("one", 1), ("most", MOST_SEEN), ("more", MOST_SEEN + 1), ("nothing", 0), ("minus one", PLAINTEXT - 1)]
    {
        let steps = (sum + PLAINTEXT - seen) * inverse % PLAINTEXT;
        let more: BigInt = &modulus * steps / PLAINTEXT;
        let expected = (!(1..=MOST_SEEN).contains(&sum)).then_some(Empty);
        add(name, expected, &|public, _| public.rest = plus(&public.rest, 0, &more));
    }
    let dark = |color: Color, square: &Square| {
        let weights = weights(color, *square);
        let products = plain.iter().zip(weights).map(|(value, weight)| value * weight % PLAINTEXT);
        products.sum::<u64>().is_multiple_of(PLAINTEXT)
    };
    let square = Square::all().find(|square| dark(public.color, square)).expect("a square without a man");
    add("another square", Some(Empty), &|public, _| public.square = square);
    all
}
