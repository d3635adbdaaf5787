//! What a verifier evaluates: a polynomial, at `z` or some rows further.

/// A polynomial that a proof or a key commits to. They are numbered in this order by `snark-verifier`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Polynomial {
    Fixed(usize),
    /// A column of the permutation, in the key.
    Sigma(usize),
    Instance(usize),
    Advice(usize),
    LookupInput(usize),
    LookupTable(usize),
    /// The running product of a chunk of the permutation.
    Permutation(usize),
    /// The running product of a lookup.
    Lookup(usize),
    Random,
    Quotient,
}

/// The evaluation of a polynomial at `z` turned by so many rows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Value {
    pub polynomial: Polynomial,
    pub rotation: i32,
}

impl Value {
    pub fn new(polynomial: Polynomial, rotation: i32) -> Self {
        Self { polynomial, rotation }
    }

    pub fn fixed(column: usize, rotation: i32) -> Self {
        Self::new(Polynomial::Fixed(column), rotation)
    }

    pub fn advice(column: usize, rotation: i32) -> Self {
        Self::new(Polynomial::Advice(column), rotation)
    }

    pub fn instance(column: usize, rotation: i32) -> Self {
        Self::new(Polynomial::Instance(column), rotation)
    }
}
