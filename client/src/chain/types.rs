//! The chain's values as plain Rust: squares, field elements and keys, checked where they come in.
//!
//! Protocol section 8 ("Per game: …"). A node is not trusted to make sense: what the contract can't say is refused as
//! [`ChainError::Nonsense`]. Nothing here talks to a node.

use alloy::primitives::{Address, U256};
use fog::curve::FogKey;
use fog::word::{from_word, to_word};
use halo2curves::bn256::Fr;
use rules::Square;

use super::contract::IFogmate::{self, Status};
use super::error::ChainError;
use game::{MoveFields, Outcome, Terms};

/// How the contract writes "no square".
const NO_SQUARE: u8 = 64;

/// What a player or an onlooker wants to know of a game before and after it; what binds it in play is told by its events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameState {
    /// Where it stands: never `None`.
    pub status: Status,
    /// How it ended, if it has.
    pub outcome: Option<Outcome>,
    /// Who won, if anyone has.
    pub winner: Option<Address>,
    /// Who created it.
    pub creator: Address,
    /// Plies made, which is the number of the ply to come; on even ones White moves.
    pub ply: u16,
    /// Square on which the last move captured.
    pub pending: Option<Square>,
    /// Whether the last move carried an offer of a draw.
    pub draw_offered: bool,
    /// Stake and time control; the opponent is the invited one while the game is open.
    pub terms: Terms,
    /// White and Black; before the toss is decided the creator and, if there is one, the joiner.
    pub players: [Option<Address>; 2],
}

impl GameState {
    /// The index in `players` of an account.
    pub fn index_of(&self, account: Address) -> Option<usize> {
        self.players.iter().position(|player| *player == Some(account))
    }
}

/// The field element of a word.
pub(super) fn field(word: U256) -> Result<Fr, ChainError> {
    from_word(&word.to_be_bytes()).ok_or(ChainError::Nonsense("a value is not a field element"))
}

/// The word of a field element.
pub(super) fn word(field: &Fr) -> U256 {
    U256::from_be_bytes(to_word(field))
}

/// The square of a number, or none for 64.
pub(super) fn square(number: u8) -> Result<Option<Square>, ChainError> {
    match Square::new(number) {
        None if number != NO_SQUARE => Err(ChainError::Nonsense("a number is neither a square nor none")),
        square => Ok(square),
    }
}

/// An address, where zero means none.
pub(super) fn account(address: Address) -> Option<Address> {
    (!address.is_zero()).then_some(address)
}

pub(super) fn fog_key(point: &IFogmate::Point) -> Result<FogKey, ChainError> {
    FogKey::from_xy(field(point.x)?, field(point.y)?).map_err(|_| ChainError::Nonsense("a fog key is not on the curve"))
}

pub(super) fn point(key: &FogKey) -> IFogmate::Point {
    let (x, y) = key.xy();
    IFogmate::Point { x: word(&x), y: word(&y) }
}

pub(super) fn outcome(outcome: IFogmate::Outcome) -> Result<Option<Outcome>, ChainError> {
    let Some(number) = (outcome as usize).checked_sub(1) else {
        return Ok(None);
    };
    let known = Outcome::NAMES.get(number).ok_or(ChainError::Nonsense("an outcome is unknown"))?;
    Ok(Some(known.0))
}

impl TryFrom<&Terms> for IFogmate::Terms {
    type Error = ChainError;

    fn try_from(terms: &Terms) -> Result<Self, ChainError> {
        Ok(Self {
            stake: terms.stake.try_into().map_err(|_| ChainError::Nonsense("a stake is below 2^96 wei"))?,
            base: terms.base,
            increment: terms.increment,
            delay: terms.delay,
            opponent: terms.opponent.unwrap_or_default(),
        })
    }
}

/// A ply as the contract's `move` takes it.
pub(super) fn declare(fields: &MoveFields, ctx_next: &Fr) -> IFogmate::Move {
    IFogmate::Move {
        nextCommitment: word(&fields.next_commitment),
        nextRequestRoot: word(&fields.next_request_root),
        answerRoot: word(&fields.answer_root),
        ctxNext: word(ctx_next),
        ply: fields.ply,
        capture: fields.capture.map_or(NO_SQUARE, u8::from),
        kingFell: fields.king_fell,
        offerDraw: fields.offer_draw,
    }
}

/// The fields and the context of a ply as it was declared.
pub(super) fn declared(declared: &IFogmate::Move) -> Result<(MoveFields, Fr), ChainError> {
    let fields = MoveFields {
        ply: declared.ply,
        next_commitment: field(declared.nextCommitment)?,
        next_request_root: field(declared.nextRequestRoot)?,
        answer_root: field(declared.answerRoot)?,
        capture: square(declared.capture)?,
        king_fell: declared.kingFell,
        offer_draw: declared.offerDraw,
    };
    Ok((fields, field(declared.ctxNext)?))
}

/// A whole game; none if the contract knows none of its id.
pub(super) fn game_state(game: &IFogmate::Game) -> Result<Option<GameState>, ChainError> {
    match game.status {
        Status::None => return Ok(None),
        Status::__Invalid => return Err(ChainError::Nonsense("a game's status is unknown")),
        _ => (),
    }
    // Until someone joins, which takes a fog key, the contract keeps the invited address in the joiner's place.
    let has_joined = !game.players[1].fogKey.x.is_zero() || !game.players[1].fogKey.y.is_zero();
    let [first, second] = game.players.each_ref().map(|player| account(player.account));
    Ok(Some(GameState {
        status: game.status,
        outcome: outcome(game.outcome)?,
        winner: account(game.winner),
        creator: game.creator,
        ply: game.ply,
        pending: square(game.pending)?,
        draw_offered: game.drawOffered,
        terms: Terms {
            stake: game.stake.to::<u128>(),
            base: game.base,
            increment: game.increment,
            delay: game.delay,
            opponent: second.filter(|_| !has_joined),
        },
        players: [first, second.filter(|_| has_joined)],
    }))
}
