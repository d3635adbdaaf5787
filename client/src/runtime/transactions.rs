//! A seat's transactions, one after the other: two at once from one account would fight for a nonce.

use super::Completion;
use crate::chain::{Chain, ChainError, IFogmate::IFogmateErrors};
use alloy::primitives::B256;
use game::Transaction;
use tokio::sync::mpsc::{self, UnboundedSender};

/// Starts the sender of one game's transactions; it ends when its channel does.
pub(super) fn start(chain: Chain, game: B256, done: UnboundedSender<Completion>) -> UnboundedSender<Transaction> {
    let (sender, mut wishes) = mpsc::unbounded_channel::<Transaction>();
    tokio::spawn(async move {
        while let Some(transaction) = wishes.recv().await {
            let result = chain.carry_out(game, &transaction).await;
            if done.send(Completion::Transaction(transaction, Box::new(result))).is_err() {
                return;
            }
        }
    });
    sender
}

/// Whether the contract refuses a transaction because an earlier copy of it was carried out: after a restart, or a
/// transaction that was thought lost. The chain's events tell the seat the same.
pub(super) fn has_made_it_before(transaction: &Transaction, error: &ChainError) -> bool {
    let Some(refusal) = error.contract_error() else {
        return false;
    };
    match (transaction, &refusal.0) {
        (Transaction::Move { fields, .. }, IFogmateErrors::StalePly(stale)) => stale.current > fields.ply,
        (
            Transaction::Move { .. }
            | Transaction::RevealCreator { .. }
            | Transaction::RevealJoiner { .. }
            | Transaction::ClaimTimeout,
            IFogmateErrors::WrongStatus(_),
        )
        | (Transaction::Reclaim(_), IFogmateErrors::NothingOwed(_))
        | (Transaction::PublishViewKey { .. }, IFogmateErrors::AlreadyPublished(_))
        | (Transaction::DemandSight { .. }, IFogmateErrors::NothingToDemand(_) | IFogmateErrors::OnHold(_))
        | (Transaction::AnswerSight { .. }, IFogmateErrors::NothingDemanded(_))
        | (Transaction::FillAnswer { .. }, IFogmateErrors::NothingToFill(_)) => true,
        _ => false,
    }
}
