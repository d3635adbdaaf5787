//! The chain's values as plain Rust: squares, field elements and keys, checked where they come in.
//!
//! Protocol section 8 ("Per game: …"). A node is not trusted to make sense: what the contract can't say is refused as
//! [`Nonsense`]. Nothing here talks to a node.

use alloy_primitives::aliases::U40;
use alloy_primitives::{Address, B256, U256};
use fog::engine::{REGISTRATION_BYTES, Registration, engine_name};
use fog::word::{from_word, to_word};
use game::{Clocks, Demanded, Mode, MoveFields, Opening, Outcome, Phase, Position, Slot, Terms};
use halo2curves::bn256::Fr;
use rules::{Color, Square};

use crate::Nonsense;
use crate::contract::IFogmate::{self, Status};

/// How the contract writes "no square".
const NO_SQUARE: u8 = 64;

/// In the place of a winner's role.
pub const NOBODY: u8 = 2;

/// What a player or an onlooker wants to know of a game before and after it; what binds it in play is told by its events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameState {
    /// Where it stands: never `None`.
    pub status: Status,
    /// How it ended, if it has.
    pub outcome: Option<Outcome>,
    /// Who won, if anyone has.
    pub winner: Option<Address>,
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
    /// In mode `unproven`: the name of the sight engine that it is played with, if the word on chain is a name.
    pub engine: Option<String>,
    /// Whether the creator has registered anything before that name: in mode `unproven` the commitment to its seed.
    pub has_committed: bool,
}

impl GameState {
    /// The index in `players` of an account.
    pub fn index_of(&self, account: Address) -> Option<usize> {
        self.players.iter().position(|player| *player == Some(account))
    }
}

/// The field element of a word.
pub fn field(word: U256) -> Result<Fr, Nonsense> {
    from_word(&word.to_be_bytes()).ok_or(Nonsense("a value is not a field element"))
}

/// The word of a field element.
pub fn word(field: &Fr) -> U256 {
    U256::from_be_bytes(to_word(field))
}

/// The square of a number, or none for 64.
pub fn square(number: u8) -> Result<Option<Square>, Nonsense> {
    match Square::new(number) {
        None if number != NO_SQUARE => Err(Nonsense("a number is neither a square nor none")),
        square => Ok(square),
    }
}

/// An address, where zero means none.
pub fn account(address: Address) -> Option<Address> {
    (!address.is_zero()).then_some(address)
}

/// The two words that a player registered. Whether they are what the game's mode wants sees the table.
pub fn registration(point: &IFogmate::Point) -> Registration {
    let words = [point.x, point.y].map(|word| word.to_be_bytes::<32>());
    std::array::from_fn(|index| words.as_flattened()[index])
}

/// The two words that a player registers, as the contract takes them.
pub fn point(registration: &Registration) -> IFogmate::Point {
    let (x, y) = registration.split_at(REGISTRATION_BYTES / 2);
    IFogmate::Point { x: U256::from_be_slice(x), y: U256::from_be_slice(y) }
}

/// A type whose values have the same names here and in the contract: as the contract takes them, and as ours.
macro_rules! same {
    ($to:ident, $of:ident, $Type:ident, $unknown:literal, [$($Name:ident),*]) => {
        pub(crate) fn $to(ours: $Type) -> IFogmate::$Type {
            match ours {
                $($Type::$Name => IFogmate::$Type::$Name,)*
            }
        }

        pub(crate) fn $of(found: IFogmate::$Type) -> Result<$Type, Nonsense> {
            match found {
                $(IFogmate::$Type::$Name => Ok($Type::$Name),)*
                _ => Err(Nonsense($unknown)),
            }
        }
    };
}

same!(mode, mode_of, Mode, "a game's mode is unknown", [Verified, Unproven, Channel]);
same!(phase, phase_of, Phase, "a sight is before or after a move", [Pre, Post]);
same!(slot, slot_of, Slot, "a bond was kept in no slot", [Hold, WhitePost, BlackPost]);

pub fn outcome(outcome: IFogmate::Outcome) -> Result<Option<Outcome>, Nonsense> {
    let Some(number) = (outcome as usize).checked_sub(1) else {
        return Ok(None);
    };
    let known = Outcome::NAMES.get(number).ok_or(Nonsense("an outcome is unknown"))?;
    Ok(Some(known.0))
}

impl TryFrom<&Terms> for IFogmate::Terms {
    type Error = Nonsense;

    fn try_from(terms: &Terms) -> Result<Self, Nonsense> {
        Ok(Self {
            mode: mode(terms.mode),
            stake: terms.stake.try_into().map_err(|_| Nonsense("a stake is below 2^96 wei"))?,
            base: terms.base,
            increment: terms.increment,
            delay: terms.delay,
            window: terms.window,
            reveal: terms.reveal,
            expiry: U40::try_from(terms.expiry).map_err(|_| Nonsense("a time is below 2^40 seconds"))?,
            opponent: terms.opponent.unwrap_or_default(),
        })
    }
}

