//! Valid draws of *turn*, by the kind of move.

use super::walk::{FEW_MEN, RandomExchange, Walk, random_scalars};
use crate::{
    F,
    curve::FogSecret,
    statement::turn::{
        TurnDraft, TurnPrivate, TurnPublic, TurnSight, gather,
        plan::{MoveKind, Plan},
    },
};
use ff::Field;
use rand::{SeedableRng, rngs::StdRng, seq::SliceRandom};
use rules::{Move, PieceType, Square};

cases! {
    /// A property of a move, by which draws are chosen; a move has several.
    TurnCase, 22:
    /// Ply 0 or 1.
    Opening,
    /// A pawn's single step, without promotion.
    PawnPush,
    /// A pawn's double step after the opening.
    DoublePush,
    /// A pawn's capture, not *en passant*, without promotion.
    PawnCapture,
    EnPassant,
    /// A promotion without capture.
    Promotion,
    /// A promotion with capture.
    PromotionCapture,
    /// A knight's move after the opening.
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
    /// Castling on the king's side.
    CastleKingSide,
    /// Castling on the queen's side.
    CastleQueenSide,
    /// Any capture by a piece.
    PieceCapture,
    /// Any capture of a king.
    KingFalls,
    /// A slide over five squares or more.
    LongSlide,
    /// The mover's captured square is among those whose pass is needed.
    PendingOpened,
    /// The mover's captured square is next to the viewer, but not opened.
    PendingBeside,
    /// A corner rook was captured, and with it a castling right.
    PendingRight,
    /// Any other captured square.
    PendingElsewhere,
    /// The mover has hardly any men left.
    FewMen,
}

/// Which cases a legal move of a position belongs to.
pub fn cases_of(walk: &Walk, mv: &Move) -> Vec<TurnCase> {
    if walk.is_opening() {
        return vec![TurnCase::Opening];
    }
    let board = walk.board();
    let Ok(plan) = Plan::new(&board, mv) else {
        return Vec::new();
    };
    let fallen = walk.other().piece(mv.to);
    let mut cases = vec![match (plan.kind, plan.viewer_type) {
        (MoveKind::Slide(_), PieceType::Bishop) => TurnCase::Bishop,
        (MoveKind::Slide(_), PieceType::Rook) => TurnCase::Rook,
        (MoveKind::Slide(_), _) => TurnCase::Queen,
        (MoveKind::Leap(_), _) => TurnCase::Knight,
        (MoveKind::Step(_), _) => TurnCase::King,
        (MoveKind::Castle(_), _) if mv.to.file() == 6 => TurnCase::CastleKingSide,
        (MoveKind::Castle(_), _) => TurnCase::CastleQueenSide,
        (MoveKind::Push, _) if mv.promotion.is_some() => TurnCase::Promotion,
        (MoveKind::Push, _) => TurnCase::PawnPush,
        (MoveKind::DoublePush, _) => TurnCase::DoublePush,
        (MoveKind::PawnCapture(_), _) if mv.promotion.is_some() => TurnCase::PromotionCapture,
        (MoveKind::PawnCapture(_), _) if fallen.is_none() => TurnCase::EnPassant,
        (MoveKind::PawnCapture(_), _) => TurnCase::PawnCapture,
    }];
    if fallen.is_some() && plan.viewer_type != PieceType::Pawn {
        cases.push(TurnCase::PieceCapture);
    }
    if fallen == Some(PieceType::King) {
        cases.push(TurnCase::KingFalls);
    }
    if plan.passes.len() >= 5 {
        cases.push(TurnCase::LongSlide);
    }
    if board.men().count() <= FEW_MEN {
        cases.push(TurnCase::FewMen);
    }
    if let Some(pending) = walk.pending {
        cases.push(pending_case(&plan, pending));
        if board.rights != walk.mover().rights {
            cases.push(TurnCase::PendingRight);
        }
    }
    cases
}

fn pending_case(plan: &Plan, pending: Square) -> TurnCase {
    let beside = pending.file().abs_diff(plan.viewer.file()) <= 1 && pending.rank().abs_diff(plan.viewer.rank()) <= 1;
    if plan.passes.contains(&pending) {
        TurnCase::PendingOpened
    } else if beside {
        TurnCase::PendingBeside
    } else {
        TurnCase::PendingElsewhere
    }
}

/// The secrets of a turn, from which its inputs are borrowed.
pub(super) struct Secrets {
    pub drawn: RandomExchange,
    pub next_salt: F,
    pub next_scalars: [crate::curve::Scalar; 64],
    pub fog_key: crate::curve::FogKey,
    pub answer: crate::engine::sight_lines::answer::Answer,
}

impl Secrets {
    pub fn new(walk: &Walk, rng: &mut StdRng) -> Self {
        let drawn = walk.pre(rng);
        let fog_key = if walk.is_opening() { FogSecret::random(rng).key() } else { drawn.secret.key() };
        Self {
            answer: drawn.answer(),
            next_salt: F::random(&mut *rng),
            next_scalars: random_scalars(rng),
            fog_key,
            drawn,
        }
    }

    pub fn inputs<'a>(&'a self, walk: &Walk, mv: Move) -> TurnDraft<'a> {
        let sight = TurnSight {
            request_tree: &self.drawn.request_tree,
            scalars: &self.drawn.scalars,
            answer: &self.answer,
            ctx: self.drawn.context.ctx(),
        };
        TurnDraft {
            side: &self.drawn.receiver,
            salt: self.drawn.receiver_salt,
            pending: walk.pending,
            mv,
            next_salt: self.next_salt,
            fog_key: self.fog_key,
            sight: (!walk.is_opening()).then_some(sight),
            next_scalars: &self.next_scalars,
        }
    }
}

/// An endless, seeded row of valid statements; of one case, or of all as random games give them.
pub fn turns(seed: u64, case: Option<TurnCase>) -> impl Iterator<Item = (TurnPublic, TurnPrivate)> {
    of_moves(seed, case, |walk, mv, rng| {
        let secrets = Secrets::new(walk, rng);
        gather(&secrets.inputs(walk, mv)).expect("a legal move has a statement")
    })
}

/// An endless, seeded row of what `make` makes of legal moves: of one case, or of all as random games give them.
pub(super) fn of_moves<T>(
    seed: u64,
    case: Option<TurnCase>,
    make: impl Fn(&Walk, Move, &mut StdRng) -> T,
) -> impl Iterator<Item = T> {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut walk = Walk::start();
    std::iter::from_fn(move || {
        loop {
            // A king's capture must be possible to draw, so the choice comes before the walk goes on.
            let mut moves = walk.legal_moves();
            moves.retain(|mv| case.is_none_or(|case| cases_of(&walk, mv).contains(&case)));
            let made = moves.choose(&mut rng).map(|mv| make(&walk, *mv, &mut rng));
            walk.advance(&mut rng);
            if made.is_some() {
                return made;
            }
        }
    })
}
