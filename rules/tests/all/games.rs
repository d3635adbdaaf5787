//! The oracle's games played through, by the whole truth and by two players who know only their own side and sight.

use crate::common::{self, data};
use rules::{Color, Move, Position, Side};
use serde::Deserialize;

#[derive(Deserialize)]
struct Game {
    features: Vec<String>,
    plies: usize,
    moves: Vec<String>,
}

fn games() -> Vec<Game> {
    data("games.jsonl").lines().map(|line| serde_json::from_str(line).expect("a game")).collect()
}

/// What happened in a game that its `features` name.
#[derive(Default, PartialEq, Debug)]
struct Features {
    castle: bool,
    en_passant: bool,
    promotion: bool,
}

#[test]
fn every_game_ends_with_its_last_move() {
    assert_eq!(games().len(), 7);
    for game in games() {
        assert_eq!(game.moves.len(), game.plies);
        let has = |name: &str| game.features.iter().any(|feature| feature == name);
        let named = Features { castle: has("castle"), en_passant: has("ep"), promotion: has("promo") };
        assert_eq!(play(&game.moves), named);
    }
}

fn play(moves: &[String]) -> Features {
    let mut position = Position::start();
    let mut players = Color::ALL.map(Side::start);
    let mut features = Features::default();
    for (ply, text) in moves.iter().enumerate() {
        let mv: Move = text.parse().expect("a move");
        let (mover, other) = (position.turn(), !position.turn());
        let side = &players[mover.index()];
        let sight = position.sight(mover);
        assert!(side.legal_moves(&sight).contains(&mv), "ply {ply}: {mv}");
        if ply < 2 {
            assert_eq!(common::uci(&side.opening_moves()), common::uci(&side.legal_moves(&sight)));
        }
        let capture = side.capture_square(&mv, &sight);
        features.castle |= side.castling_wing(&mv).is_some();
        features.en_passant |= capture.is_some_and(|square| square != mv.to);
        features.promotion |= mv.promotion.is_some();

        let played = position.play(&mv).expect("a legal move");
        assert_eq!(played.capture, capture, "ply {ply}: {mv}");
        players[mover.index()] = side.play(&mv);
        players[other.index()] = players[other.index()].without(capture);
        assert_eq!(&players[0], position.side(Color::White), "ply {ply}: {mv}");
        assert_eq!(&players[1], position.side(Color::Black), "ply {ply}: {mv}");

        let is_last = ply + 1 == moves.len();
        assert_eq!(played.king_fell, is_last, "ply {ply}: {mv}");
        assert_eq!(position.winner(), is_last.then_some(mover));
        assert_eq!(position.legal_moves().is_empty(), is_last);
    }
    features
}

#[test]
fn who_has_lost_the_king_has_no_right_to_castle() {
    let mut position = Position::start();
    for text in ["e2e4", "f7f6", "d1h5", "a7a6", "h5e8"] {
        position.play(&text.parse().expect("a move")).expect("a legal move");
    }
    assert_eq!(position.to_fen(), "rnbqQbnr/1pppp1pp/p4p2/8/4P3/8/PPPP1PPP/RNB1KBNR b KQ - 0 3");
}
