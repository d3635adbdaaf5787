//! A game checked from the chain alone, by anybody.

use contest::{Ending, Fault, Table};

use super::Chain;
use super::error::GameError;
use super::game::Contract;
use super::history::{History, Said};

/// A game that was replayed from its records.
#[derive(Clone, Debug, PartialEq)]
pub struct Audited<G: Contract> {
    /// The game after the last record that was in order.
    pub table: Table<G>,
    /// The first record that wasn't in order, by its index, and why. What comes after it hangs on it.
    pub fault: Option<(usize, Fault<G::Wrong>)>,
    /// How the contract says that it ended, if it is over.
    pub said: Option<Ending>,
    /// How many records have proofs that went through another contract: that of the game alone has verified them.
    pub unshown: usize,
}

impl<G: Contract> Audited<G> {
    /// Whether the game ended as the contract says, by what the records lead to.
    pub fn ends_right(&self) -> bool {
        self.table.ending() == self.said
    }

    /// Whether all of it is in order.
    pub fn is_in_order(&self) -> bool {
        self.fault.is_none() && self.ends_right()
    }
}

/// Replays a game from its history.
///
/// # Errors
///
/// [`GameError::NotInOrder`] if it isn't even opened in order, and the node's failures. What else is wrong the audit tells.
pub async fn audit<G: Contract>(
    chain: &Chain<G>,
    prover: &G::Prover,
    history: &History<G>,
) -> Result<Audited<G>, GameError<G>> {
    let (opening, records) = (chain.shown_opening(history).await?, chain.records(history, 1).await?);
    let replay = move |proofs: &G::Proofs| {
        let table = Table::open(opening, proofs).map_err(|fault| GameError::NotInOrder { index: 0, fault })?;
        let (mut audited, mut replayed) = (Audited { table, fault: None, said: None, unshown: 0 }, 0);
        for record in records {
            let read = record.read(&audited.table);
            // After a record that isn't in order others may make no sense.
            let read = if audited.fault.is_some() { read.unwrap_or_default() } else { read? };
            let Some(Said { action, is_shown, ending }) = read else { continue };
            audited.unshown += usize::from(!is_shown);
            if let Some((sender, action)) = action.filter(|_| audited.fault.is_none()) {
                let applied = audited.table.apply(sender, &action, record.told.time, proofs);
                audited.fault = applied.err().map(|fault| (replayed, fault));
                replayed += 1;
            }
            audited.said = audited.said.or(ending);
        }
        Ok(audited)
    };
    G::run(prover, replay).await?.0
}
