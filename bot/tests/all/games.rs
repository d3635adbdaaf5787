//! Whole games under a referee: the same seed gives the same game, and *medium* beats all that are simpler.

use crate::game::play;
use crate::players::Player;
use bot::Level;
use rules::Color;
use std::time::Duration;

const MAX_PLIES: usize = 300;

#[test]
fn a_seed_gives_one_game() {
    for level in [Level::Easy, Level::Medium] {
        let games = [1, 1, 2].map(|seed| play([Player::Level(level); 2], seed, 24, |_, _| {}));
        assert_eq!(games[0], games[1], "{level}");
        assert_ne!(games[0], games[2], "{level}");
    }
}

#[test]
fn medium_wins_nearly_always_and_thinks_for_less_than_a_second() {
    let medium = Player::Level(Level::Medium);
    for (name, games, least) in [("random", 4, 4), ("greedy", 4, 4), ("careful", 10, 9), ("forgetful", 10, 8)] {
        let (other, mut slowest) = (Player::named(name).expect("a player"), Duration::ZERO);
        let is_won = |game: &u64| {
            let own = Color::ALL[(game % 2) as usize];
            let players = if own == Color::White { [medium, other] } else { [other, medium] };
            let game = play(players, *game, MAX_PLIES, |color, thought| {
                assert!(color != own || (thought.seat.belief().is_some() && thought.searched > 0));
                slowest = slowest.max(thought.processor_time);
            });
            game.winner == Some(own)
        };
        let won = (0..games).filter(is_won).count();
        assert!(won >= least, "{won} of {games} against {name}");
        assert!(slowest < Duration::from_secs(1), "{slowest:?}");
    }
}
