//! Moves as they are written and read, over whole drawn games: written they are told apart, and read they are the same again.

use crate::common::{random_move, rng};
use rules::{Position, WrittenMove};
use std::collections::HashSet;

const GAMES: usize = 40;
const MAX_PLIES: usize = 200;

#[test]
fn every_legal_move_is_read_as_it_is_written() {
    let mut rng = rng();
    let mut moves = 0;
    for _ in 0..GAMES {
        let mut position = Position::start();
        for _ in 0..MAX_PLIES {
            let legal = position.legal_moves();
            let (side, sight) = (position.side(position.turn()), position.sight(position.turn()));
            let mut seen = HashSet::new();
            for mv in &legal {
                let san = side.san(mv, &sight);
                let forms = [mv.to_string(), san.clone(), san.replace(['x', '='], "")];
                for form in forms {
                    let written: WrittenMove = form.parse().unwrap_or_else(|error| panic!("{error}"));
                    assert_eq!(written.find(side, &legal), Ok(*mv), "{form} in {}", position.to_fen());
                }
                moves += 1;
                assert!(seen.insert(san), "two moves are written alike in {}", position.to_fen());
            }
            let Some(mv) = random_move(&position, &legal, &mut rng) else { break };
            position.play(&mv).expect("a legal move");
        }
    }
    assert!(moves > 10_000, "{moves}");
}

#[test]
fn no_text_is_too_odd_to_be_read() {
    use rand::Rng as _;
    let mut rng = rng();
    let alphabet: Vec<char> = "abcdefgh12345678NBRQKnrqkxX=-oO0+#!? \u{1b}é".chars().collect();
    let position = Position::start();
    for _ in 0..100_000 {
        let length = rng.gen_range(0..14);
        let text: String = (0..length).map(|_| alphabet[rng.gen_range(0..alphabet.len())]).collect();
        if let Ok(written) = text.parse::<WrittenMove>() {
            let _ = written.find(position.side(position.turn()), &position.legal_moves());
        }
    }
}
