//! Illegal moves with everything else in order: right openings, right commitments, plausible public claims.
//!
//! Which relation must refuse a move is decided from the whole truth of the position, not from what is opened.

use super::{turns::Secrets, walk::Walk};
use crate::statement::{
    Unmet,
    turn::{
        MoveEffect, TurnPrivate, TurnPublic, assemble,
        plan::{MoveKind, Plan},
    },
};
use rand::{SeedableRng, rngs::StdRng, seq::SliceRandom};
use rules::{Color, Move, PieceType, Side, Square, castling::Wing};

cases! {
    /// A way to break the rules.
    Illegal, 17:
    /// A slide through a piece of the opponent.
    ThroughPiece,
    /// A slide or double push through an own piece.
    ThroughOwn,
    /// A move onto an own piece.
    OntoOwn,
    /// A move that the piece can't make.
    Geometry,
    /// A move of the piece that has just been captured.
    CapturedPiece,
    /// A pawn's push onto or through a piece of the opponent right ahead.
    PushBlocked,
    /// A double push onto a piece of the opponent.
    DoublePushBlocked,
    /// A pawn's capture of nothing.
    PawnCapturesNothing,
    /// *En passant* beside a pawn that hasn't just made a double push.
    StaleEnPassant,
    /// A pawn that stays a pawn on the last rank.
    PromotionMissing,
    /// A pawn that becomes a king.
    PromotionToKing,
    /// A promotion elsewhere, or of another piece.
    PromotionOutOfPlace,
    /// Castling without the right.
    CastlingRight,
    /// Castling through a piece of the opponent.
    CastlingBlocked,
    /// Castling through an own piece.
    CastlingThroughOwn,
    /// Castling with an empty corner (in a state that no game reaches).
    CastlingRook,
    /// In an opening ply, a move that needs sight.
    OpeningMove,
}

/// A move, what is wrong with it, and the squares that its player would open.
struct Attempt {
    mv: Move,
    illegal: Illegal,
    error: Unmet,
    squares: Vec<Square>,
}

/// An endless, seeded row of statements of illegal moves, with the relation that must refuse each.
pub fn illegal_turns(seed: u64, case: Illegal) -> impl Iterator<Item = (TurnPublic, TurnPrivate, Unmet)> {
    illegal_turns_of(seed, case, |_, _| true)
}

/// An endless row of illegal moves of a color that `fits` lets through. It never ends if there are none.
pub fn illegal_turns_of(
    seed: u64,
    case: Illegal,
    fits: impl Fn(Color, &Move) -> bool,
) -> impl Iterator<Item = (TurnPublic, TurnPrivate, Unmet)> {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut walk = Walk::start();
    std::iter::from_fn(move || {
        loop {
            let mut seen = walk.clone();
            if case == Illegal::CastlingRook {
                take_corner_rooks(&mut seen);
            }
            let mut attempts = if seen.over { Vec::new() } else { attempts(&seen, &fits) };
            attempts.retain(|attempt| attempt.illegal == case);
            let statement = attempts.choose(&mut rng).map(|attempt| {
                let (public, private) = any_turn(&seen, attempt.mv, &attempt.squares, &mut rng);
                (public, private, attempt.error)
            });
            walk.advance(&mut rng);
            if statement.is_some() {
                return statement;
            }
        }
    })
}

/// The statement of any move at all, legal or not, whose player opens `squares` and claims the truth about its target.
pub fn any_turn(walk: &Walk, mv: Move, squares: &[Square], rng: &mut StdRng) -> (TurnPublic, TurnPrivate) {
    let secrets = Secrets::new(walk, rng);
    let claim = claim(walk, &mv);
    assemble(&secrets.inputs(walk, mv), squares, |_| Ok(claim)).expect("scalars are not zero")
}

/// What a cheat would claim: the truth about the target.
fn claim(walk: &Walk, mv: &Move) -> MoveEffect {
    let fallen = walk.other().piece(mv.to);
    MoveEffect { capture: fallen.map(|_| mv.to), king_fell: fallen == Some(PieceType::King) }
}

/// Makes a state in which rights are left although the rooks are not there.
fn take_corner_rooks(walk: &mut Walk) {
    let mover = walk.to_move();
    let side = &mut walk.sides[mover.index()];
    for wing in Wing::ALL {
        let corner = wing.rook_from(mover);
        if side.rights.has(wing) && walk.pending != Some(corner) {
            side.pieces[corner.index()] = None;
        }
    }
}

/// All illegal moves of a position that this module has a name for, of those that fit.
fn attempts(walk: &Walk, fits: impl Fn(Color, &Move) -> bool) -> Vec<Attempt> {
    let board = walk.board();
    let mut found = Vec::new();
    for from in Square::all() {
        for to in Square::all().filter(|to| *to != from) {
            let right = to_queen(&board, from, to);
            if !fits(board.color, &right) {
                continue;
            }
            found.extend(attempt(walk, &board, right));
            // A queen that becomes a queen is a move like any other, told in other words.
            let wrong: &[_] = match (right.promotion, board.piece(from)) {
                (Some(_), _) => &[None, Some(PieceType::King)],
                (None, Some(PieceType::Queen)) => &[Some(PieceType::Rook)],
                (None, _) => &[Some(PieceType::Queen)],
            };
            let wrong = wrong.iter().map(|&promotion| Move { promotion, ..right });
            found.extend(wrong.filter_map(|mv| promotion_attempt(&board, mv)));
        }
    }
    found
}

