//! Makes the public and private parts of *turn* from what a player has (protocol section 7).
//!
//! The capture square and the king flag come out of the opened sight; a move that the sight doesn't allow is refused with
//! the relation that it would break. Nothing is proved here.

use super::{
    Opened, TurnPrivate, TurnPublic, TurnSight,
    check::{MoveEffect, check_opening, effect},
    plan::Plan,
};
use crate::{
    F,
    commitment::{commit, is_well_formed},
    curve::{FogKey, Scalar},
    engine::sight_lines::request::Request,
    statement::{Unmet, opened::SightUsed},
};
use ff::Field;
use rules::{Move, Side, Square};

/// What a turn is made from: a move, and what its player has.
pub struct TurnDraft<'a> {
    /// The committed state, before the removal of the piece on the captured square.
    pub side: &'a Side,
    pub salt: F,
    /// The square on which the last move captured.
    pub pending: Option<Square>,
    pub mv: Move,
    /// The salt of the next commitment.
    pub next_salt: F,
    /// The opponent's fog key.
    pub fog_key: FogKey,
    /// The sight; none in the opening plies.
    pub sight: Option<TurnSight<'a>>,
    /// The scalars of the next request.
    pub next_scalars: &'a [Scalar; 64],
}

/// The statement of a turn, or the relation that the move would break. Without sight it is an opening ply's.
pub fn gather(draft: &TurnDraft<'_>) -> Result<(TurnPublic, TurnPrivate), Unmet> {
    ensure!(is_well_formed(draft.side), Unmet::StateRange);
    let board = draft.side.without(draft.pending);
    let plan = Plan::new(&board, &draft.mv)?;
    let squares: Vec<Square> = std::iter::once(plan.viewer).chain(plan.passes.clone()).collect();
    assemble(draft, &squares, |opened| match &draft.sight {
        None => check_opening(&plan),
        Some(sight) => {
            let used = SightUsed { fog_key: draft.fog_key, ctx: sight.ctx, pending: draft.pending };
            effect(&used, &plan, &draft.mv, opened)
        }
    })
}

/// Puts a statement together from the squares to open and from what their opening says of the move.
pub(crate) fn assemble(
    draft: &TurnDraft<'_>,
    squares: &[Square],
    decide: impl FnOnce(&[Opened]) -> Result<MoveEffect, Unmet>,
) -> Result<(TurnPublic, TurnPrivate), Unmet> {
    let side = draft.side;
    let (opened, [request_root, answer_root, ctx]) = match &draft.sight {
        None => (Vec::new(), [F::ZERO; 3]),
        Some(sight) => {
            let (opened, [request_root, answer_root]) = sight.open(side, squares);
            (opened, [request_root, answer_root, sight.ctx])
        }
    };
    let result = decide(&opened)?;
    let next = side.without(draft.pending).play(&draft.mv);
    let next_request = Request::make(&next, draft.next_scalars, &draft.fog_key)?;
    let public = TurnPublic {
        commitment: commit(side, draft.salt),
        pending: draft.pending,
        next_commitment: commit(&next, draft.next_salt),
        request_root,
        answer_root,
        ctx,
        fog_key: draft.fog_key,
        next_request_root: next_request.root(),
        color: side.color,
        opening: draft.sight.is_none(),
        capture: result.capture,
        king_fell: result.king_fell,
    };
    let private = TurnPrivate {
        side: side.clone(),
        salt: draft.salt,
        mv: draft.mv,
        next_salt: draft.next_salt,
        opened,
        next_scalars: *draft.next_scalars,
    };
    Ok((public, private))
}
