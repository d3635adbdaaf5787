//! The native check of *turn*: the twin of the circuit, relation by relation (protocol section 7).
//!
//! It never asks the rules for legal moves: legality is decided from the opened records, as the circuit decides it.

use super::{
    Opened, TurnPrivate, TurnPublic,
    plan::{MoveKind, Plan},
};
use crate::{
    F,
    commitment::{TYPE_BITS, commit, is_well_formed},
    engine::sight_lines::answer::ray_key,
    engine::sight_lines::geometry::{
        AHEAD_BIT, EN_PASSANT_BIT, KING_FIELD, KNIGHT_FIELD, PAWN_BITS, PAWN_FIELD, PUSH_FIELD, QUEEN_DIAG_FIELD,
        QUEEN_ORTH_FIELD, TARGET_BITS,
    },
    engine::sight_lines::request::Request,
    poseidon::{Tag, hash},
    statement::{Unmet, opened::SightUsed},
    word::to_small,
};
use rules::{
    Move, PieceType, Side, Square,
    geometry::{FIRST_DIAGONAL, PAWN_SIDES},
};

/// The relation of *turn*. The color is public and no part of the state, so the private side's own is not looked at.
pub fn check(public: &TurnPublic, private: &TurnPrivate) -> Result<(), Unmet> {
    let side = Side { color: public.color, ..private.side.clone() };
    ensure!(is_well_formed(&side), Unmet::StateRange);
    let commitment = commit(&side, private.salt);
    ensure!(commitment == public.commitment, Unmet::Commitment);
    let board = side.without(public.pending);
    let plan = Plan::new(&board, &private.mv)?;
    let effect = if public.opening {
        check_opening(&plan)?
    } else {
        check_opened(public, &plan, &private.opened)?;
        effect(&SightUsed::of(public), &plan, &private.mv, &private.opened)?
    };
    ensure!(effect.capture == public.capture, Unmet::Capture);
    ensure!(effect.king_fell == public.king_fell, Unmet::KingFlag);
    check_next(public, private, &board)
}

/// What a move does to the opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveEffect {
    pub capture: Option<Square>,
    /// Whether it captures a king.
    pub king_fell: bool,
}

impl MoveEffect {
    /// A move that captures nothing.
    pub const QUIET: Self = Self { capture: None, king_fell: false };

    /// The effect of entering `square` where a piece of type `kind` stands, or nothing.
    fn entering(square: Square, kind: Option<u8>) -> Self {
        Self { capture: kind.map(|_| square), king_fell: kind == Some(PieceType::King as u8) }
    }
}

/// In the opening plies there is no sight, and nobody can meet the other; roots, `ctx` and opened squares aren't looked at.
/// Nor is the square that a double push crosses: the first commitments are the starting position's, where it is empty.
pub(super) fn check_opening(plan: &Plan) -> Result<MoveEffect, Unmet> {
    let meets_nobody = matches!(plan.kind, MoveKind::Push | MoveKind::DoublePush | MoveKind::Leap(_));
    ensure!(meets_nobody, Unmet::OpeningMove);
    Ok(MoveEffect::QUIET)
}

/// The opened squares are the ones that the move needs, are in request and answer, and were asked for as they must be.
fn check_opened(public: &TurnPublic, plan: &Plan, opened: &[Opened]) -> Result<(), Unmet> {
    let sight = SightUsed::of(public);
    let squares: Vec<_> = std::iter::once(&plan.viewer).chain(&plan.passes).collect();
    ensure!(opened.len() == squares.len(), Unmet::OpenedCount);
    for (index, (opened, square)) in opened.iter().zip(squares).enumerate() {
        ensure!(opened.square == *square, Unmet::OpenedSquare(index));
        let choice_is_right = if index == 0 {
            opened.choice == plan.viewer_type as u8
        } else if public.pending == Some(*square) {
            opened.choice <= PieceType::King as u8
        } else {
            opened.choice == 0
        };
        ensure!(choice_is_right, Unmet::Choice(index));
        sight.check(index, opened, [public.request_root, public.answer_root])?;
    }
    Ok(())
}

impl SightUsed {
    fn of(public: &TurnPublic) -> Self {
        Self { fog_key: public.fog_key, ctx: public.ctx, pending: public.pending }
    }
}

/// The payload of the viewer's record.
fn payload(sight: &SightUsed, viewer: &Opened, field: usize, bits: usize) -> Result<u64, Unmet> {
    sight.payload(viewer, field, bits).ok_or(Unmet::PayloadRange(0))
}

