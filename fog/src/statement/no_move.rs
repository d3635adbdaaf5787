//! The statement *no move*: the player to move has no legal move (protocol section 7, on chain in a claim, which draws the game).
//!
//! There is no check in dark chess, so a piece that can step onto a square can move. The state alone says which of the pieces can't: those
//! whose every first step leads off the board or onto an own piece. A slider that can't make its first step makes no other, and castling
//! needs the square beside the king empty, onto which the king could step. Pawns are blocked by pieces of the opponent too and capture them,
//! so each pawn's square is opened, at most 8, and the pawn sees that it can't push, nor capture diagonally or *en passant*. (A
//! double push goes through the square of the single one.)
//!
//! As for *turn* this is relative to the posted roots. Opening plies have roots of 0, to which no opening leads; and nobody is without a move
//! there. That the player's king has not fallen is the contract's business: the game would be over.

use super::{
    Unmet,
    opened::{Opened, SightUsed, TurnSight},
};
use crate::{
    F,
    commitment::{commit, is_well_formed},
    curve::FogKey,
    engine::sight_lines::{
        context::square_field,
        geometry::{AHEAD_BIT, EN_PASSANT_BIT, PAWN_BITS, PAWN_FIELD},
    },
};
use rules::{Color, PieceType, Side, Square, geometry::ahead, lines::lines_of};

public_inputs! {
    /// The public inputs of *no move*, one field element each. A square is 0 to 63, and 64 for none.
    NoMoveInputs, NO_MOVE_INPUTS of NoMovePublic:
    /// The player's commitment, `C`.
    commitment,
    /// The square on which the player's piece was captured by the last move.
    pending,
    /// The root of the player's request for the sight that it would move by.
    request_root,
    /// The root of the opponent's answer to it.
    answer_root,
    /// `ctx`, which that answer is bound to.
    context,
    /// The opponent's fog key.
    fog_key_x,
    /// The opponent's fog key.
    fog_key_y,
    /// The player's color: 0 white, 1 black.
    color,
}

/// Pawns that a side has, at most.
pub const MAX_PAWNS: usize = 8;

statement! {
    /// *no move*: a player has none.
    NoMoveStatement: NoMovePublic, NoMovePrivate
}

/// What everyone sees of the claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoMovePublic {
    /// The player's commitment, `C`.
    pub commitment: F,
    /// The square on which the player's piece was captured by the last move.
    pub pending: Option<Square>,
    /// The root of the player's request for the sight that it would move by.
    pub request_root: F,
    /// The root of the opponent's answer to it.
    pub answer_root: F,
    /// What that answer is bound to.
    pub ctx: F,
    /// The opponent's fog key.
    pub fog_key: FogKey,
    pub color: Color,
}

impl NoMovePublic {
    /// The public inputs by name.
    pub fn inputs(&self) -> NoMoveInputs<F> {
        let (fog_key_x, fog_key_y) = self.fog_key.xy();
        NoMoveInputs {
            commitment: self.commitment,
            pending: square_field(self.pending),
            request_root: self.request_root,
            answer_root: self.answer_root,
            context: self.ctx,
            fog_key_x,
            fog_key_y,
            color: F::from(self.color as u64),
        }
    }
}

/// What only the player knows.
#[derive(Clone, PartialEq, Eq)]
pub struct NoMovePrivate {
    /// The committed state, before the removal of the piece on the pending square.
    pub side: Side,
    pub salt: F,
    /// The squares of the pawns that are left, in any order.
    pub opened: Vec<Opened>,
}

crate::wiped_on_drop!(NoMovePrivate: salt);

/// What a claim is made from.
pub struct NoMoveDraft<'a> {
    /// The committed state, before the removal of the piece on the captured square.
    pub side: &'a Side,
    pub salt: F,
    /// The square on which the last move captured.
    pub pending: Option<Square>,
    /// The opponent's fog key.
    pub fog_key: FogKey,
    pub sight: TurnSight<'a>,
}

