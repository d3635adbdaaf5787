//! The state before and after.

use super::{CASTLING, FIRST, Forgery, QUEEN, ROOK, label, put, set_pending};
use crate::gadget::Label;
use ff::Field;
use halo2curves::bn256::Fr;

/// Flags of `from`'s file and rank and of `to`'s, eight each.
const AXES: Label = label::T5_ONE_FILE_AND_RANK;
/// Flags of the captured square's file and rank.
const CAPTURED: Label = label::T2_FILE_AND_RANK;
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
            lies.turn_flag(AXES, 8, TO + E);
            lies.turn_flag(AXES, 8, TO + D);
            let [d4, e4] = [27, 28];
            w.next_types.swap(d4, e4);
        },
        reason: label::T5_ON_BOARD,
    },
    Forgery {
        what: "a pawn leaves from two files, whose numbers make the third",
        turn: FIRST,
        lie: |w, lies| {
            for file in [B, D, E] {
                lies.turn_flag(AXES, 8, file);
            }
            put(w, "b2", 0);
            put(w, "d2", 0);
        },
        reason: AXES,
    },
    Forgery {
        what: "another square was captured than is said in public",
        turn: FIRST,
        lie: |w, _| w.public.pending += Fr::ONE,
        reason: label::T2_PENDING,
    },
    Forgery {
        what: "a queen stays although her square was captured: it has no rank",
        turn: FIRST,
        lie: |w, lies| {
            set_pending(w, "d1");
            // The flags were all off: as they would be for no square.
            lies.turn_flag(CAPTURED, 16, D);
            w.pending = None;
        },
        reason: label::T2_FILE_AND_RANK,
    },
    Forgery {
        what: "four pieces vanish with the captured one",
        turn: FIRST,
        lie: |w, lies| {
            for flag in [A, B, RANKS + A, RANKS + B] {
                lies.turn_flag(CAPTURED, 16, flag);
            }
            set_pending(w, "b2");
            w.pending = None;
            w.removed = ROOK;
            for name in ["a1", "b1", "a2", "b2"] {
                put(w, name, 0);
            }
        },
        reason: label::T2_ONE_SQUARE,
    },
    Forgery {
        what: "the move goes on from another state than the committed one",
        turn: FIRST,
        lie: |w, _| w.public.commitment += Fr::ONE,
        reason: label::T1_COMMITMENT,
    },
    Forgery {
        what: "the move leads to another state than the next commitment's",
        turn: FIRST,
        lie: |w, _| w.public.next_commitment += Fr::ONE,
        reason: label::T21_NEXT_COMMITMENT,
    },
    Forgery {
        what: "a pawn leaves another one behind",
        turn: FIRST,
        lie: |w, _| put(w, "e2", 1),
        reason: label::T21_FROM_EMPTY,
    },
    Forgery {
        what: "a captured pawn moves",
        turn: FIRST,
        lie: |w, _| set_pending(w, "e2"),
        reason: label::T3_NOT_CAPTURED,
    },
    Forgery {
        what: "a pawn becomes a queen on its way",
        turn: FIRST,
        lie: |w, _| put(w, "e4", QUEEN),
        reason: label::T4_ARRIVED,
    },
    Forgery {
        what: "a queen stays although her square was captured",
        turn: FIRST,
        lie: |w, _| set_pending(w, "d1"),
        reason: label::T2_REMOVED,
    },
    Forgery {
        what: "castling leaves a rook in the corner",
        turn: CASTLING,
        lie: |w, _| put(w, "h1", ROOK),
        reason: label::T8_CORNER_EMPTY,
    },
    Forgery {
        what: "castling brings a queen",
        turn: CASTLING,
        lie: |w, _| put(w, "f1", QUEEN),
        reason: label::T8_ROOK_PLACED,
    },
    Forgery {
        what: "a king castles without the right",
        turn: CASTLING,
        lie: |w, _| w.rights[0] = false,
        reason: label::T8_RIGHT,
    },
    Forgery {
        what: "the last move was a double push on a ninth file",
        turn: FIRST,
        lie: |w, _| w.double_push = 9,
        reason: label::T1_DOUBLE_PUSH_FILE,
    },
];
