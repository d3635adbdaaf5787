//! Who makes and verifies the proofs of a game. The machine computes statements; what proves them is given to it.

use crate::statement::{
    capture::{CapturePrivate, CapturePublic},
    reply::{ReplyPrivate, ReplyPublic},
    step::{StepPrivate, StepPublic},
};

/// Why a proof was refused, or not made.
pub type Cause = Box<dyn std::error::Error + Send + Sync>;

/// A proof system for the three statements.
pub trait Proofs {
    /// Bytes of every proof.
    fn proof_bytes(&self) -> usize;
    /// Proves that a step is right.
    fn prove_step(&self, public: &StepPublic, private: &StepPrivate) -> Result<Vec<u8>, Cause>;
    /// Proves that a reply is right.
    fn prove_reply(&self, public: &ReplyPublic, private: &ReplyPrivate) -> Result<Vec<u8>, Cause>;
    /// Proves that a reply shows the opponent's king.
    fn prove_capture(&self, public: &CapturePublic, private: &CapturePrivate) -> Result<Vec<u8>, Cause>;
    /// Whether the proof of a step is right.
    fn verify_step(&self, public: &StepPublic, proof: &[u8]) -> Result<(), Cause>;
    /// Whether the proof of a reply is right.
    fn verify_reply(&self, public: &ReplyPublic, proof: &[u8]) -> Result<(), Cause>;
    /// Whether the proof of a capture is right.
    fn verify_capture(&self, public: &CapturePublic, proof: &[u8]) -> Result<(), Cause>;
}
