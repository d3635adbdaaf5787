//! What long work says while it goes on, so that a client can show a bar. Nothing here prints.

/// A step of long work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, derive_more::Display)]
pub enum Stage {
    /// Reading and hashing a ceremony's file.
    #[display("reading the ceremony's file")]
    ReadCeremony,
    /// Curve, subgroup and pairing checks of a ceremony's file.
    #[display("checking the ceremony's points")]
    CheckCeremony,
    #[display("making development parameters")]
    MakeDevelopmentParameters,
    /// Converting the powers to the Lagrange basis.
    #[display("computing the Lagrange basis")]
    LagrangeBasis,
    /// Looking for a finished result in the cache.
    #[display("reading the cache")]
    ReadCache,
    /// Another process makes the same thing; waiting for it.
    #[display("waiting for another process")]
    AwaitOther,
    /// Making a verifying key.
    #[display("making the verifying key")]
    MakeVerifyingKey,
    /// Making a proving key.
    #[display("making the proving key")]
    MakeProvingKey,
    /// Tabulating multiples of the parameters' points.
    #[display("tabulating the parameters")]
    MakeTables,
    /// Transforming the proving key's columns.
    #[display("preparing the prover")]
    PrepareProver,
    /// Writing a result to the cache.
    #[display("writing the cache")]
    WriteCache,
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
