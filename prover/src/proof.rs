//! Making and verifying proofs: halo2 with KZG on bn254 and SHPLONK (protocol, section 3). A proof has exactly one length;
//! anything else is refused before it is parsed.

use crate::{Keys, Srs, Statement, Transcript, Verifier};
use circuits::AnyCircuit;
use fog::{engine::Cause, statement::Proves};
use halo2_proofs::plonk::{Error, ProvingKey, VerifyingKey, create_proof, verify_proof};
use halo2_proofs::poly::kzg::commitment::{KZGCommitmentScheme, ParamsKZG};
use halo2_proofs::poly::kzg::multiopen::{ProverSHPLONK, VerifierSHPLONK};
use halo2_proofs::poly::kzg::strategy::SingleStrategy;
use halo2_proofs::transcript::{
    Blake2bRead, Blake2bWrite, Challenge255, EncodedChallenge, TranscriptReadBuffer, TranscriptWriterBuffer,
};
use halo2curves::bn256::{Bn256, Fr, G1Affine};
use halo2curves::ff::PrimeField;
use plonk::{Lanes, Options, ProveError, Unwatched, Watch};
use rand::{CryptoRng, RngCore, SeedableRng, rngs::OsRng};
use rand_chacha::ChaCha20Rng;
use snark_verifier::loader::native::NativeLoader;
use snark_verifier::system::halo2::transcript::evm::EvmTranscript;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Bytes of a scalar, and of a compressed point.
const WORD: usize = 32;
/// Whether lanes have made no valid proof where one was made without them: the processor, or the code for it, computes wrongly.
static WERE_WRONG: AtomicBool = AtomicBool::new(false);
/// Who tells the user of it.
static WARN: OnceLock<fn(&str)> = OnceLock::new();

/// Has a warning that this machine computes wrongly told in this way; else it goes to standard error. The first who says so decides.
pub fn warn_by(warn: fn(&str)) {
    let _ = WARN.set(warn);
}

type Scheme = KZGCommitmentScheme<Bn256>;
/// The transcript of what the EVM verifies.
type Keccak<S> = EvmTranscript<G1Affine, NativeLoader, S, Vec<u8>>;
type Blake2bWriter = Blake2bWrite<Vec<u8>, G1Affine, Challenge255<G1Affine>>;
type Blake2bReader<'a> = Blake2bRead<&'a [u8], G1Affine, Challenge255<G1Affine>>;

