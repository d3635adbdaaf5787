//! What was seen.

use super::{Forgery, KNIGHT_MOVE, Turn};
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
        reason: "T19.captures",
    },
    Forgery {
        what: "a rook slides through an own pawn",
        turn: Turn("4k3/8/8/8/8/P7/8/R3K3 w - -", "a1a4", &["a1", "a2", "a3", "a4"]),
        lie: |_, _| (),
        reason: "T6.own_piece_crossed",
    },
    Forgery {
        what: "a rook slides through a pawn of the opponent",
        turn: Turn("4k3/8/8/8/8/p7/8/R3K3 w - -", "a1a4", &["a1", "a2", "a3", "a4"]),
        lie: |_, _| (),
        reason: "T16.crossed_empty",
    },
    Forgery {
        what: "a knight captures a pawn on an empty square",
        turn: KNIGHT_MOVE,
        lie: |w, lies| lies.turn_flag("T17.payload", TARGET_BITS, 3 * w.mv.direction),
        reason: "T17.payload",
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
        reason: "T17.pawn_payload",
    },
    Forgery {
        what: "a pawn pushes onto a pawn",
        turn: Turn("4k3/8/8/4p3/4P3/8/8/4K3 w - -", "e4e5", &["e4"]),
        lie: |_, _| (),
        reason: "T18.ahead_empty",
    },
    Forgery {
        what: "a pawn makes a double push onto a pawn",
        turn: Turn("4k3/8/8/8/4p3/8/4P3/4K3 w - -", "e2e4", &["e2", "e3"]),
        lie: |_, _| (),
        reason: "T18.double_push",
    },
    Forgery {
        what: "a capture is claimed that isn't one",
        turn: KNIGHT_MOVE,
        lie: |w, _| w.public.capture = Fr::from(18),
        reason: "T20.capture",
    },
    Forgery {
        what: "a king is said to have fallen",
        turn: KNIGHT_MOVE,
        lie: |w, _| w.public.king_fell = Fr::ONE,
        reason: "T20.king_fell",
    },
];
