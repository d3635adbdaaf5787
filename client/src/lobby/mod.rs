//! Before and after a game: opening one, the invitation to it, joining, taking it back, and fetching what the contract owes
//! (protocol, section 8). Everything is checked here, for the command line, a page and a bot alike; what is asked of the user and what
//! is printed belongs to them.

mod caution;
mod create;
mod engine;
mod invite;
mod join;
mod rematch;
mod times;

pub use crate::chain::{about_in_ether, in_ether};
pub use caution::cautions;
pub use create::{Addresses, Created, addresses, announced, create, invitation};
pub use invite::{Invite, InviteError};
pub use join::{find, join, look};
pub use rematch::{Rematch, RematchStep, rematch};
pub use times::{Shortage, Time};

use alloy::primitives::{Address, B256, U256};
use chain::{Class, Classified};
use fog::engine::About;
use fog::ensure;
use game::{Ending, Mode, Outcome, Terms, Transaction, clock_time};
use libp2p::Multiaddr;
use rules::Color;
use thiserror::Error;

use crate::chain::{Chain, ChainError, ContractError, GameState, NO_TIME_CONTROL, Receipt, Status};
use crate::link::LinkError;
use crate::wallet::Wallet;

/// Why a game isn't opened, joined, cancelled or paid out.
#[derive(Debug, Error)]
pub enum LobbyError {
    /// The link can't listen at such an address, or nobody can dial it.
    #[error(
        "{0} can't be listened at and dialled: give an address like /ip4/192.0.2.1/tcp/4040 or /dns4/a.example/udp/4040/quic-v1"
    )]
    NotDialable(Multiaddr),
    /// The address in the invitation would be 0.0.0.0.
    #[error("nobody can dial 0.0.0.0: say --announce /ip4/…/tcp/… or --relay too")]
    Unspecified,
    /// The link can't listen there, or that is no relay.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// There is no port to listen at.
    #[error("no free port on 127.0.0.1: {0}")]
    NoPort(#[from] std::io::Error),
    /// The invitation is for another contract than the connection's.
    #[error("the game belongs to the contract {invited:#x}, but chain {chain_id} has the deployment {found:#x}")]
    OtherContract {
        /// The contract of the invitation.
        invited: Address,
        /// The chain of the connection.
        chain_id: u64,
        found: Address,
    },
    /// The invitation is for another chain than the connection's.
    #[error("the invitation is for chain {invited}, but the node is on chain {found}: say --rpc URL")]
    OtherChain {
        /// The chain of the invitation.
        invited: u64,
        /// The chain of the connection.
        found: u64,
    },
    /// Somebody has joined it, or it was cancelled.
    #[error("the game is not open any more")]
    NotOpen,
    /// The player hasn't agreed to the stake, in wei.
    #[error("the game is for a stake of {ether} ETH: say --stake {ether} to agree", ether = in_ether(*.0))]
    OtherStake(u128),
    /// Stakes are for local chains until the client has stood a real chain's fee spikes, failing nodes and reorganisations.
    #[error(
        "games for a stake are offered on local chains only as yet: this program has not stood a real chain's fees and nodes: say --stake 0"
    )]
    StakesNotYet,
    /// A machine that runs could lose its stake for want of time.
    #[error("a game for a stake needs a {} of {} at least on this chain, and this one has {}",
        .0.time, clock_time(.0.least), clock_time(.0.found.into()))]
    TooShort(Shortage),
    /// The contract takes no such times.
    #[error("{}", NO_TIME_CONTROL)]
    NoTime,
    /// An answer could cost much more than the bond gives.
    #[error(
        "the bonds of this deployment don't pay for answers at the chain's present prices, so no stake is safe there: say --stake 0"
    )]
    NoBonds,
    /// A demand for a sight, which this program makes by itself, would take a bond out of all proportion.
    #[error(
        "demands in this deployment's games take a bond many times as high as an answer costs on this chain: its file comes from somebody who has \
         deployed with wrong prices, or long ago; move it away and deploy anew, or take another's"
    )]
    DearBonds,
    /// A game whose moves nobody proves is for nothing.
    #[error("a game of mode unproven takes no stake, because nobody proves its moves: say --stake 0")]
    StakeUnproven,
    /// The chain doesn't know how far it has come.
    #[error(
        "a game of mode channel stands in its players' machines, and the chain doesn't know how far it has come: on the machine that played it `fogmate play` \
         goes on with it; on another one `fogmate recover --game GAME --backup DIR` goes on from its backup"
    )]
    Channel,
    /// The engine proves its moves, or none was chosen.
    #[error("mode unproven is for sight engines that prove no moves, and sight-lines proves them: choose another mode")]
    EngineProves,
    /// The engine proves no moves.
    #[error("the sight engine {0} proves no moves: its games are of mode unproven")]
    EngineProvesNothing(&'static str),
    /// The creator plays with another engine.
    #[error(
        "the game is played with the sight engine {creators}, and this side would play with {own}: say --engine {creators}"
    )]
    OtherEngine {
        /// The creator's, as far as it can be read.
        creators: String,
        own: &'static str,
    },
    /// The creator could never be called to account, and no engine would be set up with it.
    #[error(
        "the game's creator has registered no commitment to a seed, without which its sight engine can't be played with"
    )]
    NoCommitment,
    /// The wallet couldn't pay for the disputes that a staked game may take.
    #[error("a game for this stake needs about {} ETH in the wallet, the reserve for disputes included, and there are {} ETH",
        about_in_ether(*.needed), in_ether(*.found))]
    TooPoor {
        /// Stake and reserve, in wei.
        needed: u128,
        /// What the wallet has, in wei.
        found: u128,
    },
    /// The contract refuses to cancel.
    #[error("the game can't be cancelled: {0}")]
    NotCancelled(ContractError),
    /// The game is played by others.
    #[error("the wallet {account:#x} is not a player of the game {game:#x}")]
    NotAPlayer { account: Address, game: B256 },
    /// The game has ended.
    #[error("the game is over: {}", .0.told(None))]
    Over(Ending),
    /// A rematch is wanted of a game that isn't over.
    #[error("the game is not over, and a rematch comes after that")]
    NotOver,
    /// A rematch is wanted of a game that never had two players.
    #[error("nobody has joined that game, so there is nobody for a rematch")]
    NeverJoined,
    /// What the chain tells of the game can't be.
    #[error("the chain's events of the game contradict each other: {0}")]
    Inconsistent(String),
    /// There is nothing to fetch.
    #[error("the game contract owes this wallet nothing")]
    NothingOwed,
    /// The wallet can't sign its network identity.
    #[error("the network identity can't be signed: {0}")]
    Identity(#[from] alloy::signers::Error),
    /// The chain can't be asked, or refuses.
    #[error(transparent)]
    Chain(#[from] ChainError),
}

impl Classified for LobbyError {
    fn class(&self) -> Class {
        match self {
            Self::NoPort(_) | Self::Identity(_) | Self::Inconsistent(_) => Class::Fatal,
            Self::Chain(ChainError::Refused(_)) => Class::Refused,
            Self::Chain(error) if error.class() != Class::Usage => Class::Fatal,
            _ => Class::Usage,
        }
    }
}

/// Gas of what a player may have to pay before the other's half comes back: two answers, two demands and a move, and a wake where the
/// game is played between the machines.
const RESERVE_GAS: u128 = 4_900_000;
/// How far the base fee may rise meanwhile.
const RESERVE_RISE: u128 = 4;

/// Whether a wallet may play on these terms: whether a bond costs what it is for; and for a stake where, whether they leave a machine the time
/// to act, whether bonds pay for what they should there, and whether it could pay for the disputes that a bad opponent may force on it.
pub(crate) async fn check_money(chain: &Chain, wallet: &Wallet, terms: &Terms) -> Result<(), LobbyError> {
    ensure!(!terms.mode.has_proofs() || !chain.bonds_are_dear().await?, LobbyError::DearBonds);
    check_stake(chain, terms).await?;
    let stake = terms.stake;
    if stake == 0 {
        return Ok(());
    }
    ensure!(chain.bonds_hold().await?, LobbyError::NoBonds);
    let needed = stake.saturating_add(reserve(chain).await?);
    let found = chain.balance(wallet.address()).await?.saturating_to::<u128>();
    ensure!(found >= needed, LobbyError::TooPoor { needed, found });
    Ok(())
}

/// Whether a game can be opened on these terms, whoever opens it: that is known before anybody is asked for a password. `engine` as in [`create`].
///
/// # Errors
///
/// [`LobbyError::StakeUnproven`], [`LobbyError::EngineProves`], [`LobbyError::EngineProvesNothing`], [`LobbyError::NoTime`],
/// [`LobbyError::StakesNotYet`], [`LobbyError::TooShort`], the chain's failure.
pub async fn check(chain: &Chain, terms: &Terms, engine: Option<&About>) -> Result<(), LobbyError> {
    engine::check_terms(terms, engine)?;
    check_stake(chain, terms).await?;
    ensure!(times::are_fit(terms), LobbyError::NoTime);
    Ok(())
}

/// Whether a stake may be played for on a chain, and the times leave a machine the time to act there.
async fn check_stake(chain: &Chain, terms: &Terms) -> Result<(), LobbyError> {
    if terms.stake == 0 {
        return Ok(());
    }
    ensure!(chain::is_local(chain.config().chain_id), LobbyError::StakesNotYet);
    match times::shortages(terms, chain.finality_time().await?).first() {
        Some(shortage) => Err(LobbyError::TooShort(*shortage)),
        None => Ok(()),
    }
}

/// What the disputes of a game may cost a player before it is over, in wei, at the chain's present price.
///
/// # Errors
///
/// The chain's failure.
pub async fn reserve(chain: &Chain) -> Result<u128, ChainError> {
    Ok(RESERVE_GAS.saturating_mul(RESERVE_RISE).saturating_mul(chain.price().await?))
}

/// Whether a player can go on with a game by wallet and chain alone.
///
/// # Errors
///
/// [`LobbyError::NotAPlayer`]; [`LobbyError::Over`] with the result; [`LobbyError::Channel`].
pub fn check_recoverable(state: &GameState, me: Address, game: B256) -> Result<(), LobbyError> {
    let is_player = state.creator == me || state.index_of(me).is_some();
    ensure!(is_player, LobbyError::NotAPlayer { account: me, game });
    if let Some(ending) = ending(state) {
        return Err(LobbyError::Over(ending));
    }
    ensure!(state.terms.mode != Mode::Channel, LobbyError::Channel);
    Ok(())
}

/// The other player of a game: who has joined it or opened it, or else is invited.
pub fn opponent(state: &GameState, me: Address) -> Option<Address> {
    let mut players = state.players.into_iter().flatten();
    players.find(|player| *player != me).or(state.terms.opponent.filter(|invited| *invited != me))
}

/// How a game has ended, if it has.
pub fn ending(state: &GameState) -> Option<Ending> {
    // Before the toss is decided nobody has a color.
    let winner_at =
        state.winner.and_then(|winner| state.index_of(winner)).filter(|_| state.outcome != Some(Outcome::Unrevealed));
    Some(Ending { color: winner_at.map(|index| Color::ALL[index]), outcome: state.outcome?, winner: state.winner })
}

/// Takes back a game that nobody has joined.
///
/// # Errors
///
/// [`LobbyError::NotCancelled`] with the contract's reason, or the chain's failure.
pub async fn cancel(chain: &Chain, game: B256) -> Result<Receipt, LobbyError> {
    let receipt = chain.cancel(game).await;
    receipt.map_err(|error| match error.contract_error() {
        Some(refusal) => LobbyError::NotCancelled(refusal.clone()),
        None => error.into(),
    })
}

/// Fetches what the contract owes an account; gives the amount in wei. The account's bonds in `games` that nobody has earned in time
/// are freed before.
///
/// # Errors
///
/// [`LobbyError::NothingOwed`], or the chain's failure.
pub async fn withdraw(chain: &Chain, games: &[B256]) -> Result<(U256, Receipt), LobbyError> {
    let account = chain.account().ok_or(ChainError::ReadOnly)?;
    for game in games {
        match reclaim(chain, account, *game).await {
            // A local chain that has been started anew knows no old games.
            Err(ChainError::NoGame(_)) => {}
            freed => freed?,
        }
    }
    let owed = chain.withdrawable(account).await?;
    ensure!(!owed.is_zero(), LobbyError::NothingOwed);
    Ok((owed, chain.withdraw().await?))
}

/// Frees the bonds of an account in a game that is over.
async fn reclaim(chain: &Chain, account: Address, game: B256) -> Result<(), ChainError> {
    if chain.game(game).await?.status != Status::Over {
        return Ok(());
    }
    let now = chain.block_time().await?;
    for bond in chain.bonds(game).await? {
        if bond.owner == account && bond.deadline < now {
            chain.carry_out(game, &Transaction::Reclaim(bond.slot)).await?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_no_needless_zeros() {
        let amounts = [0, 1, 50_000_000_000_000_000, 2_000_000_000_000_000_000];
        let expected = ["0", "0.000000000000000001", "0.05", "2"];
        assert_eq!(amounts.map(in_ether), expected);
        let sentence = LobbyError::OtherStake(amounts[2]).to_string();
        assert_eq!(sentence, "the game is for a stake of 0.05 ETH: say --stake 0.05 to agree");
    }
}
