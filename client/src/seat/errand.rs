//! A transaction that the seat sends by itself, but for moves: proven first where it has a proof, sent once, and sent again where it may have got lost.

use super::effects::Effects;
use super::event::{Done, Job, JobId, JobKind};
use fog::engine::{Fault, GameKeys, OnChain};
use game::Transaction;
use std::sync::Arc;

#[derive(Debug)]
pub(super) enum Errand {
    Due,
    Proving(JobId),
    /// It could not be proven on this side; it is tried again at the next tick.
    Failed,
    Sending {
        transaction: Box<Transaction>,
        sent: bool,
    },
    /// It would answer a request that can't be answered: told, and nothing more can be done.
    Unanswerable,
}

impl Errand {
    /// Has the transaction made with its proof.
    pub fn prove(
        kind: JobKind,
        keys: &Arc<dyn GameKeys>,
        fx: &mut Effects,
        work: impl FnOnce(&dyn OnChain) -> Result<Transaction, Fault> + Send + 'static,
    ) -> Self {
        Self::Proving(fx.run(Job::on_chain(kind, keys, move |keys| work(keys).map(Box::new), Done::Proven)))
    }

    pub fn is_due(&self) -> bool {
        matches!(self, Self::Due)
    }

    /// Whether the result of this job is waited for.
    pub fn awaits(&self, job: JobId) -> bool {
        matches!(self, Self::Proving(id) if *id == job)
    }

    /// That job has run.
    pub fn proven(&mut self, result: Result<Box<Transaction>, Fault>, fx: &mut Effects) {
        *self = match result {
            Ok(transaction) => Self::Sending { transaction, sent: false },
            Err(fault) => {
                fx.failed(&fault);
                if matches!(fault, Fault::Request(_)) { Self::Unanswerable } else { Self::Failed }
            }
        };
    }

    /// Sends what is proven, once, if it may leave.
    pub fn send(&mut self, may_leave: impl FnOnce(&mut Effects) -> bool, fx: &mut Effects) {
        if let Self::Sending { transaction, sent: sent @ false } = self
            && may_leave(fx)
        {
            *sent = true;
            fx.transact((**transaction).clone());
        }
    }

    pub fn is_sent(&self) -> bool {
        matches!(self, Self::Sending { sent: true, .. })
    }

    /// What failed on this side is tried again.
    pub fn retry(&mut self) {
        if let Self::Failed = self {
            *self = Self::Due;
        }
    }

    /// The transaction may have got lost.
    pub fn resend(&mut self) {
        if let Self::Sending { sent, .. } = self {
            *sent = false;
        }
    }
}
