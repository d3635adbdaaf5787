//! A game that is known beforehand: one JSON object with `moves`, UCI strings, as in `test/data/games.jsonl`.

use std::path::Path;

use eyre::Result;
use rules::{Move, Position};
use serde::Deserialize;

use crate::files;

/// Longer files are no games.
const MAX_BYTES: u64 = 1 << 20;

/// The moves of a game, White's first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    moves: Vec<Move>,
}

#[derive(Deserialize)]
struct File {
    moves: Vec<String>,
}

impl Script {
    /// Reads a file. Whether the moves are legal is not looked at.
    pub fn read(path: &Path) -> Result<Self> {
        files::read(path, MAX_BYTES, "game", Self::parse)
    }

    /// Reads the text of a file.
    pub fn parse(text: &[u8]) -> Result<Self, String> {
        let file: File = serde_json::from_slice(text)
            .map_err(|error| format!("this is not one JSON object with `moves`, a list of UCI strings: {error}"))?;
        let uci: Vec<&str> = file.moves.iter().map(String::as_str).collect();
        Self::from_uci(&uci)
    }

    /// From moves in UCI.
    pub fn from_uci(moves: &[&str]) -> Result<Self, String> {
        let parsed = moves.iter().enumerate().map(|(ply, text)| {
            let mv = text.parse();
            mv.map_err(|error| format!("move {ply} (counted from 0), {text:?}, is no move: {error}"))
        });
        let moves: Vec<Move> = parsed.collect::<Result<_, _>>()?;
        if moves.is_empty() {
            return Err("the script has no moves".into());
        }
        Ok(Self { moves })
    }

    /// The move of a ply.
    pub fn at(&self, ply: u16) -> Option<Move> {
        self.moves.get(usize::from(ply)).copied()
    }

    /// The moves in UCI.
    pub fn uci(&self) -> Vec<String> {
        self.moves.iter().map(ToString::to_string).collect()
    }

    /// Plays the script by the rules; says which move is illegal, or comes after the fall of a king.
    pub fn check(&self) -> Result<(), String> {
        let (mut position, mut fallen) = (Position::start(), false);
        for (ply, mv) in self.moves.iter().enumerate() {
            if fallen {
                return Err(format!("the script goes on with {mv} at ply {ply}, after a king has been captured"));
            }
            let color = position.turn();
            let played = position.play(mv);
            fallen = played.map_err(|_| illegal(ply, mv, &color.to_string()))?.king_fell;
        }
        Ok(())
    }
}

/// The sentence about an illegal move.
pub fn illegal(ply: usize, mv: &Move, color: &str) -> String {
    format!("the script's move {mv} of {color} at ply {ply} is not legal; nothing was sent")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_read_and_checked() {
        let script = Script::parse(br#"{"moves": ["e2e4", "e7e5"], "plies": 2}"#).expect("a script");
        assert_eq!((script.uci().len(), script.at(1), script.at(2)), (2, "e7e5".parse().ok(), None));
        assert_eq!(script.check(), Ok(()));
        let wrong = Script::from_uci(&["e2e4", "e7e4"]).expect("moves");
        assert_eq!(
            wrong.check().expect_err("illegal"),
            "the script's move e7e4 of black at ply 1 is not legal; nothing was sent"
        );
        for text in ["", "[]", "{}", r#"{"moves": []}"#, r#"{"moves": ["castle"]}"#] {
            assert!(Script::parse(text.as_bytes()).is_err(), "{text}");
        }
        let beyond = Script::from_uci(&["e2e4", "f7f6", "d1h5", "a7a6", "h5e8", "a6a5"]).expect("moves");
        assert!(beyond.check().expect_err("over").contains("after a king"));
    }

    #[test]
    fn recorded_games_are_legal() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../test/data/games.jsonl");
        let text = std::fs::read_to_string(path).expect("the recorded games");
        for line in text.lines().filter(|line| !line.is_empty()) {
            assert_eq!(Script::parse(line.as_bytes()).expect("a script").check(), Ok(()), "{line}");
        }
    }
}
