//! The proof itself, step by step as the library's `create_proof` makes it: with the same random numbers, in the same order, it gives the
//! same bytes. The library takes two things from elsewhere. The coefficients of the polynomial that hides the quotient come from the
//! thread's own generator; here they are drawn from the caller's, just before the blinding factor of their commitment. The order in which
//! a lookup's inputs are sorted is that of a hash map, another one each time; here the caller may choose it.

use crate::Prover;
use crate::constraints::{Column, chunk_len, usable_rows};
use crate::error::ProveError;
use crate::opening::{Opening, Query};
use crate::options::Options;
use crate::places::{Opened, Place, opened_places, written_values};
use crate::polynomial::{evaluate, linear_combination, powers};
use crate::products::{EqualityColumn, lookup_factors, permutation_factors, permute_lookup, running_product};
use crate::watch::ProofStage;
use crate::witness::witness;
use crate::work::{Challenges, Columns, Work};
use halo2_proofs::plonk::Circuit;
use halo2_proofs::transcript::{EncodedChallenge, TranscriptWrite};
use halo2curves::bn256::{Fr, G1, G1Affine};
use halo2curves::ff::Field;
use halo2curves::group::Curve;
use rand::RngCore;
use rayon::prelude::*;
use std::collections::HashMap;
use std::io;
use std::marker::PhantomData;

impl Prover {
    /// Proves that the circuit is satisfied, and writes the proof to the transcript. The options say who watches and in which order lookups are permuted: only in
    /// the library's are the bytes the library's.
    ///
    /// A circuit that reads a value back from a cell that it has assigned is refused ([`ProveError::Layout`]). A witness that doesn't
    /// satisfy the gates gives a proof that doesn't verify.
    pub fn prove<C: Circuit<Fr>, E: EncodedChallenge<G1Affine>, T: TranscriptWrite<G1Affine, E>>(
        &self,
        circuit: &C,
        instances: &[&[Fr]],
        rng: &mut dyn RngCore,
        transcript: &mut T,
        options: Options<'_>,
    ) -> Result<(), ProveError> {
        let cs = self.pk.get_vk().cs();
        let usable = self.usable();
        if instances.len() != cs.num_instance_columns() || instances.iter().any(|column| column.len() > usable) {
            return Err(ProveError::Instances);
        }
        options.watch.begins(ProofStage::Witness);
        let advice = witness(circuit, cs, self.k(), instances)?;
        let work = Work { prover: self, options };
        let proof = Proof { work, rng, transcript: Channel { transcript, challenge: PhantomData } };
        proof.write(advice, instances)
    }

    /// Rows that the circuit may use.
    fn usable(&self) -> usize {
        usable_rows(self.pk.get_vk().cs(), self.k())
    }
}

struct Channel<'a, E, T> {
    transcript: &'a mut T,
    challenge: PhantomData<E>,
}

impl<E: EncodedChallenge<G1Affine>, T: TranscriptWrite<G1Affine, E>> Channel<'_, E, T> {
    fn challenge(&mut self) -> Fr {
        self.transcript.squeeze_challenge().get_scalar()
    }

    fn write_points(&mut self, points: &[G1]) -> io::Result<()> {
        let mut affine = vec![G1Affine::default(); points.len()];
        G1::batch_normalize(points, &mut affine);
        affine.into_iter().try_for_each(|point| self.transcript.write_point(point))
    }

    fn write_point(&mut self, point: G1) -> io::Result<()> {
        self.transcript.write_point(point.to_affine())
    }
}

/// A proof being made.
struct Proof<'a, E, T> {
    work: Work<'a>,
    rng: &'a mut dyn RngCore,
    transcript: Channel<'a, E, T>,
}

