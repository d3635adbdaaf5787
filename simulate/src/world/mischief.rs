//! A cheating player: an honest seat whose effects are changed on their way out. So it can withhold, delay and lie at any step and
//! still knows what an honest player would do next.

use client::seat::Effect;
use std::fmt;

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

    pub(super) fn apply(&mut self, effects: Vec<Effect>) -> Vec<Effect> {
        effects.into_iter().flat_map(|effect| (self.0)(effect)).collect()
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

impl fmt::Debug for Mischief {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Mischief")
    }
}
