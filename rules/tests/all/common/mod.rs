//! What the tests of `rules` share: the oracle's records, seeds and random games.

// Each test binary uses a part of it.
#![allow(dead_code)]

use std::{
    env, fs,
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use rand::{Rng, SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use rules::{Color, Move, Position};
use serde::Deserialize;

/// One line of `positions.jsonl`.
#[derive(Debug, Deserialize)]
pub struct Record {
    pub fen: String,
    pub turn: String,
    pub legal: Vec<String>,
    pub white: String,
    pub black: String,
}

impl Record {
    /// Compares everything that the oracle says with what `rules` says.
    pub fn check(&self) {
        let position = Position::from_fen(&self.fen).unwrap_or_else(|e| panic!("{}: {e}", self.fen));
        assert_eq!(position.to_fen(), self.fen);
        assert_eq!(position.turn().to_string(), self.turn, "{}", self.fen);
        assert_eq!(uci(&position.legal_moves()), self.legal, "{}", self.fen);
        assert_eq!(position.board_string(Color::White), self.white, "{}", self.fen);
        assert_eq!(position.board_string(Color::Black), self.black, "{}", self.fen);
    }
}

/// The records in a text of one JSON object a line.
pub fn records(text: &str) -> Vec<Record> {
    let parse = |line| serde_json::from_str(line).expect("a record of the oracle");
    text.lines().map(parse).collect()
}

/// Moves as sorted UCI texts.
pub fn uci(moves: &[Move]) -> Vec<String> {
    let mut texts: Vec<_> = moves.iter().map(ToString::to_string).collect();
    texts.sort_unstable();
    texts
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A file of `test/data`.
pub fn data(name: &str) -> String {
    let path = root().join("test/data").join(name);
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// This run's seed, printed: `FOGMATE_SEED`, or a fresh one.
pub fn seed() -> u64 {
    let fresh = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| u64::from(d.subsec_nanos()));
    let seed = match env::var("FOGMATE_SEED") {
        Ok(text) => text.parse().expect("FOGMATE_SEED is a whole number"),
        Err(_) => fresh(),
    };
    println!("seed: FOGMATE_SEED={seed}");
    seed
}

/// A generator from this run's seed.
pub fn rng() -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed())
}

/// A random move, now and then a rare one (castling, en passant, promotion) where there is one.
pub fn random_move(position: &Position, moves: &[Move], rng: &mut ChaCha8Rng) -> Option<Move> {
    let side = position.side(position.turn());
    let jumped = position.side(!position.turn()).jumped_square();
    let is_rare = |mv: &&Move| mv.promotion.is_some() || side.castling_wing(mv).is_some() || jumped == Some(mv.to);
    let rare: Vec<_> = moves.iter().filter(is_rare).collect();
    if !rare.is_empty() && rng.gen_bool(0.4) {
        return rare.choose(rng).map(|mv| **mv);
    }
    moves.choose(rng).copied()
}
