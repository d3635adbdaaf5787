//! Draws of *no move*: positions without a move, by what makes them so, and positions with one move, by what that move is.

use super::{
    blocked::{blocked, nearly_blocked},
    walk::Walk,
};
use crate::statement::{
    Unmet,
    no_move::{NoMoveDraft, NoMovePrivate, NoMovePublic, assemble, gather},
    turn::TurnSight,
};
use rand::{Rng, SeedableRng, rngs::StdRng, seq::SliceRandom};
use rules::{CastlingRights, Move, PieceType, Side, Square, geometry::ahead};

cases! {
    /// A property of a position without a move, by which draws are chosen; a position has several.
    NoMoveCase, 13:
    /// Few pawns: there are always some, because without pawns the pieces farthest ahead could go on.
    FewPawns,
    /// As many pawns as a side can have.
    EightPawns,
    /// A pawn behind an own piece.
    BehindOwn,
    /// A pawn behind a piece of the opponent.
    BehindTheirs,
    /// A pawn that could push twice if it could push.
    OnPawnRank,
    /// A pawn that would promote if it could push.
    BeforeLastRank,
    Knight,
    Bishop,
    Rook,
    Queen,
    /// King and rook at home with the right to castle.
    CastlingRight,
    /// A pawn has just been captured.
    CapturedPawn,
    /// A piece that would have moves has just been captured.
    CapturedPiece,
}

cases! {
    /// The only move of a position.
    OnlyMove, 15:
    /// The king's to an empty square.
    King,
    KingCaptures,
    Knight,
    Bishop,
    Rook,
    Queen,
    /// A capture by any of them.
    PieceCaptures,
    Push,
    /// A pawn's push onto the square where an own piece was captured *en passant*.
    PushAfterCapture,
    /// A pawn's capture toward file a.
    CaptureTowardA,
    /// A pawn's capture toward file h.
    CaptureTowardH,
    /// *En passant* toward file a.
    EnPassantTowardA,
    /// *En passant* toward file h.
    EnPassantTowardH,
    /// A promotion without capture.
    Promotion,
    /// A promotion with capture.
    PromotionCapture,
}

/// Which cases a position without a move belongs to.
pub fn cases_of_blocked(walk: &Walk) -> Vec<NoMoveCase> {
    let (board, color) = (walk.board(), walk.to_move());
    let pawns: Vec<Square> =
        board.men().filter(|(_, piece)| *piece == PieceType::Pawn).map(|(square, _)| square).collect();
    let behind =
        |side: &Side| pawns.iter().any(|pawn| ahead(*pawn, color).is_some_and(|front| side.piece(front).is_some()));
    let on_rank = |rank| pawns.iter().any(|pawn| pawn.rank() == rank);
    let has = |piece| board.men().any(|(_, man)| man == piece);
    let captured = walk.pending.and_then(|square| walk.mover().piece(square));
    let last_but_one = (!color).pawn_rank();
    let rights = board.rights;
    let all = [
        (NoMoveCase::FewPawns, pawns.len() <= 5),
        (NoMoveCase::EightPawns, pawns.len() == 8),
        (NoMoveCase::BehindOwn, behind(&board)),
        (NoMoveCase::BehindTheirs, behind(walk.other())),
        (NoMoveCase::OnPawnRank, on_rank(color.pawn_rank())),
        (NoMoveCase::BeforeLastRank, on_rank(last_but_one)),
        (NoMoveCase::Knight, has(PieceType::Knight)),
        (NoMoveCase::Bishop, has(PieceType::Bishop)),
        (NoMoveCase::Rook, has(PieceType::Rook)),
        (NoMoveCase::Queen, has(PieceType::Queen)),
        (NoMoveCase::CastlingRight, rights.king_side || rights.queen_side),
        (NoMoveCase::CapturedPawn, captured == Some(PieceType::Pawn)),
        (NoMoveCase::CapturedPiece, captured.is_some_and(|piece| piece != PieceType::Pawn)),
    ];
    all.into_iter().filter(|(_, is)| *is).map(|(case, _)| case).collect()
}

/// An endless, seeded row of valid statements; of one case, or of all as the positions give them.
pub fn no_moves(seed: u64, case: Option<NoMoveCase>) -> impl Iterator<Item = (NoMovePublic, NoMovePrivate)> {
    let mut rng = StdRng::seed_from_u64(seed);
    std::iter::from_fn(move || {
        let walk = std::iter::repeat_with(|| blocked(&mut rng))
            .find(|walk| case.is_none_or(|case| cases_of_blocked(walk).contains(&case)))?;
        Some(with_draft(&walk, &mut rng, |draft| gather(draft).expect("a position without a move has a statement")))
    })
}

/// What kind of move a position's only move is.
fn kind_of(walk: &Walk, mv: &Move) -> Option<OnlyMove> {
    let board = walk.board();
    let takes = walk.other().piece(mv.to).is_some();
    let toward_a = mv.to.file() < mv.from.file();
    let is_straight = mv.to.file() == mv.from.file();
    Some(match board.piece(mv.from)? {
        PieceType::Pawn if mv.promotion.is_some() && is_straight => OnlyMove::Promotion,
        PieceType::Pawn if mv.promotion.is_some() => OnlyMove::PromotionCapture,
        PieceType::Pawn if is_straight && walk.pending == Some(mv.to) => OnlyMove::PushAfterCapture,
        PieceType::Pawn if is_straight => OnlyMove::Push,
        PieceType::Pawn if takes && toward_a => OnlyMove::CaptureTowardA,
        PieceType::Pawn if takes => OnlyMove::CaptureTowardH,
        PieceType::Pawn if toward_a => OnlyMove::EnPassantTowardA,
        PieceType::Pawn => OnlyMove::EnPassantTowardH,
        PieceType::King if takes => OnlyMove::KingCaptures,
        PieceType::King => OnlyMove::King,
        _ if takes => OnlyMove::PieceCaptures,
        PieceType::Knight => OnlyMove::Knight,
        PieceType::Bishop => OnlyMove::Bishop,
        PieceType::Rook => OnlyMove::Rook,
        PieceType::Queen => OnlyMove::Queen,
    })
}