/// The terms of a game.
pub fn terms(terms: &IFogmate::Terms) -> Result<Terms, Nonsense> {
    Ok(Terms {
        mode: mode_of(terms.mode)?,
        stake: terms.stake.to::<u128>(),
        base: terms.base,
        increment: terms.increment,
        delay: terms.delay,
        window: terms.window,
        reveal: terms.reveal,
        expiry: terms.expiry.to::<u64>(),
        opponent: account(terms.opponent),
    })
}

/// What a creator said.
pub fn opening(e: &IFogmate::GameCreated) -> Result<Opening, Nonsense> {
    Ok(Opening {
        creator: e.creator,
        nonce: B256::from(e.nonce),
        terms: terms(&e.terms)?,
        toss: e.tossCommitment,
        registration: registration(&e.fogKey),
    })
}

/// What a demand has frozen.
pub fn demanded(exchange: &IFogmate::Exchange) -> Result<Demanded, Nonsense> {
    Ok(Demanded {
        phase: phase_of(exchange.phase)?,
        ply: exchange.ply,
        receiver: Color::of_ply(exchange.receiver.into()),
        pending_receiver: square(exchange.pendingReceiver)?,
        pending_sender: square(exchange.pendingSender)?,
        commitment: field(exchange.commitment)?,
        request_root: field(exchange.requestRoot)?,
        posted_root: field(exchange.postedRoot)?,
        ctx: field(exchange.ctx)?,
    })
}

/// A demanded sight, as the contract takes it back with the answer.
pub fn exchange(demanded: &Demanded) -> IFogmate::Exchange {
    IFogmate::Exchange {
        phase: phase(demanded.phase),
        ply: demanded.ply,
        receiver: demanded.receiver as u8,
        pendingReceiver: demanded.pending_receiver.map_or(NO_SQUARE, u8::from),
        pendingSender: demanded.pending_sender.map_or(NO_SQUARE, u8::from),
        commitment: word(&demanded.commitment),
        requestRoot: word(&demanded.request_root),
        postedRoot: word(&demanded.posted_root),
        ctx: word(&demanded.ctx),
    }
}

/// The words of as many numbers as there are bytes for, big-endian.
pub fn words<const N: usize>(bytes: &[u8]) -> Result<[U256; N], Nonsense> {
    let words: Vec<U256> = bytes.chunks(32).map(U256::from_be_slice).collect();
    words.try_into().map_err(|_| Nonsense("what is to be published has another length"))
}

/// The bytes of words, big-endian.
pub fn bytes(words: &[U256]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_be_bytes::<32>()).collect()
}

/// A ply as the contract's `move` takes it.
pub fn declare(fields: &MoveFields, basis: B256) -> IFogmate::Move {
    IFogmate::Move {
        nextCommitment: word(&fields.next_commitment),
        nextRequestRoot: word(&fields.next_request_root),
        answerRoot: word(&fields.answer_root),
        basis,
        ply: fields.ply,
        capture: fields.capture.map_or(NO_SQUARE, u8::from),
        kingFell: fields.king_fell,
        offerDraw: fields.offer_draw,
    }
}

/// The fields of a ply as it was declared.
pub fn declared(declared: &IFogmate::Move) -> Result<MoveFields, Nonsense> {
    Ok(MoveFields {
        ply: declared.ply,
        next_commitment: field(declared.nextCommitment)?,
        next_request_root: field(declared.nextRequestRoot)?,
        answer_root: field(declared.answerRoot)?,
        capture: square(declared.capture)?,
        king_fell: declared.kingFell,
        offer_draw: declared.offerDraw,
    })
}

/// A position that a game was woken at. Of the start only the ply means anything.
pub fn position(found: &IFogmate::Position) -> Result<Position, Nonsense> {
    let start = Position::start(0);
    if found.ply == 0 {
        return Ok(start);
    }
    Ok(Position {
        previous: found.previous,
        ply: found.ply,
        quiet_plies: found.quietPlies,
        pending: square(found.pending)?,
        previous_pending: square(found.previousPending)?,
        draw_offered: found.drawOffered,
        clocks: [found.whiteClock, found.blackClock],
        states: [field(found.whiteState)?, field(found.blackState)?],
        states_before: [field(found.whiteStateBefore)?, field(found.blackStateBefore)?],
        request_roots: [field(found.whiteRequestRoot)?, field(found.blackRequestRoot)?],
        answer_root: field(found.answerRoot)?,
    })
}

