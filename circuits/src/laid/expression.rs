//! The value and the gradient of expressions over a circuit's columns.

use std::collections::HashMap;

use ff::Field;
use halo2_proofs::{plonk::Expression, poly::Rotation};
use halo2curves::bn256::Fr;

use super::{CellId, LaidCircuit};

impl LaidCircuit {
    fn at(&self, row: usize, rotation: Rotation) -> usize {
        (row as i64 + i64::from(rotation.0)).rem_euclid(self.rows as i64) as usize
    }

    /// The value on a row. What fixed columns switch off comes first in a product, and then the rest isn't looked at.
    pub fn evaluate(&self, e: &Expression<Fr>, row: usize) -> Fr {
        match e {
            Expression::Constant(value) => *value,
            Expression::Fixed(query) => self.fixed[query.column_index()][self.at(row, query.rotation())],
            Expression::Advice(query) => {
                let at = self.at(row, query.rotation());
                assert!(self.usable().contains(&at), "row {at} holds what a prover likes");
                self.advice[self.cell(query.column_index(), at) as usize].unwrap_or(Fr::ZERO)
            }
            Expression::Instance(query) => {
                let column = &self.instance[query.column_index()];
                column.get(self.at(row, query.rotation())).copied().unwrap_or(Fr::ZERO)
            }
            Expression::Challenge(challenge) => self.challenges[challenge.index()],
            Expression::Negated(a) => -self.evaluate(a, row),
            Expression::Scaled(a, k) => self.evaluate(a, row) * k,
            Expression::Sum(a, b) => self.evaluate(a, row) + self.evaluate(b, row),
            Expression::Product(a, b) => {
                let value = self.evaluate(a, row);
                if value == Fr::ZERO { value } else { value * self.evaluate(b, row) }
            }
            Expression::Selector(_) => panic!("the circuits' selectors are fixed columns"),
        }
    }

    /// Value and gradient on a row; no terms where the fixed columns switch the expression off.
    pub fn gradient(&self, e: &Expression<Fr>, row: usize) -> (Fr, Vec<(CellId, Fr)>) {
        match e {
            Expression::Constant(value) => (*value, vec![]),
            Expression::Fixed(query) => (self.fixed[query.column_index()][self.at(row, query.rotation())], vec![]),
            Expression::Advice(query) => {
                let cell = self.cell(query.column_index(), self.at(row, query.rotation()));
                (self.advice[cell as usize].unwrap_or(Fr::ZERO), vec![(cell, Fr::ONE)])
            }
            Expression::Instance(query) => {
                let (column, at) = (query.column_index(), self.at(row, query.rotation()));
                let value = self.instance[column].get(at);
                let cell = self.cell(self.columns + column, at);
                value.map_or((Fr::ZERO, vec![]), |value| (*value, vec![(cell, Fr::ONE)]))
            }
            Expression::Challenge(challenge) => (self.challenges[challenge.index()], vec![]),
            Expression::Negated(a) => {
                let (value, terms) = self.gradient(a, row);
                (-value, scaled(terms, -Fr::ONE))
            }
            Expression::Scaled(a, k) => {
                let (value, terms) = self.gradient(a, row);
                (value * k, scaled(terms, *k))
            }
            Expression::Sum(a, b) => {
                let ((x, mut terms), (y, more)) = (self.gradient(a, row), self.gradient(b, row));
                terms.extend(more);
                (x + y, terms)
            }
            Expression::Product(a, b) => {
                let (x, dx) = self.gradient(a, row);
                if dx.is_empty() && x == Fr::ZERO {
                    return (Fr::ZERO, vec![]);
                }
                let (y, dy) = self.gradient(b, row);
                if dy.is_empty() && y == Fr::ZERO {
                    return (Fr::ZERO, vec![]);
                }
                let mut terms = scaled(dx, y);
                terms.extend(scaled(dy, x));
                (x * y, terms)
            }
            Expression::Selector(_) => panic!("the circuits' selectors are fixed columns"),
        }
    }
}

/// On which rows fixed columns switch polynomials on, by the switch.
#[derive(Default)]
pub struct Switches(HashMap<String, Vec<usize>>);

impl Switches {
    /// The rows on which a polynomial isn't switched off by its first factor. Panics if a prover fills one of them as it likes.
    pub fn rows(&mut self, laid: &LaidCircuit, polynomial: &Expression<Fr>) -> &[usize] {
        let switch = match polynomial {
            Expression::Product(switch, _) if is_fixed(switch) => (**switch).clone(),
            _ => Expression::Constant(Fr::ONE),
        };
        self.0.entry(format!("{switch:?}")).or_insert_with(|| {
            let on = (0..laid.rows).filter(|row| laid.evaluate(&switch, *row) != Fr::ZERO).collect::<Vec<_>>();
            assert!(on.iter().all(|row| laid.usable().contains(row)), "on where nothing is laid: {polynomial:?}");
            on
        })
    }
}

/// Whether an expression reads fixed columns alone.
pub fn is_fixed(e: &Expression<Fr>) -> bool {
    match e {
        Expression::Constant(_) | Expression::Fixed(_) => true,
        Expression::Negated(a) | Expression::Scaled(a, _) => is_fixed(a),
        Expression::Sum(a, b) | Expression::Product(a, b) => is_fixed(a) && is_fixed(b),
        _ => false,
    }
}

pub fn scaled(mut terms: Vec<(CellId, Fr)>, k: Fr) -> Vec<(CellId, Fr)> {
    terms.iter_mut().for_each(|(_, coefficient)| *coefficient *= k);
    terms
}
