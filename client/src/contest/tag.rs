//! The contract of tag: its calls, events and states. Proofs stand in the calldata of its transactions alone.

use alloy::primitives::{Address, B256, Bytes, LogData, U256};
use alloy::sol_types::{SolCall as _, SolEvent as _, SolEventInterface as _, SolInterface as _};
use contest::tag::{Move, Phase, Placement, Proofs, Reply, Set, Setup, Size, Tag, Wrong};
use contest::{Action, Fault, Opening, Outcome, Table, Terms};
use fog::word::{from_word, to_word};
use fog::{F, ensure};

use super::contract::ITagGame::{self, ITagGameCalls, ITagGameEvents};
use super::error::GameError;
use super::game::{Contract, Latest, Proven, latest};
use super::proving::{Prover, run};
use crate::chain::{ChainConfig, Connection};

type TagError = GameError<Tag>;

/// What the contract tells of a game of tag only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TagState {
    /// What it waits for, once it is in play.
    pub phase: Phase,
    /// Plies that are over.
    pub ply: u16,
    /// Plies after which it is drawn.
    pub plies: u16,
    /// Files and ranks of its grid.
    pub side: u8,
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

fn placement(found: &ITagGame::Placement, proof: &[u8]) -> Result<Placement, TagError> {
    let set = Set(nine(&found.set)?);
    ensure!(set.hash() == field(found.setHash)?, TagError::Nonsense("a hash is not that of its set"));
    Ok(Placement { commitment: field(found.commitment)?, set, proof: proof.to_vec() })
}

fn reply(found: &ITagGame::Answer) -> Result<Reply, TagError> {
    Ok(Reply { raised: nine(&found.raised)?, own: field(found.own)? })
}

/// A value as the contract has it.
fn word(value: &F) -> U256 {
    U256::from_be_bytes(to_word(value))
}

fn placed(placement: &Placement) -> ITagGame::Placement {
    let Placement { commitment, set, .. } = placement;
    ITagGame::Placement { commitment: word(commitment), setHash: word(&set.hash()), set: set.0.each_ref().map(word) }
}

fn answer(reply: &Reply) -> ITagGame::Answer {
    ITagGame::Answer { raised: reply.raised.each_ref().map(word), own: word(&reply.own) }
}

fn terms(terms: &Terms<Setup>) -> Option<ITagGame::Terms> {
    let Setup { size, plies } = terms.setup;
    (plies > 0 && terms.turn > 0).then_some(())?;
    Some(ITagGame::Terms {
        stake: terms.stake.try_into().ok()?,
        side: size.side(),
        plies,
        turn: terms.turn.try_into().ok()?,
        expiry: terms.expiry.try_into().ok()?,
        opponent: terms.opponent.unwrap_or_default(),
    })
}

fn opening(
    config: &ChainConfig,
    creator: Address,
    nonce: U256,
    found: &ITagGame::Terms,
    entry: Placement,
) -> Result<Opening<Tag>, TagError> {
    let size = Size::from_side(found.side).ok_or(TagError::Nonsense("a game has a grid of another size"))?;
    let opponent = Some(found.opponent).filter(|opponent| *opponent != Address::ZERO);
    let (stake, turn, expiry) = (found.stake.to(), found.turn.to(), found.expiry.to());
    let terms = Terms { stake, turn, expiry, opponent, setup: Setup { size, plies: found.plies } };
    let ChainConfig { chain_id, contract, .. } = *config;
    Ok(Opening { chain_id, contract, creator, nonce: nonce.into(), terms, entry })
}

/// Takes a proof that calldata shows; says whether there is one.
fn take(proof: &mut Vec<u8>, shown: &[u8]) -> bool {
    *proof = shown.to_vec();
    !shown.is_empty()
}

impl Contract for Tag {
    const IS_PROVEN: bool = true;
    const NAMES_OPPONENT: bool = false;
    type Prover = Prover;
    type State = TagState;

