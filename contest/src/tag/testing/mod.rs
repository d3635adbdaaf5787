//! Seeded statements, true and broken, and statements checked natively in place of proofs (feature `testing`): for the tests of this crate and of the
//! circuits. No shipped code uses it.

mod draws;
mod mutations;
mod proofs;

pub use draws::{captures, exponent, position, replies, steps};
pub use mutations::{CaptureMutation, ReplyMutation, StepMutation, mutations_capture, mutations_reply, mutations_step};
pub use proofs::NativeProofs;
