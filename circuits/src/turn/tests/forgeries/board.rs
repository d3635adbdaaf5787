//! The state before and after.

use super::{C, CASTLING, FIRST, Forgery, PENDING, QUEEN, ROOK, put, set_pending};
use ff::Field;
use halo2curves::bn256::Fr;

/// Flags of `from`'s file and rank and of `to`'s, eight each.
const AXES: &str = "let flags = one_hot(d, (0..8).map(|i| value.value == Fr::from(i)))";
/// Flags of the captured square's file and rank.
const CAPTURED: &str = "d.arith.boolean(d.sheet, at == Some(i))";
// The place of a file, or of its rank, among its flags.
const A: usize = 0;
const B: usize = 1;
const D: usize = 3;
const E: usize = 4;
/// The flags of `to`'s file begin here.
const TO: usize = 16;
/// The flags of the captured square's rank begin here.
const RANKS: usize = 8;

pub const ALL: &[Forgery] = &[
    Forgery {
        what: "a pawn arrives on another file than the move's",
        turn: FIRST,
        lie: |w, lies| {
            lies.turn_boolean(AXES, TO + E);
            lies.turn_boolean(AXES, TO + D);
            let [d4, e4] = [27, 28];
            w.next_types.swap(d4, e4);
        },
        reason: "equal(weighed, value)",
    },
    Forgery {
        what: "a pawn leaves from two files, whose numbers make the third",
        turn: FIRST,
        lie: |w, lies| {
            for file in [B, D, E] {
                lies.turn_boolean(AXES, file);
            }
            put(w, "b2", 0);
            put(w, "d2", 0);
        },
        reason: AXES,
    },
    Forgery {
        what: "another square was captured than is said in public",
        turn: FIRST,
        lie: |w, _| w.instance[PENDING] += Fr::ONE,
        reason: "equal(weighed, number)",
    },
    Forgery {
        what: "a queen stays although her square was captured: it has no rank",
        turn: FIRST,
        lie: |w, lies| {
            set_pending(w, "d1");
            // The flags were all off: as they would be for no square.
            lies.turn_boolean(CAPTURED, D);
            w.pending = None;
        },
        reason: "equal(some, same)",
    },
    Forgery {
        what: "four pieces vanish with the captured one",
        turn: FIRST,
        lie: |w, lies| {
            for flag in [A, B, RANKS + A, RANKS + B] {
                lies.turn_boolean(CAPTURED, flag);
            }
            set_pending(w, "b2");
            w.pending = None;
            w.removed = ROOK;
            for name in ["a1", "b1", "a2", "b2"] {
                put(w, name, 0);
            }
        },
        reason: "equal(exists, some)",
    },
    Forgery {
        what: "the move goes on from another state than the committed one",
        turn: FIRST,
        lie: |w, _| w.instance[C] += Fr::ONE,
        reason: "equal(hash, commitment)",
    },
    Forgery {
        what: "a pawn leaves another one behind",
        turn: FIRST,
        lie: |w, _| put(w, "e2", 1),
        reason: "equal(left, zero)",
    },
    Forgery {
        what: "a captured pawn moves",
        turn: FIRST,
        lie: |w, _| set_pending(w, "e2"),
        reason: "assert_nonzero(d.sheet, number)",
    },
    Forgery {
        what: "a pawn becomes a queen on its way",
        turn: FIRST,
        lie: |w, _| put(w, "e4", QUEEN),
        reason: "equal(there, placed)",
    },
    Forgery {
        what: "a queen stays although her square was captured",
        turn: FIRST,
        lie: |w, _| set_pending(w, "d1"),
        reason: "assert_zero_product(d.sheet, not_entered, there)",
    },
    Forgery {
        what: "castling leaves a rook in the corner",
        turn: CASTLING,
        lie: |w, _| put(w, "h1", ROOK),
        reason: "assert_zero_product(d.sheet, flag, next_types[corner])",
    },
    Forgery {
        what: "castling brings a queen",
        turn: CASTLING,
        lie: |w, _| put(w, "f1", QUEEN),
        reason: "assert_equal_if(d.sheet, flag, next_types[beside], rook)",
    },
    Forgery {
        what: "a king castles without the right",
        turn: CASTLING,
        lie: |w, _| w.rights[0] = false,
        reason: "assert_equal_if(d.sheet, step.wings[i], applied, one)",
    },
    Forgery {
        what: "the last move was a double push on a ninth file",
        turn: FIRST,
        lie: |w, _| w.double_push = 9,
        reason: "assert_zero_product(d.sheet, push_bits[3], lower)",
    },
];
