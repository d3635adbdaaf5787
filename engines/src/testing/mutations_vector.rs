//! Broken values of named vectors: each public field, each private one, and slots of the vector under the hash.

use super::named::{VectorPrivate, VectorPublic, check};
use crate::{
    Unmet,
    bfv::vector::{Kind, SLOTS},
};
use ff::Field;
use fog::{F, commitment::commit, engine::Phase};
use fog::{mutations, testing::Mutation};
use rules::PieceType;

/// A broken value of a named vector.
pub type VectorMutation = Mutation<VectorPublic, VectorPrivate, Unmet>;

/// Broken values of item vectors or of view vectors, which doesn't depend on the double push.
pub fn mutations_vector(kind: Kind) -> Vec<VectorMutation> {
    let mut all = mutations_of_both();
    if kind == Kind::Item {
        all.extend(mutations! { VectorMutation, p, w:
            "state: double push, committed to" => |p, w| {
                turn_push(w);
                p.commitment = commit(&w.side, w.salt);
                check(p, w).err()
            },
        });
    }
    all
}

fn mutations_of_both() -> Vec<VectorMutation> {
    mutations! { VectorMutation, p, w:
        "public commitment": p.commitment += F::ONE => Unmet::Commitment,
        "public pending: another square" => |p, w| {
            let changed = |square| check(&VectorPublic { pending: square, ..*p }, w).is_err();
            p.pending = w.side.men().map(|(square, _)| Some(square)).find(|square| changed(*square))?;
            Some(Unmet::Vector)
        },
        "public pending: nowhere" => |p, w| {
            p.pending.take()?;
            check(p, w).err()
        },
        "public color" => |p, w| {
            p.color = !p.color;
            check(p, w).err()
        },
        "public phase" => |p, w| {
            p.phase = if p.phase == Phase::Pre { Phase::Post } else { Phase::Pre };
            check(p, w).err()
        },
        "public vector": p.vector += F::ONE => Unmet::Vector,
        "vector: the first slot": slot(p, w, 0) => Unmet::Vector,
        "vector: a slot in the middle": slot(p, w, SLOTS / 2) => Unmet::Vector,
        "vector: the last slot": slot(p, w, SLOTS - 1) => Unmet::Vector,
        "vector: a slot that is set" => |p, w| {
            let vector = p.kind.vector(&w.side.without(p.pending), p.phase);
            slot(p, w, vector.iter().position(|value| *value != 0)?);
            Some(Unmet::Vector)
        },
        "vector: of the board before the capture" => |p, w| {
            let vector = p.kind.vector(&w.side, p.phase);
            p.vector = p.kind.hash(&vector, w.vector_salt);
            check(p, w).err()
        },
        "vector salt": w.vector_salt += F::ONE => Unmet::Vector,
        "state: a piece": turn_piece(w) => Unmet::Commitment,
        "state: a piece, committed to" => |p, w| {
            turn_piece(w);
            p.commitment = commit(&w.side, w.salt);
            check(p, w).err()
        },
        "state: a right": w.side.rights.king_side = !w.side.rights.king_side => Unmet::Commitment,
        "state: double push": turn_push(w) => Unmet::Commitment,
        "state: double push on a ninth file" => |p, w| {
            w.side.double_push = Some(8);
            p.commitment = commit(&w.side, w.salt);
            Some(Unmet::StateRange)
        },
        "state: counter": w.side.since_pawn ^= 1 => Unmet::Commitment,
        "salt": w.salt += F::ONE => Unmet::Commitment,
    }
}

/// Changes a slot under the hash: 0 becomes 1, everything else 0.
fn slot(p: &mut VectorPublic, w: &VectorPrivate, place: usize) {
    let mut vector = p.kind.vector(&w.side.without(p.pending), p.phase);
    vector[place] = u64::from(vector[place] == 0);
    p.vector = p.kind.hash(&vector, w.vector_salt);
}

/// A queen on a square of the middle, or none.
fn turn_piece(w: &mut VectorPrivate) {
    let piece = &mut w.side.pieces[27];
    *piece = if piece.is_some() { None } else { Some(PieceType::Queen) };
}

fn turn_push(w: &mut VectorPrivate) {
    w.side.double_push = if w.side.double_push.is_some() { None } else { Some(7) };
}