/// Decides from the opened records whether the move is possible and what it captures.
pub(super) fn effect(sight: &SightUsed, plan: &Plan, mv: &Move, opened: &[Opened]) -> Result<MoveEffect, Unmet> {
    let (viewer, passes) = opened.split_first().ok_or(Unmet::OpenedCount)?;
    match plan.kind {
        MoveKind::Slide(d) => {
            let kind = walk(sight, viewer, plan.viewer_type, d, passes)?;
            Ok(MoveEffect::entering(mv.to, kind))
        }
        MoveKind::Castle(d) => {
            // The rook comes to stand on the last square: not if the opponent has just captured there.
            let taken = passes.last().map(|last| last.square) == sight.pending;
            match walk(sight, viewer, plan.viewer_type, d, passes)? {
                None if !taken => Ok(MoveEffect::QUIET),
                _ => Err(Unmet::Blocked(passes.len())),
            }
        }
        MoveKind::Leap(index) => {
            let payload = payload(sight, viewer, KNIGHT_FIELD, TARGET_BITS)?;
            Ok(MoveEffect::entering(mv.to, target(payload, index)))
        }
        MoveKind::Step(d) => {
            let payload = payload(sight, viewer, KING_FIELD, TARGET_BITS)?;
            Ok(MoveEffect::entering(mv.to, target(payload, d)))
        }
        MoveKind::Push | MoveKind::DoublePush => push(sight, viewer, passes),
        MoveKind::PawnCapture(side) => pawn_capture(sight, viewer, side, mv),
    }
}

/// What stands on the target number `index` of a payload.
fn target(payload: u64, index: usize) -> Option<u8> {
    let kind = payload >> (TYPE_BITS * index) & 7;
    occupant(F::from(kind))
}

/// A pawn's push, double or not, onto squares that must be empty.
fn push(sight: &SightUsed, viewer: &Opened, passes: &[Opened]) -> Result<MoveEffect, Unmet> {
    let payload = payload(sight, viewer, PAWN_FIELD, PAWN_BITS)?;
    ensure!(payload >> AHEAD_BIT & 1 == 0, Unmet::PawnBlocked);
    let [_, key] = sight.mask(viewer);
    for ahead in passes {
        let empty = hash(Tag::Push, key, sight.pass(ahead));
        ensure!(viewer.record[PUSH_FIELD] == empty, Unmet::DoublePushBlocked);
    }
    Ok(MoveEffect::QUIET)
}

/// A pawn's capture toward a side: of what stands on the target, else *en passant*.
fn pawn_capture(sight: &SightUsed, viewer: &Opened, side: usize, mv: &Move) -> Result<MoveEffect, Unmet> {
    let payload = payload(sight, viewer, PAWN_FIELD, PAWN_BITS)?;
    if let Some(kind) = target(payload, side) {
        return Ok(MoveEffect::entering(mv.to, Some(kind)));
    }
    let may = payload >> (EN_PASSANT_BIT + side) & 1 == 1;
    ensure!(may, Unmet::NothingToCapture);
    Ok(MoveEffect { capture: mv.from.offset(PAWN_SIDES[side], 0), king_fell: false })
}

/// Follows the viewer's ray over the opened squares: all but the last must be empty; says what stands on the last.
fn walk(
    sight: &SightUsed,
    viewer: &Opened,
    piece: PieceType,
    d: usize,
    passes: &[Opened],
) -> Result<Option<u8>, Unmet> {
    let mask = sight.mask(viewer);
    let start = match piece {
        PieceType::Queen if d < FIRST_DIAGONAL => viewer.record[QUEEN_ORTH_FIELD] - mask[0],
        PieceType::Queen => viewer.record[QUEEN_DIAG_FIELD] - mask[1],
        _ => mask[0],
    };
    let mut value = ray_key(start, d);
    for (index, opened) in passes.iter().enumerate() {
        let is_free = index == 0 || occupant(value).is_none();
        ensure!(is_free, Unmet::Blocked(index));
        value = opened.record[d] - hash(Tag::Ray, value, sight.pass(opened));
    }
    Ok(occupant(value))
}

/// A value means *occupied by that type* if it is in 1..=6, and *empty* if it is not.
fn occupant(value: F) -> Option<u8> {
    let kind = to_small(value, TYPE_BITS)?;
    (1..=PieceType::King as u64).contains(&kind).then_some(kind as u8)
}

/// `C'` commits to exactly the next state, and the next request is made from it.
fn check_next(public: &TurnPublic, private: &TurnPrivate, board: &Side) -> Result<(), Unmet> {
    let next = board.play(&private.mv);
    let commitment = commit(&next, private.next_salt);
    ensure!(commitment == public.next_commitment, Unmet::NextCommitment);
    let root = Request::make(&next, &private.next_scalars, &public.fog_key)?.root();
    ensure!(root == public.next_request_root, Unmet::NextRequestRoot);
    Ok(())
}