    fn name_of_call(selector: [u8; 4]) -> Option<&'static str> {
        ITagGameCalls::name_by_selector(selector)
    }

    fn beginnings() -> [B256; 2] {
        [ITagGame::GameCreated::SIGNATURE_HASH, ITagGame::GameJoined::SIGNATURE_HASH]
    }

    fn opening(config: &ChainConfig, log: &LogData) -> Option<Result<Opening<Self>, TagError>> {
        let event = ITagGame::GameCreated::decode_log_data(log).ok()?;
        let king = placement(&event.placement, &[]);
        Some(king.and_then(|king| opening(config, event.creator, event.nonce, &event.terms, king)))
    }

    fn opened(config: &ChainConfig, creator: Address, input: &[u8]) -> Option<Opening<Self>> {
        let call = ITagGame::createCall::abi_decode_validate(input).ok()?;
        let king = placement(&call.placement, &call.proof).ok()?;
        opening(config, creator, call.nonce, &call.terms, king).ok()
    }

    fn heard(log: &LogData, _: &Table<Self>) -> Result<(Address, Action<Self>), TagError> {
        let event = ITagGameEvents::decode_raw_log(log.topics(), &log.data);
        Ok(match event {
            Ok(ITagGameEvents::GameJoined(event)) => (event.joiner, Action::Join(placement(&event.placement, &[])?)),
            Ok(ITagGameEvents::Stepped(event)) => {
                let (placement, reply) = (placement(&event.placement, &[])?, reply(&event.answer)?);
                (event.player, Action::Move(Move::Step { placement, reply, proof: Vec::new() }))
            }
            Ok(ITagGameEvents::Replied(event)) => {
                (event.player, Action::Move(Move::Reply { reply: reply(&event.answer)?, proof: Vec::new() }))
            }
            Ok(ITagGameEvents::GameCreated(_)) => return Err(TagError::Nonsense("a game was opened twice")),
            Err(_) => return Err(TagError::Nonsense("a log is not an event of the contract")),
        })
    }

    fn last_move(table: &Table<Self>, winner: Address, outcome: Outcome, time: u64) -> Option<(Address, Action<Self>)> {
        let is_settled = table.phase() == Phase::Last && time <= table.deadline();
        Some(match outcome {
            Outcome::Won => (winner, Action::Move(Move::Capture { place: 0, proof: Vec::new() })),
            _ if is_settled => (table.player(table.due())?, Action::Move(Move::Settle)),
            _ => (winner, Action::ClaimTimeout),
        })
    }

    fn show(action: &mut Action<Self>, calldata: Option<&Bytes>) -> bool {
        let call = calldata.and_then(|input| ITagGameCalls::abi_decode(input).ok());
        match (action, call) {
            (Action::Join(placement), Some(ITagGameCalls::join(call))) => take(&mut placement.proof, &call.proof),
            (Action::Move(Move::Step { placement, proof, .. }), Some(ITagGameCalls::step(call))) => {
                take(&mut placement.proof, &call.stepProof) & take(proof, &call.replyProof)
            }
            (Action::Move(Move::Reply { proof, .. }), Some(ITagGameCalls::reply(call))) => take(proof, &call.proof),
            (Action::Move(Move::Capture { place, proof }), Some(ITagGameCalls::capture(call))) => {
                *place = call.place;
                take(proof, &call.proof)
            }
            (Action::Move(Move::Settle) | Action::Resign | Action::ClaimTimeout | Action::Cancel, _) => true,
            _ => false,
        }
    }

    fn fits(agreed: &Terms<Setup>) -> bool {
        terms(agreed).is_some()
    }

    fn create_call(opening: &Opening<Self>) -> Option<Vec<u8>> {
        let (nonce, terms, king) = (opening.nonce.into(), terms(&opening.terms)?, &opening.entry);
        let (placement, proof) = (placed(king), king.proof.clone().into());
        Some(ITagGame::createCall { nonce, terms, placement, proof }.abi_encode())
    }

    fn join_call(game: B256, king: &Placement) -> Vec<u8> {
        ITagGame::joinCall { gameId: game, placement: placed(king), proof: king.proof.clone().into() }.abi_encode()
    }

    fn move_call(game: B256, table: &Table<Self>, mv: &Move) -> Result<Vec<u8>, Fault<Wrong>> {
        Ok(match mv {
            Move::Step { placement, reply, proof } => ITagGame::stepCall {
                gameId: game,
                placement: placed(placement),
                stepProof: placement.proof.clone().into(),
                answer: answer(reply),
                replyProof: proof.clone().into(),
            }
            .abi_encode(),
            Move::Reply { reply, proof } => {
                ITagGame::replyCall { gameId: game, answer: answer(reply), proof: proof.clone().into() }.abi_encode()
            }
            Move::Capture { place, proof } => {
                let answer = answer(&table.answered().ok_or(Wrong::NothingAnswered)?);
                ITagGame::captureCall { gameId: game, answer, place: *place, proof: proof.clone().into() }.abi_encode()
            }
            Move::Settle => ITagGame::settleCall { gameId: game }.abi_encode(),
        })
    }

    /// A step and a reply differ each time that they are made.
    fn purpose(name: &str) -> Option<&'static str> {
        match name {
            "capture" => Some("capturing a king"),
            "settle" => Some("ending the game of tag"),
            _ => None,
        }
    }

    fn is_urgent(name: &str) -> bool {
        name == "capture"
    }

    fn game_of_move(input: &[u8]) -> Option<B256> {
        match ITagGameCalls::abi_decode(input) {
            Ok(ITagGameCalls::step(call)) => Some(call.gameId),
            Ok(ITagGameCalls::reply(call)) => Some(call.gameId),
            _ => None,
        }
    }

    async fn latest(chain: &Connection, game: B256) -> Result<Option<Latest<Self>>, TagError> {
        let contract = ITagGame::new(chain.config().contract, chain.provider());
        let found = contract.game(game).call().await?;
        let phase = match found.phase {
            ITagGame::Phase::Step => Phase::Step,
            ITagGame::Phase::Reply => Phase::Reply,
            ITagGame::Phase::Last => Phase::Last,
            ITagGame::Phase::__Invalid => return Err(TagError::Nonsense("a game waits for nothing known")),
        };
        let state = TagState { phase, ply: found.ply, plies: found.plies, side: found.side };
        Ok(Some(latest!(found, state)))
    }

    fn is_as(state: &TagState, table: &Table<Self>) -> bool {
        (state.phase, state.ply) == (table.phase(), table.ply())
    }

    async fn run<T: Send + 'static>(
        prover: &Prover,
        work: impl FnOnce(&(dyn Proofs + 'static)) -> T + Send + 'static,
    ) -> Result<(T, Proven), TagError> {
        run(prover, work).await
    }
}
