//! Actions, on their way to the chain through the owner of the wallet's transactions.

use alloy::rpc::types::TransactionRequest;

use super::Connection;
use crate::chain::{ChainError, Receipt};
use crate::sender::{Fate, Priority, Subject, Wish};

impl Connection {
    /// Sends a transaction, which the estimate refuses if the contract would, and waits until it is in a block. What was signed stays on its way
    /// when this gives up waiting.
    pub(crate) async fn send(
        &self,
        request: TransactionRequest,
        subject: Subject,
        priority: Priority,
    ) -> Result<Receipt, ChainError> {
        let (_, mined) = self.owner()?.carry_out(&request, subject, priority).await?;
        let transaction = mined.transaction;
        fog::ensure!(mined.succeeded, ChainError::Failed { transaction, reason: None });
        Ok(Receipt::of(&mined, request.input.input().map_or(0, |bytes| bytes.len())))
    }

    /// Looks after all of the wallet's transactions that are under way, whoever sent them: to be called again and again while a game is played.
    pub async fn look_after(&self) -> Result<(), ChainError> {
        match &self.owner {
            Some(owner) => owner.look_after().await,
            None => Ok(()),
        }
    }

    /// What the user should know of the wallet's transactions, from now on: one sentence each. None without a wallet.
    pub fn advice(&self) -> Option<tokio::sync::broadcast::Receiver<String>> {
        self.owner.as_ref().map(|owner| owner.advice())
    }

    /// Takes over what the node has of this wallet and its record hasn't: what was sent from another machine, or before the record was lost.
    pub(crate) async fn take_over(&self) -> Result<(), ChainError> {
        self.owner()?.take_over().await
    }

    /// Whether something that this wallet has sent is in no block yet, and `is_it`.
    pub(crate) fn is_under_way(&self, is_it: impl Fn(&Wish) -> bool) -> Result<bool, ChainError> {
        let ledger = self.owner()?.ledger()?;
        Ok(ledger.entries().iter().any(|entry| entry.fate() == Fate::UnderWay && is_it(entry.wish())))
    }
}