/// A position as the contract takes it.
pub fn signed_position(position: &Position) -> IFogmate::Position {
    let [white, black] = [0, 1].map(|color| {
        [position.states[color], position.states_before[color], position.request_roots[color]].map(|of| word(&of))
    });
    IFogmate::Position {
        previous: position.previous,
        ply: position.ply,
        quietPlies: position.quiet_plies,
        pending: position.pending.map_or(NO_SQUARE, u8::from),
        previousPending: position.previous_pending.map_or(NO_SQUARE, u8::from),
        drawOffered: position.draw_offered,
        whiteClock: position.clocks[0],
        blackClock: position.clocks[1],
        whiteState: white[0],
        whiteStateBefore: white[1],
        blackState: black[0],
        blackStateBefore: black[1],
        whiteRequestRoot: white[2],
        blackRequestRoot: black[2],
        answerRoot: word(&position.answer_root),
    }
}

/// Signatures in the form of EIP-2098, as the contract takes them: none is zero.
pub fn signatures(signatures: &[Option<[u8; 64]>; 2]) -> [IFogmate::Signature; 2] {
    signatures.map(|signature| {
        let (r, vs) = signature.map_or(Default::default(), |bytes| {
            let (r, vs) = bytes.split_at(32);
            (B256::from_slice(r), B256::from_slice(vs))
        });
        IFogmate::Signature { r, vs }
    })
}

/// An outcome that players sign, as the contract names it.
///
/// # Errors
///
/// [`Nonsense`] if players don't sign that.
pub fn signed_outcome(outcome: Outcome) -> Result<IFogmate::Outcome, Nonsense> {
    Ok(match outcome {
        Outcome::KingCaptured => IFogmate::Outcome::KingCaptured,
        Outcome::Resigned => IFogmate::Outcome::Resigned,
        Outcome::DrawAgreed => IFogmate::Outcome::DrawAgreed,
        Outcome::FiftyMoves => IFogmate::Outcome::FiftyMoves,
        Outcome::NoMove => IFogmate::Outcome::NoMove,
        _ => return Err(Nonsense("players sign no such result")),
    })
}

/// A whole game; none if the contract knows none of its id.
pub fn game_state(game: &IFogmate::Game) -> Result<Option<GameState>, Nonsense> {
    match game.status {
        Status::None => return Ok(None),
        Status::__Invalid => return Err(Nonsense("a game's status is unknown")),
        _ => (),
    }
    // Until someone joins, which takes a registration, the contract keeps the invited address in the joiner's place.
    let has_joined = !game.players[1].fogKey.x.is_zero() || !game.players[1].fogKey.y.is_zero();
    let [first, second] = game.players.each_ref().map(|player| account(player.account));
    let terms = terms(&game.terms)?;
    // Of both players it is the same.
    let registered = registration(&game.players[0].fogKey);
    let has_committed = !game.players[0].fogKey.x.is_zero();
    let engine = engine_name(&registered).filter(|_| !terms.mode.has_proofs()).map(str::to_owned);
    Ok(Some(GameState {
        status: game.status,
        outcome: outcome(game.outcome)?,
        winner: account(game.winner),
        creator: game.creator,
        ply: game.ply,
        pending: square(game.pending)?,
        draw_offered: game.drawOffered,
        terms: Terms { opponent: second.filter(|_| !has_joined), ..terms },
        players: [first, second.filter(|_| has_joined)],
        engine,
        has_committed,
    }))
}

/// The clocks of a game, by what the contract answers to `clocks` and `game`.
///
/// # Errors
///
/// [`Nonsense`] if there is a number that no clock shows.
pub fn clocks(now: &IFogmate::clocksReturn, state: &IFogmate::Game) -> Result<Clocks, Nonsense> {
    let seconds = |n: U256| u64::try_from(n).map_err(|_| Nonsense("a clock exceeds 64 bits"));
    Ok(Clocks {
        left: [seconds(now.white)?, seconds(now.black)?],
        deadline: seconds(now.deadline)?,
        turn: (state.status == Status::Playing).then(|| Color::of_ply(state.ply.into())),
        runs_from: state.since.to::<u64>().saturating_add(state.terms.delay.into()),
        hold: match state.hold {
            // The delay of the player to move begins with the end of a contest: until then its clock doesn't run.
            IFogmate::Hold::None | IFogmate::Hold::Contest => None,
            _ => Some(state.holdDeadline.to::<u64>()),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A demand, and a claim, are to be answered in their time; who has woken a game asks for nothing.
    #[test]
    fn a_contest_is_no_hold_of_the_clocks() {
        let now = IFogmate::clocksReturn { white: U256::from(1), black: U256::from(2), deadline: U256::from(3) };
        let held = |hold| {
            clocks(&now, &IFogmate::Game { hold, holdDeadline: U40::from(9), ..no_game() }).expect("clocks").hold
        };
        let holds = [IFogmate::Hold::None, IFogmate::Hold::Contest, IFogmate::Hold::Sight, IFogmate::Hold::FiftyMoves];
        assert_eq!(holds.map(held), [None, None, Some(9), Some(9)]);
    }

    fn no_game() -> IFogmate::Game {
        let words = [0; 2_048];
        <IFogmate::Game as alloy_sol_types::SolValue>::abi_decode(&words).expect("zeros are a game")
    }
}
