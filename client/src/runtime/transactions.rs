//! A seat's transactions, all at once: the wallet's sender gives them nonces and looks after them until they are in a
//! block. A node that fails, or a chain that is slow, ends none of them.

use super::outlive::outlive;
use super::{Completion, notify};
use crate::chain::{Chain, ChainError, IFogmate::IFogmateErrors, Receipt, Status};
use crate::seat::Event;
use alloy::primitives::{Address, B256};
use chain::{Class, Classified as _, SendError};
use game::{Notice, Transaction};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::mpsc::UnboundedSender;
use tokio::task::JoinSet;

/// Shortest pause between two looks at what is under way, and before a node that failed is asked again.
const SHORTEST_PAUSE: Duration = Duration::from_millis(200);
/// Longest pause before a node that failed is asked again.
const LONGEST_PAUSE: Duration = Duration::from_secs(15);

/// The transactions of one game. Dropping it stops waiting; what was sent stays under way.
pub(super) struct Transactions {
    /// The connection that they go through.
    pub chain: Chain,
    pub game: B256,
    done: UnboundedSender<Completion>,
    notices: UnboundedSender<Notice>,
    money: Arc<Notify>,
    tasks: JoinSet<()>,
}

impl Transactions {
    /// Starts with what an earlier process of this wallet has left under way.
    pub fn new(chain: Chain, game: B256, done: UnboundedSender<Completion>, notices: UnboundedSender<Notice>) -> Self {
        let mut tasks = JoinSet::new();
        tasks.spawn(tell(chain.clone(), notices.clone()));
        tasks.spawn(look_after(chain.clone(), notices.clone()));
        let money = Arc::new(Notify::new());
        money.notify_one();
        tasks.spawn(count_money(chain.clone(), game, notices.clone(), money.clone()));
        Self { chain, game, done, notices, money, tasks }
    }

    /// The player's money may have changed.
    pub fn count_money(&self) {
        self.money.notify_one();
    }

    /// Has a transaction carried out; what became of it comes as [`Completion::Transaction`].
    pub fn send(&mut self, transaction: Transaction) {
        while self.tasks.try_join_next().is_some() {}
        let (chain, game) = (self.chain.clone(), self.game);
        let (done, notices) = (self.done.clone(), self.notices.clone());
        self.tasks.spawn(async move {
            let result = carry_out(&chain, game, &transaction, &notices).await;
            // Nobody listens once the runtime has ended.
            let _ = done.send(Completion::Transaction(transaction, Box::new(result)));
        });
    }
}

