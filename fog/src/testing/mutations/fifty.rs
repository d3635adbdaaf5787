//! Broken values of *fifty*: each public field and each private one (protocol section 7).

use super::{FiftyMutation, mutations};
use crate::{F, commitment::commit, statement::Unmet};
use ff::Field;
use rules::PieceType;

/// Broken values of *fifty*.
pub fn mutations_fifty() -> Vec<FiftyMutation> {
    mutations! { FiftyMutation, p, w:
        "public commitment": p.commitment += F::ONE => Unmet::Commitment,
        "public bit": p.bit = !p.bit => Unmet::Bit,
        "state: a piece": w.side.pieces[27] = if w.side.pieces[27].is_some() { None } else { Some(PieceType::Queen) } => Unmet::Commitment,
        "state: a right": w.side.rights.king_side = !w.side.rights.king_side => Unmet::Commitment,
        "state: double push": w.side.double_push = if w.side.double_push.is_some() { None } else { Some(7) } => Unmet::Commitment,
        "state: double push on a ninth file" => |p, w| {
            w.side.double_push = Some(8);
            p.commitment = commit(&w.side, w.salt);
            Some(Unmet::StateRange)
        },
        "state: counter on the other side of fifty": w.side.since_pawn ^= 64 => Unmet::Commitment,
        "salt": w.salt += F::ONE => Unmet::Commitment,
    }
}
