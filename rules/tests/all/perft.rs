//! Numbers of lines of legal moves, as two independent oracles count them (Fairy-Stockfish and python-chess): the capture of a king ends
//! a line.

use rules::Position;

fn perft(position: &Position, depth: usize) -> u64 {
    let moves = position.legal_moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    let children = moves.iter().map(|mv| {
        let mut next = position.clone();
        let played = next.play(mv).expect("a legal move");
        if played.king_fell { 0 } else { perft(&next, depth - 1) }
    });
    children.sum()
}

fn check(fen: &str, expected: &[u64]) {
    let position = Position::from_fen(fen).expect(fen);
    for (depth, &count) in (1..).zip(expected) {
        assert_eq!(perft(&position, depth), count, "depth {depth} of {fen}");
    }
}

#[test]
fn from_the_start() {
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(Position::from_fen(fen), Ok(Position::start()));
    check(fen, &[20, 400, 8902, 197_742]);
}

#[test]
fn castling_through_attack() {
    check("r3k2r/8/8/8/3q1r2/8/8/R3K2R w KQkq - 0 1", &[26, 1469, 37_880]);
    check("4k3/8/8/8/8/8/4r3/4K2R w K - 0 1", &[15, 252, 4065, 71_518]);
}

#[test]
fn en_passant_on_a_pinned_rank() {
    check("8/8/8/KPp4r/8/8/8/4k3 w - c6 0 1", &[6, 105, 618, 11_466]);
}

#[test]
fn promotions() {
    check("n1n1k3/PPP5/8/8/8/8/4ppp1/3N1NK1 w - - 0 1", &[24, 680, 12_370, 308_265]);
}

#[test]
fn a_crowded_middle_game() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    check(fen, &[48, 2049, 98_903]);
}
