//! Makes the public and private parts of *turn* from what a player has (protocol section 7).
//!
//! The capture square and the king flag come out of the opened sight; a move that the sight doesn't allow is refused with
//! the relation that it would break. Nothing is proved here.

use super::{
    Opened, TurnError, TurnPrivate, TurnPublic,
    check::{Outcome, SightUsed, check_opening, next_request, outcome},
    plan::Plan,
};
use crate::{
    F,
    commitment::{commit, is_well_formed, type_number},
    curve::{FogKey, Scalar},
    engine::sight_lines::answer::Answer,
    engine::sight_lines::request::Request,
};
use ff::Field;
use rules::{Move, Side, Square};

/// The sight that a mover has asked for and got.
#[derive(Clone, Copy)]
pub struct TurnSight<'a> {
    /// Its standing request.
    pub request: &'a Request,
    /// The scalars of that request.
    pub scalars: &'a [Scalar; 64],
    /// The answer to it, phase 0.
    pub answer: &'a Answer,
    /// What that answer is bound to.
    pub ctx: F,
}

/// What a turn is made from.
pub struct TurnInputs<'a> {
    /// The committed state, before the removal of the piece on the captured square.
    pub side: &'a Side,
    /// The commitment's salt.
    pub salt: F,
    /// The square on which the last move captured.
    pub pending: Option<Square>,
    /// The move.
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
pub fn gather(inputs: &TurnInputs<'_>) -> Result<(TurnPublic, TurnPrivate), TurnError> {
    if !is_well_formed(inputs.side) {
        return Err(TurnError::StateRange);
    }
    let board = inputs.side.without(inputs.pending);
    let plan = Plan::new(&board, &inputs.mv)?;
    let squares: Vec<Square> = std::iter::once(plan.viewer)
        .chain(plan.passes.clone())
        .collect();
    assemble(inputs, &squares, |opened| match &inputs.sight {
        None => check_opening(&plan),
        Some(sight) => {
            let used = SightUsed {
                fog_key: inputs.fog_key,
                ctx: sight.ctx,
                pending: inputs.pending,
            };
            outcome(&used, &plan, &inputs.mv, opened)
        }
    })
}

/// Puts a statement together from the squares to open and from what their opening says of the move.
pub(crate) fn assemble(
    inputs: &TurnInputs<'_>,
    squares: &[Square],
    decide: impl FnOnce(&[Opened]) -> Result<Outcome, TurnError>,
) -> Result<(TurnPublic, TurnPrivate), TurnError> {
    let side = inputs.side;
    let (opened, [request_root, answer_root, ctx]) = match &inputs.sight {
        None => (Vec::new(), [F::ZERO; 3]),
        Some(sight) => open_squares(side, squares, sight),
    };
    let result = decide(&opened)?;
    let next = side.without(inputs.pending).play(&inputs.mv);
    let next_request = next_request(&next, inputs.next_scalars, &inputs.fog_key)?;
    let public = TurnPublic {
        commitment: commit(side, inputs.salt),
        pending: inputs.pending,
        next_commitment: commit(&next, inputs.next_salt),
        request_root,
        answer_root,
        ctx,
        fog_key: inputs.fog_key,
        next_request_root: next_request.root(),
        color: side.color,
        opening: inputs.sight.is_none(),
        capture: result.capture,
        king_fell: result.king_fell,
    };
    let private = TurnPrivate {
        side: side.clone(),
        salt: inputs.salt,
        mv: inputs.mv,
        next_salt: inputs.next_salt,
        opened,
        next_scalars: *inputs.next_scalars,
    };
    Ok((public, private))
}

/// Opens squares; also the two roots and `ctx`.
fn open_squares(side: &Side, squares: &[Square], sight: &TurnSight<'_>) -> (Vec<Opened>, [F; 3]) {
    let request = sight.request.tree();
    let answer = sight.answer.tree();
    let opened = squares
        .iter()
        .map(|square| Opened {
            square: *square,
            // the request was made for the committed side, so a captured piece is still its square's choice
            choice: type_number(side, *square),
            scalar: sight.scalars[square.index()],
            request_path: request.path(square.index()),
            record: *sight.answer.record(*square),
            answer_path: answer.path(square.index()),
        })
        .collect();
    (opened, [request.root(), answer.root(), sight.ctx])
}
