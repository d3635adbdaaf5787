//! The player: takes what its seat is told, and chooses moves.

use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rules::{Color, Move, Side, Sight, Square};

use crate::army::Army;
use crate::belief::Belief;
use crate::choice::{Choice, choose};
use crate::level::Settings;

/// The part of the time left on the clock that one move may take.
const PART_OF_CLOCK: u32 = 30;
/// A draw is accepted with a smaller chance to win.
const DRAW: f32 = -0.2;

/// A player of one game.
#[derive(Clone, Debug)]
pub struct Bot {
    settings: Settings,
    color: Color,
    belief: Belief,
    rng: ChaCha8Rng,
    /// How many pieces the opponent has left.
    pieces_left: usize,
    chance: f32,
}

impl Bot {
    /// A player at the start of a game. With the same seed, and told the same, it plays the same moves as long as its time suffices.
    #[must_use]
    pub fn new(color: Color, settings: Settings, seed: [u8; 32]) -> Self {
        let belief = Belief::start(color, settings.remembered);
        Self { settings, color, belief, rng: ChaCha8Rng::from_seed(seed), pieces_left: 16, chance: 0.0 }
    }

    /// The own move was made and captured on a square, if on any; `side` is the own side after it.
    pub fn moved(&mut self, side: &Side, capture: Option<Square>) {
        self.pieces_left -= usize::from(capture.is_some() && self.pieces_left > 1);
        self.belief.take_own_move(&Army::of(side), capture);
    }

    /// What is seen after the own move. It may never come: then less is known.
    pub fn saw(&mut self, sight: &Sight) {
        self.belief.take_sight(sight, &mut self.rng);
    }

    /// The opponent has moved and captured on a square, if on any; `side` is what is left of the own one.
    pub fn opponent_moved(&mut self, capture: Option<Square>, side: &Side, sight: &Sight) {
        self.belief.take_opponent_move(capture, &Army::of(side), sight, &mut self.rng);
    }

    /// Begins from what is seen on the own turn, without what happened before.
    pub fn begin_anew(&mut self, side: &Side, sight: &Sight) {
        self.belief.begin_anew(&Army::of(side), sight, self.pieces_left, &mut self.rng);
    }

    /// Chooses one of the legal moves, within the level's time and a thirtieth of what is left on the clock; none if there are none.
    pub fn choose(&mut self, side: &Side, legal: &[Move], clock: Option<Duration>) -> Option<Choice> {
        let deadline = Instant::now() + self.time(clock);
        let mut is_over = || Instant::now() >= deadline;
        let own = Army::of(side);
        let choice = choose(&own, self.color, legal, &self.belief, &self.settings, &mut self.rng, &mut is_over)?;
        self.chance = choice.chance;
        Some(choice)
    }

    /// The most time for a move, with so much left on the clock.
    #[must_use]
    pub fn time(&self, clock: Option<Duration>) -> Duration {
        clock.map_or(self.settings.time, |left| self.settings.time.min(left / PART_OF_CLOCK))
    }

    /// Whether a draw is better than going on, by the last choice.
    #[must_use]
    pub fn accepts_draw(&self) -> bool {
        self.chance < DRAW
    }

    /// What it believes of the opponent.
    #[must_use]
    pub const fn belief(&self) -> &Belief {
        &self.belief
    }
}
