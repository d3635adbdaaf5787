//! What the tests of each statement of polynomials have in common: a forgery for every constraint and for every digit, which that alone refuses.

use std::{collections::BTreeSet, sync::Arc};

use engines::bfv::{
    integers::SMALL,
    parameters::{DEGREE, PLAINTEXT},
};
use ff::Field;
use halo2curves::bn256::Fr;

pub use super::numbers::Numbers;
use super::{
    RingCircuit, RingStatement,
    relation::{LIMB_BITS, Place, Relations},
    row::{element, mixed},
    values::{Values, products},
};
use crate::laid::LaidCircuit;

/// What a cheat makes of the columns of the second phase, given the challenges: where polynomials are valued, and by which relations are mixed.
pub type Lie<S> = Arc<dyn Fn(&RingCircuit<S>, Values, [Fr; 2]) -> Values + Send + Sync>;

impl<S: RingStatement> RingCircuit<S> {
    /// The columns of public inputs.
    pub fn public(&self) -> Vec<Vec<Fr>> {
        (*self.public).clone()
    }

    pub fn numbers(&self) -> Numbers {
        (*self.numbers).clone()
    }

    /// Any numbers for any public inputs.
    pub fn forged(public: Vec<Vec<Fr>>, numbers: Numbers) -> Self {
        Self::of(public, numbers)
    }
}

/// The constraints that don't hold and in which rows, lookups by their numbers.
pub fn refusals_in_rows<S: RingStatement>(circuit: &RingCircuit<S>) -> BTreeSet<(String, usize)> {
    let laid = LaidCircuit::of(circuit, circuit.public());
    laid.refusals().into_iter().map(|refusal| (refusal.what, refusal.row)).collect()
}

/// A lookup's refusal: the limbs' come first, then those of pairs of small digits.
pub fn lookup_of(relations: &Relations, number: usize) -> String {
    let name = if number < relations.limbs() { "a limb has its bits" } else { "small digits are small" };
    format!("lookup {number} ('{name}')")
}

/// The constraints that don't hold, lookups by their numbers.
pub fn refusals<S: RingStatement>(circuit: &RingCircuit<S>) -> BTreeSet<String> {
    refusals_in_rows(circuit).into_iter().map(|(name, _)| name).collect()
}

/// One constraint refuses it.
pub fn assert_only<S: RingStatement>(circuit: &RingCircuit<S>, name: &str) {
    let refusals = refusals(circuit);
    assert!(refusals.len() == 1 && refusals.iter().all(|found| found.contains(name)), "{name}: {refusals:?}");
}

/// The inverse; of 0 it is 0, which challenges are while the first phase is laid.
fn inverse(value: Fr) -> Fr {
    value.invert().unwrap_or(Fr::ZERO)
}

/// By how much the relations fail to hold.
fn gap(relations: &Relations, values: &Values, mix: Fr) -> Fr {
    let firsts: Vec<Fr> = values.factors.iter().map(|column| column[0]).collect();
    values.rest[0] + products(relations, &firsts, &mix)
}

/// Adds to a column from its first row down to `row`, so that the first rises by `more` and V = v + z·V' goes on to hold in each of these rows but `row`.
fn raise(column: &mut [Fr], row: usize, more: Fr, z: Fr) {
    let mut more = more * inverse(z.pow([row as u64]));
    for value in column[..=row].iter_mut().rev() {
        *value += more;
        more *= z;
    }
}

/// Another vanishing value from the row `from` on, by which the relations hold.
fn vanishing<S: RingStatement>(circuit: &RingCircuit<S>, values: &mut Values, [z, mix]: [Fr; 2], from: usize) -> Fr {
    let mut sums = vec![Fr::ZERO];
    for row in (0..DEGREE).rev() {
        let quotient = if row < from { Fr::ZERO } else { circuit.numbers.quotient(row, mix) };
        sums.push(quotient + sums[sums.len() - 1] * z);
    }
    sums.reverse();
    let more = gap(&S::relations(), values, mix) * inverse(sums[0]);
    values.rest.iter_mut().zip(&sums).for_each(|(rest, sum)| *rest -= more * sum);
    values.vanishing[from..].iter_mut().for_each(|value| *value += more);
    more
}