/// The statement of a player without a move, or a move that it has.
pub fn gather(draft: &NoMoveDraft<'_>) -> Result<(NoMovePublic, NoMovePrivate), Unmet> {
    let (public, private) = assemble(draft);
    check(&public, &private)?;
    Ok((public, private))
}

/// Puts a statement together, true or not.
pub(crate) fn assemble(draft: &NoMoveDraft<'_>) -> (NoMovePublic, NoMovePrivate) {
    let side = draft.side;
    let squares: Vec<Square> = pawns(&side.without(draft.pending)).collect();
    let (opened, [request_root, answer_root]) = draft.sight.open(side, &squares);
    let public = NoMovePublic {
        commitment: commit(side, draft.salt),
        pending: draft.pending,
        request_root,
        answer_root,
        ctx: draft.sight.ctx,
        fog_key: draft.fog_key,
        color: side.color,
    };
    (public, NoMovePrivate { side: side.clone(), salt: draft.salt, opened })
}

/// The relation of *no move*. The color is public and no part of the state, so the private side's own is not looked at.
pub fn check(public: &NoMovePublic, private: &NoMovePrivate) -> Result<(), Unmet> {
    let side = Side { color: public.color, ..private.side.clone() };
    ensure!(is_well_formed(&side), Unmet::StateRange);
    ensure!(commit(&side, private.salt) == public.commitment, Unmet::Commitment);
    let board = side.without(public.pending);
    check_pieces(&board)?;
    check_opened(public, &board, &private.opened)?;
    let sight = SightUsed { fog_key: public.fog_key, ctx: public.ctx, pending: public.pending };
    for (index, pawn) in private.opened.iter().enumerate() {
        let payload = sight.payload(pawn, PAWN_FIELD, PAWN_BITS).ok_or(Unmet::PayloadRange(index))?;
        check_pawn(&board, pawn.square, payload)?;
    }
    Ok(())
}

/// Where the pawns stand.
fn pawns(board: &Side) -> impl Iterator<Item = Square> {
    let men = board.men();
    men.filter(|(_, piece)| *piece == PieceType::Pawn).map(|(square, _)| square)
}

/// Every first step of every piece but pawns leads off the board or onto an own piece.
fn check_pieces(board: &Side) -> Result<(), Unmet> {
    for line in lines_of(board).filter(|line| line.piece != PieceType::Pawn) {
        if let Some(to) = line.open_squares(board).next() {
            return Err(Unmet::Step(line.from, to));
        }
    }
    Ok(())
}

/// The opened squares are those of the pawns, each once, are in request and answer, and were asked for as pawns.
fn check_opened(public: &NoMovePublic, board: &Side, opened: &[Opened]) -> Result<(), Unmet> {
    let mut left: Vec<Square> = pawns(board).collect();
    ensure!(left.len() <= MAX_PAWNS, Unmet::TooManyPawns);
    ensure!(left.len() == opened.len(), Unmet::OpenedCount);
    let sight = SightUsed { fog_key: public.fog_key, ctx: public.ctx, pending: public.pending };
    for (index, opened) in opened.iter().enumerate() {
        let pawn = left.iter().position(|square| *square == opened.square);
        left.swap_remove(pawn.ok_or(Unmet::OpenedSquare(index))?);
        ensure!(opened.choice == PieceType::Pawn as u8, Unmet::Choice(index));
        sight.check(index, opened, [public.request_root, public.answer_root])?;
    }
    Ok(())
}

/// A pawn with this payload captures nothing, and a piece of either player stands ahead of it.
fn check_pawn(board: &Side, square: Square, payload: u64) -> Result<(), Unmet> {
    ensure!(payload & ((1 << AHEAD_BIT) - 1) == 0, Unmet::Captures(square));
    ensure!(payload >> EN_PASSANT_BIT == 0, Unmet::EnPassant(square));
    let is_own = ahead(square, board.color).is_some_and(|front| board.piece(front).is_some());
    ensure!(is_own || payload >> AHEAD_BIT & 1 == 1, Unmet::Advances(square));
    Ok(())
}
