//! Requests and opened squares.

use super::{FIRST, Forgery, KNIGHT_MOVE, label};
use ff::Field;
use halo2curves::bn256::Fr;

/// `acc` among the operands of arithmetic: of what picks a side, the left one.
const ACC: usize = 3;

pub const ALL: &[Forgery] = &[
    Forgery {
        what: "the next request is another one",
        turn: FIRST,
        lie: |w, _| w.public.next_request_root += Fr::ONE,
        reason: label::T22_REQUEST_ROOT,
    },
    Forgery {
        what: "the point isn't in the request",
        turn: KNIGHT_MOVE,
        lie: |w, _| w.public.request_root += Fr::ONE,
        reason: label::T11_REQUEST_ROOT,
    },
    Forgery {
        what: "the record isn't in the answer",
        turn: KNIGHT_MOVE,
        lie: |w, _| w.public.answer_root += Fr::ONE,
        reason: label::T14_ANSWER_ROOT,
    },
    Forgery {
        what: "the request's path climbs from another leaf",
        turn: FIRST,
        lie: |_, lies| lies.add_to_operand(label::T11_PATH, ACC),
        reason: label::T11_PATH,
    },
    Forgery {
        what: "the answer's path climbs from another leaf",
        turn: FIRST,
        lie: |_, lies| lies.add_to_operand(label::T14_PATH, ACC),
        reason: label::T14_PATH,
    },
];
