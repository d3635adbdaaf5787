//! Requests and opened squares.

use super::{FIRST, Forgery, KNIGHT_MOVE};
use ff::Field;
use halo2curves::bn256::Fr;

/// `acc` among the operands of arithmetic: of what picks a side, the left one.
const ACC: usize = 3;

pub const ALL: &[Forgery] = &[
    Forgery {
        what: "the next request is another one",
        turn: FIRST,
        lie: |w, _| w.public.next_request_root += Fr::ONE,
        reason: "T22.request_root",
    },
    Forgery {
        what: "the point isn't in the request",
        turn: KNIGHT_MOVE,
        lie: |w, _| w.public.request_root += Fr::ONE,
        reason: "T11.request_root",
    },
    Forgery {
        what: "the record isn't in the answer",
        turn: KNIGHT_MOVE,
        lie: |w, _| w.public.answer_root += Fr::ONE,
        reason: "T14.answer_root",
    },
    Forgery {
        what: "the request's path climbs from another leaf",
        turn: FIRST,
        lie: |_, lies| lies.add_to_operand("T11.path", ACC),
        reason: "T11.path",
    },
    Forgery {
        what: "the answer's path climbs from another leaf",
        turn: FIRST,
        lie: |_, lies| lies.add_to_operand("T14.path", ACC),
        reason: "T14.path",
    },
];
