//! What long work says while it goes on, so that a client can show a bar. Nothing here prints.

use std::fmt;

/// A step of long work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Reading and hashing a ceremony's file.
    ReadCeremony,
    /// Curve, subgroup and pairing checks of a ceremony's file.
    CheckCeremony,
    MakeDevelopmentParameters,
    /// Converting the powers to the Lagrange basis.
    LagrangeBasis,
    /// Looking for a finished result in the cache.
    ReadCache,
    /// Another process makes the same thing; waiting for it.
    AwaitOther,
    /// Making a verifying key.
    MakeVerifyingKey,
    /// Making a proving key.
    MakeProvingKey,
    /// Tabulating multiples of the parameters' points.
    MakeTables,
    /// Transforming the proving key's columns.
    PrepareProver,
    /// Writing a result to the cache.
    WriteCache,
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ReadCeremony => "reading the ceremony's file",
            Self::CheckCeremony => "checking the ceremony's points",
            Self::MakeDevelopmentParameters => "making development parameters",
            Self::LagrangeBasis => "computing the Lagrange basis",
            Self::ReadCache => "reading the cache",
            Self::AwaitOther => "waiting for another process",
            Self::MakeVerifyingKey => "making the verifying key",
            Self::MakeProvingKey => "making the proving key",
            Self::MakeTables => "tabulating the parameters",
            Self::PrepareProver => "preparing the prover",
            Self::WriteCache => "writing the cache",
        })
    }
}

/// Somebody who watches long work.
pub trait Progress: Sync {
    /// `fraction` of `stage` is done: 0 when it starts, 1 when it ends; not every stage reports between the two.
    /// `subject` says what it is about, such as a statement's name.
    fn at(&self, subject: &str, stage: Stage, fraction: f32);

    /// Something was not as expected but the work goes on, such as a damaged cache file that is made anew.
    fn notice(&self, _message: &str) {}
}

#[derive(Clone, Copy, Debug, Default)]
pub struct NoProgress;

impl Progress for NoProgress {
    fn at(&self, _subject: &str, _stage: Stage, _fraction: f32) {}
}

/// Reports the start of a stage, does the work, and reports its end.
pub(crate) fn during<T>(progress: &dyn Progress, subject: &str, stage: Stage, work: impl FnOnce() -> T) -> T {
    progress.at(subject, stage, 0.0);
    let result = work();
    progress.at(subject, stage, 1.0);
    result
}
