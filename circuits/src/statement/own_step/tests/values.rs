//! *own step* value by value: every slide with an own man anywhere on its way, every castling, every capture that a mover may claim. (Boards and geometry are
//! *turn*'s: see its values.)

use fog::{
    commitment::commit,
    statement::own_step::{OwnStepPrivate, OwnStepPublic, check},
    testing::seed,
};
use halo2curves::bn256::Fr;
use rand::{Rng, SeedableRng, rngs::StdRng};
use rules::{
    CastlingRights, Color, Move, PieceType, Side, Square,
    castling::Wing,
    geometry::{DIRECTIONS, ray},
};

use super::super::OwnStepCircuit;
use crate::values::{Dry, compare, differ};

type Step = (OwnStepPublic, OwnStepPrivate);

/// The statement of a move that leads where the rules say, legal or not.
fn step(side: &Side, pending: Option<Square>, mv: Move, capture: Option<Square>) -> Step {
    let [salt, next_salt] = [5, 7].map(Fr::from);
    let next = side.without(pending).play(&mv);
    let (commitment, next_commitment) = (commit(side, salt), commit(&next, next_salt));
    let public = OwnStepPublic { commitment, pending, next_commitment, color: side.color, capture };
    (public, OwnStepPrivate { side: side.clone(), salt, mv, next_salt })
}

fn agree(part: &str, steps: &[Step]) {
    let dry = Dry::<OwnStepCircuit>::new();
    let legal = steps.iter().filter(|(public, private)| check(public, private).is_ok()).count();
    println!("{part}: {legal} of {} are steps", steps.len());
    assert!((1..steps.len()).contains(&legal), "{part}");
    compare(part, steps, |(public, private)| {
        let (refusals, native) = (dry.refusals(public, private), check(public, private));
        let what = (private.mv, public.color, public.pending, public.capture, &private.side, &native, &refusals);
        differ(what, refusals.is_empty(), native.is_ok())
    });
}

fn alone(color: Color, men: &[(Square, PieceType)]) -> Side {
    let mut side = Side::empty(color);
    for (square, piece) in men {
        side.pieces[square.index()] = Some(*piece);
    }
    side
}

/// A slide from every square in every direction, to every square of the ray, with nothing before it, and with an own man on each square of the ray.
#[test]
fn own_men_block_every_slide() {
    let rng = &mut StdRng::seed_from_u64(seed(226));
    let mut steps = Vec::new();
    for (number, from) in Square::all().enumerate() {
        for d in 0..DIRECTIONS.len() {
            let way: Vec<Square> = ray(from, d).collect();
            let sliders =
                if d < 4 { [PieceType::Rook, PieceType::Queen] } else { [PieceType::Bishop, PieceType::Queen] };
            let piece = sliders[rng.gen_range(0..2)];
            let color = Color::ALL[(number + d) % 2];
            for to in &way {
                let free = alone(color, &[(from, piece)]);
                steps.push(step(&free, None, Move::new(from, *to), None));
                for square in &way {
                    let blocker = PieceType::ALL[rng.gen_range(0..6)];
                    let mut held = free.clone();
                    held.pieces[square.index()] = Some(blocker);
                    steps.push(step(&held, None, Move::new(from, *to), None));
                    // One that has just been captured blocks no more.
                    if rng.gen_range(0..4) == 0 {
                        steps.push(step(&held, Some(*square), Move::new(from, *to), None));
                    }
                }
            }
        }
    }
    agree("own step: slides", &steps);
}

/// Double pushes on every file and castlings of both wings, with an own man on each square of the first two or three ranks, captured or not.
#[test]
fn own_men_block_double_pushes_and_castlings() {
    let rng = &mut StdRng::seed_from_u64(seed(227));
    let mut steps = Vec::new();
    for color in Color::ALL {
        let near = |square: &Square| square.rank().abs_diff(color.home_rank()) < 4;
        for file in 0..8 {
            let from = Square::at(file, color.pawn_rank()).expect("a square");
            let to = Square::at(file, color.double_push_rank()).expect("a square");
            for square in Square::all().filter(|square| near(square) && *square != from) {
                let held = alone(color, &[(from, PieceType::Pawn), (square, PieceType::ALL[rng.gen_range(0..6)])]);
                steps.push(step(&held, None, Move::new(from, to), None));
                steps.push(step(&held, Some(square), Move::new(from, to), None));
            }
        }
        for wing in Wing::ALL {
            let (king, rook) = (Wing::king_from(color), wing.rook_from(color));
            let castling = Move::new(king, wing.king_to(color));
            for square in Square::all().filter(|square| near(square) && ![king, rook].contains(square)) {
                let men =
                    [(king, PieceType::King), (rook, PieceType::Rook), (square, PieceType::ALL[rng.gen_range(0..5)])];
                let mut held = alone(color, &men);
                held.rights = CastlingRights { king_side: true, queen_side: true };
                steps.push(step(&held, None, castling, None));
                steps.push(step(&held, Some(square), castling, None));
                steps.push(step(&held, None, castling, Some(castling.to)));
            }
        }
    }
    agree("own step: leaps", &steps);
}

/// A move of every kind on every rank, with each square claimed as captured, and none.
#[test]
fn every_claim_of_a_capture_is_held_against_the_move() {
    let rng = &mut StdRng::seed_from_u64(seed(228));
    let mut steps = Vec::new();
    let claims = || [None].into_iter().chain(Square::all().map(Some));
    for (color, rank) in Color::ALL.into_iter().flat_map(|color| (1..7).map(move |rank| (color, rank))) {
        let from = Square::at(rng.gen_range(1..7), rank).expect("a square");
        let forward = color.forward();
        for (files, ranks, piece) in [
            (-1, forward, PieceType::Pawn),
            (1, forward, PieceType::Pawn),
            (0, forward, PieceType::Pawn),
            (0, 2 * forward, PieceType::Pawn),
            (-1, -forward, PieceType::King),
            (1, forward, PieceType::Queen),
            (1, 2 * forward, PieceType::Knight),
        ] {
            let Some(to) = from.offset(files, ranks) else { continue };
            let promotes = piece == PieceType::Pawn && to.rank() == color.promotion_rank();
            let mv = Move { from, to, promotion: promotes.then_some(PieceType::Rook) };
            let held = alone(color, &[(from, piece)]);
            steps.extend(claims().map(|capture| step(&held, None, mv, capture)));
        }
    }
    agree("own step: captures", &steps);
}
