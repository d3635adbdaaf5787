//! A game of tag as the chain has recorded it: the contract's events, and the proofs, which only the calldata of its transactions has.

use alloy::primitives::{Address, B256, Bytes, U256, keccak256};
use alloy::sol_types::{SolCall as _, SolEventInterface as _, SolInterface as _, SolValue as _};
use fog::{F, ensure, word::from_word};
use tag::{Action, Ending, Outcome, Phase, Placement, Reply, Role, Set, Size, Status, Table, Terms};

use super::actions::{terms, word};
use super::chain::TagChain;
use super::contract::ITagGame::{self, ITagGameCalls, ITagGameEvents};
use super::error::TagError;
use crate::connection::Told;

/// What a game was opened with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    pub creator: Address,
    /// Tells games of the same creator apart.
    pub nonce: B256,
    /// What each player puts in, in wei.
    pub stake: u128,
    /// What else is agreed.
    pub terms: Terms,
    pub king: Placement,
}

/// What a contract's log says, without proofs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Event {
    Opened(Box<Opening>),
    Said {
        sender: Address,
        action: Box<Action>,
    },
    Ended {
        winner: Address,
        outcome: Outcome,
    },
    /// Nothing that belongs to a game's course.
    Other,
}

/// All that is recorded of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    /// What it was opened with; its king's proof is empty if the opening went through another contract.
    pub opening: Opening,
    /// The block in which it was opened.
    pub first_block: u64,
    /// The logs, that of the opening first.
    pub told: Vec<Told>,
}

fn field(word: U256) -> Result<F, TagError> {
    from_word(&word.to_be_bytes()).ok_or(TagError::Nonsense("a value is not a field element"))
}

fn nine(words: &[U256; 9]) -> Result<[F; 9], TagError> {
    let mut values = [F::zero(); 9];
    for (value, word) in values.iter_mut().zip(words) {
        *value = field(*word)?;
    }
    Ok(values)
}

fn placement(found: &ITagGame::Placement) -> Result<Placement, TagError> {
    let set = Set(nine(&found.set)?);
    ensure!(set.hash() == field(found.setHash)?, TagError::Nonsense("a hash is not that of its set"));
    Ok(Placement { commitment: field(found.commitment)?, set, proof: Vec::new() })
}

fn reply(found: &ITagGame::Answer) -> Result<Reply, TagError> {
    Ok(Reply { raised: nine(&found.raised)?, own: field(found.own)? })
}

/// How the contract says that a game ended.
pub(super) fn outcome(found: ITagGame::Outcome) -> Result<Option<Outcome>, TagError> {
    Ok(match found {
        ITagGame::Outcome::None => None,
        ITagGame::Outcome::Cancelled => Some(Outcome::Cancelled),
        ITagGame::Outcome::Captured => Some(Outcome::Captured),
        ITagGame::Outcome::Drawn => Some(Outcome::Drawn),
        ITagGame::Outcome::Resigned => Some(Outcome::Resigned),
        ITagGame::Outcome::TimedOut => Some(Outcome::TimedOut),
        ITagGame::Outcome::__Invalid => {
            return Err(TagError::Nonsense("a game ended in no way that this program knows"));
        }
    })
}

/// What a call opens, if it opens a game.
pub(super) fn called(input: &[u8], creator: Address) -> Option<Opening> {
    let call = ITagGame::createCall::abi_decode_validate(input).ok()?;
    opening(creator, call.nonce, &call.terms, &call.placement).ok()
}

/// An opening, by an event or a call.
fn opening(
    creator: Address,
    nonce: U256,
    found: &ITagGame::Terms,
    king: &ITagGame::Placement,
) -> Result<Opening, TagError> {
    let size = Size::from_side(found.side).ok_or(TagError::Nonsense("a game has a grid of another size"))?;
    let opponent = Some(found.opponent).filter(|opponent| *opponent != Address::ZERO);
    let terms = Terms { size, plies: found.plies, turn: found.turn.to(), expiry: found.expiry.to(), opponent };
    Ok(Opening { creator, nonce: nonce.into(), stake: found.stake.to(), terms, king: placement(king)? })
}

impl Opening {
    /// The game's id at a contract, which has the creator's king in it.
    pub fn game_id(&self, chain_id: u64, contract: Address) -> Result<B256, TagError> {
        let terms = terms(self.stake, &self.terms)?;
        let nonce = U256::from_be_bytes(self.nonce.0);
        let king = [self.king.commitment, self.king.set.hash()].map(|value| word(&value));
        let fields = (U256::from(chain_id), contract, self.creator, nonce, terms, king[0], king[1]);
        Ok(keccak256(fields.abi_encode()))
    }
}

