//! A game checked from the chain alone, by anybody.

use contest::{Audit, Ending};

use super::Chain;
use super::error::GameError;
use super::game::{ContestError, Contract};
use super::history::{History, Said};

/// A game that was replayed from its records.
#[derive(Clone, Debug, PartialEq)]
pub struct Audited<G: Contract> {
    pub audit: Audit<G>,
    /// How the contract says that it ended, if it is over.
    pub said: Option<Ending>,
    /// How many records have proofs that went through another contract: that of the game alone has verified them.
    pub unshown: usize,
}

impl<G: Contract> Audited<G> {
    /// Whether all of it is in order.
    pub fn is_in_order(&self) -> bool {
        self.audit.is_in_order(self.said)
    }
}

/// Replays a game from its history.
///
/// # Errors
///
/// [`ContestError::NotInOrder`] if it isn't even opened in order, and the node's failures. What else is wrong the audit tells.
pub async fn audit<G: Contract>(
    chain: &Chain<G>,
    prover: &G::Prover,
    history: &History<G>,
) -> Result<Audited<G>, ContestError<G>> {
    let (opening, records) = (chain.shown_opening(history).await?, chain.records(history, 1).await?);
    let replay = move |proofs: &G::Proofs| {
        let audit = Audit::open(opening, proofs).map_err(|fault| GameError::NotInOrder { index: 0, fault })?;
        let mut audited = Audited { audit, said: None, unshown: 0 };
        for record in records {
            let read = record.read(&audited.audit.table);
            // After a record that isn't in order others may make no sense.
            let read = if audited.audit.fault.is_some() { read.unwrap_or_default() } else { read? };
            let Some(Said { action, is_shown, ending }) = read else { continue };
            audited.unshown += usize::from(!is_shown);
            if let Some((sender, action)) = action {
                audited.audit.take(&contest::Record { sender, action, time: record.told.time }, proofs);
            }
            audited.said = audited.said.or(ending);
        }
        Ok(audited)
    };
    G::run(prover, replay).await?.0
}
