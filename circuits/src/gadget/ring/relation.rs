//! What a statement of polynomials says: relations between public polynomials and private ones, in the ring of polynomials modulo `Xᴺ + 1`.

use engines::bfv::{
    encrypted::LANES,
    integers::moduli,
    parameters::{DEGREE, PLAINTEXT},
};
use ff::Field;
use halo2curves::bn256::Fr;
use num_bigint::BigUint;

/// Bits of a limb, of which a column of [`DEGREE`] rows has all.
pub const LIMB_BITS: u32 = DEGREE.ilog2();

/// How a coefficient is made of digits: limbs from 0 on, the lowest first. Above them is either a small digit, from −32 to 31, or half of the range is taken off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digits {
    pub limbs: usize,
    pub has_top: bool,
}

impl Digits {
    /// From −32 to 31.
    pub const SMALL: Self = Self::topped(0);

    /// From `−2^(13·limbs + 5)` up to as much, itself excluded.
    pub const fn topped(limbs: usize) -> Self {
        Self { limbs, has_top: true }
    }

    /// From `−2^(13·limbs − 1)` up to as much, itself excluded.
    pub const fn halved(limbs: usize) -> Self {
        Self { limbs, has_top: false }
    }

    /// What is added to a coefficient before it is cut into digits.
    pub fn half(self) -> u64 {
        if self.has_top { 0 } else { 1 << (LIMB_BITS * self.limbs as u32 - 1) }
    }
}

/// `factor·(P + Σ f·P'·S + Σ f·S) = modulus·over + rest`, where `P` are columns of public inputs and `S` secrets. Nothing is reduced: all sums must stay below the field's order.
pub struct Relation {
    /// The column of public inputs that stands alone.
    pub public: usize,
    /// Products of a column of public inputs with a secret, by their numbers, each with a factor.
    pub products: Vec<(Fr, usize, usize)>,
    /// Secrets that stand alone, each with a factor.
    pub multiples: Vec<(Fr, usize)>,
    pub factor: Fr,
    pub modulus: BigUint,
    pub over: Digits,
    pub rest: Digits,
}

impl Relation {
    /// That products and a public polynomial are a small error modulo the modulus of ciphertexts, as in learning with errors.
    pub fn with_error(public: usize, products: Vec<(Fr, usize, usize)>) -> Self {
        let [modulus, _] = moduli();
        Self {
            public,
            products,
            multiples: Vec::new(),
            factor: Fr::ONE,
            modulus,
            over: Digits::halved(1),
            rest: Digits::SMALL,
        }
    }

    /// The relation of a ciphertext instead: times the plaintext modulus, its sum is the plaintext (`over`) times the modulus, but for the noise (`rest`).
    pub fn of_plaintext(self, noise: Digits) -> Self {
        Self { factor: Fr::from(PLAINTEXT), over: Digits::topped(2), rest: noise, ..self }
    }
}

/// That the `over` of a relation has a sum from 1 to 2^13 modulo a number, its coefficients weighted by a column of public inputs.
#[derive(Clone, Copy)]
pub struct Seen {
    pub relation: usize,
    pub weights: usize,
    pub modulus: u64,
}

/// That the `over` of a relation is the plaintext of some slots: sums of its coefficients and of the slots, each with weights of a column of public inputs, are the same modulo the
/// plaintext modulus. The weights of a column are [`LANES`] numbers, so as many sums are told.
#[derive(Clone, Copy)]
pub struct Sum {
    pub relation: usize,
    /// The column by which coefficients are weighted.
    pub weights: usize,
    /// The column by which slots are weighted.
    pub slots: usize,
}

/// Multiples of the plaintext modulus that a sum is: two numbers for each lane, each in the place of a coefficient in a row below the last one.
pub const MULTIPLES: usize = 2 * LANES;
/// By how many bits the second number of a lane stands above the first.
pub const MULTIPLE_BITS: u32 = 31;

/// What a statement says.
pub struct Relations {
    /// How many columns of public inputs there are.
    pub public: usize,
    /// How many secrets: private polynomials with small coefficients. Each is a factor in some relation.
    pub secrets: usize,
    pub relations: Vec<Relation>,
    pub seen: Option<Seen>,
    /// None where something is seen: both take the rows below the last coefficient.
    pub sums: Vec<Sum>,
}

impl Relations {
    /// The columns of public inputs that are multiplied, each once.
    pub fn multiplied(&self) -> Vec<usize> {
        let mut columns: Vec<usize> =
            self.relations.iter().flat_map(|relation| relation.products.iter().map(|(_, public, _)| *public)).collect();
        columns.sort_unstable();
        columns.dedup();
        columns
    }

    /// Rows below the last coefficient that hold digits.
    pub fn below(&self) -> usize {
        self.seen.iter().len() + MULTIPLES * self.sums.len()
    }

    /// The digits of each relation, `over` first.
    fn digits(&self) -> impl Iterator<Item = Digits> {
        self.relations.iter().flat_map(|relation| [relation.over, relation.rest])
    }

    /// Columns of small digits: secrets first.
    pub fn smalls(&self) -> usize {
        self.secrets + self.digits().filter(|digits| digits.has_top).count()
    }

    pub fn limbs(&self) -> usize {
        self.digits().map(|digits| digits.limbs).sum()
    }

    /// Where the digits of each relation's `over` and `rest` stand: their first limb, and the small digit above them.
    pub fn places(&self) -> Vec<[Place; 2]> {
        let (mut limb, mut small) = (0, self.secrets);
        let mut next = |digits: Digits| {
            let place = Place { digits, limb, small };
            limb += digits.limbs;
            small += usize::from(digits.has_top);
            place
        };
        self.relations.iter().map(|relation| [relation.over, relation.rest].map(&mut next)).collect()
    }
}

/// Where the digits of a number stand in a row.
#[derive(Clone, Copy)]
pub struct Place {
    pub digits: Digits,
    /// The column of its lowest limb.
    pub limb: usize,
    /// The column of its small digit, if it has one.
    pub small: usize,
}
