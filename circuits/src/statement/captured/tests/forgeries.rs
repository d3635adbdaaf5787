//! A forgery for every constraint, which that alone refuses: so none says less than it must.

use engines::{
    bfv::{
        captured::SMALL,
        parameters::{DEGREE, PLAINTEXT},
    },
    testing::captured,
};
use ff::Field;
use fog::testing::seed;
use halo2curves::bn256::Fr;

use super::{
    super::{
        numbers::Numbers,
        row::{LIMB_BITS, LIMBS, NOISE_LIMBS, PLAIN_LIMBS, SEEN, SMALLS, Small, TIMES, element, mixed},
        values::Values,
    },
    CapturedCircuit, Lie, refusals,
};
use crate::StatementCircuit;

/// A true statement's circuit.
fn honest(number: u64) -> CapturedCircuit {
    let (public, private) = captured(seed(number)).next().expect("a capture");
    CapturedCircuit::new(&public, &private)
}

/// The column of public inputs in whose relation a digit stands alone, and what one of it is worth there.
type Worth = Option<(usize, Fr)>;

/// Columns of public inputs, in their order.
const SHARE: usize = 1;
const WEIGHTS: usize = 7;

/// The inverse; of 0 it is 0, which challenges are while the first phase is laid.
fn inverse(value: Fr) -> Fr {
    value.invert().unwrap_or(Fr::ZERO)
}

/// By how much the relations fail to hold.
fn gap(values: &Values, mix: Fr) -> Fr {
    let [s, r, a, joint, c1] = [0, 1, 2, 3, 4].map(|column| values.factors[column][0]);
    let t = Fr::from(PLAINTEXT);
    values.rest[0] + mixed([a * s, -a * r, -joint * r * t, c1 * s * t], &mix)
}

/// What one more of a factor's value adds to the relations.
fn worth(values: &Values, mix: Fr, factor: usize) -> Fr {
    let mut more = values.factors.clone();
    more[factor][0] += Fr::ONE;
    let changed = Values { factors: more, rest: values.rest.clone(), power: Vec::new(), vanishing: Vec::new() };
    gap(&changed, mix) - gap(values, mix)
}

/// A column's value in the first row is what makes the relations hold.
fn first<const FACTOR: usize>(_: &CapturedCircuit, mut values: Values, [_, mix]: [Fr; 2]) -> Values {
    let more = -gap(&values, mix) * inverse(worth(&values, mix, FACTOR));
    values.factors[FACTOR][0] += more;
    values
}

/// Adds to each row of a column what a number after the last coefficient does.
fn from_below(column: &mut [Fr], more: Fr, z: Fr) {
    let mut more = more * inverse(z.pow([DEGREE as u64]));
    for value in column.iter_mut().rev() {
        *value += more;
        more *= z;
    }
}

/// A column has something after the last coefficient, so that the relations hold.
fn below<const FACTOR: usize>(_: &CapturedCircuit, mut values: Values, [z, mix]: [Fr; 2]) -> Values {
    let more = -gap(&values, mix) * inverse(worth(&values, mix, FACTOR));
    from_below(&mut values.factors[FACTOR], more, z);
    values
}

/// Another vanishing value from the row `from` on, by which the relations hold.
fn vanishing(circuit: &CapturedCircuit, values: &mut Values, [z, mix]: [Fr; 2], from: usize) -> Fr {
    let quotients = |row: usize| mixed(circuit.numbers.quotients.each_ref().map(|column| column[row]), &mix);
    let mut sums = vec![Fr::ZERO];
    for row in (0..DEGREE).rev() {
        let quotient = if row < from { Fr::ZERO } else { quotients(row) };
        sums.push(quotient + sums[sums.len() - 1] * z);
    }
    sums.reverse();
    let more = gap(values, mix) * inverse(sums[0]);
    values.rest.iter_mut().zip(&sums).for_each(|(rest, sum)| *rest -= more * sum);
    values.vanishing[from..].iter_mut().for_each(|value| *value += more);
    more
}

