//! Statements of *key share* at the edges of its relations, and beyond them.

use super::mutations_captured::{RingMutation, plus, small};
use crate::{
    Unmet,
    bfv::{
        integers::{KeyAndMask, SMALL, centered},
        parameters::{DEGREE, MODULI},
        shares::{KeySharePublic, weights},
    },
};
use fhe_math::rq::Poly;
use num_bigint::BigInt;

type KeyShareMutation = RingMutation<KeySharePublic, KeyAndMask, Unmet>;

/// A polynomial that stands alone in a relation: where it is, and which relation it is.
type Alone = (fn(&mut KeySharePublic, usize) -> &mut Poly, Unmet);

/// A polynomial that is multiplied, by where it is.
type Multiplied = fn(&mut KeySharePublic) -> &mut Poly;

/// Those of a prime; the first, of the public key, has none.
const ALONE: [Alone; 4] = [
    (|public, _| &mut public.share, Unmet::Key),
    (|public, prime| &mut public.primes[prime].first, Unmet::First),
    (|public, prime| &mut public.primes[prime].second, Unmet::Second),
    (|public, prime| &mut public.primes[prime].round_2, Unmet::Round2),
];

/// The errors of the relations in that order.
fn errors(public: &KeySharePublic, private: &KeyAndMask, prime: usize) -> [Vec<BigInt>; 4] {
    let [key, mask] = [&private.key, &private.mask].map(|vector| small(vector, &public.share));
    let (of, weight) = (&public.primes[prime], &weights()[prime]);
    let first = &(&of.first + &(&of.common * &mask)) - &(&key * weight);
    let round_2 = &(&of.round_2 - &(&of.difference * &key)) - &(&of.joint * &mask);
    [&(&public.share + &(&public.common * &key)), &first, &(&of.second - &(&of.common * &key)), &round_2].map(centered)
}

/// The edges of the range of an error, and the numbers next to them outside of it: a name, by how much the number is outside, and the edge.
fn edges() -> [(&'static str, i64, BigInt); 4] {
    let [bottom, top] = [-SMALL, SMALL - 1].map(BigInt::from);
    [
        ("the largest", 0, top.clone()),
        ("the least", 0, bottom.clone()),
        ("too small", -1, bottom),
        ("too large", 1, top),
    ]
}

/// Changes of a true statement, of which each touches one relation alone where that can be.
pub fn mutations_key_share(public: &KeySharePublic, private: &KeyAndMask) -> Vec<KeyShareMutation> {
    let mut all = Vec::new();
    for prime in 0..MODULI.len() {
        for ((alone, relation), errors) in ALONE.into_iter().zip(errors(public, private, prime)) {
            // All edges of each kind of relation at one prime, one edge at the others.
            let is_whole = prime == if relation == Unmet::Key { 0 } else { 2 };
            for (name, beyond, edge) in edges().into_iter().skip(if is_whole { 0 } else { 3 }) {
                if relation == Unmet::Key && prime > 0 {
                    continue;
                }
                let mut public = public.clone();
                let poly = alone(&mut public, prime);
                *poly = plus(poly, DEGREE - 1, &(edge - &errors[DEGREE - 1] + beyond));
                let name = format!("{name}, {relation} of {prime}");
                let expected = (beyond != 0).then_some(relation);
                all.push(KeyShareMutation { name, expected, public, private: private.clone() });
            }
        }
    }
    all.extend(mutations_key_share_at_large(public, private));
    all
}

/// Statements of which every relation has an error at the same edge, or one beyond it: the error of the first relation in the last coefficient, that of each further one
/// in the coefficient before. With each goes its name, and whether it is still true.
pub fn key_shares_at_edges(public: &KeySharePublic, private: &KeyAndMask) -> Vec<(&'static str, bool, KeySharePublic)> {
    let relations = (0..MODULI.len()).flat_map(|prime| {
        let of_prime = ALONE.into_iter().zip(errors(public, private, prime));
        // The first relation is that of the public key, which has no primes.
        of_prime.skip(prime.min(1)).map(move |((alone, _), errors)| (prime, alone, errors))
    });
    let relations: Vec<_> = relations.zip((0..DEGREE).rev()).collect();
    let at_edge = |(name, beyond, edge): (&'static str, i64, BigInt)| {
        let mut changed = public.clone();
        for ((prime, alone, errors), power) in &relations {
            let poly = alone(&mut changed, *prime);
            *poly = plus(poly, *power, &(&edge - &errors[*power] + beyond));
        }
        (name, beyond == 0, changed)
    };
    edges().into_iter().map(at_edge).collect()
}

/// Changes that break a relation by more than a little.
pub fn mutations_key_share_at_large(public: &KeySharePublic, private: &KeyAndMask) -> Vec<KeyShareMutation> {
    use Unmet::{First, Key, Large, Round2, Second};
    let mut all = Vec::new();
    let mut add = |name, expected, change: &dyn Fn(&mut KeySharePublic, &mut KeyAndMask)| {
        all.push(RingMutation::new(name, expected, (public, private), change));
    };
    let power = DEGREE - 1;
    // Small changes of what is multiplied only make small errors, which are allowed.
    let large = BigInt::from(1) << 112;
    let others: [(&str, Unmet, Multiplied); 4] = [
        ("another common polynomial", Key, |public| &mut public.common),
        ("another common polynomial of a prime", First, |public| &mut public.primes[1].common),
        ("another difference", Round2, |public| &mut public.primes[3].difference),
        ("another joint row", Round2, |public| &mut public.primes[4].joint),
    ];
    for (name, relation, of) in others {
        let change = |public: &mut KeySharePublic, _: &mut _| {
            let poly = of(public);
            *poly = plus(poly, power, &large);
        };
        add(name, Some(relation), &change);
    }
    add("primes exchanged", Some(First), &|public, _| public.primes.swap(0, 1));
    let second = |public: &mut KeySharePublic, _: &mut _| public.primes[4].second = public.primes[3].second.clone();
    add("the second row of another prime", Some(Second), &second);
    add("another key", Some(Key), &|_, private| private.key[power] = 1 - private.key[power]);
    add("another mask", Some(First), &|_, private| private.mask[power] = 1 - private.mask[power]);
    add("a large key", Some(Large), &|_, private| private.key[0] = SMALL);
    add("a large mask", Some(Large), &|_, private| private.mask[0] = -SMALL - 1);
    let last = private.key.iter().rposition(|value| *value != 0).expect("a key");
    add("a short key", Some(Large), &|_, private| private.key.truncate(last));
    all
}
