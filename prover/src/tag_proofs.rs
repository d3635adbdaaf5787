//! The keys of the three statements of the game of tag, whose circuits have *turn*'s shape, so one parameter set and one proof length serve all.

use crate::{KeyError, Keys, Progress, Srs, chess_verifiers::verifiers};
use circuits::{StatementCircuit, TagCaptureCircuit, TagReplyCircuit, TagStepCircuit};
use contest::tag::statement::{capture::CaptureStatement, reply::ReplyStatement, step::StepStatement};
use std::path::Path;

/// Keys of the three statements.
#[derive(Debug)]
pub struct TagProofs {
    pub step: Keys<TagStepCircuit>,
    pub reply: Keys<TagReplyCircuit>,
    pub capture: Keys<TagCaptureCircuit>,
}

impl TagProofs {
    /// Base-two logarithm of the rows that parameters must be for.
    pub const K: u32 = TagStepCircuit::K;

    /// Takes the keys from the folder `cache`, or makes them (some seconds each) and puts them there.
    pub fn load_or_make(srs: &Srs, cache: &Path, progress: &dyn Progress) -> Result<Self, KeyError> {
        Ok(Self {
            step: Keys::load_or_make(srs, cache, progress)?,
            reply: Keys::load_or_make(srs, cache, progress)?,
            capture: Keys::load_or_make(srs, cache, progress)?,
        })
    }

    /// The hashes of the verifying keys: of *tag step*, *tag reply* and *tag capture*.
    pub fn key_hashes(&self) -> [[u8; 32]; 3] {
        [self.step.verifier().key_hash(), self.reply.verifier().key_hash(), self.capture.verifier().key_hash()]
    }
}

fog::proves_by_fields! {
    TagProofs:
    StepStatement: step,
    ReplyStatement: reply,
    CaptureStatement: capture,
}

verifiers! {
    /// Verifiers of the three statements: of *tag step*, *tag reply* and *tag capture*.
    TagVerifiers, 3:
    step: TagStepCircuit, StepStatement;
    reply: TagReplyCircuit, ReplyStatement;
    capture: TagCaptureCircuit, CaptureStatement;
}
