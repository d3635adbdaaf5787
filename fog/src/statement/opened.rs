//! Squares of a request and of its answer, opened: how a statement proves what single pieces of its player see (protocol section 5, Open).
//!
//! *turn* opens the squares that a move needs, *no move* those of the pawns.

use crate::{
    F,
    commitment::type_number,
    curve::{FogKey, Scalar, mul},
    engine::sight_lines::{
        answer::{Answer, mask},
        geometry::PUSH_FIELD,
        request::blind,
    },
    merkle::{Path, Record, Tree, point_leaf, record_leaf, root_from_path},
    statement::Unmet,
    word::to_small,
};
use ff::Field;
use group::prime::PrimeCurveAffine;
use rules::{Side, Square};

/// The sight that a player to move has asked for and got.
#[derive(Clone, Copy)]
pub struct TurnSight<'a> {
    pub request_tree: &'a Tree,
    /// The scalars of that request.
    pub scalars: &'a [Scalar; 64],
    /// The answer to it, phase 0.
    pub answer: &'a Answer,
    /// What that answer is bound to.
    pub ctx: F,
}

impl TurnSight<'_> {
    /// Opens squares for a committed side; also the two roots.
    pub(super) fn open(&self, side: &Side, squares: &[Square]) -> (Vec<Opened>, [F; 2]) {
        let answer = self.answer.tree();
        let opened = squares
            .iter()
            .map(|square| Opened {
                square: *square,
                // the request was made for the committed side, so a captured piece is still its square's choice
                choice: type_number(side, *square),
                scalar: self.scalars[square.index()],
                request_path: self.request_tree.path(square.index()),
                record: *self.answer.record(*square),
                answer_path: answer.path(square.index()),
            })
            .collect();
        (opened, [self.request_tree.root(), answer.root()])
    }
}

/// One square of the request and of the answer, opened.
#[derive(Clone, PartialEq, Eq)]
pub struct Opened {
    /// The square: the index of both Merkle paths.
    pub square: Square,
    /// `c_s`: the viewer's type; 0 for other squares, except on the pending square, where it is what stood there.
    pub choice: u8,
    /// The blinding `r_s` of the square.
    pub scalar: Scalar,
    /// From the leaf of `B_s = r_s·g + c_s·A` to the request's root.
    pub request_path: Path,
    /// The answer's 14 fields.
    pub record: Record,
    /// From the record's leaf to the answer's root.
    pub answer_path: Path,
}

crate::wiped_on_drop!(Opened: choice, scalar);

/// What opening a record needs besides the record.
pub(super) struct SightUsed {
    /// The opponent's fog key.
    pub fog_key: FogKey,
    /// What the answer is bound to.
    pub ctx: F,
    /// The viewer's captured square.
    pub pending: Option<Square>,
}

impl SightUsed {
    /// The point of the opened square with this number is in the request, and its record in the answer.
    pub fn check(&self, index: usize, opened: &Opened, [request_root, answer_root]: [F; 2]) -> Result<(), Unmet> {
        ensure!(opened.scalar != Scalar::ZERO, Unmet::ZeroScalar(index));
        let point = blind(&opened.scalar, opened.choice, &self.fog_key);
        let root = root_from_path(point_leaf(&point), opened.square.index(), &opened.request_path);
        let is_asked = root == request_root && !bool::from(point.is_identity());
        ensure!(is_asked, Unmet::RequestPath(index));
        let leaf = record_leaf(&opened.record);
        let root = root_from_path(leaf, opened.square.index(), &opened.answer_path);
        ensure!(root == answer_root, Unmet::AnswerPath(index));
        Ok(())
    }

    /// Both outputs of the mask of the own choice on an opened square.
    pub fn mask(&self, opened: &Opened) -> [F; 2] {
        let shared = mul(&self.fog_key.0, &opened.scalar);
        mask(shared.x, self.ctx, opened.square, opened.choice.into())
    }

    /// The payload of a field of the viewer's record: at most `bits` bits under the mask; none if there are more.
    pub fn payload(&self, viewer: &Opened, field: usize, bits: usize) -> Option<u64> {
        let value = viewer.record[field] - self.mask(viewer)[0];
        to_small(value, bits)
    }

    /// The pass of an opened square: read from the record on the captured square, else the mask.
    pub fn pass(&self, opened: &Opened) -> F {
        if self.pending == Some(opened.square) { opened.record[PUSH_FIELD] } else { self.mask(opened)[0] }
    }
}
