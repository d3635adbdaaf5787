//! What was seen.

use super::{ANSWER_ROOT, CAPTURE, Forgery, KING_FELL, KNIGHT_MOVE, Turn};
use ff::Field;
use fog::merkle::{record_leaf, root_from_path};
use halo2curves::bn256::Fr;

/// A record's field for pawns.
const PAWN_FIELD: usize = 8;

pub const ALL: &[Forgery] = &[
    Forgery {
        what: "a pawn captures nothing",
        turn: Turn("4k3/8/8/8/4P3/8/8/4K3 w - -", "e4d5", &["e4"]),
        lie: |_, _| (),
        reason: "assert_equal_if(d.sheet, step.pawn_captures, captured, one)",
    },
    Forgery {
        what: "a rook slides through an own pawn",
        turn: Turn(
            "4k3/8/8/8/8/P7/8/R3K3 w - -",
            "a1a4",
            &["a1", "a2", "a3", "a4"],
        ),
        lie: |_, _| (),
        reason: "assert_zero_product(d.sheet, bound, opening.choice)",
    },
    Forgery {
        what: "a rook slides through a pawn of the opponent",
        turn: Turn(
            "4k3/8/8/8/8/p7/8/R3K3 w - -",
            "a1a4",
            &["a1", "a2", "a3", "a4"],
        ),
        lie: |_, _| (),
        reason: "assert_zero_product(d.sheet, crossed, occupied)",
    },
    Forgery {
        what: "a knight captures a pawn on an empty square",
        turn: KNIGHT_MOVE,
        lie: |w, lies| {
            lies.turn_boolean("free_bits(d.sheet, value.value, TARGETS)", 3 * w.direction)
        },
        reason: "assert_equal_if(d.sheet, reads, value, weighed)",
    },
    Forgery {
        what: "a pawn sees more than a pawn does, with the answer's help",
        turn: Turn("4k3/8/8/8/4P3/8/8/4K3 w - -", "e4e5", &["e4"]),
        lie: |w, _| {
            for slot in &mut w.openings {
                slot.record[PAWN_FIELD] += Fr::from(1 << 9);
                let leaf = record_leaf(&slot.record);
                w.instance[ANSWER_ROOT] =
                    root_from_path(leaf, slot.square.index(), &slot.answer_path);
            }
        },
        reason: "assert_zero_product(d.sheet, pawn, high)",
    },
    Forgery {
        what: "a pawn pushes onto a pawn",
        turn: Turn("4k3/8/8/4p3/4P3/8/8/4K3 w - -", "e4e5", &["e4"]),
        lie: |_, _| (),
        reason: "assert_zero_product(d.sheet, pushes, ahead)",
    },
    Forgery {
        what: "a pawn makes a double push onto a pawn",
        turn: Turn("4k3/8/8/8/4p3/8/4P3/4K3 w - -", "e2e4", &["e2", "e3"]),
        lie: |_, _| (),
        reason: "assert_equal_if(d.sheet, doubles, viewer.record[13], mask)",
    },
    Forgery {
        what: "a capture is claimed that isn't one",
        turn: KNIGHT_MOVE,
        lie: |w, _| w.instance[CAPTURE] = Fr::from(18),
        reason: "equal(capture, public.capture)",
    },
    Forgery {
        what: "a king is said to have fallen",
        turn: KNIGHT_MOVE,
        lie: |w, _| w.instance[KING_FELL] = Fr::ONE,
        reason: "equal(king_fell, public.king_fell)",
    },
];