/// Every way by which a false statement's relations can be made to hold, but for one constraint.
#[test]
fn every_constraint_of_the_relations_is_needed() {
    let mut circuit = honest(313);
    assert!(refusals(&circuit).is_empty());
    // Another share of the public key, of which nothing else knows.
    let mut public = (*circuit.public).clone();
    public[SHARE][7] += Fr::from(1 << 40);
    circuit.public = public.into();
    let lies: [(&str, Lie); 16] = [
        ("the relations hold", |_, values, _| values),
        ("S = s + z·S'", first::<0>),
        ("R = r + z·R'", first::<1>),
        ("A = a + z·A'", first::<2>),
        ("B = b + z·B'", first::<3>),
        ("C = c + z·C'", first::<4>),
        ("T = rest + z·T'", |_, mut values, [_, mix]| {
            let more = gap(&values, mix);
            values.rest[0] -= more;
            values
        }),
        ("S ends", below::<0>),
        ("R ends", below::<1>),
        ("A ends", below::<2>),
        ("B ends", below::<3>),
        ("C ends", below::<4>),
        ("T ends", |_, mut values, [z, mix]| {
            let more = -gap(&values, mix);
            from_below(&mut values.rest, more, z);
            values
        }),
        ("P = z·P'", |circuit, mut values, challenges| {
            let more = vanishing(circuit, &mut values, challenges, 0);
            values.power[0] += more;
            values
        }),
        ("P ends with 1", |circuit, mut values, challenges| {
            let more = vanishing(circuit, &mut values, challenges, 0);
            from_below(&mut values.power, more, challenges[0]);
            values
        }),
        ("the vanishing value is zᴺ + 1", |circuit, mut values, challenges| {
            vanishing(circuit, &mut values, challenges, 0);
            values
        }),
    ];
    for (name, lie) in lies {
        circuit.lie = Some(lie);
        assert_only(&circuit, name);
    }
    circuit.lie = Some(|circuit, mut values, challenges| {
        vanishing(circuit, &mut values, challenges, 1);
        values
    });
    assert_only(&circuit, "the vanishing value is the same in all rows");
}

/// One constraint refuses it.
fn assert_only(circuit: &CapturedCircuit, name: &str) {
    let refusals = refusals(circuit);
    assert!(refusals.len() == 1 && refusals.iter().all(|found| found.contains(name)), "{name}: {refusals:?}");
}

/// Where nobody was seen, each way to say so but for one constraint.
#[test]
fn every_constraint_of_what_is_seen_is_needed() {
    let mut circuit = honest(314);
    let mut public = (*circuit.public).clone();
    // A square of which no slot has anything.
    public[WEIGHTS] = vec![Fr::ZERO; DEGREE];
    circuit.public = public.into();
    let honest = (*circuit.numbers).clone();
    let with = |change: &dyn Fn(&mut Numbers)| {
        let mut numbers = honest.clone();
        numbers.sum = vec![Fr::ZERO; DEGREE + 1];
        for limb in [SEEN].into_iter().chain(TIMES..TIMES + NOISE_LIMBS) {
            numbers.limbs[limb][DEGREE] = Fr::ZERO;
        }
        numbers.small[Small::NoiseTop as usize][DEGREE] = Fr::ZERO;
        change(&mut numbers);
        CapturedCircuit::of((*circuit.public).clone(), numbers)
    };
    assert_only(&with(&|_| ()), "something is seen");
    assert_only(&with(&|numbers| numbers.sum.fill(-Fr::ONE)), "the sum is complete");
    assert_only(&with(&|numbers| numbers.sum[1..].fill(-Fr::ONE)), "sum = plaintext·weight + sum'");
    // Nothing at all, and a number that isn't whole.
    let seen = format!("lookup {SEEN}");
    assert_only(&with(&|numbers| numbers.limbs[SEEN][DEGREE] = -Fr::ONE), &seen);
    let part = Fr::from(PLAINTEXT).invert().unwrap();
    let times = format!("lookup {TIMES}");
    assert_only(&with(&|numbers| numbers.limbs[TIMES][DEGREE] = -part), &times);
}

