//! One player's machine on the chain: it is fed with what is final, and its effects become transactions. Nothing is stored: wallet and chain give
//! it back at any time.

use alloy::primitives::{Address, B256};
use alloy::sol_types::SolCall as _;
use dice::{Action, Effect, Event, Fault, Opening, Record, Secrets, Side, Status, Terms};
use fog::ensure;
use game::GameRef;
use rand::RngCore as _;
use rand::rngs::OsRng;
use std::time::Instant;

use super::chain::DiceChain;
use super::contract::IDiceGame;
use super::error::DiceError;
use super::history::{History, opening};
use crate::chain::{ChainClock, Receipt, unix};
use crate::connection::{CLAIM_PAUSE, Created, Opened, Standing};
use crate::wallet::Wallet;

/// The branch of a player's seed that its numbers derive from.
const BRANCH: &str = "dice";

/// A player in a game.
pub struct Player {
    chain: DiceChain,
    wallet: Wallet,
    game: B256,
    first_block: u64,
    /// What the machine has been fed with.
    records: Vec<Record>,
    side: Side,
    /// The chain's time, also where no block comes for long.
    clock: Option<ChainClock>,
    /// When the game was last to be claimed.
    claimed: Option<Instant>,
}

/// Opens a game, or goes on with an earlier opening for the same terms that its opener doesn't know of (see [`crate::connection::Connection::acknowledge`]).
///
/// # Errors
///
/// [`DiceError::StakesNotYet`], [`DiceError::NoOpponent`], [`DiceError::OtherOpening`], [`DiceError::BeingOpened`], [`DiceError::LateReceipt`], the
/// contract's refusals and the node's failures.
pub async fn create(chain: &DiceChain, wallet: &Wallet, terms: Terms) -> Result<Created, DiceError> {
    check_terms(chain, &terms)?;
    let _alone = chain.alone_in_opening().await?;
    match earlier(chain, wallet.address(), &terms).await? {
        Some(earlier) => Ok(earlier),
        None => open(chain, wallet, terms).await,
    }
}

/// Opens one more game, whatever an earlier command has opened without saying so.
///
/// # Errors
///
/// As [`create`], but for [`DiceError::OtherOpening`].
pub async fn create_another(chain: &DiceChain, wallet: &Wallet, terms: Terms) -> Result<Created, DiceError> {
    check_terms(chain, &terms)?;
    open(chain, wallet, terms).await
}

fn check_terms(chain: &DiceChain, terms: &Terms) -> Result<(), DiceError> {
    check_stake(chain, terms.stake)?;
    ensure!(terms.stake == 0 || terms.opponent.is_some(), DiceError::NoOpponent);
    Ok(())
}

async fn open(chain: &DiceChain, wallet: &Wallet, terms: Terms) -> Result<Created, DiceError> {
    let mut nonce = B256::ZERO;
    OsRng.fill_bytes(nonce.as_mut_slice());
    let (chain_id, contract, creator) = (chain.place().chain_id, chain.place().contract, wallet.address());
    let seed = wallet.opening_secrets(chain_id, contract, nonce);
    let promised = Side::first_promise(creator, &Secrets::new(seed.seed().branch(BRANCH)));
    let opening = Opening { chain_id, contract, creator, nonce, terms, promised };
    let (game, expiry) = (opening.game_id(), opening.terms.expiry);
    let receipt = chain.create(&opening).await.map_err(|error| error.of_opening(game))?;
    Ok(Created { game, expiry, receipt, earlier: false, is_open: true })
}

/// The game of an earlier opening for the same terms.
async fn earlier(chain: &DiceChain, creator: Address, terms: &Terms) -> Result<Option<Created>, DiceError> {
    let read = |input: &[u8]| {
        let call = IDiceGame::createCall::abi_decode_validate(input).ok()?;
        let opening = opening(chain.place(), creator, call.nonce, &call.terms, call.promised);
        let is_same = Terms { expiry: terms.expiry, ..opening.terms.clone() } == *terms;
        Some(Opened { game: opening.game_id(), expiry: opening.terms.expiry, is_same })
    };
    let standing = async |game| {
        let latest = chain.latest(game).await?;
        Ok(match (latest.is_open, latest.is_playing) {
            (true, _) => Standing::Open,
            (false, true) => Standing::Playing,
            (false, false) => Standing::Over,
        })
    };
    chain.opened_before(read, standing).await
}

/// Joins a game for a stake (wei) that the player has agreed to. Gives the transaction; none if the contract has it and the node no receipt of it.
///
/// # Errors
///
/// [`DiceError::NotOpen`], [`DiceError::OtherStake`], [`DiceError::StakesNotYet`], the contract's refusals and the node's failures.
pub async fn join(chain: &DiceChain, wallet: &Wallet, game: B256, agreed: u128) -> Result<Option<Receipt>, DiceError> {
    let history = chain.history(game, None).await?;
    ensure!(history.records.is_empty() && chain.latest(game).await?.is_open, DiceError::NotOpen);
    let stake = history.opening.terms.stake;
    ensure!(stake == agreed, DiceError::OtherStake(stake));
    check_stake(chain, stake)?;
    let side = Side::new(wallet.address(), secrets(wallet, &history.opening), history.opening);
    match chain.join(game, stake, &side.acceptance()).await {
        Err(DiceError::Refused(_)) if chain.latest(game).await?.is_joined_by(wallet.address()) => Ok(None),
        joined => joined.map(Some),
    }
}

