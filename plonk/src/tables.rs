//! What makes commitments fast: tables of multiples of the KZG parameters' points. They depend on nothing else, so one pair of tables
//! serves all circuits of a size, and can be kept on disk.

use crate::msm::{POINT_BYTES, Table};
use halo2_proofs::SerdeFormat;
use halo2_proofs::poly::commitment::{Params, ParamsProver};
use halo2_proofs::poly::kzg::commitment::ParamsKZG;
use halo2curves::bn256::{Bn256, Fr, G1, G1Affine};
use halo2curves::serde::SerdeObject;
use lanes::Lanes;
use std::fmt;

/// The version of [`Tables::to_bytes`]: the digits of a scalar that the multiples are for.
pub const TABLES_VERSION: &str = "digits of k + 1 bits, from 4 to 15";

/// Tables for the two bases of KZG parameters: 36 MB for k = 14.
pub struct Tables {
    powers: Table,
    lagrange: Table,
}

impl Tables {
    /// Makes the tables: about half a second for k = 14 on two cores.
    pub fn new(params: &ParamsKZG<Bn256>) -> Self {
        Self { powers: Table::new(params.get_g()), lagrange: Table::new(&lagrange_basis(params)) }
    }

    /// Base-two logarithm of the number of rows that the tables serve.
    pub fn k(&self) -> u32 {
        self.powers.bases().count().ilog2()
    }

    /// The tables as bytes, for a file; see [`Self::from_bytes`].
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(2 * Table::bytes(1 << self.k()));
        self.powers.write(&mut bytes);
        self.lagrange.write(&mut bytes);
        bytes
    }

    /// Reads the tables of these parameters from the bytes of [`Self::to_bytes`].
    ///
    /// None if they are of another length or of other points, or if a multiple is no point. Whether it is the right one is not checked: whoever keeps
    /// the bytes keeps a hash of them. Wrong ones give proofs that don't verify, and nothing worse.
    pub fn from_bytes(params: &ParamsKZG<Bn256>, bytes: &[u8]) -> Option<Self> {
        let rows = 1 << params.k();
        let (powers, lagrange) = bytes.split_at_checked(Table::bytes(rows))?;
        let tables = Self { powers: Table::read(rows, powers)?, lagrange: Table::read(rows, lagrange)? };
        let same = tables.powers.bases().eq(params.get_g()) && tables.lagrange.bases().eq(&lagrange_basis(params));
        same.then_some(tables)
    }

    /// The commitment to a polynomial by its coefficients, at most 2^k.
    pub(crate) fn commit(&self, lanes: Option<Lanes>, coefficients: &[Fr]) -> G1 {
        self.powers.sum(lanes, coefficients)
    }

    /// The commitment to a polynomial by its values at the 2^k powers of ω.
    pub(crate) fn commit_values(&self, lanes: Option<Lanes>, values: &[Fr]) -> G1 {
        self.lagrange.sum(lanes, values)
    }
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tables(k = {})", self.k())
    }
}

/// The commitments to the Lagrange polynomials, which the library shows nowhere but in its own encoding: k as four bytes, the powers of τ,
/// then these.
fn lagrange_basis(params: &ParamsKZG<Bn256>) -> Vec<G1Affine> {
    let mut bytes = Vec::new();
    params.write_custom(&mut bytes, SerdeFormat::RawBytesUnchecked).expect("a vector takes all that is written");
    let points = bytes[4..].chunks_exact(POINT_BYTES).skip(1 << params.k()).take(1 << params.k());
    points.map(G1Affine::from_raw_bytes_unchecked).collect()
}
