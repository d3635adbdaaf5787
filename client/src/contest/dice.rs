//! The contract of the dice: its calls, events and states.

use alloy::primitives::{Address, B256, Bytes, LogData, U256};
use alloy::sol_types::{SolCall as _, SolEvent as _, SolEventInterface as _};
use contest::dice::{Acceptance, Dice, Die, Roll, Square, Wrong};
use contest::{Action, Fault, Opening, Outcome, Table, Terms};
use fog::ensure;

use super::contract::IDiceGame::{self, IDiceGameCalls, IDiceGameEvents};
use super::error::GameError;
use super::game::{Contract, Latest, Proven, latest};
use crate::chain::{ChainConfig, Connection};

type DiceError = GameError<Dice>;

/// What the contract tells of a game of dice only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiceState {
    /// Rolls so far; after an even number it is the creator's turn.
    pub rolls: u64,
    /// Where the creator and the joiner stand, 0 before square 1.
    pub squares: [u8; 2],
    /// What the next message has to name.
    pub head: B256,
}

fn opening(
    config: &ChainConfig,
    creator: Address,
    nonce: U256,
    found: &IDiceGame::Terms,
    entry: B256,
) -> Opening<Dice> {
    let opponent = Some(found.opponent).filter(|opponent| *opponent != Address::ZERO);
    let (stake, turn, expiry) = (found.stake.to(), found.turn.to(), found.expiry.to());
    let ChainConfig { chain_id, contract, .. } = *config;
    let terms = Terms { stake, turn, expiry, opponent, setup: () };
    Opening { chain_id, contract, creator, nonce: nonce.into(), terms, entry }
}

fn terms(terms: &Terms<()>) -> Option<IDiceGame::Terms> {
    Some(IDiceGame::Terms {
        stake: terms.stake.try_into().ok()?,
        turn: terms.turn.try_into().ok()?,
        expiry: terms.expiry.try_into().ok()?,
        opponent: terms.opponent.unwrap_or_default(),
    })
}

impl Contract for Dice {
    const IS_PROVEN: bool = false;
    const NAMES_OPPONENT: bool = true;
    type Prover = ();
    type State = DiceState;

    fn name_of_call(selector: [u8; 4]) -> Option<&'static str> {
        IDiceGameCalls::name_by_selector(selector)
    }

    fn beginnings() -> [B256; 2] {
        [IDiceGame::GameCreated::SIGNATURE_HASH, IDiceGame::GameJoined::SIGNATURE_HASH]
    }

    fn opening(config: &ChainConfig, log: &LogData) -> Option<Result<Opening<Self>, DiceError>> {
        let event = IDiceGame::GameCreated::decode_log_data(log).ok()?;
        Some(Ok(opening(config, event.creator, event.nonce, &event.terms, event.promised)))
    }

    fn opened(config: &ChainConfig, creator: Address, input: &[u8]) -> Option<Opening<Self>> {
        let call = IDiceGame::createCall::abi_decode_validate(input).ok()?;
        Some(opening(config, creator, call.nonce, &call.terms, call.promised))
    }

    fn heard(log: &LogData, table: &Table<Self>) -> Result<(Address, Action<Self>), DiceError> {
        let event = IDiceGameEvents::decode_raw_log(log.topics(), &log.data);
        let (sender, action, head, expected) = match event {
            Ok(IDiceGameEvents::GameJoined(event)) => {
                let (number, promised) = (event.number, event.promised);
                let acceptance = Acceptance { head: table.head(), number, promised };
                let head = acceptance.next_head(event.joiner);
                (event.joiner, Action::Join(acceptance), head, event.head)
            }
            Ok(IDiceGameEvents::Rolled(event)) => {
                let [first, second] = event.dice.map(Die::new);
                let (Some(first), Some(second), Some(chosen), Some(square)) =
                    (first, second, Die::new(event.chosen), Square::new(event.square))
                else {
                    return Err(DiceError::Nonsense("a roll beyond the dice or the board"));
                };
                let (revealed, number, promised) = (event.revealed, event.number, event.promised);
                let roll =
                    Roll { head: table.head(), revealed, number, promised, chosen, dice: [first, second], square };
                let head = roll.next_head();
                (event.player, Action::Move(roll), head, event.head)
            }
            Ok(IDiceGameEvents::GameCreated(_)) => return Err(DiceError::Nonsense("a game was opened twice")),
            Err(_) => return Err(DiceError::Nonsense("a log is not an event of the contract")),
        };
        ensure!(head == expected, DiceError::Nonsense("a head is not that of its message"));
        Ok((sender, action))
    }

    /// The roll that reaches the last square has its own event.
    fn last_move(_: &Table<Self>, _: Address, _: Outcome, _: u64) -> Option<(Address, Action<Self>)> {
        None
    }

    fn show(_: &mut Action<Self>, _: Option<&Bytes>) -> bool {
        true
    }

    fn fits(agreed: &Terms<()>) -> bool {
        terms(agreed).is_some()
    }

    fn create_call(opening: &Opening<Self>) -> Option<Vec<u8>> {
        let (nonce, terms) = (opening.nonce.into(), terms(&opening.terms)?);
        Some(IDiceGame::createCall { nonce, terms, promised: opening.entry }.abi_encode())
    }

    fn join_call(game: B256, acceptance: &Acceptance) -> Vec<u8> {
        let Acceptance { number, promised, .. } = *acceptance;
        IDiceGame::joinCall { gameId: game, number, promised }.abi_encode()
    }

    fn move_call(game: B256, _: &Table<Self>, roll: &Roll) -> Result<Vec<u8>, Fault<Wrong>> {
        let Roll { head, revealed, number, promised, chosen, .. } = *roll;
        let chosen = chosen.pips();
        Ok(IDiceGame::rollCall { gameId: game, head, revealed, number, promised, chosen }.abi_encode())
    }

    /// Two rolls of a turn may differ by the die that is chosen.
    fn purpose(_: &str) -> Option<&'static str> {
        None
    }

    fn is_urgent(_: &str) -> bool {
        false
    }

    fn game_of_move(input: &[u8]) -> Option<B256> {
        IDiceGame::rollCall::abi_decode(input).ok().map(|call| call.gameId)
    }

    async fn latest(chain: &Connection, game: B256) -> Result<Option<Latest<Self>>, DiceError> {
        let contract = IDiceGame::new(chain.config().contract, chain.provider());
        let found = contract.game(game).call().await?;
        let squares = [found.creatorSquare, found.joinerSquare];
        let state = DiceState { rolls: found.rolls, squares, head: found.head };
        Ok(Some(latest!(found, state)))
    }

    fn is_as(state: &DiceState, table: &Table<Self>) -> bool {
        state.head == table.head()
    }

    async fn run<T: Send + 'static>(
        (): &(),
        work: impl FnOnce(&()) -> T + Send + 'static,
    ) -> Result<(T, Proven), DiceError> {
        Ok((work(&()), Proven::default()))
    }
}