/// What a log says.
pub(super) fn event(told: &Told) -> Result<Event, TagError> {
    let found = ITagGameEvents::decode_raw_log(told.data.topics(), &told.data.data);
    let found = found.map_err(|_| TagError::Nonsense("a log is not an event of the contract"))?;
    let said = |sender, action| Event::Said { sender, action: Box::new(action) };
    Ok(match found {
        ITagGameEvents::GameCreated(event) => {
            Event::Opened(Box::new(opening(event.creator, event.nonce, &event.terms, &event.placement)?))
        }
        ITagGameEvents::GameJoined(event) => said(event.joiner, Action::Join(placement(&event.placement)?)),
        ITagGameEvents::Stepped(event) => {
            let (placement, reply) = (placement(&event.placement)?, reply(&event.answer)?);
            said(event.player, Action::Step { placement, reply, proof: Vec::new() })
        }
        ITagGameEvents::Replied(event) => {
            said(event.player, Action::Reply { reply: reply(&event.answer)?, proof: Vec::new() })
        }
        ITagGameEvents::GameEnded(event) => {
            let outcome = outcome(event.outcome)?.ok_or(TagError::Nonsense("a game ended for no reason"))?;
            Event::Ended { winner: event.winner, outcome }
        }
        ITagGameEvents::Withdrawn(_) => Event::Other,
    })
}

/// The action that ended a game, and its sender, where it can be told: anybody may claim and cancel.
pub(super) fn ending_action(table: &Table, winner: Address, outcome: Outcome, time: u64) -> (Address, Action) {
    let of = |role| table.player(role).unwrap_or_default();
    let loser = match table.role_of(winner) {
        Some(role) => of(role.other()),
        None => of(Role::Creator),
    };
    let is_settled = table.status() == Status::Playing(Phase::Last) && time <= table.deadline();
    match outcome {
        Outcome::Cancelled => (of(Role::Creator), Action::Cancel),
        Outcome::Captured => (winner, Action::Capture { place: 0, proof: Vec::new() }),
        Outcome::Drawn if is_settled => (of(table.due()), Action::Settle),
        Outcome::Drawn | Outcome::TimedOut => (winner, Action::ClaimTimeout),
        Outcome::Resigned => (loser, Action::Resign),
    }
}

/// Whether a table ended as the contract says.
pub(super) fn is_ended_so(table: &Table, winner: Address, outcome: Outcome) -> bool {
    table.status() == Status::Over(Ending { winner: table.role_of(winner), outcome })
}

/// Puts the proofs into an action that its calldata shows; says whether it does. What has none needs none.
pub(super) fn prove(action: &mut Action, calldata: Option<&Bytes>) -> bool {
    let call = calldata.and_then(|input| ITagGameCalls::abi_decode(input).ok());
    match (action, call) {
        (Action::Join(placement), Some(ITagGameCalls::join(call))) => placement.proof = call.proof.to_vec(),
        (Action::Step { placement, proof, .. }, Some(ITagGameCalls::step(call))) => {
            (placement.proof, *proof) = (call.stepProof.to_vec(), call.replyProof.to_vec());
        }
        (Action::Reply { proof, .. }, Some(ITagGameCalls::reply(call))) => *proof = call.proof.to_vec(),
        (Action::Capture { place, proof }, Some(ITagGameCalls::capture(call))) => {
            (*place, *proof) = (call.place, call.proof.to_vec());
        }
        (Action::Settle | Action::Resign | Action::ClaimTimeout | Action::Cancel, _) => {}
        _ => return false,
    }
    true
}

impl TagChain {
    /// A game in final blocks, from the block on in which it was opened, or from the contract's first.
    ///
    /// # Errors
    ///
    /// [`TagError::NoGame`] if no final block has it, [`TagError::Nonsense`], and the node's failures.
    pub async fn history(&self, game: B256, from: Option<u64>) -> Result<History, TagError> {
        let last = self.last_final().await?.ok_or(TagError::NoGame { of: "tag", game })?;
        let told = self.told(game, from, last).await?;
        let first = told.first().ok_or(TagError::NoGame { of: "tag", game })?;
        let Event::Opened(opening) = event(first)? else {
            return Err(TagError::Nonsense("a game goes on that was not opened"));
        };
        let place = self.place();
        let is_its_own = opening.game_id(place.chain_id, place.contract)? == game;
        ensure!(is_its_own, TagError::Nonsense("a game's id is not that of its opening"));
        Ok(History { opening: *opening, first_block: first.block, told })
    }

    /// The opening of a game with the proof of its king, if its transaction shows it.
    pub(super) async fn proven_opening(&self, history: &History) -> Result<Opening, TagError> {
        let mut opening = history.opening.clone();
        let first = history.told.first().ok_or(TagError::Nonsense("a game has no beginning"))?;
        let calldata = self.calldata(first.transaction).await?;
        let call = calldata.and_then(|input| ITagGameCalls::abi_decode(&input).ok());
        if let Some(ITagGameCalls::create(call)) = call {
            opening.king.proof = call.proof.to_vec();
        }
        Ok(opening)
    }
}
