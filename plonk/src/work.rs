//! The parts of a proof that need neither transcript nor random numbers, on as many threads as there are.

use crate::Prover;
use crate::constraints::{Column, Scalar};
use crate::domain::wrap;
use crate::error::ProveError;
use crate::options::Options;
use crate::polynomial::powers;
use halo2curves::bn256::{Fr, G1};
use halo2curves::ff::Field;
use rayon::prelude::*;
use std::collections::HashMap;

/// What can be done on any thread, as long as the proof is wanted.
#[derive(Clone, Copy)]
pub(crate) struct Work<'a> {
    pub prover: &'a Prover,
    pub options: Options<'a>,
}

/// The challenges that constraints are made with.
#[derive(Clone, Copy)]
pub(crate) struct Challenges {
    pub theta: Fr,
    pub beta: Fr,
    pub gamma: Fr,
}

/// The columns of a proof, values by row. Those of the key are in the key.
pub(crate) type Columns = HashMap<Column, Vec<Fr>>;

impl Work<'_> {
    pub fn check_cancelled(&self) -> Result<(), ProveError> {
        if self.options.watch.is_cancelled() { Err(ProveError::Cancelled) } else { Ok(()) }
    }

    pub fn commit(&self, columns: &[&[Fr]]) -> Result<Vec<G1>, ProveError> {
        columns
            .par_iter()
            .map(|column| self.check_cancelled().map(|()| self.prover.tables.commit_values(self.options.lanes, column)))
            .collect()
    }

    /// A column's values by row, fixed or of the proof.
    pub fn values<'c>(&'c self, column: Column, columns: &'c Columns) -> &'c [Fr] {
        match column {
            Column::Fixed(index) => &self.prover.pk.fixed_values()[index],
            column => &columns[&column],
        }
    }

    /// A lookup's inputs and table by row, each as one column.
    pub fn compress_lookup(&self, index: usize, columns: &Columns, theta: Fr) -> [Vec<Fr>; 2] {
        let (rows, margin) = (self.prover.domain.rows(), self.prover.margin);
        let scalar = |scalar: &Scalar| match scalar {
            Scalar::Constant(constant) => *constant,
            Scalar::Theta => theta,
            _ => unreachable!("a lookup's expressions have no other scalars"),
        };
        let wrapped = |column: &Column| {
            let values = self.values(*column, columns);
            let mut wrapped = vec![Fr::ZERO; rows + 2 * margin];
            wrapped[margin..margin + rows].copy_from_slice(values);
            wrap(&mut wrapped, margin);
            wrapped
        };
        self.prover.lookups[index].each_ref().map(|plan| {
            let wrapped: Vec<Vec<Fr>> = plan.columns().iter().map(wrapped).collect();
            let wrapped: Vec<&[Fr]> = wrapped.iter().map(Vec::as_slice).collect();
            plan.evaluate(self.options.lanes, rows, &wrapped, margin, scalar)
        })
    }

    /// From values to coefficients.
    pub fn interpolate(&self, columns: Columns) -> Result<Columns, ProveError> {
        let lanes = self.options.lanes;
        let interpolate = |(column, values): (Column, Vec<Fr>)| {
            self.check_cancelled().map(|()| (column, self.prover.domain.fft.interpolate(lanes, &values)))
        };
        columns.into_par_iter().map(interpolate).collect()
    }

    /// The pieces of the quotient, coefficients.
    pub fn quotient(self, polynomials: &Columns, challenges: Challenges, y: Fr) -> Result<Vec<Vec<Fr>>, ProveError> {
        let Prover { domain, plan, margin, key_columns, delta_powers, .. } = self.prover;
        let lanes = self.options.lanes;
        let y_powers = powers(y, plan.constraints());
        let scalar = |scalar: &Scalar| match *scalar {
            Scalar::Constant(constant) => constant,
            Scalar::Theta => challenges.theta,
            Scalar::Beta => challenges.beta,
            Scalar::Gamma => challenges.gamma,
            Scalar::BetaDelta(index) => challenges.beta * delta_powers[index],
            Scalar::PowerOfY(power) => y_powers[power],
        };
        let of_proof: Vec<&Column> = plan.columns().iter().filter(|column| !column.is_of_key()).collect();
        // One coset after the other, in the same memory.
        let mut memory = vec![vec![Fr::ZERO; domain.rows() + 2 * margin]; of_proof.len()];
        let mut values = Vec::with_capacity(key_columns.len());
        for (coset, of_key) in key_columns.iter().enumerate() {
            of_proof.par_iter().zip(&mut memory).try_for_each(|(column, values)| {
                self.check_cancelled()?;
                domain.evaluate_on_coset(lanes, coset, &polynomials[*column], *margin, values);
                Ok::<_, ProveError>(())
            })?;
            let mut of_proof = memory.iter();
            let columns = of_key.iter().map(|column| column.as_ref().or_else(|| of_proof.next()));
            let columns = columns.map(|column| column.expect("a column is of the key or of the proof").as_slice());
            values.push(plan.evaluate(lanes, domain.rows(), &columns.collect::<Vec<_>>(), *margin, scalar));
        }
        drop(memory);
        Ok(domain.quotient(lanes, &values))
    }
}
