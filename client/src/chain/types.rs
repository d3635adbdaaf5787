//! The chain's values as plain Rust: squares, field elements and keys, checked where they come in.
//!
//! Protocol section 8 ("Per game: …"). A node is not trusted to make sense: what the contract can't say is refused as
//! [`ChainError::Nonsense`]. Nothing here talks to a node.

use alloy::primitives::{Address, B256, U256};
use fog::curve::FogKey;
use fog::word::{from_word, to_word};
use halo2curves::bn256::Fr;
use rules::Square;

use super::contract::IFogmate;
use super::error::ChainError;
use game::{MoveFields, Outcome, Terms};

/// How the contract writes "no square".
const NO_SQUARE: u8 = 64;

/// Where a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Waits for an opponent.
    Open,
    /// Waits for the creator's half of the coin toss.
    Toss,
    /// In play.
    Playing,
    /// Ended.
    Over,
}

/// One player's side of a game, as the chain has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Player {
    /// The player's address.
    pub account: Address,
    /// Its fog key.
    pub fog_key: FogKey,
    /// Time left when its last ply ended, in seconds.
    pub clock: u32,
    /// Commitment to its state; 0 before the toss is decided.
    pub commitment: Fr,
    /// Root of its standing request; 0 before its first move.
    pub request_root: Fr,
    /// Whether its view key has been published.
    pub view_key_published: bool,
}

/// All that the chain says of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameState {
    /// Where it stands.
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
    /// Plies since the last capture.
    pub quiet_plies: u16,
    /// When the opponent joined, the game started or the last move was made, in seconds since 1970.
    pub since: u64,
    /// Stake and time control; the opponent is the invited one while the game is open.
    pub terms: Terms,
    /// The creator's half of the coin toss, hidden; `None` once it is decided.
    pub toss_commitment: Option<B256>,
    /// The joiner's half of the coin toss; zero before it joined and once the toss is decided.
    pub toss_share: U256,
    /// Root of the answer that the player to move relies on; 0 if none was given.
    pub answer_root: Fr,
    /// White and Black; before the toss is decided the creator and, if there is one, the joiner.
    pub players: [Option<Player>; 2],
}

impl GameState {
    /// The index in `players` of an account.
    pub fn index_of(&self, account: Address) -> Option<usize> {
        self.players.iter().position(|player| player.is_some_and(|player| player.account == account))
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

/// One side of a game. Nobody has a side without a fog key: until someone joins, the contract keeps the invited address
/// there.
fn player(player: &IFogmate::Player) -> Result<Option<Player>, ChainError> {
    if player.fogKey.x.is_zero() && player.fogKey.y.is_zero() {
        return Ok(None);
    }
    Ok(Some(Player {
        account: player.account,
        fog_key: fog_key(&player.fogKey)?,
        clock: player.clock,
        commitment: field(player.commitment)?,
        request_root: field(player.requestRoot)?,
        view_key_published: player.viewKeyPublished,
    }))
}

/// A whole game; none if the contract knows none of its id.
pub(super) fn game_state(game: &IFogmate::Game) -> Result<Option<GameState>, ChainError> {
    let status = match game.status {
        IFogmate::Status::None => return Ok(None),
        IFogmate::Status::Open => Status::Open,
        IFogmate::Status::Toss => Status::Toss,
        IFogmate::Status::Playing => Status::Playing,
        IFogmate::Status::Over => Status::Over,
        IFogmate::Status::__Invalid => {
            return Err(ChainError::Nonsense("a game's status is unknown"));
        }
    };
    let players = [player(&game.players[0])?, player(&game.players[1])?];
    let invited = players[1].is_none().then(|| account(game.players[1].account)).flatten();
    Ok(Some(GameState {
        status,
        outcome: outcome(game.outcome)?,
        winner: account(game.winner),
        creator: game.creator,
        ply: game.ply,
        pending: square(game.pending)?,
        draw_offered: game.drawOffered,
        quiet_plies: game.quietPlies,
        since: game.since.to::<u64>(),
        terms: Terms {
            stake: game.stake.to::<u128>(),
            base: game.base,
            increment: game.increment,
            delay: game.delay,
            opponent: invited,
        },
        toss_commitment: (!game.tossCommitment.is_zero()).then_some(game.tossCommitment),
        toss_share: game.tossShare,
        answer_root: field(game.answerRoot)?,
        players,
    }))
}
