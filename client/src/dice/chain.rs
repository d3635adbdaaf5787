//! The connection to the dice contract: its actions as transactions, and its latest state.

use std::ops::Deref;

use alloy::primitives::{Address, B256, U256};
use alloy::providers::DynProvider;
use dice::{Acceptance, Action, Opening, Roll, Terms};

use super::contract::IDiceGame::{self, IDiceGameCalls};
use super::error::{BAD_TERMS, DiceError, Refusal};
use crate::chain::{ChainError, Receipt};
use crate::connection::{Connection, ConnectionConfig};
use crate::sender::{Priority, Subject};
use crate::wallet::Wallet;

/// A connection, with a wallet or to read only.
pub struct DiceChain {
    connection: Connection,
    pub(super) contract: IDiceGame::IDiceGameInstance<DynProvider>,
}

impl Deref for DiceChain {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.connection
    }
}

/// What a call of the contract is for.
fn subject(input: &[u8]) -> Subject {
    let name = input.first_chunk::<4>().and_then(|selector| IDiceGameCalls::name_by_selector(*selector));
    Subject::Action { game: None, name: name.unwrap_or("a call of the dice contract").to_owned() }
}

/// Something about a game of dice.
fn action(game: Option<B256>, name: impl Into<String>) -> Subject {
    Subject::Action { game, name: name.into() }
}

impl DiceChain {
    /// Connects as the owner of a wallet, or without one.
    pub async fn connect(config: &ConnectionConfig, wallet: Option<&Wallet>) -> Result<Self, DiceError> {
        let connection = Connection::connect::<Refusal>(config, wallet, subject).await?;
        let contract = IDiceGame::new(config.place.contract, connection.provider.clone());
        Ok(Self { connection, contract })
    }

    /// The head of a game in the latest block, final or not; zero if there is no such game.
    pub async fn latest_head(&self, game: B256) -> Result<B256, DiceError> {
        Ok(self.contract.game(game).call().await?.head)
    }

    /// What the contract owes an account, in wei.
    pub async fn withdrawable(&self, account: Address) -> Result<U256, DiceError> {
        Ok(self.contract.withdrawable(account).call().await?)
    }

    pub async fn create(&self, opening: &Opening) -> Result<Receipt, DiceError> {
        let Terms { stake, turn, expiry, opponent } = &opening.terms;
        let terms = IDiceGame::Terms {
            stake: (*stake).try_into().map_err(|_| DiceError::BadTerms(BAD_TERMS))?,
            turn: (*turn).try_into().map_err(|_| DiceError::BadTerms(BAD_TERMS))?,
            expiry: (*expiry).try_into().map_err(|_| DiceError::BadTerms(BAD_TERMS))?,
            opponent: opponent.unwrap_or_default(),
        };
        let call = self.contract.create(opening.nonce.into(), terms, opening.promised).value(U256::from(*stake));
        // Without a game: each opening is another game, with another stake.
        let subject = action(None, "opening a game of dice");
        Ok(self.send(call.into_transaction_request(), subject, Priority::Normal).await?)
    }

    /// Joins a game, with its stake in wei.
    pub async fn join(&self, game: B256, stake: u128, acceptance: &Acceptance) -> Result<Receipt, DiceError> {
        let Acceptance { number, promised, .. } = acceptance;
        let call = self.contract.join(game, *number, *promised).value(U256::from(stake));
        let subject = action(Some(game), "joining the game of dice");
        Ok(self.send(call.into_transaction_request(), subject, Priority::Normal).await?)
    }

    /// Does what a player's machine asks for; joining takes [`Self::join`].
    pub async fn carry_out(&self, game: B256, wanted: &Action) -> Result<Receipt, DiceError> {
        let contract = &self.contract;
        let (request, name, priority) = match wanted {
            Action::Join(acceptance) => return self.join(game, 0, acceptance).await,
            Action::Cancel => {
                (contract.cancel(game).into_transaction_request(), "cancelling the game of dice", Priority::Urgent)
            }
            Action::Resign => {
                (contract.resign(game).into_transaction_request(), "resigning the game of dice", Priority::Urgent)
            }
            Action::ClaimTimeout => {
                (contract.claimTimeout(game).into_transaction_request(), "claiming the game of dice", Priority::Urgent)
            }
            Action::Roll(Roll { head, revealed, number, promised, .. }) => {
                let call = contract.roll(game, *head, *revealed, *number, *promised);
                (call.into_transaction_request(), "a roll", Priority::Normal)
            }
        };
        Ok(self.send(request, action(Some(game), name), priority).await?)
    }

    /// Fetches what the contract owes the wallet.
    pub async fn withdraw(&self) -> Result<Receipt, DiceError> {
        let account = self.account().ok_or(ChainError::ReadOnly)?;
        let request = self.contract.withdraw(account).into_transaction_request();
        Ok(self.send(request, action(None, "withdrawing from the dice contract"), Priority::Normal).await?)
    }
}