/// A statement of a position with one move, with the relation that must refuse it.
pub type NearMiss = (NoMovePublic, NoMovePrivate, Unmet);

/// An endless, seeded row of statements of positions with one move of a kind, with the relation that must refuse each.
pub fn near_misses(seed: u64, kind: OnlyMove) -> impl Iterator<Item = NearMiss> {
    let mut rng = StdRng::seed_from_u64(seed);
    std::iter::from_fn(move || {
        loop {
            let of_kind = nearly(&mut rng).into_iter().filter(|(found, ..)| *found == kind).collect::<Vec<_>>();
            if let Some((_, walk, mv)) = of_kind.choose(&mut rng) {
                return Some(near_miss(kind, walk, mv, &mut rng));
            }
        }
    })
}

/// An endless, seeded row of the same of all kinds, of positions that are asked for when they have been found: most time is spent on finding a position without a move,
/// and many have one after a change.
pub fn near_misses_of(
    seed: u64,
    mut is_asked: impl FnMut(OnlyMove, &Walk, &Move) -> bool,
) -> impl Iterator<Item = (Walk, Move, NearMiss)> {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut found = Vec::new();
    std::iter::from_fn(move || {
        loop {
            while let Some((kind, walk, mv)) = found.pop() {
                if is_asked(kind, &walk, &mv) {
                    let made = near_miss(kind, &walk, &mv, &mut rng);
                    return Some((walk, mv, made));
                }
            }
            found = nearly(&mut rng);
            found.shuffle(&mut rng);
        }
    })
}

/// Positions with one move, of what kind it is and the move: all that come of one drawn position, half of them mirrored, with other victims.
fn nearly(rng: &mut StdRng) -> Vec<(OnlyMove, Walk, Move)> {
    let found = nearly_blocked(rng).into_iter().filter_map(|(walk, mv)| {
        let (walk, mv) = if rng.r#gen() { mirrored(&walk, &mv) } else { (walk, mv) };
        let walk = with_any_victim(walk, &mv, rng);
        Some((kind_of(&walk, &mv)?, walk, mv))
    });
    found.collect()
}

fn near_miss(kind: OnlyMove, walk: &Walk, mv: &Move, rng: &mut StdRng) -> NearMiss {
    let error = match kind {
        OnlyMove::Push | OnlyMove::PushAfterCapture | OnlyMove::Promotion => Unmet::Advances(mv.from),
        OnlyMove::CaptureTowardA | OnlyMove::CaptureTowardH | OnlyMove::PromotionCapture => Unmet::Captures(mv.from),
        OnlyMove::EnPassantTowardA | OnlyMove::EnPassantTowardH => Unmet::EnPassant(mv.from),
        _ => Unmet::Step(mv.from, mv.to),
    };
    let (public, private) = any_no_move(walk, rng);
    (public, private, error)
}

/// The position with another man of the opponent's, of any type, where the move takes one: which moves there are doesn't hang on it. Of a pawn that has just
/// made a double push it would, *en passant*.
fn with_any_victim(mut walk: Walk, mv: &Move, rng: &mut StdRng) -> Walk {
    use PieceType::{Bishop, King, Knight, Pawn, Queen, Rook};
    let other = !walk.to_move();
    let side = &mut walk.sides[other.index()];
    if side.double_push.is_none() && side.piece(mv.to).is_some_and(|piece| piece != King) {
        let may_be_pawn = (1..7).contains(&mv.to.rank());
        let types = if may_be_pawn { &[Knight, Bishop, Rook, Queen, Pawn][..] } else { &[Knight, Bishop, Rook, Queen] };
        side.pieces[mv.to.index()] = types.choose(rng).copied();
    }
    walk
}

/// A position and its only move with file a for file h. Rights to castle have no mirror image, and play no part.
fn mirrored(walk: &Walk, mv: &Move) -> (Walk, Move) {
    let image = |square: Square| Square::at(7 - square.file(), square.rank()).expect("a square");
    let sides = walk.sides.each_ref().map(|side| {
        let mut mirrored = Side { rights: CastlingRights::NONE, ..side.clone() };
        for square in Square::all() {
            mirrored.pieces[image(square).index()] = side.piece(square);
        }
        mirrored.double_push = side.double_push.map(|file| 7 - file);
        mirrored
    });
    let walk = Walk { sides, pending: walk.pending.map(image), ..walk.clone() };
    (walk, Move { from: image(mv.from), to: image(mv.to), ..*mv })
}

/// The statement of any position at all, with every pawn opened.
pub fn any_no_move(walk: &Walk, rng: &mut StdRng) -> (NoMovePublic, NoMovePrivate) {
    with_draft(walk, rng, assemble)
}

/// Gives what a claim is made from to `make`.
fn with_draft<T>(walk: &Walk, rng: &mut StdRng, make: impl FnOnce(&NoMoveDraft<'_>) -> T) -> T {
    let drawn = walk.pre(rng);
    let answer = drawn.answer();
    let ctx = drawn.context.ctx();
    make(&NoMoveDraft {
        side: &drawn.receiver,
        salt: drawn.receiver_salt,
        pending: walk.pending,
        fog_key: drawn.secret.key(),
        sight: TurnSight { request_tree: &drawn.request_tree, scalars: &drawn.scalars, answer: &answer, ctx },
    })
}
