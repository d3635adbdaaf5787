//! The connection to a game's contract: a player's actions as transactions, and what it says of a game as of the latest block.

use std::marker::PhantomData;
use std::ops::Deref;

use alloy::network::TransactionBuilder as _;
use alloy::primitives::{Address, B256, U256};
use alloy::providers::DynProvider;
use alloy::rpc::types::TransactionRequest;
use alloy::sol_types::SolCall as _;
use contest::{Action, Opening, Outcome, Status, Table};
use fog::ensure;

use super::contract::IContest::{self, IContestCalls};
use super::error::{ContestError, OwnRefusal as _, Refusal};
use super::game::Contract;
use crate::chain::{ChainError, Receipt};
use crate::connection::{Connection, ConnectionConfig, GameError, Listed};
use crate::sender::{Priority, Subject, Wish};
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

/// A game as of the latest block, final or not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Latest<G: Contract> {
    /// Whether it waits for an opponent.
    pub is_open: bool,
    pub is_playing: bool,
    /// What each put in, in wei.
    pub stake: u128,
    /// The time for each action, in seconds.
    pub turn: u32,
    /// The last second for the next action, or to join; in seconds since 1970.
    pub deadline: u64,
    pub creator: Address,
    /// Who joined it or, in an open game, may.
    pub joiner: Option<Address>,
    pub winner: Option<Address>,
    pub outcome: Option<Outcome>,
    pub state: G::State,
}

impl<G: Contract> Latest<G> {
    /// Whether an account has joined it.
    pub fn is_joined_by(&self, account: Address) -> bool {
        !self.is_open && self.joiner == Some(account) && self.outcome != Some(Outcome::Cancelled)
    }

    /// Whether nothing has been said since a table.
    fn is_as(&self, table: &Table<G>) -> bool {
        let status = table.status();
        (self.is_open, self.is_playing) == (status == Status::Open, status == Status::Playing)
            && (!self.is_playing || G::is_as(&self.state, table))
    }
}

/// The name of a function of the contract.
pub(super) fn name_of_call<G: Contract>(selector: [u8; 4]) -> Option<&'static str> {
    IContestCalls::name_by_selector(selector).or_else(|| G::name_of_call(selector))
}

/// What a call of the contract is for.
fn called<G: Contract>(input: &[u8]) -> Subject {
    let name = input.first_chunk::<4>().and_then(|selector| name_of_call::<G>(*selector));
    let unknown = || format!("a call of the contract of {}", G::NAME);
    Subject::Action { game: None, name: name.map_or_else(unknown, str::to_owned) }
}

/// What an action of a turn is for, by the name of its function. Of moves with proofs, which differ each time that they are made, there is one at most in a turn.
fn subject<G: Contract>(game: B256, turn: u64, name: &str) -> Subject {
    let verb = match name {
        "join" => "joining",
        "cancel" => "cancelling",
        "resign" => "resigning",
        "claimTimeout" => "claiming",
        _ => match G::purpose(name) {
            Some(purpose) => return Subject::Action { game: Some(game), name: purpose.to_owned() },
            None => return Subject::Move { game, ply: u16::try_from(turn).unwrap_or(u16::MAX) },
        },
    };
    Subject::Action { game: Some(game), name: format!("{verb} the game of {}", G::NAME) }
}

impl<G: Contract> Chain<G> {
    /// Connects as the owner of a wallet, or without one.
    pub async fn connect(config: &ConnectionConfig, wallet: Option<&Wallet>) -> Result<Self, ContestError<G>> {
        let connection = Connection::connect::<Refusal<G::Errors>>(config, wallet, called::<G>).await?;
        Ok(Self { connection, game: PhantomData })
    }

    pub(super) fn provider(&self) -> DynProvider {
        self.provider.clone()
    }

    /// A game as of the latest block.
    ///
    /// # Errors
    ///
    /// [`ContestError::NoGame`], [`ContestError::Nonsense`] for a state that the contract can't have, and the node's failures.
    pub async fn latest(&self, game: B256) -> Result<Latest<G>, ContestError<G>> {
        G::latest(self, game).await?.ok_or(GameError::NoGame { of: G::NAME, game })
    }

    /// What the contract owes an account, in wei.
    pub async fn withdrawable(&self, account: Address) -> Result<U256, ContestError<G>> {
        Ok(IContest::new(self.place().contract, self.provider()).withdrawable(account).call().await?)
    }

    /// The ids of an account's games in the order in which they came up, with those that somebody has opened for it.
    ///
    /// # Errors
    ///
    /// The node's failures, and [`ContestError::Nonsense`].
    pub async fn ids_of(&self, account: Address) -> Result<Vec<B256>, ContestError<G>> {
        Ok(self.beginnings(account, G::beginnings()).await?)
    }

    /// The games of an account, as they stand.
    ///
    /// # Errors
    ///
    /// As [`Self::ids_of`].
    pub async fn games_of(&self, account: Address) -> Result<Vec<Listed<Latest<G>>>, ContestError<G>> {
        let mut games = Vec::new();
        for game in self.ids_of(account).await? {
            games.push(Listed { game, latest: self.latest(game).await? });
        }
        Ok(games)
    }

    /// Opens a game, with its stake.
    pub async fn create(&self, opening: &Opening<G>) -> Result<Receipt, ContestError<G>> {
        let input = G::create_call(opening).ok_or(GameError::BadTerms(G::Errors::BAD_TERMS))?;
        // Without a game: each opening is another game, with another stake.
        let subject = Subject::Action { game: None, name: format!("opening a game of {}", G::NAME) };
        self.call(input, opening.terms.stake, subject, Priority::Normal).await
    }