/// A move of whatever stands on `from`: a pawn on the last rank becomes a queen.
fn to_queen(board: &Side, from: Square, to: Square) -> Move {
    let is_pawn = board.piece(from) == Some(PieceType::Pawn);
    let promotes = is_pawn && to.rank() == board.color.promotion_rank();
    Move { from, to, promotion: promotes.then_some(PieceType::Queen) }
}

fn promotion_attempt(board: &Side, mv: Move) -> Option<Attempt> {
    let plan = Plan::new(board, &to_queen(board, mv.from, mv.to)).ok()?;
    let illegal = match mv.promotion {
        None => Illegal::PromotionMissing,
        Some(PieceType::King) => Illegal::PromotionToKing,
        Some(_) => Illegal::PromotionOutOfPlace,
    };
    Some(Attempt { mv, illegal, error: Unmet::Promotion, squares: squares(&plan) })
}

fn squares(plan: &Plan) -> Vec<Square> {
    let mut squares = vec![plan.viewer];
    squares.extend(&plan.passes);
    squares
}

/// What is wrong with a move whose promotion is right; nothing if it is legal or has no name here.
fn attempt(walk: &Walk, board: &Side, mv: Move) -> Option<Attempt> {
    let made = |illegal, error, squares| Some(Attempt { mv, illegal, error, squares });
    if walk.pending == Some(mv.from) && board.piece(mv.to).is_none() {
        let plan = Plan::new(walk.mover(), &mv).ok()?;
        return made(Illegal::CapturedPiece, Unmet::NoPiece, squares(&plan));
    }
    board.piece(mv.from)?;
    if board.piece(mv.to).is_some() {
        let mut without = board.clone();
        without.pieces[mv.to.index()] = None;
        let plan = Plan::new(&without, &mv).ok()?;
        return made(Illegal::OntoOwn, Unmet::OwnPieceOnTarget, squares(&plan));
    }
    let plan = match Plan::new(board, &mv) {
        Ok(plan) => plan,
        Err(error) => {
            let (illegal, squares) = match error {
                Unmet::CastlingRight => (Illegal::CastlingRight, castling_squares(board, &mv)?),
                Unmet::CastlingRook => (Illegal::CastlingRook, castling_squares(board, &mv)?),
                _ => (Illegal::Geometry, vec![mv.from]),
            };
            return made(illegal, error, squares);
        }
    };
    if walk.is_opening() {
        return match plan.kind {
            MoveKind::Push | MoveKind::DoublePush | MoveKind::Leap(_) => None,
            _ => made(Illegal::OpeningMove, Unmet::OpeningMove, squares(&plan)),
        };
    }
    let (illegal, error) = blocked(walk, board, &mv, &plan)?;
    made(illegal, error, squares(&plan))
}

/// What stands in the way of a move that its piece could make on an empty board.
fn blocked(walk: &Walk, board: &Side, mv: &Move, plan: &Plan) -> Option<(Illegal, Unmet)> {
    let other = walk.other();
    let first = |side: &Side| plan.passes.iter().position(|square| side.piece(*square).is_some());
    if let Some(index) = first(board) {
        let illegal = match plan.kind {
            MoveKind::Castle(_) => Illegal::CastlingThroughOwn,
            _ => Illegal::ThroughOwn,
        };
        return Some((illegal, Unmet::Choice(index + 1)));
    }
    let (theirs, target) = (first(other), other.piece(mv.to));
    match plan.kind {
        MoveKind::Slide(_) => {
            let crossed = theirs.filter(|index| index + 1 < plan.passes.len())?;
            Some((Illegal::ThroughPiece, Unmet::Blocked(crossed + 1)))
        }
        MoveKind::Castle(_) => Some((Illegal::CastlingBlocked, Unmet::Blocked(theirs? + 1))),
        MoveKind::DoublePush if theirs.is_none() => {
            target.map(|_| (Illegal::DoublePushBlocked, Unmet::DoublePushBlocked))
        }
        MoveKind::Push if target.is_none() => None,
        MoveKind::Push | MoveKind::DoublePush => Some((Illegal::PushBlocked, Unmet::PawnBlocked)),
        MoveKind::PawnCapture(_) if target.is_none() => {
            let victim = Square::at(mv.to.file(), mv.from.rank())?;
            let illegal = match other.piece(victim) {
                _ if other.jumped_square() == Some(mv.to) => return None,
                Some(PieceType::Pawn) => Illegal::StaleEnPassant,
                _ => Illegal::PawnCapturesNothing,
            };
            Some((illegal, Unmet::NothingToCapture))
        }
        MoveKind::PawnCapture(_) | MoveKind::Leap(_) | MoveKind::Step(_) => None,
    }
}

/// The rook's corner and the squares between it and the king.
fn castling_squares(board: &Side, mv: &Move) -> Option<Vec<Square>> {
    let wing = Wing::ALL.into_iter().find(|wing| wing.king_to(board.color) == mv.to)?;
    Some(std::iter::once(wing.rook_from(board.color)).chain(wing.between(board.color)).collect())
}
