//! The chains of both players as they were shown, by exchange. A chain is shown first before the player's first move or right after it, then in each
//! exchange; only the latest few are kept.

use crate::andos::{proof::chain::Chain, public_key::PublicKey};
use fog::engine::{Exchange, Fault, Phase};
use rules::{Color, Side};
use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

/// Exchanges that are kept for each player.
const KEPT: usize = 4;

/// A ply and a phase, in the order of play.
type Place = (u64, Phase);

/// An own board that was shown.
#[derive(Clone)]
pub struct Shown {
    /// The chain that holds it.
    pub chain: Chain,
    pub board: Side,
}

#[derive(Default)]
pub struct History {
    own: Mutex<BTreeMap<Place, Shown>>,
    peer: Mutex<BTreeMap<Place, Chain>>,
}

/// Whether the sender has moved since the exchange before: always where a sight comes before a move; after one, only where White's
/// opening move is shown for the first time.
pub fn moves(exchange: &Exchange) -> bool {
    exchange.phase == Phase::Pre || exchange.ply == 1
}

/// The exchange in which the sender's board was shown before; `None` if it is the starting position.
fn place_before(exchange: &Exchange) -> Option<Place> {
    match exchange.phase {
        Phase::Pre => Some((exchange.ply.checked_sub(2)?, Phase::Post)),
        Phase::Post => (exchange.ply >= 2).then_some((exchange.ply, Phase::Pre)),
    }
}

fn place(exchange: &Exchange) -> Place {
    (exchange.ply, exchange.phase)
}

fn missing() -> Fault {
    Fault::internal("the exchange before this one is missing")
}

fn keep<T>(shown: &Mutex<BTreeMap<Place, T>>, exchange: &Exchange, value: T) {
    let mut shown = shown.lock().unwrap_or_else(PoisonError::into_inner);
    shown.insert(place(exchange), value);
    while shown.len() > KEPT {
        shown.pop_first();
    }
}

fn find<T: Clone>(shown: &Mutex<BTreeMap<Place, T>>, place: &Place) -> Result<T, Fault> {
    let shown = shown.lock().unwrap_or_else(PoisonError::into_inner);
    shown.get(place).cloned().ok_or_else(missing)
}

impl History {
    /// The own chain before an exchange and its move, the captured piece removed.
    pub fn own_before(&self, key: &PublicKey, color: Color, exchange: &Exchange) -> Result<Shown, Fault> {
        let start = || Shown { chain: Chain::start(key, color), board: Side::start(color) };
        let mut shown = place_before(exchange).map_or_else(|| Ok(start()), |place| find(&self.own, &place))?;
        if let Some(square) = exchange.pending_of(color) {
            shown.chain.capture(key, square);
            shown.board = shown.board.without(Some(square));
        }
        Ok(shown)
    }

    pub fn peer_before(&self, key: &PublicKey, exchange: &Exchange) -> Result<Chain, Fault> {
        let color = exchange.sender();
        let start = || Chain::start(key, color);
        let mut chain = place_before(exchange).map_or_else(|| Ok(start()), |place| find(&self.peer, &place))?;
        if let Some(square) = exchange.pending_of(color) {
            chain.capture(key, square);
        }
        Ok(chain)
    }

    /// Notes the own board of an exchange.
    pub fn show(&self, exchange: &Exchange, shown: Shown) {
        keep(&self.own, exchange, shown);
    }

    /// Notes the opponent's, which was proven.
    pub fn see(&self, exchange: &Exchange, chain: Chain) {
        keep(&self.peer, exchange, chain);
    }
}

fog::redacted!(History);
