//! One proof that many polynomials have the values they are said to have at several points: SHPLONK (Boneh, Drake, Fisch and Gabizon,
//! "Efficient polynomial commitment schemes for multiple points and polynomials", ePrint 2020/081, section 4), as the library does it.

use crate::polynomial::{divide, evaluate, inverse, linear_combination, powers};
use halo2_proofs::arithmetic::lagrange_interpolate;
use halo2curves::bn256::Fr;
use lanes::Lanes;
use rayon::prelude::*;

/// A claim: this polynomial, by its number, has this value at this point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Query {
    pub polynomial: usize,
    pub point: Fr,
    pub value: Fr,
}

/// The polynomials that are asked at the same points, summed up.
struct Set {
    points: Vec<Fr>,
    sum: Vec<Fr>,
    /// The polynomial of the least degree that has the sum's values at the points.
    remainder: Vec<Fr>,
}

/// An opening half made: the verifier's next challenge decides how it goes on.
pub(crate) struct Opening {
    lanes: Option<Lanes>,
    sets: Vec<Set>,
    points: Vec<Fr>,
    v: Fr,
    /// Σ v^i·(sum_i − remainder_i) / Z_i, coefficients, where Z_i is zero at the set's points.
    pub quotient: Vec<Fr>,
}

impl Opening {
    /// Sums up what is to be opened, with the challenges y and v.
    pub fn new(lanes: Option<Lanes>, polynomials: &[&[Fr]], queries: &[Query], y: Fr, v: Fr) -> Self {
        let mut points: Vec<Fr> = Vec::new();
        for query in queries {
            if !points.contains(&query.point) {
                points.push(query.point);
            }
        }
        let sets: Vec<Set> = group(queries).into_iter().map(|group| sum(lanes, polynomials, group, y)).collect();
        let quotients: Vec<Vec<Fr>> = sets.par_iter().map(Set::quotient).collect();
        let columns: Vec<&[Fr]> = quotients.iter().map(Vec::as_slice).collect();
        let quotient = linear_combination(lanes, &columns, &powers(v, columns.len()));
        Self { lanes, sets, points, v, quotient }
    }

    /// Opens at the challenge u: the coefficients of the polynomial that the second commitment is to.
    pub fn at(&self, u: Fr) -> Vec<Fr> {
        let vanishing = |points: &[Fr], but: &[Fr]| -> Fr {
            points.iter().filter(|point| !but.contains(point)).map(|point| u - point).product()
        };
        let all = vanishing(&self.points, &[]);
        let others: Vec<Fr> = self.sets.iter().map(|set| vanishing(&self.points, &set.points)).collect();
        let weights = powers(self.v, self.sets.len()).into_iter().zip(&others).map(|(power, other)| power * other);
        let mut weights: Vec<Fr> = weights.collect();
        let constant: Fr =
            self.sets.iter().zip(&weights).map(|(set, weight)| evaluate(None, &set.remainder, u) * weight).sum();
        let mut columns: Vec<&[Fr]> = self.sets.iter().map(|set| set.sum.as_slice()).collect();
        columns.push(&self.quotient);
        weights.push(-all);
        // The verifier divides by what the first set lacks.
        let scale = inverse(&others[0]);
        weights.iter_mut().for_each(|weight| *weight *= scale);
        let mut linear = linear_combination(self.lanes, &columns, &weights);
        linear[0] -= constant * scale;
        divide(&mut linear, &[u]);
        linear.pop();
        linear
    }
}

impl Set {
    fn quotient(&self) -> Vec<Fr> {
        let mut quotient = self.sum.clone();
        for (coefficient, remainder) in quotient.iter_mut().zip(&self.remainder) {
            *coefficient -= remainder;
        }
        divide(&mut quotient, &self.points);
        quotient
    }
}

/// Polynomials with the points and values at which each is asked; those that are asked at the same points are together. In the order
/// in which polynomials, and then sets of points, first occur.
type Group = (Vec<Fr>, Vec<(usize, Vec<Fr>)>);

fn group(queries: &[Query]) -> Vec<Group> {
    let mut asked: Vec<(usize, Vec<(Fr, Fr)>)> = Vec::new();
    for Query { polynomial, point, value } in queries {
        let index = asked.iter().position(|(other, _)| other == polynomial).unwrap_or_else(|| {
            asked.push((*polynomial, Vec::new()));
            asked.len() - 1
        });
        let answers = &mut asked[index].1;
        if answers.iter().all(|(other, _)| other != point) {
            answers.push((*point, *value));
        }
    }
    let mut groups: Vec<Group> = Vec::new();
    for (polynomial, mut answers) in asked {
        // The order of a set's points doesn't matter, only that it is the same for all its polynomials.
        answers.sort_unstable_by_key(|(point, _)| *point);
        let (points, values): (Vec<Fr>, Vec<Fr>) = answers.into_iter().unzip();
        match groups.iter_mut().find(|(other, _)| *other == points) {
            Some((_, polynomials)) => polynomials.push((polynomial, values)),
            None => groups.push((points, vec![(polynomial, values)])),
        }
    }
    groups
}

fn sum(lanes: Option<Lanes>, polynomials: &[&[Fr]], (points, members): Group, y: Fr) -> Set {
    let weights = powers(y, members.len());
    let columns: Vec<&[Fr]> = members.iter().map(|(polynomial, _)| polynomials[*polynomial]).collect();
    let value = |i: usize| members.iter().zip(&weights).map(|((_, values), weight)| values[i] * weight).sum();
    let values: Vec<Fr> = (0..points.len()).map(value).collect();
    let remainder = lagrange_interpolate(&points, &values);
    Set { sum: linear_combination(lanes, &columns, &weights), remainder, points }
}
