//! Opponents that agree with all that was seen, each with a weight: how likely it is to have come to be.
//!
//! All are kept while they are few. Above the most that a level remembers some are drawn by weight; and where none of those agrees with what is
//! seen next, opponents near to them are made that do.

use std::collections::HashMap;

use rand::Rng;
use rand::seq::{IteratorRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;
use rules::{Color, Move, PieceType, Side, Sight, Square};

use crate::army::Army;
use crate::bits::Squares;
use crate::board::{Board, Wanted};
use crate::evidence::Evidence;
use crate::likelihood::likelihoods;
use crate::mend::mended;

/// How many opponents are made where none was left, or nothing is remembered; and how often that is tried for each.
const MENDED: usize = 400;
const TRIES: usize = 4;
/// The power of the weight by which opponents are drawn to be kept: below 1, so that the unlikely isn't all forgotten.
const FLATTENED: f64 = 0.6;

/// An opponent that is thought possible, and its weight.
pub type Candidate = (Army, f64);

/// What one player believes of the other.
#[derive(Clone, Debug)]
pub struct Belief {
    /// The color of who believes.
    color: Color,
    own: Army,
    /// Never empty; the weights' sum is 1 after each move of the opponent.
    candidates: Vec<Candidate>,
    most: usize,
    mended: u32,
}

impl Belief {
    /// At the start everything is known.
    #[must_use]
    pub fn start(color: Color, most: usize) -> Self {
        let candidates = vec![(Army::of(&Side::start(!color)), 1.0)];
        Self { color, own: Army::of(&Side::start(color)), candidates, most: most.max(1), mended: 0 }
    }

    /// How many opponents are thought possible.
    #[must_use]
    pub fn count(&self) -> usize {
        self.candidates.len()
    }

    /// How often none was left that agreed with what was seen.
    #[must_use]
    pub const fn times_mended(&self) -> u32 {
        self.mended
    }

    /// Whether an opponent is thought possible.
    #[must_use]
    pub fn holds(&self, other: &Army) -> bool {
        self.candidates.iter().any(|(army, _)| army == other)
    }

    /// The own move was made: the own army after it, and where it captured.
    pub fn take_own_move(&mut self, own: &Army, capture: Option<Square>) {
        self.own = *own;
        for (army, _) in &mut self.candidates {
            // A double push can be captured on the very next ply alone.
            army.set_double_push(None);
            if let Some(square) = capture {
                army.lose(square, !self.color);
            }
        }
    }

    /// Something is seen after the own move.
    pub fn take_sight(&mut self, sight: &Sight, rng: &mut ChaCha8Rng) {
        let evidence = Evidence::of(sight, &self.own, self.color, false);
        let color = !self.color;
        let before = self.candidates.clone();
        self.candidates.retain(|(army, _)| evidence.allows(army, color));
        self.mend(&evidence, &before, rng);
    }

    /// The opponent has moved and captured on a square, if on any: `own` is left of the own army, and this is seen of the result.
    pub fn take_opponent_move(&mut self, capture: Option<Square>, own: &Army, sight: &Sight, rng: &mut ChaCha8Rng) {
        let evidence = Evidence::of(sight, own, self.color, true);
        let before = std::mem::take(&mut self.candidates);
        self.candidates = self.moved(&before, capture, &evidence);
        self.own = *own;
        self.mend(&evidence, &before, rng);
        self.thin(rng);
    }

    /// The opponents that those before can have become by one move, with their probabilities, in the order in which they are found.
    fn moved(&self, before: &[Candidate], capture: Option<Square>, evidence: &Evidence) -> Vec<Candidate> {
        let color = !self.color;
        let mut places: HashMap<Army, usize> = HashMap::new();
        let mut found: Vec<Candidate> = Vec::new();
        let (mut moves, mut probabilities): (Vec<Move>, Vec<f32>) = Default::default();
        for (army, weight) in before {
            let board = Board::of(*army, self.own, color);
            moves.clear();
            board.add_moves(Wanted::All, &mut moves);
            likelihoods(&board, &moves, &mut probabilities);
            for (mv, probability) in moves.iter().zip(&probabilities) {
                let mut next = *army;
                next.play(mv, color);
                if board.capture(mv) != capture || !evidence.allows(&next, color) {
                    continue;
                }
                let place = *places.entry(next).or_insert_with(|| {
                    found.push((next, 0.0));
                    found.len() - 1
                });
                found[place].1 += weight * f64::from(*probability);
            }
        }
        found
    }

    /// Forgets all but what is seen now and how many pieces the opponent has left.
    pub fn begin_anew(&mut self, own: &Army, sight: &Sight, pieces_left: usize, rng: &mut ChaCha8Rng) {
        self.own = *own;
        let evidence = Evidence::of(sight, own, self.color, true);
        let start = Army::of(&Side::start(!self.color));
        let lost = 16_usize.saturating_sub(pieces_left);
        let mut before = Vec::new();
        for _ in 0..MENDED.min(self.most) {
            let mut army = start;
            for square in Squares(start.all() & !start.of_type(PieceType::King)).choose_multiple(rng, lost) {
                army.lose(square, !self.color);
            }
            before.push((army, 1.0));
        }
        self.candidates.clear();
        self.mend(&evidence, &before, rng);
        self.thin(rng);
    }

    /// If no opponent is left, makes some that agree out of those before.
    fn mend(&mut self, evidence: &Evidence, before: &[Candidate], rng: &mut ChaCha8Rng) {
        if !self.candidates.is_empty() {
            return;
        }
        self.mended += 1;
        let wanted = MENDED.min(self.most);
        let near: Vec<&Candidate> = before.iter().choose_multiple(rng, wanted);
        let mut places: HashMap<Army, usize> = HashMap::new();
        for (army, _) in near.iter().cycle().take(TRIES * wanted) {
            if let Some(army) = mended(army, evidence, !self.color, rng)
                && places.len() < wanted
            {
                let place = places.len();
                places.entry(army).or_insert_with(|| {
                    self.candidates.push((army, 1.0));
                    place
                });
            }
        }
        if self.candidates.is_empty() {
            self.candidates.push((only_seen(evidence, rng), 1.0));
        }
    }

    /// Keeps no more than are remembered, drawn by weight; what is kept stands for what is not.
    fn thin(&mut self, rng: &mut ChaCha8Rng) {
        if self.candidates.len() > self.most {
            // Priority sampling: each stays with a chance that grows with its weight, and weighs as much more as that was small.
            let drawn = |candidate: &Candidate| candidate.1.powf(FLATTENED);
            let priority = |candidate: Candidate| (drawn(&candidate) / rng.gen_range(1e-9..1.0), candidate);
            let mut ranked: Vec<(f64, Candidate)> =
                std::mem::take(&mut self.candidates).into_iter().map(priority).collect();
            let (kept, bar, _) = ranked.select_nth_unstable_by(self.most, |a, b| b.0.total_cmp(&a.0));
            let bar = bar.0;
            let weighed =
                |(_, candidate): &(f64, Candidate)| (candidate.0, candidate.1 * (bar / drawn(candidate)).max(1.0));
            self.candidates = kept.iter().map(weighed).collect();
        }
        let sum: f64 = self.candidates.iter().map(|(_, weight)| weight).sum();
        for (_, weight) in &mut self.candidates {
            *weight = (*weight / sum).max(1e-12);
        }
    }

    /// Opponents to search: all with their weights, the likely ones first, if they are no more than `count`; else drawn by weight, all alike.
    pub fn draw(&self, count: usize, rng: &mut ChaCha8Rng) -> Vec<Candidate> {
        if self.candidates.len() <= count {
            let mut all = self.candidates.clone();
            all.sort_by(|a, b| b.1.total_cmp(&a.1));
            return all;
        }
        let sum: f64 = self.candidates.iter().map(|(_, weight)| weight).sum();
        let step = sum / count as f64;
        let (mut next, mut passed) = (rng.gen_range(0.0..1.0) * step, 0.0);
        let mut drawn = Vec::with_capacity(count + 1);
        for (army, weight) in &self.candidates {
            passed += weight;
            while next < passed {
                drawn.push((*army, 1.0));
                next += step;
            }
        }
        drawn.shuffle(rng);
        drawn
    }
}

/// What is seen and nothing else, but a king somewhere: for evidence that no opponent of a game could leave.
fn only_seen(evidence: &Evidence, rng: &mut ChaCha8Rng) -> Army {
    let mut army = evidence.seen.with(PieceType::Pawn, evidence.occupied & !evidence.seen.all());
    if army.king().is_none()
        && let Some(square) = Squares(!(evidence.known | evidence.own | army.all())).choose(rng)
    {
        army.put(PieceType::King, square);
    }
    army.set_double_push(evidence.jumped_square().map(|square| square.file()));
    army
}
