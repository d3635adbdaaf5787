//! Valid draws of *answer*, by phase and by what was captured.

use super::walk::{FEW_MEN, Walk};
use crate::{
    engine::Phase,
    statement::answer::{AnswerPrivate, AnswerPublic, gather},
};
use rand::{Rng, SeedableRng, rngs::StdRng};
use rules::PieceType;

/// A property of an exchange, by which draws are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AnswerCase {
    /// Before the receiver's move, nothing captured.
    Pre,
    /// Before the receiver's move; the receiver lost a piece of this type (not a king).
    PrePending(PieceType),
    /// Before the receiver's move; the receiver lost a pawn that still stood on its first rank.
    PrePendingPawnRank,
    /// Before the receiver's move; the sender's last move was a double push.
    PreDoublePush,
    /// After the receiver's move, nothing captured.
    Post,
    /// After the receiver's move; the sender's last move was a double push, of which nothing may be seen any more.
    PostDoublePush,
    /// After the receiver's move, which captured a piece of the sender.
    PostPending,
    /// After the receiver's move, which captured a corner rook with its castling right.
    PostPendingRight,
    /// Before the receiver's move; the sender has hardly any men left.
    PreFewMen,
}

impl AnswerCase {
    pub const ALL: [Self; 13] = [
        Self::Pre,
        Self::PrePending(PieceType::Pawn),
        Self::PrePending(PieceType::Knight),
        Self::PrePending(PieceType::Bishop),
        Self::PrePending(PieceType::Rook),
        Self::PrePending(PieceType::Queen),
        Self::PrePendingPawnRank,
        Self::PreDoublePush,
        Self::Post,
        Self::PostDoublePush,
        Self::PostPending,
        Self::PostPendingRight,
        Self::PreFewMen,
    ];

    /// The phase of its draws.
    pub fn phase(self) -> Phase {
        match self {
            Self::Post | Self::PostDoublePush | Self::PostPending | Self::PostPendingRight => Phase::Post,
            _ => Phase::Pre,
        }
    }

    /// Whether the position of a walk allows a draw of this case.
    pub fn matches(self, walk: &Walk) -> bool {
        let mover = walk.mover();
        let fallen = walk.pending.and_then(|square| mover.piece(square));
        match self {
            Self::Pre | Self::Post => fallen.is_none(),
            Self::PrePending(piece) => fallen == Some(piece),
            Self::PrePendingPawnRank => walk
                .pending
                .is_some_and(|square| fallen == Some(PieceType::Pawn) && square.rank() == mover.color.pawn_rank()),
            Self::PreDoublePush => walk.other().double_push.is_some(),
            Self::PostDoublePush => mover.double_push.is_some(),
            Self::PostPending => fallen.is_some(),
            Self::PostPendingRight => walk.board().rights != mover.rights,
            Self::PreFewMen => walk.other().men().count() <= FEW_MEN,
        }
    }
}

/// An endless, seeded row of valid statements; of one case, or of all as random games give them.
pub fn answers(seed: u64, case: Option<AnswerCase>) -> impl Iterator<Item = (AnswerPublic, AnswerPrivate)> {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut walk = Walk::start();
    std::iter::from_fn(move || {
        loop {
            walk.advance(&mut rng);
            if walk.ply == 0 || walk.over || !case.is_none_or(|case| case.matches(&walk)) {
                continue;
            }
            let phase = match case {
                Some(case) => case.phase(),
                None if rng.r#gen() => Phase::Pre,
                None => Phase::Post,
            };
            let drawn = match phase {
                Phase::Pre => walk.pre(&mut rng),
                Phase::Post => walk.post(&mut rng),
            };
            let exchange = drawn.header();
            let statement = gather(drawn.sender, drawn.sender_salt, drawn.secret, &exchange, drawn.request);
            return Some(statement.expect("an honest request can be answered"));
        }
    })
}
