//! Drawn games, with another seed at every run: what nobody has thought of yet. A failure prints how to play its game again.

use fog::testing::cases;
use simulate::run::{Counts, play};
use std::time::{SystemTime, UNIX_EPOCH};

/// A number of games, so that each machine does as much; `make simulate` plays for as long as one likes.
const GAMES: usize = 3_000;

#[test]
fn drawn_games_keep_every_promise() {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_nanos() as u64;
    let given = std::env::var("FOGMATE_SEED").ok().and_then(|text| text.parse().ok());
    let seed = given.unwrap_or(now);
    println!("seed {seed} (make simulate SEED={seed} plays these games and more)");
    let mut counts = Counts::default();
    for number in 0..cases(GAMES) as u64 {
        match play(seed, number, false) {
            Ok(game) => counts += game,
            Err(failure) => panic!("{failure}"),
        }
    }
    println!("{counts}");
}

#[test]
fn a_game_is_the_same_whenever_it_is_played() {
    for number in 0..40 {
        let [one, other] = [0, 1].map(|_| play(1, number, false));
        assert_eq!(one, other);
    }
    assert_ne!(play(1, 0, false), play(2, 0, false));
}
