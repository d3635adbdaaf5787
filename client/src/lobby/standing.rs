//! Where a game stands for a player, by its wallet and the chain alone (protocol, section 9): what somebody needs to know who comes back to
//! a game on a machine that remembers nothing of it. Nothing is restored here that is needed to play: a seat does that by itself,
//! from the same events.

use super::LobbyError;
use crate::chain::{Chain, ChainClock, GameState, MoveUnderWay, unix};
use crate::wallet::Wallet;
use alloy::primitives::{Address, B256};
use fog::ensure;
use game::{
    ChainEvent, Clocks, Demand, Ending, GameRef, Hold, Mode, Opening, Outcome, OwnState, Phase, Table, TableError,
};
use halo2curves::bn256::Fr;
use rules::{Color, Move};
use std::time::Instant;

/// A game that isn't over, as its player finds it.
#[derive(Debug)]
pub struct Standing {
    pub game: GameRef,
    pub me: Address,
    /// The other one, if anybody has joined.
    pub opponent: Option<Address>,
    /// What everybody knows, as of the latest block.
    pub table: Table,
    /// None while no clock runs.
    pub clocks: Option<Clocks>,
    /// The latest block's time, in seconds since 1970.
    pub now: u64,
    /// The own moves, which the wallet has found from their commitments.
    pub moves: Vec<Move>,
    /// The own transaction that is on its way, if it is the player's turn.
    pub under_way: MoveUnderWay,
    /// The move in it; none if it is no move, or if it fits another position, which is a defect.
    pub move_under_way: Option<Move>,
}

/// What the opponent owes over the link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owed {
    /// The points that came with its move of a ply, which the own move's answer needs.
    Points { ply: u16 },
    Sight {
        ply: u16,
        /// Before or after the own move. After it no move needs it.
        phase: Phase,
        /// Whether its root is on chain, by which it is verified.
        is_posted: bool,
    },
}