/// Carries out a transaction, whatever the node's mood.
async fn carry_out(
    chain: &Chain,
    game: B256,
    transaction: &Transaction,
    notices: &UnboundedSender<Notice>,
) -> Result<Receipt, ChainError> {
    let mut pause = chain.config().poll.max(SHORTEST_PAUSE);
    loop {
        let once = carry_out_once(chain.clone(), game, transaction.clone(), notices.clone());
        let trouble = match outlive(once).await {
            Ok(Err(ChainError::Send(SendError::NotConfirmed { waited, .. }))) => {
                format!("{transaction}: in no block after {} s, and still on its way", waited.as_secs())
            }
            Ok(Err(error)) if error.class() == Class::Retry => format!("{transaction}: {error}"),
            Ok(result) => return result,
            Err(panicked) => panicked.sentence(transaction),
        };
        notify(notices, Notice::ChainTrouble { text: trouble });
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

/// Carries out a transaction; tells what a withdrawal has brought.
async fn carry_out_once(
    chain: Chain,
    game: B256,
    transaction: Transaction,
    notices: UnboundedSender<Notice>,
) -> Result<Receipt, ChainError> {
    let owed = match (&transaction, chain.account()) {
        (Transaction::Withdraw, Some(account)) => Some(chain.withdrawable(account).await?),
        _ => None,
    };
    let receipt = chain.carry_out(game, &transaction).await?;
    if let Some(owed) = owed {
        notify(&notices, Notice::Fetched { wei: owed.saturating_to() });
    }
    Ok(receipt)
}

/// Looks after all that is under way, also what nobody here waits for.
async fn look_after(chain: Chain, notices: UnboundedSender<Notice>) {
    let pause = chain.config().poll.max(SHORTEST_PAUSE);
    let mut wait = pause;
    loop {
        let looking = chain.clone();
        match outlive(async move { looking.look_after().await }).await {
            // A failure is the node's; who follows the chain tells it.
            Ok(Ok(()) | Err(_)) => wait = pause,
            Err(panicked) => {
                let words = panicked.sentence("what looks after this wallet's transactions");
                notify(&notices, Notice::ChainTrouble { text: words });
                wait = (wait * 2).min(LONGEST_PAUSE);
            }
        }
        tokio::time::sleep(wait).await;
    }
}

/// Tells what the player has, whenever that may have changed and has. A node that doesn't say is asked at the next occasion.
async fn count_money(chain: Chain, game: B256, notices: UnboundedSender<Notice>, occasion: Arc<Notify>) {
    let Some(account) = chain.account() else {
        return;
    };
    let mut told = None;
    loop {
        occasion.notified().await;
        let Ok(money) = money(&chain, game, account).await else { continue };
        if told.as_ref() != Some(&money) {
            notify(&notices, money.clone());
            told = Some(money);
        }
    }
}

/// What an account has, in the wallet and at the contract.
async fn money(chain: &Chain, game: B256, account: Address) -> Result<Notice, ChainError> {
    let (wallet, owed) = (chain.balance(account).await?, chain.withdrawable(account).await?);
    let (state, bonds) = (chain.game(game).await?, chain.bonds(game).await?);
    let is_at_stake = state.status != Status::Over && state.players.contains(&Some(account));
    Ok(Notice::Money {
        wallet_wei: wallet.saturating_to(),
        owed_wei: owed.saturating_to(),
        staked_wei: if is_at_stake { state.terms.stake } else { 0 },
        bonded_wei: bonds.iter().filter(|bond| bond.owner == account).map(|bond| bond.wei).sum(),
    })
}

/// Tells the user what becomes of the wallet's transactions.
async fn tell(chain: Chain, notices: UnboundedSender<Notice>) {
    let Some(mut advice) = chain.advice() else {
        return;
    };
    loop {
        match advice.recv().await {
            Ok(advice) => notify(&notices, Notice::ChainTrouble { text: advice }),
            Err(RecvError::Lagged(_)) => {}
            Err(RecvError::Closed) => return,
        }
    }
}

/// What a seat is told of a transaction that has failed; nothing if there is nothing to do about it.
pub fn event_of_failure(transaction: Transaction, error: &ChainError) -> Option<Event> {
    if has_made_it_before(&transaction, error) || is_nothing_owed(&transaction, error) {
        return None;
    }
    let (reason, is_certain) =
        (format!("{transaction}: {error}"), matches!(error.class(), Class::Usage | Class::Refused));
    Some(Event::TransactionFailed { transaction: Box::new(transaction), is_certain, reason })
}

/// Whether the contract refuses a transaction because an earlier copy of it was carried out: after a restart, or a
/// transaction that was thought lost. The chain's events tell the seat the same.
fn has_made_it_before(transaction: &Transaction, error: &ChainError) -> bool {
    let Some(refusal) = error.contract_error() else {
        return false;
    };
    match (transaction, &refusal.0) {
        (Transaction::Move { fields, .. }, IFogmateErrors::StalePly(stale)) => stale.current > fields.ply,
        (
            Transaction::Move { .. }
            | Transaction::RevealCreator { .. }
            | Transaction::RevealJoiner { .. }
            | Transaction::ClaimTimeout
            | Transaction::Close { .. },
            IFogmateErrors::WrongStatus(_),
        )
        | (Transaction::Reclaim(_), IFogmateErrors::NothingOwed(_))
        | (Transaction::DemandSight { .. }, IFogmateErrors::NothingToDemand(_) | IFogmateErrors::OnHold(_))
        | (Transaction::AnswerSight { .. }, IFogmateErrors::NothingDemanded(_))
        | (Transaction::FillAnswer { .. }, IFogmateErrors::NothingToFill(_)) => true,
        _ => false,
    }
}

/// Whether there was nothing to fetch.
pub(super) fn is_nothing_owed(transaction: &Transaction, error: &ChainError) -> bool {
    let refusal = error.contract_error().map(|refusal| &refusal.0);
    matches!((transaction, refusal), (Transaction::Withdraw, Some(IFogmateErrors::NothingOwed(_))))
}
