//! What is chosen on boards that are known, with how much time, and what odd input does: nothing worse than a bad move.

use crate::common::rng;
use bot::army::Army;
use bot::belief::Belief;
use bot::board::Board;
use bot::choice::{Choice, choose};
use bot::search::{Search, WON};
use bot::{Bot, Level, Settings};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::{Color, Position, Seen, Side, Sight, Square};
use std::time::Duration;

const SEED: [u8; 32] = [7; 32];

fn position(fen: &str) -> Position {
    Position::from_fen(fen).expect("a position")
}

/// The worth of a position to its player to move, by a search of so many plies.
fn worth(fen: &str, depth: u8) -> i32 {
    let position = position(fen);
    let armies = Color::ALL.map(|color| Army::of(position.side(color)));
    -Search::default().worth_of(&Board { armies, turn: position.turn() }, depth + 1)
}

/// Chooses on the turn of a player that has just begun to look.
fn chosen(fen: &str, level: Level) -> Choice {
    let position = position(fen);
    let color = position.turn();
    let mut bot = Bot::new(color, level.settings(), SEED);
    bot.begin_anew(position.side(color), &position.sight(color));
    bot.choose(position.side(color), &position.legal_moves(), None).expect("a move")
}

#[test]
fn a_queen_that_hangs_is_taken_and_so_is_a_king() {
    for level in Level::ALL {
        let choice = chosen("rnb1kbnr/pppp1ppp/8/8/8/8/PPPPqPPP/RNBQRBNK w - - 0 1", level);
        assert_eq!(choice.mv.to.to_string(), "e2", "{level}: {choice:?}");
        let choice = chosen("rnb1kbnr/pppp1ppp/8/8/8/8/PPPP1PPP/RNBQRBNK w - - 0 1", level);
        assert_eq!((choice.mv.to_string(), choice.chance), ("e1e8".to_owned(), 1.0), "{level}");
    }
}

#[test]
fn nobody_is_content_while_its_king_hangs() {
    // White could take a pawn on a7, but its king is attacked and can't get away: the rooks hold two files.
    assert!(worth("1k6/p7/8/8/8/8/r7/Q2r2K1 w - - 0 1", 0) < WON / 2);
    let lost = "k7/8/8/8/8/8/r7/1r4K1 w - - 0 1";
    for depth in 0..3 {
        assert!(worth(lost, depth) < -WON / 2, "{depth}: {}", worth(lost, depth));
    }
    // Whoever attacks without being attacked wins at once.
    assert_eq!(worth("k7/8/8/8/8/8/8/R6K w - - 0 1", 0), WON - 1);
}

#[test]
fn a_search_ends_when_its_time_is_over() {
    let (mut position, mut rng) = (Position::start(), ChaCha8Rng::from_seed(SEED));
    let settings = Level::Hard.settings();
    let mut belief = Belief::start(Color::White, settings.remembered);
    for mv in ["e2e4", "h7h6"] {
        position.play(&mv.parse().expect("a move")).expect("a legal move");
    }
    let (side, sight) = (position.side(Color::White), position.sight(Color::White));
    belief.take_own_move(&Army::of(side), None);
    belief.take_opponent_move(None, &Army::of(side), &sight, &mut rng);
    let legal = position.legal_moves();
    assert!(belief.count() > 10, "{}", belief.count());
    for limit in [0, 1, 19, 25, 60] {
        let mut asked = 0;
        let mut is_over = || {
            asked += 1;
            asked > limit
        };
        let own = Army::of(side);
        let choice = choose(&own, Color::White, &legal, &belief, &settings, &mut rng, &mut is_over).expect("a move");
        assert!(legal.contains(&choice.mv));
        // It asks before each move of each opponent but the first, and never again once it was over.
        assert_eq!((asked, choice.searched), (limit + 1, 1 + limit / legal.len()));
    }
}

#[test]
fn a_move_takes_a_thirtieth_of_the_clock_at_most() {
    for level in Level::ALL {
        let settings = level.settings();
        let bot = Bot::new(Color::White, settings, SEED);
        assert_eq!(bot.time(None), settings.time);
        assert_eq!(bot.time(Some(Duration::from_secs(3_600))), settings.time);
        assert_eq!(bot.time(Some(Duration::from_secs(1))), settings.time.min(Duration::from_secs(1) / 30));
        assert_eq!(bot.time(Some(Duration::ZERO)), Duration::ZERO);
        assert_eq!(level.to_string().parse(), Ok(level));
    }
    assert_eq!(
        "grandmaster".parse::<Level>().expect_err("no level").to_string(),
        "the levels are easy, medium and hard"
    );
}

#[test]
fn a_draw_is_accepted_by_who_stands_worse() {
    let accepts = |fen: &str| {
        let position = position(fen);
        let color = position.turn();
        let mut bot = Bot::new(color, Level::Medium.settings(), SEED);
        assert!(!bot.accepts_draw());
        bot.begin_anew(position.side(color), &position.sight(color));
        bot.choose(position.side(color), &position.legal_moves(), None).expect("a move");
        bot.accepts_draw()
    };
    assert!(accepts("rnbqkbnr/pppppppp/8/8/8/8/8/4K3 w - - 0 1"));
    assert!(!accepts("4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"));
}

#[test]
fn odd_input_is_answered_with_a_move_or_none() {
    let mut rng = rng();
    for round in 0..60_u32 {
        let color = Color::ALL[(round % 2) as usize];
        let settings = Settings { remembered: 20, boards: 2, ..Level::ALL[(round % 3) as usize].settings() };
        let mut bot = Bot::new(color, settings, SEED);
        let mut side = if round % 5 == 0 { Side::empty(color) } else { Side::start(color) };
        for _ in 0..6 {
            let mut sight = Sight::DARK;
            let kinds = [Seen::Dark, Seen::Empty, Seen::Occupied, Seen::Piece(rules::PieceType::Queen)];
            sight.squares = std::array::from_fn(|_| kinds[rng.gen_range(0..kinds.len())]);
            let capture = Square::new(rng.gen_range(0..90));
            bot.opponent_moved(capture, &side.without(capture), &sight);
            let legal = side.legal_moves(&sight);
            let choice = bot.choose(&side, &legal, None);
            assert_eq!(choice.is_some(), !legal.is_empty());
            side = choice.map_or(side.clone(), |choice| side.play(&choice.mv));
            bot.moved(&side, capture);
            bot.saw(&sight);
        }
    }
}