/// Finds out where a game stands for the owner of a wallet.
///
/// # Errors
///
/// [`ChainError::NoGame`](crate::chain::ChainError::NoGame); [`LobbyError::NotAPlayer`]; [`LobbyError::Over`] with the result;
/// [`LobbyError::OtherWallet`] if the wallet's secrets don't open its own moves; the chain's failures.
pub async fn standing(chain: &Chain, wallet: &Wallet, game: B256) -> Result<Standing, LobbyError> {
    let (me, reference) = (wallet.address(), chain.game_ref(game));
    let state = chain.game(game).await?;
    let is_player = state.creator == me || state.index_of(me).is_some();
    ensure!(is_player, LobbyError::NotAPlayer { account: me, game });
    if let Some(ending) = ending(&state) {
        return Err(LobbyError::Over(ending));
    }
    ensure!(state.terms.mode != Mode::Channel, LobbyError::Channel);
    let (mut table, mut own) = (Table::new(reference), Own::new(wallet, reference));
    for logged in chain.events(game, 0, chain.latest_block().await?).await? {
        own.follow(&table, &logged.event, me)?;
        table.apply(&logged.event)?;
    }
    let (mut under_way, mut move_under_way) = (MoveUnderWay::None, None);
    if let Some(play) = table.playing().filter(|play| play.color_of(me) == Some(play.turn())) {
        under_way = chain.move_under_way(game, play.ply).await?;
        if let MoveUnderWay::Move { fields, .. } = &under_way {
            move_under_way = own.find(play.pending, fields.next_commitment).and_then(|next| next.mv);
        }
    }
    let (clocks, block_time) = (chain.clocks(game).await?, chain.block_time().await?);
    let now = ChainClock::heard(None, block_time, Instant::now(), unix()).at(Instant::now());
    let clocks = clocks.after(block_time, now);
    Ok(Standing {
        game: reference,
        me,
        opponent: opponent(&state, me),
        clocks: Some(clocks).filter(|clocks| clocks.deadline > 0),
        now,
        moves: own.moves,
        under_way,
        move_under_way,
        table,
    })
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

impl Standing {
    /// The player's color, once it is drawn.
    pub fn color(&self) -> Option<Color> {
        self.table.begun()?.color_of(self.me)
    }

    /// Whether the player is to move.
    pub fn is_my_turn(&self) -> bool {
        self.table.playing().is_some_and(|play| play.color_of(self.me) == Some(play.turn()))
    }

    /// All demands of sights that are open: each, and whether it is the player's own.
    pub fn demands(&self) -> Vec<(Demand, bool)> {
        let Some(play) = self.table.playing() else {
            return Vec::new();
        };
        let hold = match play.hold {
            Some(Hold::Sight(demand)) => Some(demand),
            _ => None,
        };
        let open = hold.into_iter().chain(play.posts.into_iter().flatten());
        open.map(|demand| (demand, Some(demand.demanded.receiver) == self.color())).collect()
    }

    /// The open claim of fifty moves: whether it is the player's own, and the last second to answer it.
    pub fn fifty(&self) -> Option<(bool, u64)> {
        match self.table.playing()?.hold? {
            Hold::FiftyMoves { claimant, deadline, .. } => Some((Some(claimant) == self.color(), deadline)),
            Hold::Sight(_) => None,
        }
    }

    /// What the opponent owes a machine that remembers nothing. What was demanded is left out, and what was given on chain.
    pub fn owed(&self) -> Vec<Owed> {
        let mut owed = Vec::new();
        let Some((play, color)) = self.table.playing().zip(self.color()) else {
            return owed;
        };
        if self.is_my_turn() {
            owed.extend(play.ply.checked_sub(1).map(|ply| Owed::Points { ply }));
            if !play.opening() && !play.pre_demanded {
                let is_posted = play.answer_root != Fr::zero();
                owed.push(Owed::Sight { ply: play.ply, phase: Phase::Pre, is_posted });
            }
        } else if let Some(ply) = play.ply.checked_sub(1).filter(|_| !play.post_demanded[color.index()]) {
            owed.push(Owed::Sight { ply, phase: Phase::Post, is_posted: false });
        }
        owed
    }
}

/// The own side, found again move by move.
struct Own<'a> {
    wallet: &'a Wallet,
    game: GameRef,
    opening: Option<Opening>,
    last: Option<OwnState>,
    moves: Vec<Move>,
}

impl<'a> Own<'a> {
    fn new(wallet: &'a Wallet, game: GameRef) -> Self {
        Self { wallet, game, opening: None, last: None, moves: Vec::new() }
    }

    /// Takes an event that follows on what the table has.
    fn follow(&mut self, before: &Table, event: &ChainEvent, me: Address) -> Result<(), LobbyError> {
        match event {
            ChainEvent::Created(opening) => self.opening = Some(*opening),
            ChainEvent::Started { white, .. } => {
                let color = if *white == me { Color::White } else { Color::Black };
                self.last = Some(OwnState::start(color));
            }
            ChainEvent::Moved { player, fields, .. } if *player == me => {
                let pending = before.begun().and_then(|play| play.pending);
                let next = self.find(pending, fields.next_commitment).ok_or(LobbyError::OtherWallet(fields.ply))?;
                self.moves.extend(next.mv);
                self.last = Some(next);
            }
            _ => {}
        }
        Ok(())
    }

    /// The next own state with a commitment.
    fn find(&self, pending: Option<rules::Square>, commitment: Fr) -> Option<OwnState> {
        let opening = self.opening.as_ref()?;
        let secrets = self.wallet.game_secrets(&self.game, opening.creator, opening.nonce);
        self.last.as_ref()?.find(secrets.view_key(), pending, commitment)
    }
}

impl From<TableError> for LobbyError {
    fn from(error: TableError) -> Self {
        Self::Inconsistent(error.to_string())
    }
}
