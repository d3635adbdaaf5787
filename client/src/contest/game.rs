//! What differs between the contracts of two games: their calls, events, states and refusals.

use alloy::primitives::{Address, B256, Bytes, LogData};
use contest::{Action, Fault, Hand, Opening, Outcome, Rules, Table, Terms};

use super::error::{ContestError, OwnRefusal};
use super::{Chain, Latest, Proven};
use crate::connection::{Beginnings, Place};

/// What a player of a game perceives by an action.
pub type Sight<G> = <<G as Rules>::Hand as Hand<G>>::Sight;

/// A game whose contract this program knows.
#[expect(async_fn_in_trait, reason = "no caller needs to send these futures to another thread")]
pub trait Contract: Rules {
    /// Whether moves have proofs: then they differ each time that they are made, and stand in the calldata alone.
    const IS_PROVEN: bool;
    /// Whether the contract wants an opponent named where there is a stake.
    const NAMES_OPPONENT: bool;
    /// The refusals that only this contract has.
    type Errors: OwnRefusal;
    /// Who proves for a player.
    type Prover: Clone;
    /// What the contract tells of a game that only this one has.
    type State: Clone + std::fmt::Debug + PartialEq;

    /// The name of a function that only this contract has.
    fn name_of_call(selector: [u8; 4]) -> Option<&'static str>;

    /// The events that tell whose a game is.
    fn beginnings() -> Beginnings;

    /// What a log opens; none if it opens no game.
    fn opening(place: Place, log: &LogData) -> Option<Result<Opening<Self>, ContestError<Self>>>;

    /// What a call opens, if it opens a game, with its proofs.
    fn opened(place: Place, creator: Address, input: &[u8]) -> Option<Opening<Self>>;

    /// The action that a log tells in a game that stands so, but for its end, and the sender; without what only calldata shows.
    fn heard(log: &LogData, table: &Table<Self>) -> Result<(Address, Action<Self>), ContestError<Self>>;

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
    async fn latest(chain: &Chain<Self>, game: B256) -> Result<Option<Latest<Self>>, ContestError<Self>>;

    /// Whether nothing has been said since a table in play.
    fn is_as(state: &Self::State, table: &Table<Self>) -> bool;

    /// Runs what may make or verify proofs; gives what was made along.
    async fn run<T: Send + 'static>(
        prover: &Self::Prover,
        work: impl FnOnce(&Self::Proofs) -> T + Send + 'static,
    ) -> Result<(T, Proven), ContestError<Self>>;
}
