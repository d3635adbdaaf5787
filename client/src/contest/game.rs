//! What differs between the contracts of two games: their calls, events, states and refusals.

use alloy::primitives::{Address, B256, Bytes, LogData};
use contest::{Action, Fault, Hand, Opening, Outcome, Rules, Status, Table, Terms};

use super::contract::IContest::{self, IContestCalls};
use super::error::GameError;
use super::refusal::OwnRefusal;
use crate::chain::{ChainConfig, Connection};

/// What a player of a game perceives by an action.
pub type Sight<G> = <<G as Rules>::Hand as Hand<G>>::Sight;

/// A game whose contract this program knows.
#[expect(async_fn_in_trait, reason = "no caller needs to send these futures to another thread")]
pub trait Contract: OwnRefusal {
    /// Whether moves have proofs: then they differ each time that they are made, and stand in the calldata alone.
    const IS_PROVEN: bool;
    /// Whether the contract wants an opponent named where there is a stake.
    const NAMES_OPPONENT: bool;
    /// Who proves for a player.
    type Prover: Clone;
    /// What the contract tells of a game that only this one has.
    type State: Clone + std::fmt::Debug + PartialEq;

    /// The name of a function that only this contract has.
    fn name_of_call(selector: [u8; 4]) -> Option<&'static str>;

    /// The events that tell whose a game is, by the hashes of their signatures: that it was opened, whose topics are the game, the creator and who may
    /// join, and that it was joined, whose topics are the game and the joiner.
    fn beginnings() -> [B256; 2];

    /// What a log opens; none if it opens no game.
    fn opening(config: &ChainConfig, log: &LogData) -> Option<Result<Opening<Self>, GameError<Self>>>;

    /// What a call opens, if it opens a game, with its proofs.
    fn opened(config: &ChainConfig, creator: Address, input: &[u8]) -> Option<Opening<Self>>;

    /// The action that a log tells in a game that stands so, but for its end, and the sender; without what only calldata shows.
    fn heard(log: &LogData, table: &Table<Self>) -> Result<(Address, Action<Self>), GameError<Self>>;

    /// The move that ended a game by its own rules, where no event but that of the end tells of it, and its sender.
    fn last_move(table: &Table<Self>, winner: Address, outcome: Outcome, time: u64) -> Option<(Address, Action<Self>)>;

    /// Puts the proofs of its calldata into an action; says whether it has all now.
    fn show(action: &mut Action<Self>, calldata: Option<&Bytes>) -> bool;

    /// Whether terms fit the contract.
    fn fits(terms: &Terms<Self::Setup>) -> bool;

    /// The calldata that opens a game; none if its terms don't fit.
    fn create_call(opening: &Opening<Self>) -> Option<Vec<u8>>;

    /// The calldata that joins a game.
    fn join_call(game: B256, acceptance: &Self::Acceptance) -> Vec<u8>;

    /// The calldata of a move; `table` is the game as the mover has it.
    fn move_call(game: B256, table: &Table<Self>, mv: &Self::Move) -> Result<Vec<u8>, Fault<Self::Wrong>>;

    /// What a move is for, in words; none if there is one at most of it in a turn.
    fn purpose(name: &str) -> Option<&'static str>;

    /// Whether a move's end of the game is worth a higher fee.
    fn is_urgent(name: &str) -> bool;

    /// The game whose turn a call is for, if it is one of which there is one at most in a turn.
    fn game_of_move(input: &[u8]) -> Option<B256>;

    /// A game as of the latest block; none if there is none.
    async fn latest(chain: &Connection, game: B256) -> Result<Option<Latest<Self>>, GameError<Self>>;

    /// Whether nothing has been said since a table in play.
    fn is_as(state: &Self::State, table: &Table<Self>) -> bool;

    /// Runs what may make or verify proofs; gives what was made along.
    async fn run<T: Send + 'static>(
        prover: &Self::Prover,
        work: impl FnOnce(&Self::Proofs) -> T + Send + 'static,
    ) -> Result<(T, Proven), GameError<Self>>;
}

/// Proofs that were made for an action.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Proven {
    pub proofs: u32,
    /// How long they took together, in seconds.
    pub seconds: f64,
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

    /// Whether nobody can join it or play on.
    pub fn is_over(&self) -> bool {
        !self.is_open && !self.is_playing
    }

    /// Whether nothing has been said since a table.
    pub(super) fn is_as(&self, table: &Table<G>) -> bool {
        let status = table.status();
        (self.is_open, self.is_playing) == (status == Status::Open, status == Status::Playing)
            && (!self.is_playing || G::is_as(&self.state, table))
    }
}

/// The name of the contract's function that calldata calls.
pub fn name_of_call<G: Contract>(input: &[u8]) -> Option<&'static str> {
    let selector = *input.first_chunk::<4>()?;
    IContestCalls::name_by_selector(selector).or_else(|| G::name_of_call(selector))
}

/// How the contract says that a game ended; none if it hasn't.
///
/// # Errors
///
/// [`GameError::Nonsense`] for a way that the interface doesn't have.
pub(super) fn outcome<G: Contract>(found: IContest::Outcome) -> Result<Option<Outcome>, GameError<G>> {
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
            outcome: super::game::outcome::<Self>($found.outcome)?,
            state: $state,
        }
    }};
}
pub(super) use latest;
