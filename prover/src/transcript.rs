//! The two transcripts as one type, so that the prover and the verifier are compiled once and not once a transcript.

use crate::Transcript as Kind;
use halo2_proofs::transcript::{
    Blake2bRead, Blake2bWrite, Challenge255, EncodedChallenge, Transcript, TranscriptRead, TranscriptReadBuffer,
    TranscriptWrite, TranscriptWriterBuffer,
};
use halo2curves::bn256::{Fr, G1Affine};
use snark_verifier::loader::native::NativeLoader;
use snark_verifier::system::halo2::transcript::evm::{ChallengeEvm, EvmTranscript};
use std::io;

type Keccak<S> = EvmTranscript<G1Affine, NativeLoader, S, Vec<u8>>;
type Blake2bChallenge = Challenge255<G1Affine>;

/// A challenge, whichever way it was derived.
pub(crate) struct Challenge(Fr);

impl EncodedChallenge<G1Affine> for Challenge {
    type Input = Fr;

    fn new(scalar: &Fr) -> Self {
        Self(*scalar)
    }

    fn get_scalar(&self) -> Fr {
        self.0
    }
}

/// A transcript of either kind.
pub(crate) enum AnyTranscript<K, B> {
    Keccak(K),
    Blake2b(Box<B>),
}

pub(crate) type Writer = AnyTranscript<Keccak<Vec<u8>>, Blake2bWrite<Vec<u8>, G1Affine, Blake2bChallenge>>;
pub(crate) type Reader<'a> = AnyTranscript<Keccak<&'a [u8]>, Blake2bRead<&'a [u8], G1Affine, Blake2bChallenge>>;

/// Does the same with a transcript, whichever kind it is of.
macro_rules! either {
    ($both:expr, $transcript:ident => $done:expr) => {
        match $both {
            AnyTranscript::Keccak($transcript) => $done,
            AnyTranscript::Blake2b($transcript) => $done,
        }
    };
}

impl Writer {
    pub fn new(kind: Kind, capacity: usize) -> Self {
        let proof = Vec::with_capacity(capacity);
        match kind {
            Kind::Keccak => Self::Keccak(Keccak::new(proof)),
            Kind::Blake2b => Self::Blake2b(Box::new(Blake2bWrite::init(proof))),
        }
    }

    pub fn finish(self) -> Vec<u8> {
        either!(self, transcript => transcript.finalize())
    }
}

impl<'a> Reader<'a> {
    pub fn new(kind: Kind, proof: &'a [u8]) -> Self {
        match kind {
            Kind::Keccak => Self::Keccak(Keccak::new(proof)),
            Kind::Blake2b => Self::Blake2b(Box::new(Blake2bRead::init(proof))),
        }
    }
}

impl<K, B> Transcript<G1Affine, Challenge> for AnyTranscript<K, B>
where
    K: Transcript<G1Affine, ChallengeEvm<G1Affine>>,
    B: Transcript<G1Affine, Blake2bChallenge>,
{
    fn squeeze_challenge(&mut self) -> Challenge {
        Challenge(either!(self, transcript => transcript.squeeze_challenge().get_scalar()))
    }

    fn common_point(&mut self, point: G1Affine) -> io::Result<()> {
        either!(self, transcript => transcript.common_point(point))
    }

    fn common_scalar(&mut self, scalar: Fr) -> io::Result<()> {
        either!(self, transcript => transcript.common_scalar(scalar))
    }
}

impl TranscriptWrite<G1Affine, Challenge> for Writer {
    fn write_point(&mut self, point: G1Affine) -> io::Result<()> {
        either!(self, transcript => transcript.write_point(point))
    }

    fn write_scalar(&mut self, scalar: Fr) -> io::Result<()> {
        either!(self, transcript => transcript.write_scalar(scalar))
    }
}

impl TranscriptRead<G1Affine, Challenge> for Reader<'_> {
    fn read_point(&mut self) -> io::Result<G1Affine> {
        either!(self, transcript => transcript.read_point())
    }

    fn read_scalar(&mut self) -> io::Result<Fr> {
        either!(self, transcript => transcript.read_scalar())
    }
}
