//! Who plays in the arena: the bot's levels, and opponents simple enough to be understood at a glance.

use std::time::Duration;

use bot::belief::Belief;
use bot::{Bot, Level, Settings, worth};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::{Color, Move, PieceType, Seen, Side, Sight, Square};

/// A way to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// Plays any of the legal moves.
    Random,
    /// Takes the dearest piece that it sees by the cheapest that can; else any move.
    Greedy,
    /// Weighs what it takes against what it sees hanging afterwards.
    Careful,
    Level(Level),
    /// *Medium* that begins anew on each move.
    Forgetful,
}

impl Player {
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "random" => Some(Self::Random),
            "greedy" => Some(Self::Greedy),
            "careful" => Some(Self::Careful),
            "forgetful" => Some(Self::Forgetful),
            _ => name.parse().ok().map(Self::Level),
        }
    }
}

/// A player on one side of a game.
pub struct Seat {
    player: Player,
    rng: ChaCha8Rng,
    bot: Bot,
}

impl Seat {
    pub fn new(player: Player, color: Color, seed: u64) -> Self {
        let level = if let Player::Level(level) = player { level } else { Level::Medium };
        let unhurried = Settings { time: Duration::from_secs(600), ..level.settings() };
        let mut of_bot = [0; 32];
        of_bot[..8].copy_from_slice(&seed.to_le_bytes());
        Self { player, rng: ChaCha8Rng::seed_from_u64(seed), bot: Bot::new(color, unhurried, of_bot) }
    }

    /// What it believes, if it is a bot.
    pub fn belief(&self) -> Option<&Belief> {
        matches!(self.player, Player::Level(_) | Player::Forgetful).then(|| self.bot.belief())
    }

    pub fn opponent_moved(&mut self, capture: Option<Square>, side: &Side, sight: &Sight) {
        match self.player {
            Player::Level(_) => self.bot.opponent_moved(capture, side, sight),
            Player::Forgetful => self.bot.begin_anew(side, sight),
            _ => {}
        }
    }

    /// A move, and on how many opponents it was searched.
    pub fn choose(&mut self, side: &Side, sight: &Sight) -> Option<(Move, usize)> {
        let legal = side.legal_moves(sight);
        let by = |score: &mut dyn FnMut(&Move) -> i32| legal.iter().copied().max_by_key(|mv| score(mv));
        let rng = &mut self.rng;
        let chosen = match self.player {
            Player::Random => legal.choose(rng).copied(),
            Player::Greedy => by(&mut |mv| 1_000 * gain(side, sight, mv) + rng.gen_range(0..100)),
            Player::Careful => by(&mut |mv| balance(side, sight, mv) + rng.gen_range(0..20)),
            Player::Level(_) | Player::Forgetful => {
                let choice = self.bot.choose(side, &legal, None)?;
                return Some((choice.mv, choice.searched));
            }
        };
        chosen.map(|mv| (mv, 0))
    }

    pub fn moved(&mut self, side: &Side, capture: Option<Square>, sight: &Sight) {
        if self.belief().is_some() {
            self.bot.moved(side, capture);
            self.bot.saw(sight);
        }
    }
}

/// What the piece that a move captures is worth, as far as it is seen.
fn victim(side: &Side, sight: &Sight, mv: &Move) -> i32 {
    side.capture_square(mv, sight).map_or(0, |square| match sight.at(square) {
        Seen::Piece(piece) => worth(piece),
        _ => worth(PieceType::Pawn),
    })
}

/// Nothing without a capture; else what is captured, by a cheap piece a little more.
fn gain(side: &Side, sight: &Sight, mv: &Move) -> i32 {
    let capturer = side.piece(mv.from).map_or(0, worth);
    if side.capture_square(mv, sight).is_some() { victim(side, sight, mv) - capturer / 1_000 } else { 0 }
}

/// What a move gains, less the dearest piece that those opponents which are seen can then capture.
fn balance(side: &Side, sight: &Sight, mv: &Move) -> i32 {
    let capture = side.capture_square(mv, sight);
    let mut seen = Side::empty(!side.color);
    for square in Square::all().filter(|square| Some(*square) != capture) {
        if let Seen::Piece(piece) = sight.at(square) {
            seen.pieces[square.index()] = Some(piece);
        }
    }
    let attacked = Sight::between(&seen, &side.play(mv), false);
    let lost = Square::all().filter_map(|square| match attacked.at(square) {
        Seen::Piece(piece) => Some(worth(piece)),
        _ => None,
    });
    let queen = if mv.promotion == Some(PieceType::Queen) { 800 } else { 0 };
    victim(side, sight, mv) + queen - lost.max().unwrap_or(0)
}
