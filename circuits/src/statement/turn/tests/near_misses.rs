//! Illegal moves, many of each kind, without a prover: of either color, in each direction in which that kind breaks the rules.

use fog::{
    statement::turn::check,
    testing::{Illegal, cases, illegal_turns_of, seed},
};
use rules::{Color, Move};

use super::super::TurnCircuit;
use crate::values::Dry;

/// At least so many of each kind.
const LEAST: usize = 30;

/// The signs of what a move adds to file and rank.
type Direction = (i8, i8);

const ALL: [Direction; 8] = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)];

fn direction(mv: &Move) -> Direction {
    let sign = |to: u8, from: u8| (to as i8 - from as i8).signum();
    (sign(mv.to.file(), mv.from.file()), sign(mv.to.rank(), mv.from.rank()))
}

/// Where the moves of a kind go.
fn directions(illegal: Illegal, color: Color) -> Vec<Direction> {
    let forward = color.forward();
    match illegal {
        Illegal::ThroughPiece
        | Illegal::ThroughOwn
        | Illegal::OntoOwn
        | Illegal::Geometry
        | Illegal::CapturedPiece
        | Illegal::PromotionOutOfPlace => ALL.into(),
        Illegal::PushBlocked | Illegal::DoublePushBlocked => vec![(0, forward)],
        Illegal::PawnCapturesNothing | Illegal::StaleEnPassant => vec![(-1, forward), (1, forward)],
        // The men of the start go nowhere else.
        Illegal::PromotionMissing | Illegal::PromotionToKing | Illegal::OpeningMove => {
            [-1, 0, 1].map(|file| (file, forward)).into()
        }
        Illegal::CastlingRight | Illegal::CastlingBlocked | Illegal::CastlingThroughOwn | Illegal::CastlingRook => {
            vec![(1, 0), (-1, 0)]
        }
    }
}

#[test]
fn every_illegal_move_is_refused() {
    let (seed, dry) = (seed(29), Dry::<TurnCircuit>::new());
    for illegal in Illegal::ALL {
        let of = |color| directions(illegal, color).into_iter().map(move |direction| (color, direction));
        let ways: Vec<_> = Color::ALL.into_iter().flat_map(of).collect();
        for way in &ways {
            let fits = |color, mv: &Move| (color, direction(mv)) == *way;
            for (public, private, expected) in
                illegal_turns_of(seed, illegal, fits).take(cases(LEAST).div_ceil(ways.len()))
            {
                assert_eq!((private.side.color, direction(&private.mv)), *way, "{illegal:?}");
                assert_eq!(check(&public, &private), Err(expected), "{illegal:?} {}", private.mv);
                let refusals = dry.refusals(&public, &private);
                assert!(!refusals.is_empty(), "{illegal:?} {}: the circuit doesn't notice", private.mv);
            }
        }
    }
}
