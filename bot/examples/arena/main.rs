//! Games of two players with a referee, counted and timed: `arena GAMES PLAYER OPPONENT [SEED]`, half of them with each color.
//!
//! The players are `random`, `greedy`, `careful`, the levels, and `forgetful`: *medium* that knows only what it sees now. A bot's time is measured,
//! not kept, so that a seed gives the same games on every machine. `arena --table` plays those of `docs/src/bot-data.md`, and prints that page.

// The arena is the referee, so it has the whole truth.
#![allow(clippy::disallowed_types)]

mod game;
mod players;

use std::time::Duration;

use game::play;
use players::Player;
use rules::Color;

/// A game that is longer is drawn.
const MAX_PLIES: usize = 300;
const USAGE: &str = "arena GAMES PLAYER OPPONENT [SEED], where players are random, greedy, careful, forgetful, easy, medium and hard; or arena --table";

/// What the page has: games, player and opponent.
const TABLE: [(u32, &str, &str); 9] = [
    (200, "medium", "random"),
    (200, "medium", "greedy"),
    (200, "medium", "careful"),
    (100, "medium", "forgetful"),
    (100, "easy", "random"),
    (100, "easy", "greedy"),
    (100, "easy", "careful"),
    (100, "hard", "careful"),
    (100, "medium", "easy"),
];

/// What is counted over all games of a pair.
#[derive(Default)]
struct Tally {
    games: u32,
    won: u32,
    lost: u32,
    plies: usize,
    /// What follows is of the first player, if it is a bot.
    moves: u32,
    total: Duration,
    slowest: Duration,
    believed: usize,
    searched: usize,
}

impl Tally {
    /// Plays games of two players; the first has White in every other one.
    fn of(games: u32, players: [Player; 2], seed: u64) -> Self {
        let mut tally = Self { games, ..Self::default() };
        for number in 0..games {
            let own = Color::ALL[(number % 2) as usize];
            let by_color = if own == Color::White { players } else { [players[1], players[0]] };
            let game = play(by_color, seed + u64::from(number), MAX_PLIES, |color, thought| {
                if let Some(belief) = thought.seat.belief().filter(|_| color == own) {
                    tally.moves += 1;
                    tally.total += thought.processor_time;
                    tally.slowest = tally.slowest.max(thought.processor_time);
                    tally.believed += belief.count();
                    tally.searched += thought.searched;
                }
            });
            tally.plies += game.moves.len();
            tally.won += u32::from(game.winner == Some(own));
            tally.lost += u32::from(game.winner == Some(!own));
        }
        tally
    }

    /// A row of the page's table.
    fn row(&self, names: [&str; 2]) -> String {
        let drawn = self.games - self.won - self.lost;
        let moves = f64::from(self.moves.max(1));
        let (mean, worst) = (self.total.as_secs_f64() * 1e3 / moves, self.slowest.as_secs_f64() * 1e3);
        let (believed, searched) = (self.believed as f64 / moves, self.searched as f64 / moves);
        let plies = self.plies as f64 / f64::from(self.games.max(1));
        format!(
            "| *{}* against {} | {} | {} | {drawn} | {plies:.0} | {mean:.0} | {worst:.0} | {believed:.0} | {searched:.0} |",
            names[0], names[1], self.won, self.lost
        )
    }
}

const HEAD: &str = "| players | won | lost | drawn | plies | a move, ms | longest, ms | believed | searched |\n\
                    | --- | --- | --- | --- | --- | --- | --- | --- | --- |";

/// Prints the page of all pairs, row by row.
fn print_page() {
    println!("# The bot's games, measured\n");
    println!("`make arena` writes this page; what the players are stands in [Bot](bot.md).\n");
    println!(
        "Half of the games are played with each color, from seed 1; a game of {MAX_PLIES} plies is drawn. Times are processor time of one core. Believed and"
    );
    println!("searched are opponents, on the mean of the moves of the first player.\n\n{HEAD}");
    for (games, first, second) in TABLE {
        let players = [first, second].map(|name| Player::named(name).expect("a player of the table"));
        println!("{}", Tally::of(games, players, 1).row([first, second]));
    }
    println!("\n## Evidence\n\n| claim | command |\n| --- | --- |\n| all of it | `make arena` |");
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (games, names, seed) = match words[..] {
        ["--table"] => return print_page(),
        [games, first, second] => (games, [first, second], "1"),
        [games, first, second, seed] => (games, [first, second], seed),
        _ => ("", [""; 2], ""),
    };
    let (Ok(games), [Some(first), Some(second)], Ok(seed)) = (games.parse(), names.map(Player::named), seed.parse())
    else {
        eprintln!("{USAGE}");
        std::process::exit(2);
    };
    println!("{HEAD}\n{}", Tally::of(games, [first, second], seed).row(names));
}
