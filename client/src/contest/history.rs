//! A game as the chain has recorded it: the contract's logs, and the proofs, which only the calldata of its transactions has.

use alloy::consensus::Transaction as _;
use alloy::primitives::{Address, B256, Bytes};
use alloy::providers::Provider as _;
use alloy::sol_types::SolEventInterface as _;
use contest::{Action, Ending, Opening, Outcome, Role, Table};
use fog::ensure;

use super::Chain;
use super::contract::IContest::IContestEvents;
use super::error::GameError;
use super::following::{Following, Told};
use super::game::{Contract, outcome};
use crate::chain::ChainError;

/// All that is recorded of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct History<G: Contract> {
    /// What it was opened with; its proofs are absent.
    pub opening: Opening<G>,
    /// The logs, that of the opening first.
    pub told: Vec<Told>,
}

impl<G: Contract> History<G> {
    /// What was told of a game.
    pub(super) fn of(chain: &Chain<G>, game: B256, told: &[Told]) -> Result<Self, GameError<G>> {
        let first = told.first().ok_or(GameError::NoGame { of: G::NAME, game })?;
        let opening = G::opening(chain.config(), &first.data);
        let opening = opening.ok_or(GameError::Nonsense("a game goes on that was not opened"))??;
        ensure!(opening.game_id() == game, GameError::Nonsense("a game's id is not that of its opening"));
        Ok(Self { opening, told: told.to_vec() })
    }

    /// Who joined it, if anybody has.
    pub fn joiner(&self) -> Option<Address> {
        let [_, joined] = G::beginnings();
        let topics = self.told.iter().map(|told| told.data.topics()).find(|topics| topics.first() == Some(&joined));
        topics.and_then(|topics| topics.get(2)).map(|account| Address::from_word(*account))
    }
}

impl<G: Contract> Chain<G> {
    /// A game in final blocks, as it is now.
    ///
    /// # Errors
    ///
    /// [`GameError::NoGame`] if no final block has it, [`GameError::Nonsense`], and the node's failures.
    pub async fn history(&self, game: B256) -> Result<History<G>, GameError<G>> {
        History::of(self, game, Following::new(self, game, 0).poll(self).await?)
    }

    /// The opening of a game with its proofs, if its transaction shows them.
    pub(super) async fn shown_opening(&self, history: &History<G>) -> Result<Opening<G>, GameError<G>> {
        let opening = history.opening.clone();
        let Some(first) = history.told.first().filter(|_| G::IS_PROVEN) else { return Ok(opening) };
        let calldata = self.calldata(first.transaction).await?;
        let shown = calldata.and_then(|input| G::opened(self.config(), opening.creator, &input));
        Ok(shown.filter(|shown| shown.game_id() == opening.game_id()).unwrap_or(opening))
    }

    /// The records of a game from one of its logs on.
    pub(super) async fn records(&self, history: &History<G>, from: usize) -> Result<Vec<Record>, GameError<G>> {
        let mut records = Vec::new();
        for (index, told) in history.told.iter().enumerate().skip(from) {
            let calldata = if G::IS_PROVEN { self.calldata(told.transaction).await? } else { None };
            records.push(Record { index, told: told.clone(), calldata });
        }
        Ok(records)
    }

    /// The calldata of a transaction that calls the contract itself; none if it calls another contract, which has called ours.
    async fn calldata(&self, transaction: B256) -> Result<Option<Bytes>, ChainError> {
        let found = self.provider().get_transaction_by_hash(transaction).await?;
        // One of several machines may lack what another has told of.
        let found = found.ok_or(ChainError::Behind)?;
        Ok((found.to() == Some(self.config().contract)).then(|| found.input().clone()))
    }
}

/// A log of a game, with what its calldata shows.
pub(super) struct Record {
    /// Its number, the opening's is 0.
    pub index: usize,
    pub told: Told,
    /// The calldata of its transaction, if that called the contract itself.
    pub calldata: Option<Bytes>,
}

/// What a record says of a game that stands so.
pub(super) struct Said<G: Contract> {
    /// The action, and its sender; none if an earlier record has told it.
    pub action: Option<(Address, Action<G>)>,
    /// Whether its proofs are there.
    pub is_shown: bool,
    /// How the contract says that the game has ended, if it is over.
    pub ending: Option<Ending>,
}

impl Record {
    /// What it says; none if that is nothing of the game's course.
    pub fn read<G: Contract>(&self, table: &Table<G>) -> Result<Option<Said<G>>, GameError<G>> {
        let (mut action, ended) = match IContestEvents::decode_raw_log(self.told.data.topics(), &self.told.data.data) {
            Ok(IContestEvents::GameEnded(event)) => {
                let how = outcome::<G>(event.outcome)?.ok_or(GameError::Nonsense("a game ended for no reason"))?;
                (ended_by(table, event.winner, how, self.told.time), Some((event.winner, how)))
            }
            Ok(IContestEvents::Withdrawn(_)) => return Ok(None),
            Err(_) => (Some(G::heard(&self.told.data, table)?), None),
        };
        let is_shown = action.as_mut().is_none_or(|(_, action)| G::show(action, self.calldata.as_ref()));
        let mut ending = None;
        if let Some((winner, outcome)) = ended {
            let winner_role = table.role_of(winner);
            ensure!(winner.is_zero() || winner_role.is_some(), GameError::Nonsense("a stranger has won"));
            ending = Some(Ending { winner: winner_role, outcome });
        }
        Ok(Some(Said { action, is_shown, ending }))
    }
}

/// The action that ended a game, and its sender, where it can be told: anybody may claim and cancel. None if an earlier record has told it.
fn ended_by<G: Contract>(
    table: &Table<G>,
    winner: Address,
    outcome: Outcome,
    time: u64,
) -> Option<(Address, Action<G>)> {
    let of = |role| table.player(role).unwrap_or_default();
    let loser = || of(table.role_of(winner).map_or(Role::Creator, Role::other));
    match outcome {
        _ if table.ending().is_some() => None,
        Outcome::Cancelled => Some((of(Role::Creator), Action::Cancel)),
        Outcome::Resigned => Some((loser(), Action::Resign)),
        Outcome::TimedOut => Some((winner, Action::ClaimTimeout)),
        Outcome::Won | Outcome::Drawn => G::last_move(table, winner, outcome, time),
    }
}