/// What is seen by changed digits.
fn see_again(numbers: &mut Numbers, weights: &[Fr]) {
    for limb in [SEEN].into_iter().chain(TIMES..TIMES + NOISE_LIMBS) {
        numbers.limbs[limb].truncate(DEGREE);
    }
    numbers.small[Small::NoiseTop as usize].truncate(DEGREE);
    numbers.see(weights);
}

/// Digits out of their ranges, the public inputs being such that all relations hold.
#[test]
fn every_digit_has_its_range() {
    let circuit = honest(315);
    let t = Fr::from(PLAINTEXT);
    let by_t = t.invert().unwrap();
    let [q, q_switched] = engines::bfv::captured::moduli().map(|modulus| element(&modulus.into()));
    let limb = |number: usize| Fr::from(2).pow([u64::from(LIMB_BITS) * number as u64]);
    // By its column of public inputs, what one of a digit is worth in the relation that it is in.
    let (share, first, second, rest) = (SHARE, 3, 4, 5);
    let mut limbs = vec![(share, q), (second, q)];
    limbs.extend((0..PLAIN_LIMBS).map(|number| (first, q * limb(number) * by_t)));
    limbs.extend((0..PLAIN_LIMBS).map(|number| (first, limb(number) * by_t)));
    limbs.extend((0..PLAIN_LIMBS).map(|number| (rest, q_switched * limb(number) * by_t)));
    limbs.extend((0..NOISE_LIMBS).map(|number| (rest, limb(number) * by_t)));
    assert_eq!(limbs.len(), LIMBS);
    for (number, (column, worth)) in limbs.into_iter().enumerate() {
        let (mut public, mut numbers) = ((*circuit.public).clone(), (*circuit.numbers).clone());
        // A multiple of the plaintext modulus, so that nothing else is seen.
        let more = Fr::from(PLAINTEXT << LIMB_BITS);
        numbers.limbs[number][3] += more;
        public[column][3] += worth * more;
        if (SEEN..SEEN + PLAIN_LIMBS).contains(&number) {
            see_again(&mut numbers, &public[WEIGHTS]);
        }
        assert_only(&CapturedCircuit::of(public, numbers), &format!("lookup {number}"));
    }
    use Small::{Key, KeyError, Mask, NoiseTop, PlainTop, ViewError, ViewTop};
    let small: [(Small, usize, Worth); SMALLS] = [
        (KeyError, 0, Some((share, Fr::ONE))),
        (ViewError, 1, Some((second, Fr::ONE))),
        (ViewTop, 2, Some((first, q * limb(PLAIN_LIMBS) * by_t))),
        (PlainTop, 2, Some((rest, q_switched * limb(PLAIN_LIMBS) * by_t))),
        (NoiseTop, 3, Some((rest, limb(NOISE_LIMBS) * by_t))),
        (Key, 0, None),
        (Mask, 1, None),
    ];
    for (name, pair, worth) in small {
        let (mut public, mut numbers) = ((*circuit.public).clone(), (*circuit.numbers).clone());
        let more = Fr::from(2 * SMALL as u64 * PLAINTEXT);
        let column = &mut numbers.small[name as usize];
        let place = if worth.is_none() { 0 } else { 3 };
        column[place] += more;
        if let Some((column, worth)) = worth {
            public[column][3] += worth * more;
        }
        // A key or a mask is multiplied, so the whole polynomial changes.
        let [a, _, joint, _, _, _, c1, _] = (*circuit.public).clone();
        for row in 0..DEGREE {
            match name {
                Key => {
                    public[share][row] -= a[row] * more;
                    public[rest][row] -= c1[row] * more;
                }
                Mask => {
                    public[second][row] += a[row] * more;
                    public[first][row] += joint[row] * more;
                }
                _ => break,
            }
        }
        if matches!(name, PlainTop) {
            see_again(&mut numbers, &public[WEIGHTS]);
        }
        assert_only(&CapturedCircuit::of(public, numbers), &format!("lookup {}", LIMBS + pair));
    }
}