    /// Joins a game, with its stake in wei.
    pub async fn join(&self, game: B256, stake: u128, acceptance: &G::Acceptance) -> Result<Receipt, ContestError<G>> {
        self.call(G::join_call(game, acceptance), stake, subject::<G>(game, 0, "join"), Priority::Normal).await
    }

    /// Takes a game back that nobody has joined in time.
    pub async fn cancel(&self, game: B256) -> Result<Receipt, ContestError<G>> {
        let input = IContest::cancelCall { gameId: game }.abi_encode();
        self.call(input, 0, subject::<G>(game, 0, "cancel"), Priority::Urgent).await
    }

    /// Does in a game in play what a player's machine asks for; `table` is the game as that has it.
    pub async fn carry_out(&self, table: &Table<G>, action: &Action<G>) -> Result<Receipt, ContestError<G>> {
        let (game, name) = (table.game_id(), action.name());
        let (input, is_urgent) = match action {
            Action::Join(acceptance) => return self.join(game, table.opening().terms.stake, acceptance).await,
            Action::Cancel => return self.cancel(game).await,
            Action::Move(mv) => (G::move_call(game, table, mv).map_err(GameError::Fault)?, G::is_urgent(name)),
            Action::Resign => (IContest::resignCall { gameId: game }.abi_encode(), true),
            Action::ClaimTimeout => (IContest::claimTimeoutCall { gameId: game }.abi_encode(), true),
        };
        let subject = subject::<G>(game, table.turn(), name);
        if matches!(subject, Subject::Move { .. }) {
            // What this wallet has sent from another machine is looked for once more before anything is signed.
            self.take_over().await?;
            ensure!(!self.is_said(game, &subject)?, GameError::Chain(ChainError::OtherMove));
        }
        let priority = if is_urgent { Priority::Urgent } else { Priority::Normal };
        self.call(input, 0, subject, priority).await
    }

    /// Fetches what the contract owes the wallet.
    pub async fn withdraw(&self) -> Result<Receipt, ContestError<G>> {
        let to = self.account().ok_or(ChainError::ReadOnly)?;
        let name = format!("withdrawing from the contract of {}", G::NAME);
        let input = IContest::withdrawCall { to }.abi_encode();
        self.call(input, 0, Subject::Action { game: None, name }, Priority::Normal).await
    }

    async fn call(
        &self,
        input: Vec<u8>,
        value: u128,
        subject: Subject,
        priority: Priority,
    ) -> Result<Receipt, ContestError<G>> {
        let request = TransactionRequest::default().with_to(self.place().contract).with_input(input);
        Ok(self.send(request.with_value(U256::from(value)), subject, priority).await?)
    }

    /// Whether the chain waits for an action of a player that has a game so: it has nothing newer, and if the action has proofs none of its kind is
    /// on its way.
    pub(super) async fn awaits(&self, table: &Table<G>, name: &str) -> Result<bool, ContestError<G>> {
        let game = table.game_id();
        if G::IS_PROVEN && self.is_said(game, &subject::<G>(game, table.turn(), name))? {
            return Ok(false);
        }
        Ok(self.latest(game).await?.is_as(table))
    }

    /// Whether what a subject is for has been sent and is in no block. A move that was sent from another machine doesn't say of which turn it is: any of
    /// this game counts.
    fn is_said(&self, game: B256, subject: &Subject) -> Result<bool, ContestError<G>> {
        let contract = self.place().contract;
        let is_move = matches!(subject, Subject::Move { .. });
        let is_it = |wish: &Wish| {
            let moves = || wish.call.calls(contract) && G::game_of_move(&wish.call.input) == Some(game);
            wish.subject == *subject || is_move && moves()
        };
        Ok(self.is_under_way(is_it)?)
    }
}

/// How the contract says that a game ended; none if it hasn't.
///
/// # Errors
///
/// [`ContestError::Nonsense`] for a way that the interface doesn't have.
pub(super) fn outcome<G: Contract>(found: IContest::Outcome) -> Result<Option<Outcome>, ContestError<G>> {
    Ok(match found {
        IContest::Outcome::None => None,
        IContest::Outcome::Cancelled => Some(Outcome::Cancelled),
        IContest::Outcome::Won => Some(Outcome::Won),
        IContest::Outcome::Drawn => Some(Outcome::Drawn),
        IContest::Outcome::Resigned => Some(Outcome::Resigned),
        IContest::Outcome::TimedOut => Some(Outcome::TimedOut),
        IContest::Outcome::__Invalid => {
            return Err(GameError::Nonsense("a game ended in no way that this program knows"));
        }
    })
}

/// A contract's own state of a game as a [`Latest`]: all contracts name alike what all games have.
macro_rules! latest {
    ($found:ident, $state:expr) => {{
        use super::contract::IContest::Status;
        let is_open = match $found.status {
            Status::None => return Ok(None),
            Status::__Invalid => return Err(GameError::Nonsense("a game is in no state that this program knows")),
            status => status == Status::Open,
        };
        let someone = |account: Address| Some(account).filter(|account| *account != Address::ZERO);
        let deadline = match is_open {
            true => $found.expiry.to(),
            false => $found.since.to::<u64>().saturating_add($found.turn.to::<u64>()),
        };
        Latest {
            is_open,
            is_playing: $found.status == Status::Playing,
            stake: $found.stake.to(),
            turn: $found.turn.to(),
            deadline,
            creator: $found.creator,
            joiner: someone($found.joiner),
            winner: someone($found.winner),
            outcome: super::chain::outcome::<Self>($found.outcome)?,
            state: $state,
        }
    }};
}
pub(super) use latest;