/// Every way by which a false statement's relations can be made to hold, but for one constraint. `public` is the number of a column of public inputs that
/// nothing but one relation knows.
pub fn every_constraint_of_the_relations_is_needed<S: RingStatement>(mut circuit: RingCircuit<S>, column: usize) {
    let relations = Arc::new(S::relations());
    assert!(refusals(&circuit).is_empty());
    let mut public = circuit.public();
    public[column][7] += Fr::from(1 << 40);
    circuit.public = public.into();
    assert_only(&circuit, "the relations hold");
    let count = relations.secrets + relations.multiplied().len();
    // The columns of some factors are changed, and that of the linear parts makes up for it.
    let mut refused_in_rows = |factors: Vec<usize>, row: fn(usize) -> usize, name: &str| {
        let (known, changed) = (relations.clone(), factors.clone());
        circuit.lie = Some(Arc::new(move |_, mut values, [z, mix]| {
            changed.iter().for_each(|factor| raise(&mut values.factors[*factor], row(*factor), Fr::ONE, z));
            let gap = gap(&known, &values, mix);
            raise(&mut values.rest, row(count), -gap, z);
            values
        }));
        let name_of = |(refusal, row): (String, usize)| (refusal.split(" in gate").next().unwrap().to_owned(), row);
        let changed = factors.iter().copied().chain([count]);
        let expected: BTreeSet<_> =
            changed.map(|column| (format!("Constraint {column} ('{name}')"), row(column))).collect();
        let found: BTreeSet<_> = refusals_in_rows(&circuit).into_iter().map(name_of).collect();
        assert_eq!(found, expected);
    };
    refused_in_rows(Vec::new(), |_| 0, "V = v + z·V'");
    refused_in_rows((0..count).collect(), |column| column, "V = v + z·V'");
    // All columns end in the same row. So for each bit those are changed whose number has it, and then those whose number hasn't.
    refused_in_rows(Vec::new(), |_| DEGREE, "V ends");
    for bit in 0..count.next_power_of_two().ilog2() {
        for has in [0, 1] {
            let factors = (0..count).filter(|factor| factor >> bit & 1 == has).collect();
            refused_in_rows(factors, |_| DEGREE, "V ends");
        }
    }
    let power: Lie<S> = Arc::new(|circuit, mut values, challenges| {
        let more = vanishing(circuit, &mut values, challenges, 0);
        values.power[0] += more;
        values
    });
    let power_below: Lie<S> = Arc::new(|circuit, mut values, challenges| {
        let more = vanishing(circuit, &mut values, challenges, 0);
        raise(&mut values.power, DEGREE, more, challenges[0]);
        values
    });
    let of_power: Lie<S> = Arc::new(|circuit, mut values, challenges| {
        vanishing(circuit, &mut values, challenges, 0);
        values
    });
    let of_row: Lie<S> = Arc::new(|circuit, mut values, challenges| {
        vanishing(circuit, &mut values, challenges, 1);
        values
    });
    let others = [
        ("P = z·P'", power),
        ("P ends with 1", power_below),
        ("the vanishing value is zᴺ + 1", of_power),
        ("the vanishing value is the same in all rows", of_row),
    ];
    for (name, lie) in others {
        circuit.lie = Some(lie);
        assert_only(&circuit, name);
    }
}

/// Digits out of their ranges, each in a row of its own, the public inputs being such that all relations hold: each digit's lookup refuses its row.
pub fn every_digit_has_its_range<S: RingStatement>(circuit: &RingCircuit<S>) {
    let relations = S::relations();
    // Multiples of the plaintext modulus, so that nothing else is seen.
    let of_limb = Fr::from(PLAINTEXT << LIMB_BITS);
    let of_small = Fr::from(2 * SMALL as u64 * PLAINTEXT);
    let small_lookup = |column: usize| relations.limbs() + column / 2;
    for secret in 0..relations.secrets {
        let (mut public, mut numbers) = (circuit.public(), circuit.numbers());
        let mut expected = BTreeSet::new();
        let mut refuse = |lookup: usize, row: usize| assert!(expected.insert((lookup_of(&relations, lookup), row)));
        // A secret is multiplied, so whole polynomials of public inputs change with it.
        numbers.small[secret][0] += of_small;
        refuse(small_lookup(secret), 0);
        for relation in &relations.relations {
            for (factor, column, _) in relation.products.iter().filter(|(_, _, of)| *of == secret) {
                let multiplied = public[*column].clone();
                let alone = public[relation.public].iter_mut();
                alone.zip(multiplied).for_each(|(value, other)| *value -= other * factor * of_small);
            }
            for (factor, _) in relation.multiples.iter().filter(|(_, of)| *of == secret) {
                public[relation.public][0] -= *factor * of_small;
            }
        }
        let mut row = 1;
        for (relation, places) in relations.relations.iter().zip(relations.places()) {
            let modulus = element(&relation.modulus.clone().into());
            for (Place { digits, limb, small }, unit) in places.into_iter().zip([modulus, Fr::ONE]) {
                for place in 0..digits.limbs + usize::from(digits.has_top) {
                    let more = if place < digits.limbs {
                        numbers.limbs[limb + place][row] += of_limb;
                        refuse(limb + place, row);
                        of_limb
                    } else {
                        numbers.small[small][row] += of_small;
                        refuse(small_lookup(small), row);
                        of_small
                    };
                    // What one of a digit is worth in the public input.
                    let worth =
                        unit * Fr::from(2).pow([u64::from(LIMB_BITS) * place as u64]) * inverse(relation.factor);
                    public[relation.public][row] += worth * more;
                    row += 1;
                }
            }
        }
        numbers.sum(&relations, &public);
        assert_eq!(refusals_in_rows(&RingCircuit::<S>::of(public, numbers)), expected);
    }
}

#[test]
fn relations_are_mixed_by_powers() {
    let [a, b, c, mix] = [3, 5, 7, 10].map(Fr::from);
    assert_eq!(mixed(vec![a, b, c], &mix), Fr::from(753));
}
