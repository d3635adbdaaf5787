//! What was seen.

use super::{Forgery, KNIGHT_MOVE, Turn, label};
use ff::Field;
use fog::{
    engine::sight_lines::geometry::{PAWN_FIELD, TARGET_BITS},
    merkle::{record_leaf, root_from_path},
};
use halo2curves::bn256::Fr;

pub const ALL: &[Forgery] = &[
    Forgery {
        what: "a pawn captures nothing",
        turn: Turn("4k3/8/8/8/4P3/8/8/4K3 w - -", "e4d5", &["e4"]),
        lie: |_, _| (),
        reason: label::T19_CAPTURES,
    },
    Forgery {
        what: "a rook slides through an own pawn",
        turn: Turn("4k3/8/8/8/8/P7/8/R3K3 w - -", "a1a4", &["a1", "a2", "a3", "a4"]),
        lie: |_, _| (),
        reason: label::T6_OWN_PIECE_CROSSED,
    },
    Forgery {
        what: "a rook slides through a pawn of the opponent",
        turn: Turn("4k3/8/8/8/8/p7/8/R3K3 w - -", "a1a4", &["a1", "a2", "a3", "a4"]),
        lie: |_, _| (),
        reason: label::T16_CROSSED_EMPTY,
    },
    Forgery {
        what: "a knight captures a pawn on an empty square",
        turn: KNIGHT_MOVE,
        lie: |w, lies| lies.turn_flag(label::T17_PAYLOAD, TARGET_BITS, 3 * w.direction),
        reason: label::T17_PAYLOAD,
    },
    Forgery {
        what: "a pawn sees more than a pawn does, with the answer's help",
        turn: Turn("4k3/8/8/8/4P3/8/8/4K3 w - -", "e4e5", &["e4"]),
        lie: |w, _| {
            for slot in &mut w.opened {
                slot.record[PAWN_FIELD] += Fr::from(1 << 9);
                let leaf = record_leaf(&slot.record);
                w.public.answer_root = root_from_path(leaf, slot.square.index(), &slot.answer_path);
            }
        },
        reason: label::T17_PAWN_PAYLOAD,
    },
    Forgery {
        what: "a pawn pushes onto a pawn",
        turn: Turn("4k3/8/8/4p3/4P3/8/8/4K3 w - -", "e4e5", &["e4"]),
        lie: |_, _| (),
        reason: label::T18_AHEAD_EMPTY,
    },
    Forgery {
        what: "a pawn makes a double push onto a pawn",
        turn: Turn("4k3/8/8/8/4p3/8/4P3/4K3 w - -", "e2e4", &["e2", "e3"]),
        lie: |_, _| (),
        reason: label::T18_DOUBLE_PUSH,
    },
    Forgery {
        what: "a capture is claimed that isn't one",
        turn: KNIGHT_MOVE,
        lie: |w, _| w.public.capture = Fr::from(18),
        reason: label::T20_CAPTURE,
    },
    Forgery {
        what: "a king is said to have fallen",
        turn: KNIGHT_MOVE,
        lie: |w, _| w.public.king_fell = Fr::ONE,
        reason: label::T20_KING_FELL,
    },
];