/// Why a proof is refused, or was not made.
#[derive(Debug, thiserror::Error)]
pub enum ProofError {
    /// Truncated, or with something after its end, or of another statement.
    #[error("the proof has {got} bytes, not {expected}")]
    WrongLength {
        /// The length of every proof of this statement.
        expected: usize,
        /// The length of this one.
        got: usize,
    },
    /// Public inputs of another shape.
    #[error("the public inputs have lengths {got:?}, not {expected:?}")]
    WrongInstances {
        /// The lengths of the statement's instance columns.
        expected: &'static [usize],
        /// The lengths of these.
        got: Vec<usize>,
    },
    /// A public input that isn't below the field's order.
    #[error("public input {0} is not a field element")]
    NotInField(usize),
    /// Bytes that are no points or no scalars.
    #[error("the proof is malformed: {0}")]
    Malformed(String),
    /// A well-formed proof that proves nothing about these public inputs.
    #[error("the proof is not valid for these public inputs")]
    Rejected,
    /// The witness doesn't satisfy the statement, so there is nothing to prove.
    #[error("the private inputs don't satisfy the statement {0}")]
    Unsatisfied(&'static str),
    /// The circuit can't be laid out with this witness, or the transcript can't be written.
    #[error("the proof could not be made")]
    Prover(#[source] Error),
    /// The system gives no random numbers.
    #[error("there are no random numbers")]
    Randomness(#[source] rand::Error),
    /// Nobody wants the proof any more.
    #[error("the proof was cancelled")]
    Cancelled,
}

impl<C: Statement> Keys<C> {
    /// Proves the statement. The proof is verified before it is returned, which costs some milliseconds and means that a
    /// wrong witness is an error here and not at the other side.
    pub fn prove(
        &self,
        public: &C::Public,
        private: &C::Private,
        rng: impl RngCore + CryptoRng,
    ) -> Result<Vec<u8>, ProofError> {
        self.prove_watched(public, private, rng, &Unwatched)
    }

    /// Makes a proof while somebody sees how far it is and may stop it. The library's prover can't be stopped and tells nothing.
    pub fn prove_watched(
        &self,
        public: &C::Public,
        private: &C::Private,
        rng: impl RngCore + CryptoRng,
        watch: &dyn Watch,
    ) -> Result<Vec<u8>, ProofError> {
        self.prove_with(public, private, rng, Options::new(watch))
    }

    /// Makes a proof as the options say, which are the fast prover's.
    pub fn prove_with(
        &self,
        public: &C::Public,
        private: &C::Private,
        rng: impl RngCore + CryptoRng,
        options: Options<'_>,
    ) -> Result<Vec<u8>, ProofError> {
        // A proof takes some 150,000 words, each of which would be a call of the system's generator.
        let mut rng = ChaCha20Rng::from_rng(rng).map_err(ProofError::Randomness)?;
        let instance = C::instance(public);
        check_lengths::<C>(&instance)?;
        let circuit = AnyCircuit::of(C::new(public, private));
        let columns: Vec<&[Fr]> = instance.iter().map(Vec::as_slice).collect();
        let verify_made = |made: Result<Vec<u8>, ProofError>| {
            let verified = made.and_then(|proof| {
                let start = Instant::now();
                let verified = self.verifier.verify_instance(&instance, &proof);
                options.watch.verified(start.elapsed());
                verified.map(|()| proof)
            });
            verified.map_err(|error| match error {
                ProofError::Rejected => ProofError::Unsatisfied(C::NAME),
                error => error,
            })
        };
        let Some(prover) = &self.prover else {
            return verify_made(create_with_library(C::TRANSCRIPT, &self.srs, &self.pk, circuit, &columns, &mut rng));
        };
        let make = |lanes| {
            verify_made(create(C::TRANSCRIPT, prover, &circuit, &columns, &mut rng, Options { lanes, ..options }))
        };
        let lanes = options.lanes.filter(|_| !WERE_WRONG.load(Ordering::Relaxed));
        make_again_without(lanes, make, |lanes| {
            WERE_WRONG.store(true, Ordering::Relaxed);
            let told = "they made no valid proof, which was made without them then; none is made with them any more";
            // Where nobody reads, the proof is good all the same.
            let warn = WARN.get_or_init(|| |text| drop(writeln!(io::stderr(), "{text}")));
            warn(&format!("WARNING: {lanes}: {told} (FOGMATE_LANES=off never uses them)"));
        })
    }

    pub fn verify(&self, public: &C::Public, proof: &[u8]) -> Result<(), ProofError> {
        self.verifier.verify(public, proof)
    }
}

/// Makes a proof that nobody has verified yet. Where the witness shows at once that it would be none, it is [`ProofError::Rejected`].
fn create(
    kind: Transcript,
    prover: &plonk::Prover,
    circuit: &AnyCircuit,
    columns: &[&[Fr]],
    rng: &mut dyn RngCore,
    options: Options<'_>,
) -> Result<Vec<u8>, ProofError> {
    match kind {
        Transcript::Keccak => create_by::<_, Keccak<Vec<u8>>>(prover, circuit, columns, rng, options),
        Transcript::Blake2b => create_by::<_, Blake2bWriter>(prover, circuit, columns, rng, options),
    }
}

/// Generic in the transcript alone: no prover is compiled for each statement.
fn create_by<E: EncodedChallenge<G1Affine>, T: TranscriptWriterBuffer<Vec<u8>, G1Affine, E>>(
    prover: &plonk::Prover,
    circuit: &AnyCircuit,
    columns: &[&[Fr]],
    rng: &mut dyn RngCore,
    options: Options<'_>,
) -> Result<Vec<u8>, ProofError> {
    let mut transcript = T::init(Vec::new());
    prover.prove(circuit, columns, rng, &mut transcript, options).map_err(|error| match error {
        ProveError::Lookup => ProofError::Rejected,
        ProveError::Cancelled => ProofError::Cancelled,
        ProveError::Layout(error) => ProofError::Prover(error),
        ProveError::Transcript(error) => ProofError::Prover(Error::Transcript(error)),
        ProveError::Instances => ProofError::Prover(Error::InvalidInstances),
    })?;
    Ok(transcript.finalize())
}

fn create_with_library(
    kind: Transcript,
    srs: &Srs,
    pk: &ProvingKey<G1Affine>,
    circuit: AnyCircuit,
    columns: &[&[Fr]],
    rng: &mut dyn RngCore,
) -> Result<Vec<u8>, ProofError> {
    match kind {
        Transcript::Keccak => create_with_library_by::<_, Keccak<Vec<u8>>>(srs, pk, circuit, columns, rng),
        Transcript::Blake2b => create_with_library_by::<_, Blake2bWriter>(srs, pk, circuit, columns, rng),
    }
}

fn create_with_library_by<E: EncodedChallenge<G1Affine>, T: TranscriptWriterBuffer<Vec<u8>, G1Affine, E>>(
    srs: &Srs,
    pk: &ProvingKey<G1Affine>,
    circuit: AnyCircuit,
    columns: &[&[Fr]],
    rng: &mut dyn RngCore,
) -> Result<Vec<u8>, ProofError> {
    let mut transcript = T::init(Vec::new());
    create_proof::<Scheme, ProverSHPLONK<'_, Bn256>, E, _, _, _>(
        srs.params(),
        pk,
        &[circuit],
        &[columns],
        rng,
        &mut transcript,
    )
    .map_err(|error| match error {
        Error::ConstraintSystemFailure => ProofError::Rejected,
        error => ProofError::Prover(error),
    })?;
    Ok(transcript.finalize())
}

impl<C: Statement, S> Proves<S> for Keys<C>
where
    S: fog::statement::Statement<Public = C::Public, Private = C::Private>,
{
    fn prove(&self, public: &S::Public, private: &S::Private) -> Result<Vec<u8>, Cause> {
        Ok(Self::prove(self, public, private, OsRng)?)
    }

    fn verify(&self, public: &S::Public, proof: &[u8]) -> Result<(), Cause> {
        Ok(Self::verify(self, public, proof)?)
    }
}

impl<C: Statement, S> Proves<S> for Verifier<C>
where
    S: fog::statement::Statement<Public = C::Public, Private = C::Private>,
{
    fn prove(&self, _: &S::Public, _: &S::Private) -> Result<Vec<u8>, Cause> {
        Err("a verifier makes no proofs".into())
    }

    fn verify(&self, public: &S::Public, proof: &[u8]) -> Result<(), Cause> {
        Ok(Self::verify(self, public, proof)?)
    }
}

/// Makes a valid proof with lanes; if there is none, or even a panic, without, and tells if there is one then. Who wants no proof any more
/// wants no second one.
fn make_again_without<T>(
    lanes: Option<Lanes>,
    mut make: impl FnMut(Option<Lanes>) -> Result<T, ProofError>,
    tell: impl FnOnce(Lanes),
) -> Result<T, ProofError> {
    let Some(lanes) = lanes else { return make(None) };
    // What a panic leaves half done is the proof, which is dropped, and a generator, which goes on.
    match catch_unwind(AssertUnwindSafe(|| make(Some(lanes)))) {
        Ok(made @ (Ok(_) | Err(ProofError::Cancelled))) => made,
        _ => make(None).inspect(|_| tell(lanes)),
    }
}

impl<C: Statement> Verifier<C> {
    pub fn verify(&self, public: &C::Public, proof: &[u8]) -> Result<(), ProofError> {
        self.verify_instance(&C::instance(public), proof)
    }

    /// Verifies public inputs and proof as the EVM's verifier is handed them after its key's address: the inputs, a word each, big-endian,
    /// then the proof. Accepts exactly the bytes that it does.
    pub fn verify_words(&self, bytes: &[u8]) -> Result<(), ProofError> {
        let inputs = WORD * C::INSTANCES.iter().sum::<usize>();
        let (expected, got) = (inputs + self.proof_bytes, bytes.len());
        fog::ensure!(got == expected, ProofError::WrongLength { expected, got });
        let (inputs, proof) = bytes.split_at(inputs);
        let values = inputs.chunks(WORD).enumerate().map(|(index, word)| {
            let mut little_endian = [0; WORD];
            little_endian.iter_mut().zip(word.iter().rev()).for_each(|(to, from)| *to = *from);
            Option::from(Fr::from_repr(little_endian)).ok_or(ProofError::NotInField(index))
        });
        let mut values = values.collect::<Result<Vec<Fr>, _>>()?.into_iter();
        let instance: Vec<Vec<Fr>> =
            C::INSTANCES.iter().map(|&length| values.by_ref().take(length).collect()).collect();
        self.verify_instance(&instance, proof)
    }

    /// Verifies a proof of public inputs as they stand in the instance columns.
    pub fn verify_instance(&self, instance: &[Vec<Fr>], proof: &[u8]) -> Result<(), ProofError> {
        check_lengths::<C>(instance)?;
        let (expected, got) = (self.proof_bytes, proof.len());
        fog::ensure!(got == expected, ProofError::WrongLength { expected, got });
        if C::TRANSCRIPT == Transcript::Blake2b {
            check_spare_bits(proof)?;
        }
        verify(C::TRANSCRIPT, &self.params, &self.vk, instance, proof)
    }
}

fn verify(
    kind: Transcript,
    params: &ParamsKZG<Bn256>,
    vk: &VerifyingKey<G1Affine>,
    instance: &[Vec<Fr>],
    proof: &[u8],
) -> Result<(), ProofError> {
    match kind {
        Transcript::Keccak => verify_by::<_, Keccak<&[u8]>>(params, vk, instance, proof),
        Transcript::Blake2b => verify_by::<_, Blake2bReader<'_>>(params, vk, instance, proof),
    }
}

fn verify_by<'a, E: EncodedChallenge<G1Affine>, T: TranscriptReadBuffer<&'a [u8], G1Affine, E>>(
    params: &ParamsKZG<Bn256>,
    vk: &VerifyingKey<G1Affine>,
    instance: &[Vec<Fr>],
    proof: &'a [u8],
) -> Result<(), ProofError> {
    let mut transcript = T::init(proof);
    let columns: Vec<&[Fr]> = instance.iter().map(Vec::as_slice).collect();
    let strategy = SingleStrategy::new(params);
    verify_proof::<Scheme, VerifierSHPLONK<'_, Bn256>, E, _, _>(params, vk, strategy, &[&columns], &mut transcript)
        .map_err(|error| match error {
            Error::Transcript(error) => ProofError::Malformed(error.to_string()),
            // The last two points are read within the opening, which has no better word for a bad one.
            Error::Opening => ProofError::Malformed("invalid opening".to_owned()),
            _ => ProofError::Rejected,
        })
}

/// The library ignores the top bit of a compressed point. No word of a proof has a use for it, so a proof that has it set is
/// another proof's double.
fn check_spare_bits(proof: &[u8]) -> Result<(), ProofError> {
    let mut words = proof.chunks(WORD);
    match words.position(|word| word.last().is_some_and(|byte| byte >> 7 != 0)) {
        None => Ok(()),
        Some(index) => Err(ProofError::Malformed(format!("word {index} is not canonical"))),
    }
}

/// The verifier would take values beyond a column's end for further public inputs, and missing ones for zeros.
fn check_lengths<C: Statement>(instance: &[Vec<Fr>]) -> Result<(), ProofError> {
    let got: Vec<usize> = instance.iter().map(Vec::len).collect();
    if got == C::INSTANCES { Ok(()) } else { Err(ProofError::WrongInstances { expected: C::INSTANCES, got }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lanes_get_wrong_is_made_without_them_and_told() {
        let lanes = Some(Lanes::portable());
        let made = |fails: fn(Option<Lanes>) -> Option<ProofError>, lanes| {
            let (mut tried, mut told) = (Vec::new(), Vec::new());
            let make = |lanes| {
                tried.push(lanes);
                fails(lanes).map_or(Ok(()), Err)
            };
            let result = make_again_without(lanes, make, |lanes| told.push(Some(lanes)));
            (result.is_ok(), tried, told)
        };
        let never = |_| None;
        assert_eq!(made(never, lanes), (true, vec![lanes], vec![]));
        let wrong = |lanes: Option<Lanes>| lanes.map(|_| ProofError::Unsatisfied("turn"));
        assert_eq!(made(wrong, lanes), (true, vec![lanes, None], vec![lanes]));
        assert_eq!(made(wrong, None), (true, vec![None], vec![]));
        let panics = |lanes: Option<Lanes>| -> Option<ProofError> { lanes.map(|lanes| panic!("{lanes} got lost")) };
        assert_eq!(made(panics, lanes), (true, vec![lanes, None], vec![lanes]));
        let always = |_| Some(ProofError::Unsatisfied("turn"));
        assert_eq!(made(always, lanes), (false, vec![lanes, None], vec![]), "a false statement is no fault of lanes");
        assert_eq!(made(always, None), (false, vec![None], vec![]));
        let cancelled = |_| Some(ProofError::Cancelled);
        assert_eq!(made(cancelled, lanes), (false, vec![lanes], vec![]));
    }
}
