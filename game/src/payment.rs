//! What the contract pays to whom with an event: stakes, bonds that come back, and what is earned of them. Each fetches what it is owed when it likes.

use alloy_primitives::Address;
use rules::Color;
use serde::Serialize;

use crate::audit::Record;
use crate::{ChainEvent, Hold, Outcome, Table};

/// What somebody is owed from then on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Payment {
    pub to: Address,
    /// How much, in wei.
    #[serde(serialize_with = "as_text")]
    pub wei: u128,
}

fn as_text<S: serde::Serializer>(wei: &u128, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(wei)
}

/// What an event pays that the table is about to take.
pub fn payments(table: &Table, record: &Record) -> Vec<Payment> {
    let play = table.begun();
    // What one has put in, of which the other earns a part.
    let shared = |owner: Color, bond: u128, paid: u128| {
        let Some(play) = play else { return Vec::new() };
        vec![(play.players[(!owner).index()], paid), (play.players[owner.index()], bond.saturating_sub(paid))]
    };
    let claim = play.and_then(|play| match play.hold {
        Some(Hold::FiftyMoves { claimant, bond, .. }) => Some((claimant, bond)),
        _ => None,
    });
    let paid = match &record.event {
        ChainEvent::SightAnswered { ctx, paid, .. } => {
            let demand = play.and_then(|play| play.demand_for(*ctx));
            demand.map_or_else(Vec::new, |demand| shared(demand.demanded.receiver, demand.bond, *paid))
        }
        ChainEvent::FiftyFailed { paid, .. } => {
            claim.map_or_else(Vec::new, |(claimant, bond)| shared(claimant, bond, *paid))
        }
        ChainEvent::BondReclaimed { player, bond, .. } => vec![(*player, *bond)],
        ChainEvent::Ended { winner, outcome } => {
            let stake = table.terms().map_or(0, |terms| terms.stake);
            let staked = table.creator().into_iter().chain(table.joiner());
            let mut paid: Vec<_> = staked.map(|player| (winner.unwrap_or(player), stake)).collect();
            // Whoever grants a claim earns nothing. Where nobody answers it the bond is asked back.
            if let (Outcome::FiftyMoves, Some((claimant, bond)), Some(_), false) =
                (outcome, claim, &record.carried, table.is_signed())
            {
                paid.extend(shared(claimant, bond, 0));
            }
            paid
        }
        _ => Vec::new(),
    };
    let mut payments: Vec<Payment> = Vec::new();
    for (to, wei) in paid.into_iter().filter(|(_, wei)| *wei > 0) {
        match payments.iter_mut().find(|payment| payment.to == to) {
            Some(payment) => payment.wei = payment.wei.saturating_add(wei),
            None => payments.push(Payment { to, wei }),
        }
    }
    payments
}
