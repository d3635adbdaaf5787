//! The connection to a game's contract: a player's actions as transactions, and what it says of a game as of the latest block.

use std::marker::PhantomData;
use std::ops::Deref;

use alloy::primitives::{Address, B256, U256};
use alloy::sol_types::SolCall as _;
use chain::SendError;
use chain::send::{Call, Key, Mined, Priority, Request, Subject, TxId};
use contest::{Action, Opening, Table};
use fog::ensure;

use super::contract::IContest;
use super::error::GameError;
use super::game::{Contract, Latest, name_of_call};
use super::refusal::refusal;
use crate::chain::{ChainConfig, ChainError, Connection, Receipt};
use crate::wallet::Wallet;

/// A connection to the contract of a game, with a wallet or to read only.
pub struct Chain<G> {
    connection: Connection,
    game: PhantomData<G>,
}

impl<G> Deref for Chain<G> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.connection
    }
}

/// What a call of the contract is for.
fn called<G: Contract>(input: &[u8]) -> Subject {
    let unknown = || format!("a call of the contract of {}", G::NAME);
    Subject::Action { topic: None, name: name_of_call::<G>(input).map_or_else(unknown, str::to_owned) }
}

/// What an action of a turn is for, by the name of its function. Of moves that may differ, by a choice or by proofs made anew, there is one at most in a turn.
fn subject<G: Contract>(game: B256, turn: u64, name: &str) -> Subject {
    let verb = match name {
        "join" => "joining",
        "cancel" => "cancelling",
        "resign" => "resigning",
        "claimTimeout" => "claiming",
        _ => match G::purpose(name) {
            Some(purpose) => return Subject::Action { topic: Some(game), name: purpose.to_owned() },
            None => return Subject::Exclusive(Key { topic: game, number: u16::try_from(turn).unwrap_or(u16::MAX) }),
        },
    };
    Subject::Action { topic: Some(game), name: format!("{verb} the game of {}", G::NAME) }
}

impl<G: Contract> Chain<G> {
    /// Connects with a wallet, or without one to read only.
    pub async fn connect(config: &ChainConfig, wallet: Option<&Wallet>) -> Result<Self, GameError<G>> {
        let connection = Connection::open(config.clone(), wallet, called::<G>, refusal::<G>).await?;
        Ok(Self { connection, game: PhantomData })
    }

    /// A game as of the latest block.
    ///
    /// # Errors
    ///
    /// [`GameError::NoGame`], [`GameError::Nonsense`] for a state that the contract can't have, and the node's failures.
    pub async fn latest(&self, game: B256) -> Result<Latest<G>, GameError<G>> {
        G::latest(self, game).await?.ok_or(GameError::NoGame { of: G::NAME, game })
    }

    /// What the contract owes an account, in wei.
    pub async fn withdrawable(&self, account: Address) -> Result<U256, GameError<G>> {
        Ok(IContest::new(self.config().contract, self.provider()).withdrawable(account).call().await?)
    }

    /// Opens a game, with its stake.
    pub async fn create(&self, opening: &Opening<G>) -> Result<(TxId, Receipt), GameError<G>> {
        let input = G::create_call(opening).ok_or(GameError::BadTerms(G::BAD_TERMS))?;
        // Without a game: each opening is another game, with another stake.
        let subject = Subject::Action { topic: None, name: format!("opening a game of {}", G::NAME) };
        self.carry(&self.request(input, opening.terms.stake, subject, Priority::Normal)).await
    }

    /// Joins a game, with its stake in wei.
    pub async fn join(&self, game: B256, stake: u128, acceptance: &G::Acceptance) -> Result<Receipt, GameError<G>> {
        let subject = subject::<G>(game, 0, "join");
        self.call(G::join_call(game, acceptance), stake, subject, Priority::Normal).await
    }

