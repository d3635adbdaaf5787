//! A proving key, made ready: what every proof with it needs, computed once.

use crate::Tables;
use crate::constraints::{Column, Constraint, Term, constraints, last_rotation};
use crate::domain::Domain;
use crate::plan::Plan;
use crate::polynomial::powers;
use halo2_proofs::plonk::ProvingKey;
use halo2curves::bn256::{Fr, G1Affine};
use halo2curves::ff::{Field, PrimeField};
use rayon::prelude::*;
use std::fmt;
use std::sync::Arc;

/// Why a key can't be used here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnusableKey {
    /// The circuit asks for challenges, or has cells that are assigned after one.
    #[error("the circuit has more than one phase")]
    Phases,
    /// The environment variable `MAX_DEGREE`, which the library reads, leaves no room for the permutation argument.
    #[error("a circuit of degree {0} has no room for a permutation argument")]
    Degree(usize),
    /// The tables are of another size.
    #[error("the key is for 2^{key} rows, but the tables are for 2^{tables}")]
    Size {
        /// Base-two logarithm of the key's rows.
        key: u32,
        /// That of the tables.
        tables: u32,
    },
}

/// A prover for one circuit: KZG on bn254 with SHPLONK, one phase.
pub struct Prover {
    pub(crate) pk: Arc<ProvingKey<G1Affine>>,
    pub(crate) tables: Arc<Tables>,
    pub(crate) domain: Domain,
    pub(crate) plan: Plan,
    /// Of each lookup, its inputs and its table, each as one expression.
    pub(crate) lookups: Vec<[Plan; 2]>,
    /// How many rows a constraint looks away.
    pub(crate) margin: usize,
    /// By coset, the columns of the key that the plan reads, each at its place among the plan's columns; None for those of a proof.
    pub(crate) key_columns: Vec<Vec<Option<Vec<Fr>>>>,
    /// The powers of ω.
    pub(crate) roots: Vec<Fr>,
    /// The powers of δ, one for each column under the permutation argument.
    pub(crate) delta_powers: Vec<Fr>,
}

impl Prover {
    /// Makes a key ready, in some tenths of a second.
    pub fn new(pk: Arc<ProvingKey<G1Affine>>, tables: Arc<Tables>) -> Result<Self, UnusableKey> {
        let cs = pk.get_vk().cs();
        if cs.num_challenges() > 0 || cs.advice_column_phase().iter().any(|phase| *phase > 0) {
            return Err(UnusableKey::Phases);
        }
        if cs.degree() < 3 {
            return Err(UnusableKey::Degree(cs.degree()));
        }
        let (key, size) = (pk.get_vk().get_domain().k, tables.k());
        if key != size {
            return Err(UnusableKey::Size { key, tables: size });
        }
        let domain = Domain::new(pk.get_vk().get_domain());
        let compress = |expressions| Plan::new(&[Constraint { factor: None, term: Term::compress(expressions) }]);
        let lookup = cs.lookups().iter();
        let lookups =
            lookup.map(|lookup| [compress(lookup.input_expressions()), compress(lookup.table_expressions())]).collect();
        let plan = Plan::new(&constraints(cs));
        let rotations = cs.advice_queries().iter().map(|(_, rotation)| rotation.0);
        let rotations = rotations.chain(cs.fixed_queries().iter().map(|(_, rotation)| rotation.0));
        let rotations = rotations.chain(cs.instance_queries().iter().map(|(_, rotation)| rotation.0));
        let widest = rotations.chain([last_rotation(cs), 1]).map(i32::unsigned_abs).max();
        // A rotation by all rows is none.
        let margin = (widest.unwrap_or(1) as usize).min(domain.rows());
        let (roots, delta_powers) = (domain.roots(), powers(Fr::DELTA, cs.permutation().get_columns().len()));
        let key_columns = Vec::new();
        let mut prover = Self { pk, tables, domain, plan, lookups, margin, key_columns, roots, delta_powers };
        prover.key_columns = (0..prover.domain.cosets()).map(|coset| prover.transform_key(coset)).collect();
        Ok(prover)
    }

    /// Base-two logarithm of the rows.
    pub fn k(&self) -> u32 {
        self.tables.k()
    }

    fn transform_key(&self, coset: usize) -> Vec<Option<Vec<Fr>>> {
        let values = |column: &Column| {
            let mut values = vec![Fr::ZERO; self.domain.rows() + 2 * self.margin];
            match *column {
                Column::X => self.domain.coset(coset, self.margin, &mut values),
                column => {
                    let polynomial = self.key_polynomial(column)?;
                    // Once a key, and without lanes: a proof that is made again because they are wrong reads these columns, too.
                    self.domain.evaluate_on_coset(None, coset, polynomial, self.margin, &mut values);
                }
            }
            Some(values)
        };
        self.plan.columns().par_iter().map(values).collect()
    }

    /// The coefficients of a column of the key; None for a column of the proof.
    pub(crate) fn key_polynomial(&self, column: Column) -> Option<&[Fr]> {
        match column {
            Column::Fixed(index) => Some(&self.pk.fixed_polys()[index]),
            Column::Sigma(index) => Some(&self.pk.permutation().polys()[index]),
            Column::First => Some(self.pk.l0()),
            Column::Last => Some(self.pk.l_last()),
            Column::Active => Some(self.pk.l_active_row()),
            _ => None,
        }
    }
}

impl fmt::Debug for Prover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Prover(k = {}, {} multiplications a row)", self.k(), self.plan.multiplications())
    }
}