impl<E: EncodedChallenge<G1Affine>, T: TranscriptWrite<G1Affine, E>> Proof<'_, E, T> {
    fn write(mut self, advice: Vec<Vec<Fr>>, instances: &[&[Fr]]) -> Result<(), ProveError> {
        let mut columns = Columns::new();
        self.write_instances(instances, &mut columns)?;
        self.work.options.watch.begins(ProofStage::Advice);
        self.write_advice(advice, &mut columns)?;
        self.work.options.watch.begins(ProofStage::Products);
        let challenges = self.write_products(&mut columns)?;
        let random = self.write_random()?;
        self.work.options.watch.begins(ProofStage::Quotient);
        let y = self.transcript.challenge();
        let polynomials = self.work.interpolate(columns)?;
        let pieces = self.write_quotient(&polynomials, challenges, y)?;
        self.work.options.watch.begins(ProofStage::Opening);
        self.write_openings(&polynomials, &random, &pieces)
    }

    fn random(&mut self) -> Fr {
        Fr::random(&mut *self.rng)
    }

    /// The library draws a blinding factor for every commitment, which KZG ignores. So that the random numbers stay in step, so does this.
    fn skip_blind(&mut self) {
        self.random();
    }

    fn write_instances(&mut self, instances: &[&[Fr]], columns: &mut Columns) -> Result<(), ProveError> {
        let transcript = &mut *self.transcript.transcript;
        transcript.common_scalar(self.work.prover.pk.get_vk().transcript_repr())?;
        for (index, column) in instances.iter().enumerate() {
            column.iter().try_for_each(|value| transcript.common_scalar(*value))?;
            let mut values = column.to_vec();
            values.resize(self.work.prover.domain.rows(), Fr::ZERO);
            columns.insert(Column::Instance(index), values);
        }
        Ok(())
    }

    fn write_advice(&mut self, mut advice: Vec<Vec<Fr>>, columns: &mut Columns) -> Result<(), ProveError> {
        let usable = self.work.prover.usable();
        for column in &mut advice {
            column[usable..].iter_mut().for_each(|cell| *cell = Fr::random(&mut *self.rng));
        }
        advice.iter().for_each(|_| self.skip_blind());
        let commitments = self.work.commit(&advice.iter().map(Vec::as_slice).collect::<Vec<_>>())?;
        self.transcript.write_points(&commitments)?;
        columns.extend(advice.into_iter().enumerate().map(|(index, column)| (Column::Advice(index), column)));
        Ok(())
    }

    /// Lookups sorted, then the products of permutation and lookups.
    fn write_products(&mut self, columns: &mut Columns) -> Result<Challenges, ProveError> {
        let theta = self.transcript.challenge();
        let usable = self.work.prover.usable();
        let mut originals = Vec::new();
        for index in 0..self.work.prover.lookups.len() {
            let [inputs, table] = self.work.compress_lookup(index, columns, theta);
            let order = |value: &Fr| (self.work.options.order)(index, value);
            let [sorted, beside] =
                permute_lookup(&inputs, &table, usable, order, self.rng).ok_or(ProveError::Lookup)?;
            (0..2).for_each(|_| self.skip_blind());
            let commitments = self.work.commit(&[&sorted, &beside])?;
            self.transcript.write_points(&commitments)?;
            columns.extend([(Column::PermutedInput(index), sorted), (Column::PermutedTable(index), beside)]);
            originals.push([inputs, table]);
        }
        let beta = self.transcript.challenge();
        let gamma = self.transcript.challenge();
        self.write_permutation(columns, beta, gamma)?;
        let blinding = self.work.prover.pk.get_vk().cs().blinding_factors();
        for (index, [inputs, table]) in originals.iter().enumerate() {
            let sorted =
                [Column::PermutedInput(index), Column::PermutedTable(index)].map(|column| &columns[&column][..]);
            let factors = lookup_factors([inputs, table], sorted, beta, gamma);
            let product = running_product(Fr::ONE, &factors, blinding, self.rng);
            self.skip_blind();
            let commitments = self.work.commit(&[&product])?;
            self.transcript.write_points(&commitments)?;
            columns.insert(Column::LookupProduct(index), product);
        }
        Ok(Challenges { theta, beta, gamma })
    }

    fn write_permutation(&mut self, columns: &mut Columns, beta: Fr, gamma: Fr) -> Result<(), ProveError> {
        let pk = &self.work.prover.pk;
        let cs = pk.get_vk().cs();
        let delta_powers = &self.work.prover.delta_powers;
        let all = cs.permutation().get_columns().into_iter().zip(pk.permutation().permutations()).zip(delta_powers);
        let permuted: Vec<EqualityColumn<'_>> = all
            .map(|((column, sigma), delta_power)| {
                let values = self.work.values(column.into(), columns);
                EqualityColumn { values, sigma, beta_delta: beta * delta_power }
            })
            .collect();
        let factors: Vec<Vec<Fr>> = permuted
            .par_chunks(chunk_len(cs))
            .map(|chunk| permutation_factors(chunk, &self.work.prover.roots, beta, gamma))
            .collect();
        let mut products: Vec<Vec<Fr>> = Vec::new();
        let mut first = Fr::ONE;
        for factors in &factors {
            let product = running_product(first, factors, cs.blinding_factors(), self.rng);
            self.skip_blind();
            first = product[self.work.prover.usable()];
            products.push(product);
        }
        let commitments = self.work.commit(&products.iter().map(Vec::as_slice).collect::<Vec<_>>())?;
        self.transcript.write_points(&commitments)?;
        let products = products.into_iter().enumerate();
        columns.extend(products.map(|(index, product)| (Column::PermutationProduct(index), product)));
        Ok(())
    }

    /// A random polynomial, which hides the quotient's value.
    fn write_random(&mut self) -> Result<Vec<Fr>, ProveError> {
        let random: Vec<Fr> = (0..self.work.prover.domain.rows()).map(|_| self.random()).collect();
        self.skip_blind();
        self.work.check_cancelled()?;
        self.transcript.write_point(self.work.prover.tables.commit(self.work.options.lanes, &random))?;
        Ok(random)
    }

    /// The sum of all constraints, divided by what is zero in every row.
    fn write_quotient(
        &mut self,
        polynomials: &Columns,
        challenges: Challenges,
        y: Fr,
    ) -> Result<Vec<Vec<Fr>>, ProveError> {
        let work = self.work;
        let pieces = work.quotient(polynomials, challenges, y)?;
        pieces.iter().for_each(|_| self.skip_blind());
        let commit =
            |piece: &Vec<Fr>| work.check_cancelled().map(|()| work.prover.tables.commit(work.options.lanes, piece));
        let commitments = pieces.par_iter().map(commit).collect::<Result<Vec<_>, _>>()?;
        self.transcript.write_points(&commitments)?;
        Ok(pieces)
    }

    /// The values of all polynomials where the verifier wants them, and the proof that they are right.
    fn write_openings(&mut self, columns: &Columns, random: &[Fr], pieces: &[Vec<Fr>]) -> Result<(), ProveError> {
        let Prover { domain, pk, tables, .. } = self.work.prover;
        let lanes = self.work.options.lanes;
        let x = self.transcript.challenge();
        let pieces: Vec<&[Fr]> = pieces.iter().map(Vec::as_slice).collect();
        let quotient = linear_combination(lanes, &pieces, &powers(x.pow_vartime([domain.rows() as u64]), pieces.len()));
        let polynomial = |of: Opened| match of {
            Opened::Random => random,
            Opened::Quotient => &quotient,
            Opened::Column(column) => self.work.prover.key_polynomial(column).unwrap_or_else(|| &columns[&column]),
        };
        let written = written_values(pk.get_vk().cs());
        let wanted: Vec<Place> = written.iter().copied().chain([(Opened::Quotient, 0)]).collect();
        let value = |(of, rotation): &Place| evaluate(lanes, polynomial(*of), domain.rotate(x, *rotation));
        let values: Vec<Fr> = wanted.par_iter().map(value).collect();
        written.iter().zip(&values).try_for_each(|(_, value)| self.transcript.transcript.write_scalar(*value))?;
        let values: HashMap<Place, Fr> = wanted.into_iter().zip(values).collect();

        let mut numbers = HashMap::new();
        let mut polynomials = Vec::new();
        let query = |(of, rotation): Place| {
            let number = *numbers.entry(of).or_insert_with(|| {
                polynomials.push(polynomial(of));
                polynomials.len() - 1
            });
            Query { polynomial: number, point: domain.rotate(x, rotation), value: values[&(of, rotation)] }
        };
        let queries: Vec<Query> = opened_places(pk.get_vk().cs()).into_iter().map(query).collect();
        self.work.check_cancelled()?;
        let (y, v) = (self.transcript.challenge(), self.transcript.challenge());
        let opening = Opening::new(lanes, &polynomials, &queries, y, v);
        self.transcript.write_point(tables.commit(lanes, &opening.quotient))?;
        self.work.check_cancelled()?;
        let u = self.transcript.challenge();
        self.transcript.write_point(tables.commit(lanes, &opening.at(u)))?;
        Ok(())
    }
}
