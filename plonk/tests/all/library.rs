//! The library's prover, with all its random numbers written down. The polynomial that hides the quotient comes from a generator of its
//! own; it is seen when it is committed to.

use halo2_proofs::plonk::{Circuit, ProvingKey, create_proof};
use halo2_proofs::poly::commitment::{Blind, CommitmentScheme, Params, ParamsProver, ParamsVerifier, Prover};
use halo2_proofs::poly::kzg::commitment::{KZGCommitmentScheme, ParamsKZG};
use halo2_proofs::poly::kzg::msm::MSMKZG;
use halo2_proofs::poly::kzg::multiopen::ProverSHPLONK;
use halo2_proofs::poly::{Coeff, LagrangeCoeff, Polynomial, ProverQuery};
use halo2_proofs::transcript::{Blake2bWrite, Challenge255, EncodedChallenge, TranscriptWrite, TranscriptWriterBuffer};
use halo2curves::bn256::{Bn256, Fr, G1, G1Affine};
use halo2curves::ff::PrimeField;
use plonk::Rank;
use rand::{CryptoRng, RngCore};
use rand_chacha::ChaCha20Rng;
use std::cell::Cell;
use std::io;
use std::sync::{Arc, Mutex};

/// A proof, and the random numbers that it was made with.
pub struct Made {
    pub proof: Vec<u8>,
    pub random: Vec<u64>,
    /// The inputs of each lookup, as the library sorted them.
    pub lookups: Vec<Vec<Fr>>,
}

impl Made {
    /// The library's order: where a value of a lookup first stands.
    pub fn rank(&self, lookup: usize, value: &Fr) -> Rank {
        let place = self.lookups[lookup].iter().position(|other| other == value);
        [0, 0, 0, place.expect("the library sorted the same inputs") as u64]
    }
}

/// Proves with the library.
pub fn prove<C: Circuit<Fr>>(
    params: &ParamsKZG<Bn256>,
    pk: &ProvingKey<G1Affine>,
    circuit: C,
    instances: &[&[Fr]],
    rng: ChaCha20Rng,
) -> Made {
    let drawn = Arc::default();
    let log =
        Log { params: params.clone(), drawn: Arc::clone(&drawn), hiding: Arc::default(), columns: Arc::default() };
    let mut transcript = Blake2bWrite::<_, G1Affine, Challenge255<_>>::init(Vec::new());
    let rng = Drawing { rng, drawn };
    create_proof::<Logged, LoggedShplonk<'_>, _, _, _, _>(&log, pk, &[circuit], &[instances], rng, &mut transcript)
        .expect("the library proves");
    let mut random = std::mem::take(&mut *log.drawn.lock().unwrap());
    let (place, hiding) = log.hiding.lock().unwrap().take().expect("there is a polynomial that hides the quotient");
    random.splice(place..place, hiding.iter().flat_map(words));
    // Advice columns come first, then inputs and table of each lookup.
    let cs = pk.get_vk().cs();
    let sorted = log
        .columns
        .lock()
        .unwrap()
        .drain(..)
        .skip(cs.num_advice_columns())
        .take(2 * cs.lookups().len())
        .collect::<Vec<_>>();
    let lookups = sorted.into_iter().step_by(2).collect();
    Made { proof: transcript.finalize(), random, lookups }
}

/// The numbers from which a field element is drawn: 512 bits, which are reduced.
fn words(value: &Fr) -> [u64; 8] {
    let bytes = value.to_repr();
    std::array::from_fn(|i| {
        bytes.as_ref().chunks_exact(8).nth(i).map_or(0, |word| u64::from_le_bytes(word.try_into().unwrap()))
    })
}

/// Draws again what was drawn.
pub struct Replay<'a>(pub &'a [u64], pub Cell<usize>);

impl RngCore for Replay<'_> {
    fn next_u32(&mut self) -> u32 {
        unreachable!("field elements are made from words of 64 bits")
    }

    fn next_u64(&mut self) -> u64 {
        let at = self.1.get();
        self.1.set(at + 1);
        *self.0.get(at).expect("the library drew no more than this")
    }

    fn fill_bytes(&mut self, _: &mut [u8]) {
        unreachable!("field elements are made from words of 64 bits")
    }

    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), rand::Error> {
        unreachable!("field elements are made from words of 64 bits")
    }
}

impl CryptoRng for Replay<'_> {}

