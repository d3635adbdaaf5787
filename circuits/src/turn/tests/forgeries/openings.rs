//! Requests and opened squares.

use super::{ANSWER_ROOT, FIRST, Forgery, KNIGHT_MOVE, NEXT_ROOT, REQUEST_ROOT};
use ff::Field;
use halo2curves::bn256::Fr;

pub const ALL: &[Forgery] = &[
    Forgery {
        what: "the next request is another one",
        turn: FIRST,
        lie: |w, _| w.instance[NEXT_ROOT] += Fr::ONE,
        reason: "equal(root, public.next_request_root)",
    },
    Forgery {
        what: "the point isn't in the request",
        turn: KNIGHT_MOVE,
        lie: |w, _| w.instance[REQUEST_ROOT] += Fr::ONE,
        reason: "assert_equal_if(d.sheet, public.live, root, public.request_root)",
    },
    Forgery {
        what: "the record isn't in the answer",
        turn: KNIGHT_MOVE,
        lie: |w, _| w.instance[ANSWER_ROOT] += Fr::ONE,
        reason: "assert_equal_if(d.sheet, public.live, root, public.answer_root)",
    },
    Forgery {
        what: "a path climbs from another leaf",
        turn: FIRST,
        lie: |_, lies| {
            lies.add(
                "hash(Tag::Node, Input::Witness(left), Input::Witness(right))",
                1,
                0,
                Fr::ONE,
            )
        },
        reason: "equal(picked, node)",
    },
];
