//! The native checks of *fifty* and *no move*: what is true is accepted, each broken value and each move that a player still has is refused by
//! the relation that it breaks (protocol section 7).
//!
//! Whether there is a move is asked of the rules, whose generator is compared with Fairy-Stockfish's, square by square of both boards; the
//! check sees the own state and opened records alone.

use fog::{
    commitment::commit,
    statement::{
        Unmet,
        fifty::{self, FIFTY, FIFTY_INPUTS},
        no_move::{self, NO_MOVE_INPUTS},
    },
    testing::{
        NoMoveCase, OnlyMove, Walk, any_no_move, break_each, fifties, mutations_fifty, mutations_no_move, near_misses,
        no_moves, seed,
    },
};
use rand::{SeedableRng, rngs::StdRng};
use rules::{Color, PieceType, Position, Side, side::SINCE_PAWN_MAX};

#[test]
fn the_bit_is_the_counters() {
    for (mut public, mut private) in fifties(seed(61)).take(20) {
        assert_eq!(fifty::check(&public, &private), Ok(()));
        assert_eq!(public.to_instance().len(), FIFTY_INPUTS);
        for counter in 0..=SINCE_PAWN_MAX {
            private.side.since_pawn = counter;
            (public, _) = fifty::gather(&private.side, private.salt).expect("it fits");
            assert_eq!(public.bit, counter >= FIFTY);
            assert_eq!(fifty::check(&public, &private), Ok(()));
            public.bit = !public.bit;
            assert_eq!(fifty::check(&public, &private), Err(Unmet::Bit));
        }
    }
}

/// The counter of a player that moves no pawn for longer than the state can count stays at its end, above fifty.
#[test]
fn a_counter_at_its_end_is_fifty_and_more() {
    let mut side = Side::start(Color::White);
    for count in 1..=200u8 {
        let mv = if count % 2 == 1 { "b1c3" } else { "c3b1" };
        side = side.play(&mv.parse().expect("a move"));
        let (public, _) = fifty::gather(&side, commit(&side, fog::F::zero())).expect("it fits");
        assert_eq!(public.bit, count >= FIFTY);
    }
    assert_eq!(side.since_pawn, SINCE_PAWN_MAX);
}

#[test]
fn every_broken_value_of_fifty_is_refused_by_its_relation() {
    let draws = fifties(seed(62)).take(10).enumerate();
    break_each(&mutations_fifty(), usize::MAX, draws, |name, public, private, expected| {
        assert_eq!(fifty::check(public, private), Err(expected), "{name}");
    });
}

#[test]
fn positions_without_a_move_of_every_kind_are_accepted() {
    let seed = seed(63);
    for case in NoMoveCase::ALL {
        for (public, private) in no_moves(seed, Some(case)).take(4) {
            assert_eq!(no_move::check(&public, &private), Ok(()), "{case:?}");
            assert_eq!(public.to_instance().len(), NO_MOVE_INPUTS);
        }
    }
}

#[test]
fn a_single_move_of_any_kind_is_the_reason_of_a_refusal() {
    let seed = seed(64);
    for kind in OnlyMove::ALL {
        for (public, private, expected) in near_misses(seed, kind).take(3) {
            assert_eq!(no_move::check(&public, &private), Err(expected), "{kind:?}");
        }
    }
}

/// In random games there is nearly always a move: the check says so just when the rules do.
#[test]
fn positions_of_random_games_are_refused_while_there_is_a_move() {
    let mut rng = StdRng::seed_from_u64(seed(65));
    let mut walk = Walk::start();
    for _ in 0..150 {
        walk.advance(&mut rng);
        if !walk.over && !walk.is_opening() {
            let (public, private) = any_no_move(&walk, &mut rng);
            let is_without = no_move::check(&public, &private).is_ok();
            assert_eq!(is_without, walk.legal_moves().is_empty(), "{walk:?}");
        }
    }
}

#[test]
fn every_broken_value_of_no_move_is_refused_by_its_relation() {
    let seed = seed(66);
    let draws = NoMoveCase::ALL.into_iter().flat_map(|case| {
        let draws = no_moves(seed, Some(case)).take(2);
        draws.map(move |draw| (case, draw))
    });
    break_each(&mutations_no_move(), usize::MAX, draws, |name, public, private, expected| {
        assert_eq!(no_move::check(public, private), Err(expected), "{name}");
    });
}

/// Castling needs no relation of its own: whenever it is legal, so is a step of the king. Every set of own and foreign men on the home rank
/// between king and rook is tried.
#[test]
fn whoever_can_castle_can_step() {
    for color in Color::ALL {
        let home = |file| rules::Square::at(file, color.home_rank()).expect("a square");
        for wing in [0u8, 1] {
            let (rook, between): (u8, &[u8]) = if wing == 0 { (7, &[5, 6]) } else { (0, &[1, 2, 3]) };
            for what in 0..3usize.pow(between.len() as u32) {
                let mut sides = Color::ALL.map(Side::empty);
                let own = &mut sides[color.index()];
                own.pieces[home(4).index()] = Some(PieceType::King);
                own.pieces[home(rook).index()] = Some(PieceType::Rook);
                (own.rights.king_side, own.rights.queen_side) = (wing == 0, wing == 1);
                for (i, &file) in between.iter().enumerate() {
                    match what / 3usize.pow(i as u32) % 3 {
                        0 => {}
                        owner => {
                            sides[if owner == 1 { color } else { !color }.index()].pieces[home(file).index()] =
                                Some(PieceType::Knight)
                        }
                    }
                }
                let moves = Walk::from_sides(sides, color).legal_moves();
                let castles = moves.iter().any(|mv| mv.from == home(4) && mv.from.file().abs_diff(mv.to.file()) == 2);
                let steps = moves.iter().any(|mv| {
                    mv.from == home(4) && mv.to.rank() == mv.from.rank() && mv.from.file().abs_diff(mv.to.file()) == 1
                });
                assert!(!castles || steps, "{color} {wing} {what}");
                assert_eq!(castles, what == 0, "{color} {wing} {what}");
            }
        }
    }
}

#[test]
fn the_start_has_moves_and_more_than_eight_pawns_are_none() {
    let mut rng = StdRng::seed_from_u64(seed(67));
    let start = Walk::from_sides(Color::ALL.map(Side::start), Color::White);
    let (public, private) = any_no_move(&start, &mut rng);
    assert!(matches!(no_move::check(&public, &private), Err(Unmet::Step(..))));

    let position = Position::from_fen("7k/8/8/1p2p1p1/1Pp1P1P1/1pPp1p1p/NP1P1P1P/KRB5 w - - 0 1").expect("a position");
    let mut sides = Color::ALL.map(|color| position.side(color).clone());
    for (owner, square) in [(Color::White, "h6"), (Color::Black, "h7")] {
        let square: rules::Square = square.parse().expect("a square");
        sides[owner.index()].pieces[square.index()] = Some(PieceType::Pawn);
    }
    let (public, private) = any_no_move(&Walk::from_sides(sides, Color::White), &mut rng);
    assert_eq!(no_move::check(&public, &private), Err(Unmet::TooManyPawns));
}

#[test]
fn secrets_of_claims_are_not_shown() {
    let (_, private) = fifties(seed(68)).next().expect("an endless row");
    assert_eq!(format!("{private:?}"), "FiftyPrivate(…)");
    let (_, private) = no_moves(seed(68), None).next().expect("an endless row");
    assert_eq!(format!("{private:?}"), "NoMovePrivate(…)");
}
