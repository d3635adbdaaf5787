//! A cheating player: an honest seat whose effects are changed on their way out. So it can withhold, delay and lie at any step and
//! still knows what an honest player would do next.

use alloy::primitives::B256;
use client::seat::{Effect, Seat};
use game::{MoveFields, Transaction};

/// What becomes of an effect: nothing, itself, or others.
type Change = Box<dyn FnMut(Effect) -> Vec<Effect> + Send>;

/// What a cheating player does to its seat's effects.
pub struct Mischief(Change);

impl Mischief {
    /// Each effect becomes what `change` makes of it.
    pub fn new(change: impl FnMut(Effect) -> Vec<Effect> + Send + 'static) -> Self {
        Self(Box::new(change))
    }

    /// Effects of a kind never happen.
    pub fn withhold(is_withheld: impl Fn(&Effect) -> bool + Send + 'static) -> Self {
        Self::new(move |effect| if is_withheld(&effect) { Vec::new() } else { vec![effect] })
    }

    /// Each effect is changed in its place.
    pub fn alter(change: impl Fn(&mut Effect) + Send + 'static) -> Self {
        Self::new(move |mut effect| {
            change(&mut effect);
            vec![effect]
        })
    }

    /// From now on it neither says nor sends anything.
    pub fn silence() -> Self {
        Self::withhold(|effect| matches!(effect, Effect::SendMessage(_) | Effect::SendTransaction(_)))
    }

    /// What becomes of a seat's effects. A cheat that changes what a move declares names what that rests on, so that it isn't refused for
    /// its basis alone.
    pub(crate) fn apply(&mut self, effects: Vec<Effect>, seat: &Seat) -> Vec<Effect> {
        let table = seat.table();
        let mut change = |effect: Effect| {
            let honest = declared(&effect);
            let mut changed = (self.0)(effect);
            for effect in &mut changed {
                if let Effect::SendTransaction(Transaction::Move { fields, basis, .. }) = effect
                    && honest.is_some_and(|(was, named)| was != *fields && named == *basis)
                    && let Some(play) = table.playing()
                {
                    *basis = play.basis(table.game(), fields);
                }
            }
            changed
        };
        effects.into_iter().flat_map(&mut change).collect()
    }
}

/// What a move declares and names.
fn declared(effect: &Effect) -> Option<(MoveFields, B256)> {
    match effect {
        Effect::SendTransaction(Transaction::Move { fields, basis, .. }) => Some((*fields, *basis)),
        _ => None,
    }
}

/// What is wrong with an honest player's program: the world must find it.
#[derive(Debug, Default)]
pub struct Defect {
    /// What it does to the seat's effects.
    pub effects: Option<Mischief>,
    /// Its chain reader takes every block for final.
    pub trusts_blocks: bool,
    /// Its verifier takes every proof of a move for right.
    pub believes_moves: bool,
}

fog::redacted!(Mischief);