    /// Takes a game back that nobody has joined in time.
    pub async fn cancel(&self, game: B256) -> Result<Receipt, GameError<G>> {
        let input = IContest::cancelCall { gameId: game }.abi_encode();
        self.call(input, 0, subject::<G>(game, 0, "cancel"), Priority::Urgent).await
    }

    /// Does in a game in play what a player's machine asks for; `table` is the game as that has it.
    pub async fn carry_out(&self, table: &Table<G>, action: &Action<G>) -> Result<Receipt, GameError<G>> {
        let (game, name) = (table.game_id(), action.name());
        let (input, is_urgent) = match action {
            Action::Join(acceptance) => return self.join(game, table.opening().terms.stake, acceptance).await,
            Action::Cancel => return self.cancel(game).await,
            Action::Move(mv) => (G::move_call(game, table, mv).map_err(GameError::Fault)?, G::is_urgent(name)),
            Action::Resign => (IContest::resignCall { gameId: game }.abi_encode(), true),
            Action::ClaimTimeout => (IContest::claimTimeoutCall { gameId: game }.abi_encode(), true),
        };
        let subject = subject::<G>(game, table.turn(), name);
        if matches!(subject, Subject::Exclusive(_)) {
            // What this wallet has sent from another machine is looked for once more before anything is signed.
            self.take_over().await?;
            ensure!(!self.is_said(game, &subject)?, GameError::Chain(SendError::Contradicts.into()));
        }
        let priority = if is_urgent { Priority::Urgent } else { Priority::Normal };
        self.call(input, 0, subject, priority).await
    }

    /// Fetches what the contract owes the wallet.
    pub async fn withdraw(&self) -> Result<Receipt, GameError<G>> {
        let to = self.account().ok_or(ChainError::ReadOnly)?;
        let name = format!("withdrawing from the contract of {}", G::NAME);
        let input = IContest::withdrawCall { to }.abi_encode();
        self.call(input, 0, Subject::Action { topic: None, name }, Priority::Normal).await
    }

    async fn call(
        &self,
        input: Vec<u8>,
        value: u128,
        subject: Subject,
        priority: Priority,
    ) -> Result<Receipt, GameError<G>> {
        Ok(self.carry(&self.request(input, value, subject, priority)).await?.1)
    }

    fn request(&self, input: Vec<u8>, value: u128, subject: Subject, priority: Priority) -> Request {
        let call = Call { to: self.config().contract.into(), value: U256::from(value), input: input.into(), gas: 0 };
        Request { call, subject, priority }
    }

    /// Has a request carried out; gives its number in the wallet's record, too.
    pub(super) async fn carry(&self, request: &Request) -> Result<(TxId, Receipt), GameError<G>> {
        let (id, mined) = self.send(request).await?;
        let Mined { transaction, succeeded, .. } = mined;
        ensure!(succeeded, ChainError::Failed { transaction, reason: None }.into());
        Ok((id, Receipt::of(&mined, request.call.input.len())))
    }

    /// Whether the chain waits for an action of a player that has a game so: it has nothing newer, and no action of its kind is on its way.
    pub(super) async fn awaits(&self, table: &Table<G>, name: &str) -> Result<bool, GameError<G>> {
        let game = table.game_id();
        if self.is_said(game, &subject::<G>(game, table.turn(), name))? {
            return Ok(false);
        }
        Ok(self.latest(game).await?.is_as(table))
    }

    /// Whether what a subject is for has been sent and is in no block. A move that was sent from another machine doesn't say of which turn it is: any of
    /// this game counts.
    fn is_said(&self, game: B256, subject: &Subject) -> Result<bool, GameError<G>> {
        let contract = self.config().contract;
        let is_move = matches!(subject, Subject::Exclusive(_));
        let is_it = |request: &Request| {
            let moves = || request.call.calls(contract) && G::game_of_move(&request.call.input) == Some(game);
            request.subject == *subject || is_move && moves()
        };
        Ok(self.is_under_way(is_it)?)
    }
}
