//! The native check of *own step*: legal moves of every kind are accepted, each broken value is refused by the relation that it breaks, and of illegal
//! moves all that the own men tell. What they don't tell is accepted, and said here.

use fog::{
    statement::{
        Unmet,
        own_step::{OwnStepPublic, check},
    },
    testing::{Illegal, TurnCase, break_each, illegal_turns, mutations_own_step, own_step_of, own_steps, seed},
};
use rules::{PieceType, Square};

#[test]
fn valid_steps_of_every_kind_are_accepted() {
    let seed = seed(211);
    for case in TurnCase::ALL {
        for (public, private) in own_steps(seed, Some(case)).take(5) {
            assert_eq!(check(&public, &private), Ok(()), "{case:?} {}", private.mv);
        }
    }
}

#[test]
fn steps_of_random_games_are_accepted() {
    for (public, private) in own_steps(seed(212), None).take(200) {
        assert_eq!(check(&public, &private), Ok(()), "{}", private.mv);
    }
}

#[test]
fn every_broken_value_of_a_step_is_refused_by_its_relation() {
    let seed = seed(213);
    let draws = TurnCase::ALL.into_iter().flat_map(|case| {
        let draws = own_steps(seed, Some(case)).take(3);
        draws.map(move |draw| (case, draw))
    });
    break_each(&mutations_own_step(), usize::MAX, draws, |name, public, private, expected| {
        assert_eq!(check(public, private), Err(expected), "{name}");
    });
}

#[test]
fn own_men_refuse_illegal_moves_and_those_of_the_opponent_do_not() {
    let seed = seed(214);
    for case in Illegal::ALL {
        for (public, private, of_turn) in illegal_turns(seed, case).take(5) {
            let (public, private) = own_step_of(&public, &private);
            let what = format!("{case:?} {}", private.mv);
            // A turn asks there for nothing but the sight of a way that an own man blocks.
            let of_step = match of_turn {
                Unmet::Choice(index) => Unmet::Blocked(index),
                other => other,
            };
            match case {
                // The way was not free.
                Illegal::ThroughPiece => assert_eq!(check(&public, &private), Ok(()), "{what}"),
                // Steps know no opening, in which own men stand before most others.
                Illegal::OpeningMove => {
                    let found = check(&public, &private);
                    assert!(matches!(found, Ok(()) | Err(Unmet::Blocked(_) | Unmet::Capture)), "{what}: {found:?}");
                }
                Illegal::PushBlocked | Illegal::DoublePushBlocked | Illegal::CastlingBlocked => {
                    let quiet = OwnStepPublic { capture: None, ..public };
                    let found = check(&quiet, &private);
                    let is_known = case == Illegal::CastlingBlocked && public.pending.is_some();
                    assert!(found == Ok(()) || (is_known && matches!(found, Err(Unmet::Blocked(_)))), "{what}");
                    let claimed = OwnStepPublic { capture: Some(private.mv.to), ..public };
                    assert!(check(&claimed, &private).is_err(), "{what}: no such move captures");
                }
                // The capture is a false one.
                Illegal::PawnCapturesNothing | Illegal::StaleEnPassant => {
                    let quiet = OwnStepPublic { capture: None, ..public };
                    assert_eq!(check(&quiet, &private), Err(Unmet::Capture), "{what}");
                    let claimed = OwnStepPublic { capture: Some(private.mv.to), ..public };
                    assert_eq!(check(&claimed, &private), Ok(()), "{what}");
                }
                _ => assert_eq!(check(&public, &private), Err(of_step), "{what}"),
            }
        }
    }
}

/// No man comes from nowhere, none comes back, none changes its type.
#[test]
fn another_board_than_the_move_s_is_no_step() {
    let draws = own_steps(seed(215), None).filter(|(public, _)| public.pending.is_some());
    for (public, private) in draws.take(10) {
        let next = private.side.without(public.pending).play(&private.mv);
        let empty = Square::all().find(|square| next.piece(*square).is_none()).expect("an empty square");
        let fallen = public.pending.filter(|square| next.piece(*square).is_none());
        let mut boards = vec![private.side.without(public.pending), private.side.play(&private.mv)];
        for (square, piece) in [(empty, Some(PieceType::Queen)), (private.mv.to, None)] {
            let mut other = next.clone();
            other.pieces[square.index()] = piece;
            boards.push(other);
        }
        if let Some(square) = fallen {
            let mut other = next.clone();
            other.pieces[square.index()] = private.side.piece(square);
            boards.push(other);
        }
        for board in boards.iter().filter(|board| **board != next) {
            let next_commitment = fog::commitment::commit(board, private.next_salt);
            let other = OwnStepPublic { next_commitment, ..public };
            assert_eq!(check(&other, &private), Err(Unmet::NextCommitment));
        }
    }
}
