//! Which move is best on the mean of the opponents that are thought possible.
//!
//! On each of them the game is searched as if the board lay open: the opponent answers as well as it can. That is too careful in one way, for
//! it doesn't see what attacks its king out of the dark; so such an attack earns a part of the win that it threatens.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rules::{Color, Move};

use crate::army::Army;
use crate::belief::Belief;
use crate::board::Board;
use crate::level::Settings;
use crate::search::{Search, WON, takes_king};

/// What an attack on the king is worth, as a part of the win: one that the opponent can't see, and one that it sees.
const UNSEEN_ATTACK: f32 = 0.45;
const SEEN_ATTACK: f32 = 0.04;
/// What it is worth to see one square more.
const SIGHT: f32 = 0.0005;
/// The chance to win by pieces alone: so much of it at most, and so many hundredths of a pawn make three quarters of that.
const MOST_BY_PIECES: f32 = 0.95;
const SCALE: f32 = 450.0;

/// A move, and what is thought of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    pub mv: Move,
    /// The chance to win, from -1 (lost) to 1 (won).
    pub chance: f32,
    /// On how many opponents moves were searched.
    pub searched: usize,
}

/// A move and its chances on the opponents so far.
struct Score {
    mv: Move,
    sum: f64,
    weight: f64,
}

impl Score {
    fn mean(&self) -> f64 {
        self.sum / self.weight.max(f64::MIN_POSITIVE)
    }
}

/// The chance to win that a board's worth stands for.
fn chance(value: i32) -> f32 {
    match value {
        value if value > WON / 2 => 1.0,
        value if value < -WON / 2 => -1.0,
        value => MOST_BY_PIECES * (value as f32 / SCALE).tanh(),
    }
}

/// The chance to win after a move on one board.
fn chance_of(search: &mut Search, board: &Board, mv: &Move, depth: u8) -> f32 {
    let (after, color) = (board.after(mv), board.turn);
    let (own, other, occupied) = (after.other(), after.own(), after.occupied());
    let mut chance = chance(search.worth_of(&after, depth));
    let attackers = other.king().map_or(0, |king| own.attackers(king, color, occupied));
    if attackers != 0 && chance > -1.0 {
        let is_unseen = attackers & !other.attacks(!color, occupied) != 0;
        chance += (1.0 - chance) * if is_unseen { UNSEEN_ATTACK } else { SEEN_ATTACK };
    }
    chance + SIGHT * own.attacks(color, occupied).count_ones() as f32
}

/// Chooses among legal moves; none if there are none. The time is asked for before each move on each opponent but the first, and if it is over
/// the best of what was searched is chosen.
pub fn choose(
    own: &Army,
    color: Color,
    moves: &[Move],
    belief: &Belief,
    settings: &Settings,
    rng: &mut ChaCha8Rng,
    is_over: &mut dyn FnMut() -> bool,
) -> Option<Choice> {
    let depth = settings.depth + u8::from(belief.count() <= settings.few);
    let opponents = belief.draw(settings.boards * ((1 << settings.rounds) - 1), rng);
    // What can be captured is seen, so that one board says it for all.
    let board = Board::of(*own, opponents.first()?.0, color);
    if let Some(mv) = moves.iter().find(|mv| takes_king(&board, mv)) {
        return Some(Choice { mv: *mv, chance: 1.0, searched: 1 });
    }
    let mut scores: Vec<Score> = moves.iter().map(|mv| Score { mv: *mv, sum: 0.0, weight: 0.0 }).collect();
    let (mut search, mut searched, mut kept) = (Search::default(), 0, scores.len());
    let mut rest = opponents.as_slice();
    'rounds: for round in 0..settings.rounds {
        let count = (settings.boards << round).min(rest.len());
        let (now, later) = rest.split_at(count);
        rest = later;
        for (other, weight) in now {
            let board = Board::of(*own, *other, color);
            let mut chances = Vec::with_capacity(kept);
            for score in &scores[..kept] {
                if searched > 0 && is_over() {
                    break 'rounds;
                }
                chances.push(chance_of(&mut search, &board, &score.mv, depth));
            }
            for (score, chance) in scores.iter_mut().zip(chances) {
                score.sum += weight * f64::from(chance);
                score.weight += weight;
            }
            searched += 1;
        }
        scores[..kept].sort_by(|a, b| b.mean().total_cmp(&a.mean()));
        if !rest.is_empty() && round + 1 < settings.rounds {
            kept = kept.div_ceil(3).max(2).min(kept);
        }
    }
    scores.truncate(kept);
    scores.sort_by(|a, b| b.mean().total_cmp(&a.mean()));
    let best = scores.first()?.mean();
    let good = scores.iter().take_while(|score| score.mean() >= best - f64::from(settings.slack)).count();
    let score = scores.get(rng.gen_range(0..good.max(1)))?;
    Some(Choice { mv: score.mv, chance: score.mean() as f32, searched })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_grow_with_the_worth_and_end_at_a_captured_king() {
        let values = [-WON, -20_000, -900, -100, 0, 100, 900, 20_000, WON];
        let chances = values.map(chance);
        assert!(chances.is_sorted(), "{chances:?}");
        assert_eq!((chances[0], chances[4], chances[8]), (-1.0, 0.0, 1.0));
        assert!(chance(10_000) < 1.0);
    }
}
