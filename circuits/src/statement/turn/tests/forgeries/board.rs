//! The state before and after.

use super::{CASTLING, FIRST, Forgery, QUEEN, ROOK, put, set_pending};
use crate::gadget::Label;
use ff::Field;
use halo2curves::bn256::Fr;

/// Flags of `from`'s file and rank and of `to`'s, eight each.
const AXES: Label = "T5.one_file_and_rank";
/// Flags of the captured square's file and rank.
const CAPTURED: Label = "T2.file_and_rank";
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
            w.mv.next_types.swap(d4, e4);
        },
        reason: "T5.on_board",
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
        reason: "T2.pending",
    },
    Forgery {
        what: "a queen stays although her square was captured: it has no rank",
        turn: FIRST,
        lie: |w, lies| {
            set_pending(w, "d1");
            // The flags were all off: as they would be for no square.
            lies.turn_flag(CAPTURED, 16, D);
            w.mv.pending = None;
        },
        reason: "T2.file_and_rank",
    },
    Forgery {
        what: "four pieces vanish with the captured one",
        turn: FIRST,
        lie: |w, lies| {
            for flag in [A, B, RANKS + A, RANKS + B] {
                lies.turn_flag(CAPTURED, 16, flag);
            }
            set_pending(w, "b2");
            w.mv.pending = None;
            w.mv.removed = ROOK;
            for name in ["a1", "b1", "a2", "b2"] {
                put(w, name, 0);
            }
        },
        reason: "T2.one_square",
    },
    Forgery {
        what: "the move goes on from another state than the committed one",
        turn: FIRST,
        lie: |w, _| w.public.commitment += Fr::ONE,
        reason: "T1.commitment",
    },
    Forgery {
        what: "the move leads to another state than the next commitment's",
        turn: FIRST,
        lie: |w, _| w.public.next_commitment += Fr::ONE,
        reason: "T21.next_commitment",
    },
    Forgery {
        what: "a pawn leaves another one behind",
        turn: FIRST,
        lie: |w, _| put(w, "e2", 1),
        reason: "T21.from_empty",
    },
    Forgery { what: "a captured pawn moves", turn: FIRST, lie: |w, _| set_pending(w, "e2"), reason: "T3.not_captured" },
    Forgery {
        what: "a pawn becomes a queen on its way",
        turn: FIRST,
        lie: |w, _| put(w, "e4", QUEEN),
        reason: "T4.arrived",
    },
    Forgery {
        what: "a queen stays although her square was captured",
        turn: FIRST,
        lie: |w, _| set_pending(w, "d1"),
        reason: "T2.removed",
    },
    Forgery {
        what: "castling leaves a rook in the corner",
        turn: CASTLING,
        lie: |w, _| put(w, "h1", ROOK),
        reason: "T8.corner_empty",
    },
    Forgery {
        what: "castling brings a queen",
        turn: CASTLING,
        lie: |w, _| put(w, "f1", QUEEN),
        reason: "T8.rook_placed",
    },
    Forgery {
        what: "a king castles without the right",
        turn: CASTLING,
        lie: |w, _| w.mv.rights[0] = false,
        reason: "T8.right",
    },
    Forgery {
        what: "the last move was a double push on a ninth file",
        turn: FIRST,
        lie: |w, _| w.mv.double_push = 9,
        reason: "T1.double_push_file",
    },
];
