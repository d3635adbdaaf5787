//! What the program makes of the recorded games and positions, for an independent program to compare (`test/pgn.py`): a JSON object a line.
//!
//! Of each position of `test/data/positions.jsonl` its legal moves with their SAN; of each game of `test/data/games.jsonl` the same before each ply, the FEN after it, and
//! the game as PGN.

use alloy::primitives::{Address, B256};
use game::replay::{ReplayedMove, Tags, pgn};
use game::{Ending, GameRef, Outcome};
use rules::{Move, Position};
use serde_json::{Map, Value, json};

const POSITIONS: &str = include_str!("../data/positions.jsonl");
const GAMES: &str = include_str!("../data/games.jsonl");
/// A clock that all six digits show.
const CLOCK: u64 = 5_025;

fn san(position: &Position, mv: &Move) -> String {
    position.side(position.turn()).san(mv, &position.sight(position.turn()))
}

fn legal(position: &Position) -> Value {
    let moves = position.legal_moves();
    moves.iter().map(|mv| (mv.to_string(), san(position, mv).into())).collect::<Map<String, Value>>().into()
}

fn game(moves: &[Value]) -> Value {
    let (mut position, mut played, mut plies, mut ending) = (Position::start(), Vec::new(), Vec::new(), None);
    for (ply, mv) in moves.iter().enumerate() {
        let mv: Move = mv.as_str().and_then(|text| text.parse().ok()).expect("a move");
        let (before, legal, san) = (position.to_fen(), legal(&position), san(&position, &mv));
        let mover = position.turn();
        let has_fallen = position.play(&mv).expect("a legal move").king_fell;
        ending = has_fallen.then_some(Ending { winner: None, color: Some(mover), outcome: Outcome::KingCaptured });
        let fen = position.to_fen();
        plies.push(json!({ "fen": before, "legal": legal, "move": mv.to_string(), "san": san }));
        played.push(ReplayedMove { mv, san, fen, clock: (ply > 3).then_some(CLOCK) });
    }
    let reference = GameRef { chain_id: 31337, contract: Address::repeat_byte(1), game_id: B256::repeat_byte(2) };
    let players = [Address::repeat_byte(3), Address::repeat_byte(4)];
    let tags = Tags { game: reference, players, time: Some(1_735_689_600), control: Some((1_800, 30)) };
    json!({ "plies": plies, "pgn": pgn(&tags, &played, ending.as_ref()) })
}

fn main() {
    let lines = |text: &'static str| text.lines().map(|line| serde_json::from_str::<Value>(line).expect("a record"));
    for record in lines(POSITIONS) {
        let fen = record["fen"].as_str().expect("a FEN");
        println!("{}", json!({ "fen": fen, "legal": legal(&Position::from_fen(fen).expect("a position")) }));
    }
    for record in lines(GAMES) {
        println!("{}", game(record["moves"].as_array().expect("moves")));
    }
}
