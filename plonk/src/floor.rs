//! The commitments and transforms of a proof, and nothing between them: what a prover with these routines can't avoid.

use crate::Prover;
use crate::places::chunks;
use halo2curves::bn256::Fr;
use halo2curves::ff::Field;
use lanes::Lanes;
use rand::RngCore;
use rayon::prelude::*;
use std::hint::black_box;

/// Random columns, as many as a proof of one circuit has. For measurements: how long [`Self::run`] takes is a floor under the time of a
/// proof with the same routines, but for the digits that are zero in a real witness and never in a random one.
#[derive(Debug)]
pub struct Floor<'a> {
    prover: &'a Prover,
    /// Advice, lookups, products: those that are committed to by their values.
    committed: Vec<Vec<Fr>>,
    instances: Vec<Vec<Fr>>,
    /// The random polynomial and the two of the opening.
    polynomials: Vec<Vec<Fr>>,
}

impl<'a> Floor<'a> {
    pub fn new(prover: &'a Prover, rng: &mut dyn RngCore) -> Self {
        let cs = prover.pk.get_vk().cs();
        let mut draw = |count: usize| {
            let column = |rng: &mut dyn RngCore| (0..prover.domain.rows()).map(|_| Fr::random(&mut *rng)).collect();
            (0..count).map(|_| column(rng)).collect()
        };
        let committed = draw(cs.num_advice_columns() + 3 * cs.lookups().len() + chunks(cs));
        Self { prover, committed, instances: draw(cs.num_instance_columns()), polynomials: draw(3) }
    }

    /// Makes the commitments and transforms, those of columns beside each other.
    pub fn run(&self, lanes: Option<Lanes>) {
        let Prover { tables, domain, .. } = self.prover;
        let commit = |column: &Vec<Fr>| {
            black_box(tables.commit_values(lanes, column));
            domain.fft.interpolate(lanes, column)
        };
        let mut polynomials: Vec<Vec<Fr>> = self.committed.par_iter().map(commit).collect();
        polynomials.par_extend(self.instances.par_iter().map(|column| domain.fft.interpolate(lanes, column)));
        let memory = || vec![Fr::ZERO; domain.rows()];
        for coset in 0..domain.cosets() {
            polynomials.par_iter().for_each_init(memory, |values, polynomial| {
                domain.evaluate_on_coset(lanes, coset, polynomial, 0, values);
            });
        }
        let pieces = domain.quotient(lanes, &vec![polynomials.swap_remove(0); domain.cosets()]);
        pieces.par_iter().chain(&self.polynomials).for_each(|piece| {
            black_box(tables.commit(lanes, piece));
        });
    }
}