/// Writes down what is drawn.
struct Drawing {
    rng: ChaCha20Rng,
    drawn: Arc<Mutex<Vec<u64>>>,
}

impl RngCore for Drawing {
    fn next_u32(&mut self) -> u32 {
        unreachable!("field elements are made from words of 64 bits")
    }

    fn next_u64(&mut self) -> u64 {
        let word = self.rng.next_u64();
        self.drawn.lock().unwrap().push(word);
        word
    }

    fn fill_bytes(&mut self, _: &mut [u8]) {
        unreachable!("field elements are made from words of 64 bits")
    }

    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), rand::Error> {
        unreachable!("field elements are made from words of 64 bits")
    }
}

/// The polynomial that hides the quotient, and its place among the random numbers.
type Hiding = (usize, Vec<Fr>);

/// KZG parameters that write down the first polynomial which is committed to by its coefficients, and where among the random numbers it
/// would have been drawn.
#[derive(Clone, Debug)]
struct Log {
    params: ParamsKZG<Bn256>,
    drawn: Arc<Mutex<Vec<u64>>>,
    hiding: Arc<Mutex<Option<Hiding>>>,
    /// All that is committed to by its values.
    columns: Arc<Mutex<Vec<Vec<Fr>>>>,
}

impl<'params> Params<'params, G1Affine> for Log {
    type MSM = MSMKZG<Bn256>;

    fn k(&self) -> u32 {
        self.params.k()
    }

    fn n(&self) -> u64 {
        self.params.n()
    }

    fn downsize(&mut self, _: u32) {
        unreachable!("a prover doesn't")
    }

    fn empty_msm(&'params self) -> Self::MSM {
        unreachable!("a prover needs none")
    }

    fn commit_lagrange(&self, polynomial: &Polynomial<Fr, LagrangeCoeff>, blind: Blind<Fr>) -> G1 {
        self.columns.lock().unwrap().push(polynomial.to_vec());
        self.params.commit_lagrange(polynomial, blind)
    }

    fn write<W: io::Write>(&self, _: &mut W) -> io::Result<()> {
        unreachable!("a prover doesn't")
    }

    fn read<R: io::Read>(_: &mut R) -> io::Result<Self> {
        unreachable!("a prover doesn't")
    }
}

impl<'params> ParamsVerifier<'params, G1Affine> for Log {}

impl<'params> ParamsProver<'params, G1Affine> for Log {
    type ParamsVerifier = Self;

    fn new(_: u32) -> Self {
        unreachable!("they are there")
    }

    fn commit(&self, polynomial: &Polynomial<Fr, Coeff>, blind: Blind<Fr>) -> G1 {
        // Its blinding factor, of eight words, has been drawn.
        let place = self.drawn.lock().unwrap().len() - 8;
        self.hiding.lock().unwrap().get_or_insert_with(|| (place, polynomial.to_vec()));
        self.params.commit(polynomial, blind)
    }

    fn get_g(&self) -> &[G1Affine] {
        self.params.get_g()
    }

    fn verifier_params(&'params self) -> &'params Self {
        self
    }
}

/// KZG with those parameters.
#[derive(Debug)]
struct Logged;

impl CommitmentScheme for Logged {
    type Scalar = Fr;
    type Curve = G1Affine;
    type ParamsProver = Log;
    type ParamsVerifier = Log;

    fn new_params(_: u32) -> Log {
        unreachable!("they are there")
    }

    fn read_params<R: io::Read>(_: &mut R) -> io::Result<Log> {
        unreachable!("they are there")
    }
}

/// SHPLONK with the parameters inside.
#[derive(Debug)]
struct LoggedShplonk<'params>(&'params Log);

impl<'params> Prover<'params, Logged> for LoggedShplonk<'params> {
    const QUERY_INSTANCE: bool = false;

    fn new(log: &'params Log) -> Self {
        Self(log)
    }

    fn create_proof<'com, E, T, R, I>(&self, rng: R, transcript: &mut T, queries: I) -> io::Result<()>
    where
        E: EncodedChallenge<G1Affine>,
        T: TranscriptWrite<G1Affine, E>,
        I: IntoIterator<Item = ProverQuery<'com, G1Affine>> + Clone,
        R: RngCore,
    {
        let inner = ProverSHPLONK::<Bn256>::new(&self.0.params);
        Prover::<KZGCommitmentScheme<Bn256>>::create_proof(&inner, rng, transcript, queries)
    }
}
