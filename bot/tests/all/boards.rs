//! The bot's board has the rules of `rules`: along drawn games and on the oracle's positions.

use crate::common::{data, random_move, records, rng, uci};
use bot::army::Army;
use bot::board::{Board, Wanted};
use rules::{Color, Move, PieceType, Position, Seen, Square};

const GAMES: usize = 150;
const MAX_PLIES: usize = 200;

fn board(position: &Position) -> Board {
    let armies = Color::ALL.map(|color| Army::of(position.side(color)));
    Board { armies, turn: position.turn() }
}

fn moves(board: &Board, wanted: Wanted) -> Vec<Move> {
    let mut moves = Vec::new();
    board.add_moves(wanted, &mut moves);
    moves
}

/// Compares moves, captures and what is attacked with what `rules` says.
fn check(position: &Position) {
    let (board, color) = (board(position), position.turn());
    let (side, sight) = (position.side(color), position.sight(color));
    let legal = position.legal_moves();
    assert_eq!(uci(&moves(&board, Wanted::All)), uci(&legal), "{position}");
    let is_forcing = |mv: &&Move| {
        let promotes = mv.promotion == Some(PieceType::Queen);
        promotes || (side.capture_square(mv, &sight).is_some() && mv.promotion.is_none())
    };
    let forcing: Vec<Move> = legal.iter().filter(is_forcing).copied().collect();
    assert_eq!(uci(&moves(&board, Wanted::Forcing)), uci(&forcing), "{position}");
    for mv in &legal {
        assert_eq!(board.capture(mv), side.capture_square(mv, &sight), "{position}: {mv}");
        let mut next = position.clone();
        next.play(mv).expect("a legal move");
        assert_eq!(board.after(mv).armies, Color::ALL.map(|color| Army::of(next.side(color))), "{position}: {mv}");
    }
    let attacked = board.own().attacks(color, board.occupied());
    let seen = rules::Sight::between(side, position.side(!color), false);
    for square in Square::all() {
        let (is_attacked, piece) = (attacked >> square.index() & 1 == 1, position.side(!color).piece(square));
        assert_eq!(matches!(seen.at(square), Seen::Piece(_)), is_attacked && piece.is_some(), "{position}: {square}");
        let attackers = board.own().attackers(square, color, board.occupied());
        assert_eq!(attackers != 0, is_attacked, "{position}: {square}");
    }
}

#[test]
fn the_rules_are_the_same_along_drawn_games() {
    let mut rng = rng();
    for _ in 0..GAMES {
        let mut position = Position::start();
        for _ in 0..MAX_PLIES {
            if position.winner().is_some() {
                break;
            }
            check(&position);
            let Some(mv) = random_move(&position, &position.legal_moves(), &mut rng) else { break };
            position.play(&mv).expect("a legal move");
        }
    }
}

#[test]
fn the_rules_are_the_same_on_the_oracles_positions() {
    let records = records(&data("positions.jsonl"));
    assert!(records.len() >= 600);
    for record in records {
        let position = Position::from_fen(&record.fen).expect("a position");
        if position.winner().is_none() {
            check(&position);
        }
    }
}