/// Who joined a game, if anybody has.
pub fn joined_by(history: &History) -> Option<Address> {
    let first = history.records.first()?;
    matches!(first.action, Action::Join(_)).then_some(first.sender)
}

/// Stakes stay on local chains, like those of the other game.
fn check_stake(chain: &DiceChain, stake: u128) -> Result<(), DiceError> {
    ensure!(stake == 0 || chain.is_local(), DiceError::StakesNotYet);
    Ok(())
}

/// A wallet's numbers in a game.
fn secrets(wallet: &Wallet, opening: &Opening) -> Secrets {
    let Opening { chain_id, contract, creator, nonce, .. } = *opening;
    let game = GameRef { chain_id, contract, game_id: opening.game_id() };
    Secrets::new(wallet.game_secrets(&game, creator, nonce).seed().branch(BRANCH))
}

impl Player {
    /// Sits down at a game: any that the wallet plays, wherever it stands.
    ///
    /// # Errors
    ///
    /// [`DiceError::NotPlayer`] and [`DiceError::NoGame`], and those of [`Self::look`].
    pub async fn sit_down(chain: DiceChain, wallet: Wallet, game: B256) -> Result<Self, DiceError> {
        let history = chain.history(game, None).await?;
        let (account, first_block) = (wallet.address(), history.first_block);
        let is_player = account == history.opening.creator || joined_by(&history) == Some(account);
        ensure!(is_player, DiceError::NotPlayer(account));
        let side = Side::new(account, secrets(&wallet, &history.opening), history.opening);
        Ok(Self { chain, wallet, game, first_block, records: Vec::new(), side, clock: None, claimed: None })
    }

    pub fn chain(&self) -> &DiceChain {
        &self.chain
    }

    pub fn side(&self) -> &Side {
        &self.side
    }

    /// What is new: what has become final, and what the time has decided. After a reorganisation everything is told again.
    ///
    /// # Errors
    ///
    /// The node's failures; nothing is lost by one, nor by a record that isn't in order.
    pub async fn look(&mut self) -> Result<Vec<Effect>, DiceError> {
        self.chain.look_after().await?;
        let history = self.chain.history(self.game, Some(self.first_block)).await?;
        let block = self.chain.time().await?;
        let clock = ChainClock::heard(self.clock, block, Instant::now(), unix());
        self.clock = Some(clock);
        if !history.records.starts_with(&self.records) {
            let secrets = secrets(&self.wallet, &history.opening);
            self.side = Side::new(self.wallet.address(), secrets, history.opening);
            self.records.clear();
        }
        let mut effects = Vec::new();
        for (index, record) in history.records.into_iter().enumerate().skip(self.records.len()) {
            let Record { sender, action, time } = record.clone();
            let found = self.side.on(&Event::Said { sender, action, time });
            effects.extend(found.map_err(|fault| DiceError::NotInOrder { index, fault })?);
            self.records.push(record);
        }
        let now = clock.at(Instant::now());
        let claim = self.side.on(&Event::Time(now)).map_err(DiceError::Fault)?;
        if !claim.is_empty() && self.claimed.is_none_or(|at| at.elapsed() >= CLAIM_PAUSE) {
            self.claimed = Some(Instant::now());
            effects.extend(claim);
        }
        Ok(effects)
    }

    /// The roll that this player owes.
    ///
    /// # Errors
    ///
    /// [`DiceError::Fault`] if it isn't this player's turn.
    pub fn due(&mut self) -> Result<Action, DiceError> {
        let effects = self.side.on(&Event::Throw).map_err(DiceError::Fault)?;
        let action = effects.into_iter().find_map(|effect| match effect {
            Effect::Send(action) => Some(action),
            _ => None,
        });
        action.ok_or(DiceError::Fault(Fault::NotYourTurn))
    }

    /// Rolls; none if the roll is under way already.
    ///
    /// # Errors
    ///
    /// [`DiceError::Fault`] if it isn't this player's turn; the contract's refusals and the node's failures.
    pub async fn throw(&mut self) -> Result<Option<Receipt>, DiceError> {
        let action = self.due()?;
        if self.chain.latest_head(self.game).await? != self.side.table().head() {
            return Ok(None);
        }
        self.chain.carry_out(self.game, &action).await.map(Some)
    }

    /// Resigns.
    ///
    /// # Errors
    ///
    /// As [`Self::throw`].
    pub async fn give_up(&mut self) -> Result<Option<Receipt>, DiceError> {
        let effects = self.side.on(&Event::GiveUp).map_err(DiceError::Fault)?;
        self.carry_out(&effects).await
    }

    /// Sends what is to be sent.
    ///
    /// # Errors
    ///
    /// The contract's refusals and the node's failures.
    pub async fn carry_out(&self, effects: &[Effect]) -> Result<Option<Receipt>, DiceError> {
        for effect in effects {
            if let Effect::Send(action) = effect {
                return self.chain.carry_out(self.game, action).await.map(Some);
            }
        }
        Ok(None)
    }

    /// Whether the time for the next roll is over, as far as can be told without a block.
    pub fn is_late(&self) -> bool {
        let table = self.side.table();
        let now = self.clock.map(|clock| clock.at(Instant::now()));
        table.status() == Status::Playing && now.is_some_and(|now| now > table.deadline())
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        matches!(self.side.table().status(), Status::Over(_))
    }

    /// Whether a failure is one that another look may not have.
    pub fn may_pass(error: &DiceError) -> bool {
        error.may_pass() || matches!(error, DiceError::Fault(Fault::NotYourTurn | Fault::WrongStatus))
    }
}
