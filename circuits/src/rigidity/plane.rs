//! A circuit's columns, filled at a witness, and the value and the gradient of expressions over them.

use std::collections::HashMap;

use ff::Field;
use halo2_proofs::{
    circuit::Value,
    plonk::{
        Advice, Any, Assigned, Assignment, Challenge, Column, ConstraintSystem, Error, Expression, Fixed, Instance,
        Selector,
    },
    poly::Rotation,
};
use halo2curves::bn256::Fr;

/// A cell: `column · rows + row`, where the instance column comes after the advice columns.
pub type CellId = u32;

/// What a floor planner assigns and copies.
pub(super) struct Plane {
    pub rows: usize,
    pub columns: usize,
    pub advice: Vec<Option<Fr>>,
    pub order: Vec<CellId>,
    fixed: Vec<Vec<Fr>>,
    pub copies: Vec<[CellId; 2]>,
    /// The public inputs, where a gate reads them.
    pub instance: Vec<Fr>,
}

impl Plane {
    pub fn new(rows: usize, meta: &ConstraintSystem<Fr>) -> Self {
        let columns = meta.num_advice_columns();
        Self {
            rows,
            columns,
            advice: vec![None; columns * rows],
            order: Vec::new(),
            fixed: vec![vec![Fr::ZERO; rows]; meta.num_fixed_columns()],
            copies: Vec::new(),
            instance: Vec::new(),
        }
    }

    fn cell(&self, column: usize, row: usize) -> CellId {
        (column * self.rows + row) as CellId
    }

    fn any(&self, column: Column<Any>, row: usize) -> CellId {
        match column.column_type() {
            Any::Advice(_) => self.cell(column.index(), row),
            Any::Instance if column.index() == 0 => self.cell(self.columns, row),
            _ => panic!("a copy of a fixed cell, or of a second instance column"),
        }
    }

    fn at(&self, row: usize, rotation: Rotation) -> usize {
        (row as i64 + i64::from(rotation.0)).rem_euclid(self.rows as i64) as usize
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
            // Behind the public inputs the instance is 0, and nobody's.
            Expression::Instance(query) => {
                let at = self.at(row, query.rotation());
                let value = self.instance.get(at);
                value.map_or((Fr::ZERO, vec![]), |value| (*value, vec![(self.cell(self.columns, at), Fr::ONE)]))
            }
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
            _ => panic!("an expression of a kind that no chip uses: {e:?}"),
        }
    }

    /// Where the inputs of each row are found in the table. Panics if they aren't.
    pub fn look_up(&self, inputs: &[Expression<Fr>], table: &[Expression<Fr>], usable: usize) -> Vec<Found> {
        let tuple = |expressions: &[Expression<Fr>], row: usize| -> (Vec<[u8; 32]>, bool) {
            let mut is_fixed = true;
            let values = expressions.iter().map(|e| {
                let (value, terms) = self.gradient(e, row);
                is_fixed &= terms.is_empty();
                value.to_bytes()
            });
            (values.collect(), is_fixed)
        };
        let mut entries: HashMap<Vec<[u8; 32]>, Found> = HashMap::new();
        for row in 0..usable {
            let (values, is_fixed) = tuple(table, row);
            let here = if is_fixed { Found::Fixed } else { Found::Row(row) };
            entries.entry(values).and_modify(|found| *found = found.or(here)).or_insert(here);
        }
        (0..usable).map(|row| *entries.get(&tuple(inputs, row).0).expect("a lookup doesn't hold")).collect()
    }
}

/// Where the inputs of a lookup are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found {
    /// On rows of a fixed table alone.
    Fixed,
    /// On this row, which the prover fills.
    Row(usize),
    /// On several rows, some of which the prover fills.
    Several,
}

impl Found {
    fn or(self, other: Self) -> Self {
        if self == Self::Fixed && other == Self::Fixed { Self::Fixed } else { Self::Several }
    }
}

/// Whether a gate reads the instance column.
pub(super) fn reads_instance(meta: &ConstraintSystem<Fr>) -> bool {
    let mut polynomials = meta.gates().iter().flat_map(|gate| gate.polynomials());
    polynomials.any(|polynomial| {
        let no = |_: Fr| false;
        let either = |a: bool, b: bool| a || b;
        polynomial.evaluate(
            &no,
            &|_| false,
            &|_| false,
            &|_| false,
            &|_| true,
            &|_| false,
            &|a| a,
            &either,
            &either,
            &|a, _| a,
        )
    })
}

pub(super) fn scaled(mut terms: Vec<(CellId, Fr)>, k: Fr) -> Vec<(CellId, Fr)> {
    terms.iter_mut().for_each(|(_, coefficient)| *coefficient *= k);
    terms
}

impl Assignment<Fr> for Plane {
    fn enter_region<NR: Into<String>, N: FnOnce() -> NR>(&mut self, _: N) {}

    fn annotate_column<A: FnOnce() -> AR, AR: Into<String>>(&mut self, _: A, _: Column<Any>) {}

    fn exit_region(&mut self) {}

    fn enable_selector<A: FnOnce() -> AR, AR: Into<String>>(
        &mut self,
        _: A,
        _: &Selector,
        _: usize,
    ) -> Result<(), Error> {
        panic!("the circuits' selectors are fixed columns")
    }

    fn query_instance(&self, _: Column<Instance>, _: usize) -> Result<Value<Fr>, Error> {
        Ok(Value::unknown())
    }

    fn assign_advice<'v>(
        &mut self,
        column: Column<Advice>,
        row: usize,
        to: Value<Assigned<Fr>>,
    ) -> Value<&'v Assigned<Fr>> {
        let cell = self.cell(column.index(), row);
        to.map(|to| self.advice[cell as usize] = Some(to.evaluate()));
        self.order.push(cell);
        Value::unknown()
    }

    fn assign_fixed(&mut self, column: Column<Fixed>, row: usize, to: Assigned<Fr>) {
        self.fixed[column.index()][row] = to.evaluate();
    }

    fn copy(&mut self, left: Column<Any>, left_row: usize, right: Column<Any>, right_row: usize) {
        self.copies.push([self.any(left, left_row), self.any(right, right_row)]);
    }

    fn fill_from_row(&mut self, _: Column<Fixed>, _: usize, _: Value<Assigned<Fr>>) -> Result<(), Error> {
        panic!("the circuits fill no columns")
    }

    fn get_challenge(&self, _: Challenge) -> Value<Fr> {
        panic!("the circuits have one phase")
    }

    fn push_namespace<NR: Into<String>, N: FnOnce() -> NR>(&mut self, _: N) {}

    fn pop_namespace(&mut self, _: Option<String>) {}
}
