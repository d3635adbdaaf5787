//! What must be zero in every row: the circuit's gates, its permutation argument and its lookup arguments, in the order in which the
//! verifier adds them up. Everything is an expression of columns, so that one compiler ([`crate::plan`]) serves all.

use halo2_proofs::plonk::{Any, ConstraintSystem, Expression};
use halo2curves::bn256::Fr;
use halo2curves::ff::Field;
use std::ops::{Add, Mul, Sub};

/// A column of the table that constraints speak of, as a polynomial over the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Column {
    /// A fixed column, selectors included.
    Fixed(usize),
    /// A column of the witness.
    Advice(usize),
    /// A column of public inputs.
    Instance(usize),
    /// Where the permutation argument sends a cell of its column.
    Sigma(usize),
    /// One in the first row.
    First,
    /// One in the last row that the circuit may use, the one after those with its cells.
    Last,
    /// One in the rows before that.
    Active,
    /// The row's power of ω.
    X,
    /// The running product of a chunk of columns under the permutation argument.
    PermutationProduct(usize),
    /// The running product of a lookup argument.
    LookupProduct(usize),
    /// The permuted inputs of a lookup argument: sorted.
    PermutedInput(usize),
    /// The permuted table of a lookup argument: each value beside an input where one equals it.
    PermutedTable(usize),
}

impl Column {
    /// Whether it is of the key: the same in every proof.
    pub(crate) fn is_of_key(self) -> bool {
        matches!(self, Self::Fixed(_) | Self::Sigma(_) | Self::First | Self::Last | Self::Active | Self::X)
    }
}

impl From<halo2_proofs::plonk::Column<Any>> for Column {
    fn from(column: halo2_proofs::plonk::Column<Any>) -> Self {
        match column.column_type() {
            Any::Advice(_) => Self::Advice(column.index()),
            Any::Fixed => Self::Fixed(column.index()),
            Any::Instance => Self::Instance(column.index()),
        }
    }
}

/// A value that is the same in all rows: a constant of the circuit, or made from the verifier's challenges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Scalar {
    Constant(Fr),
    /// θ, which keeps the expressions of a lookup apart.
    Theta,
    /// β, of permutations and lookups.
    Beta,
    /// γ, of permutations and lookups.
    Gamma,
    /// β·δ^i, which names the i-th column under the permutation argument.
    BetaDelta(usize),
    /// A power of y, which keeps constraints apart.
    PowerOfY(usize),
}

/// An expression over the cells of some rows.
#[derive(Clone, Debug)]
pub(crate) enum Term {
    /// A cell, so many rows after this one.
    Cell(Column, i32),
    Scalar(Scalar),
    Add(Box<Term>, Box<Term>),
    Subtract(Box<Term>, Box<Term>),
    Multiply(Box<Term>, Box<Term>),
}

impl Term {
    const ZERO: Self = Self::Scalar(Scalar::Constant(Fr::ZERO));
    const ONE: Self = Self::Scalar(Scalar::Constant(Fr::ONE));

    /// An expression of the library. Selectors have become fixed columns when there are keys; there are no challenges, since there is
    /// one phase only.
    pub fn of(expression: &Expression<Fr>) -> Self {
        match expression {
            Expression::Constant(constant) => Self::Scalar(Scalar::Constant(*constant)),
            Expression::Fixed(query) => Self::Cell(Column::Fixed(query.column_index()), query.rotation().0),
            Expression::Advice(query) => Self::Cell(Column::Advice(query.column_index()), query.rotation().0),
            Expression::Instance(query) => Self::Cell(Column::Instance(query.column_index()), query.rotation().0),
            Expression::Negated(inner) => Self::ZERO - Self::of(inner),
            Expression::Sum(left, right) => match &**right {
                Expression::Negated(right) => Self::of(left) - Self::of(right),
                right => Self::of(left) + Self::of(right),
            },
            Expression::Product(left, right) => Self::of(left) * Self::of(right),
            Expression::Scaled(inner, by) => Self::of(inner) * Self::Scalar(Scalar::Constant(*by)),
            Expression::Selector(_) | Expression::Challenge(_) => unreachable!("not in a key of one phase"),
        }
    }

    /// Several expressions of a lookup as one: Horner's rule with θ.
    pub fn compress(expressions: &[Expression<Fr>]) -> Self {
        let theta = Self::Scalar(Scalar::Theta);
        expressions.iter().fold(Self::ZERO, |sum, expression| sum * theta.clone() + Self::of(expression))
    }
}

impl Add for Term {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::Add(Box::new(self), Box::new(other))
    }
}

impl Sub for Term {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self::Subtract(Box::new(self), Box::new(other))
    }
}

impl Mul for Term {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self::Multiply(Box::new(self), Box::new(other))
    }
}

