//! The statement *own step*: a board follows from the one before by one move, as far as its player's own men tell (peer to peer, in games whose contract
//! asks for no proofs).
//!
//! It is *turn* without a sight: the same pieces move by the same geometry, rights, promotions and counters, and own men block. What the opponent's men would
//! have to say about a move is not said: that no man of theirs stands in the way, and that something stands where the move captures.
//! The captured square is bound to the move all the same: its target or, *en passant*, the square beside the pawn.

use super::{
    Unmet,
    turn::plan::{MoveKind, Plan},
};
use crate::{
    F,
    commitment::{commit, is_well_formed},
    engine::sight_lines::context::square_field,
};
use rules::{Color, Move, Side, Square, geometry::PAWN_SIDES};

public_inputs! {
    /// The public inputs of *own step*. A square is 0 to 63, and 64 for none.
    OwnStepInputs, OWN_STEP_INPUTS of OwnStepPublic:
    /// The mover's commitment before the move, `C`.
    commitment,
    /// The square on which the mover's piece was captured by the move before.
    pending,
    /// The mover's commitment after the move, `C'`.
    next_commitment,
    /// The mover's color: 0 white, 1 black.
    color,
    /// The square on which the move captures (*en passant*: the captured pawn's).
    capture,
}

statement! {
    /// *own step*: one move between two boards.
    OwnStepStatement: OwnStepPublic, OwnStepPrivate
}

/// What everyone sees of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnStepPublic {
    /// The mover's commitment before the move, `C`.
    pub commitment: F,
    /// The square on which the mover's piece was captured by the move before.
    pub pending: Option<Square>,
    /// The mover's commitment after the move, `C'`.
    pub next_commitment: F,
    pub color: Color,
    /// The square on which the move captures (*en passant*: the captured pawn's).
    pub capture: Option<Square>,
}

impl OwnStepPublic {
    /// The public inputs by name.
    pub fn inputs(&self) -> OwnStepInputs<F> {
        OwnStepInputs {
            commitment: self.commitment,
            pending: square_field(self.pending),
            next_commitment: self.next_commitment,
            color: F::from(self.color as u64),
            capture: square_field(self.capture),
        }
    }
}

/// What only the mover knows.
#[derive(Clone, PartialEq, Eq)]
pub struct OwnStepPrivate {
    /// The committed state, before the removal of the piece on the pending square.
    pub side: Side,
    pub salt: F,
    pub mv: Move,
    /// The salt of the next commitment.
    pub next_salt: F,
}

crate::wiped_on_drop!(OwnStepPrivate: salt, next_salt);

/// The statement of a move that captures on `capture`, as its player says.
pub fn gather(
    pending: Option<Square>,
    capture: Option<Square>,
    private: OwnStepPrivate,
) -> Result<(OwnStepPublic, OwnStepPrivate), Unmet> {
    let OwnStepPrivate { side, salt, mv, next_salt } = &private;
    ensure!(is_well_formed(side), Unmet::StateRange);
    let board = side.without(pending);
    let plan = Plan::new(&board, mv)?;
    check_way(&plan, &board, pending)?;
    ensure!(may_capture(&plan, mv, board.color, capture), Unmet::Capture);
    let public = OwnStepPublic {
        commitment: commit(side, *salt),
        pending,
        next_commitment: commit(&board.play(mv), *next_salt),
        color: side.color,
        capture,
    };
    Ok((public, private))
}

/// The relation of *own step*. The color is public and no part of the state, so the private side's own is not looked at.
pub fn check(public: &OwnStepPublic, private: &OwnStepPrivate) -> Result<(), Unmet> {
    let mut private = private.clone();
    private.side.color = public.color;
    ensure!(is_well_formed(&private.side), Unmet::StateRange);
    ensure!(commit(&private.side, private.salt) == public.commitment, Unmet::Commitment);
    let (right, _) = gather(public.pending, public.capture, private)?;
    ensure!(right.next_commitment == public.next_commitment, Unmet::NextCommitment);
    Ok(())
}

/// No own man stands on a crossed square, and no rook castles onto the square of the one who has just captured there.
fn check_way(plan: &Plan, board: &Side, pending: Option<Square>) -> Result<(), Unmet> {
    let own = plan.passes.iter().position(|square| board.piece(*square).is_some());
    ensure!(own.is_none(), Unmet::Blocked(own.map_or(0, |index| index + 1)));
    let is_taken =
        matches!(plan.kind, MoveKind::Castle(_)) && pending.is_some() && plan.passes.last() == pending.as_ref();
    ensure!(!is_taken, Unmet::Blocked(plan.passes.len()));
    Ok(())
}

/// Whether a move may capture there, or nowhere, for all that its player's own men tell.
fn may_capture(plan: &Plan, mv: &Move, color: Color, capture: Option<Square>) -> bool {
    let on_target = capture == Some(mv.to);
    match plan.kind {
        MoveKind::Slide(_) | MoveKind::Leap(_) | MoveKind::Step(_) => capture.is_none() || on_target,
        MoveKind::Castle(_) | MoveKind::Push | MoveKind::DoublePush => capture.is_none(),
        MoveKind::PawnCapture(side) => {
            let beside = mv.from.offset(PAWN_SIDES[side], 0);
            let is_beside = capture == beside && mv.from.rank() == (!color).double_push_rank();
            on_target || is_beside
        }
    }
}
