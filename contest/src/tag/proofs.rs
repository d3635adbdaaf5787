//! Who makes and verifies the proofs of a game. The machine computes statements; what proves them is given to it.

use crate::tag::statement::{capture::CaptureStatement, reply::ReplyStatement, step::StepStatement};
use fog::statement::Proves;

/// A proof system for the three statements.
pub trait Proofs: Proves<StepStatement> + Proves<ReplyStatement> + Proves<CaptureStatement> {}

impl<T: Proves<StepStatement> + Proves<ReplyStatement> + Proves<CaptureStatement>> Proofs for T {}