/// An expression that must be zero in every row, perhaps with a factor that other constraints have too.
#[derive(Clone, Debug)]
pub(crate) struct Constraint {
    pub factor: Option<Term>,
    pub term: Term,
}

impl Constraint {
    fn new(factor: Term, term: Term) -> Self {
        Self { factor: Some(factor), term }
    }
}

impl From<Term> for Constraint {
    fn from(term: Term) -> Self {
        match term {
            Term::Multiply(factor, term) => Self::new(*factor, *term),
            term => Self { factor: None, term },
        }
    }
}

/// All constraints of a circuit.
pub(crate) fn constraints(cs: &ConstraintSystem<Fr>) -> Vec<Constraint> {
    let gates = cs.gates().iter().flat_map(|gate| gate.polynomials()).map(|polynomial| Term::of(polynomial).into());
    gates.chain(permutation(cs)).chain((0..cs.lookups().len()).flat_map(|index| lookup(cs, index))).collect()
}

fn cell(column: Column) -> Term {
    Term::Cell(column, 0)
}

/// Columns of a chunk: those under the permutation argument whose products one polynomial holds.
pub fn chunk_len(cs: &ConstraintSystem<Fr>) -> usize {
    cs.degree() - 2
}

/// Rows that the circuit may use; random values fill the others. There are some: the library makes no keys otherwise.
pub(crate) fn usable_rows(cs: &ConstraintSystem<Fr>, k: u32) -> usize {
    (1 << k) - (cs.blinding_factors() + 1)
}

/// The row after the last with cells, counted from the first backwards.
pub(crate) fn last_rotation(cs: &ConstraintSystem<Fr>) -> i32 {
    -(cs.blinding_factors() as i32 + 1)
}

/// The permutation argument (the halo2 book, "Permutation argument").
fn permutation(cs: &ConstraintSystem<Fr>) -> Vec<Constraint> {
    let columns: Vec<Column> = cs.permutation().get_columns().into_iter().map(Column::from).collect();
    let chunks: Vec<&[Column]> = columns.chunks(chunk_len(cs)).collect();
    let Some(last) = chunks.len().checked_sub(1) else { return Vec::new() };
    let product = |chunk, rotation| Term::Cell(Column::PermutationProduct(chunk), rotation);
    let [beta, gamma] = [Scalar::Beta, Scalar::Gamma].map(Term::Scalar);
    // The first product starts at one, the last one ends at one or, to make the argument complete, at zero.
    let first = Constraint::new(cell(Column::First), Term::ONE - product(0, 0));
    let end = product(last, 0) * product(last, 0) - product(last, 0);
    let mut constraints = vec![first, Constraint::new(cell(Column::Last), end)];
    // Each product starts where the one before ends.
    constraints.extend(
        (1..chunks.len())
            .map(|set| Constraint::new(cell(Column::First), product(set, 0) - product(set - 1, last_rotation(cs)))),
    );
    for (chunk, columns) in chunks.iter().enumerate() {
        let (mut left, mut right) = (product(chunk, 1), product(chunk, 0));
        for (offset, column) in columns.iter().enumerate() {
            let index = chunk * chunk_len(cs) + offset;
            let value = cell(*column) + gamma.clone();
            left = left * (value.clone() + beta.clone() * cell(Column::Sigma(index)));
            right = right * (value + Term::Scalar(Scalar::BetaDelta(index)) * cell(Column::X));
        }
        constraints.push(Constraint::new(cell(Column::Active), left - right));
    }
    constraints
}

/// A lookup argument (the halo2 book, "Lookup argument").
fn lookup(cs: &ConstraintSystem<Fr>, index: usize) -> Vec<Constraint> {
    let lookup = &cs.lookups()[index];
    let product = |rotation| Term::Cell(Column::LookupProduct(index), rotation);
    let input = |rotation| Term::Cell(Column::PermutedInput(index), rotation);
    let table = || cell(Column::PermutedTable(index));
    let [beta, gamma] = [Scalar::Beta, Scalar::Gamma].map(Term::Scalar);
    let [inputs, tables] = [lookup.input_expressions(), lookup.table_expressions()].map(|all| Term::compress(all));
    let permuted = product(1) * ((input(0) + beta.clone()) * (table() + gamma.clone()));
    let original = product(0) * ((inputs + beta) * (tables + gamma));
    vec![
        Constraint::new(cell(Column::First), Term::ONE - product(0)),
        Constraint::new(cell(Column::Last), product(0) * product(0) - product(0)),
        Constraint::new(cell(Column::Active), permuted - original),
        Constraint::new(cell(Column::First), input(0) - table()),
        Constraint::new(cell(Column::Active), (input(0) - table()) * (input(0) - input(-1))),
    ]
}
