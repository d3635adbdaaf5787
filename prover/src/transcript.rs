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

pub(crate) enum Writer {
    Keccak(Keccak<Vec<u8>>),
    Blake2b(Box<Blake2bWrite<Vec<u8>, G1Affine, Blake2bChallenge>>),
}

pub(crate) enum Reader<'a> {
    Keccak(Keccak<&'a [u8]>),
    Blake2b(Box<Blake2bRead<&'a [u8], G1Affine, Blake2bChallenge>>),
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
        match self {
            Self::Keccak(transcript) => transcript.finalize(),
            Self::Blake2b(transcript) => transcript.finalize(),
        }
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

/// Passes on what both sides of a transcript do alike.
macro_rules! both {
    ($name:ty) => {
        impl Transcript<G1Affine, Challenge> for $name {
            fn squeeze_challenge(&mut self) -> Challenge {
                Challenge(match self {
                    Self::Keccak(transcript) => {
                        let challenge: ChallengeEvm<G1Affine> = transcript.squeeze_challenge();
                        challenge.get_scalar()
                    }
                    Self::Blake2b(transcript) => transcript.squeeze_challenge().get_scalar(),
                })
            }

            fn common_point(&mut self, point: G1Affine) -> io::Result<()> {
                match self {
                    Self::Keccak(transcript) => transcript.common_point(point),
                    Self::Blake2b(transcript) => transcript.common_point(point),
                }
            }

            fn common_scalar(&mut self, scalar: Fr) -> io::Result<()> {
                match self {
                    Self::Keccak(transcript) => transcript.common_scalar(scalar),
                    Self::Blake2b(transcript) => transcript.common_scalar(scalar),
                }
            }
        }
    };
}

both!(Writer);
both!(Reader<'_>);

impl TranscriptWrite<G1Affine, Challenge> for Writer {
    fn write_point(&mut self, point: G1Affine) -> io::Result<()> {
        match self {
            Self::Keccak(transcript) => transcript.write_point(point),
            Self::Blake2b(transcript) => transcript.write_point(point),
        }
    }

    fn write_scalar(&mut self, scalar: Fr) -> io::Result<()> {
        match self {
            Self::Keccak(transcript) => transcript.write_scalar(scalar),
            Self::Blake2b(transcript) => transcript.write_scalar(scalar),
        }
    }
}

impl TranscriptRead<G1Affine, Challenge> for Reader<'_> {
    fn read_point(&mut self) -> io::Result<G1Affine> {
        match self {
            Self::Keccak(transcript) => transcript.read_point(),
            Self::Blake2b(transcript) => transcript.read_point(),
        }
    }

    fn read_scalar(&mut self) -> io::Result<Fr> {
        match self {
            Self::Keccak(transcript) => transcript.read_scalar(),
            Self::Blake2b(transcript) => transcript.read_scalar(),
        }
    }
}
