//! Points and scalars.

use super::{FIRST, Forgery};
use ff::Field;
use halo2curves::bn256::Fr;

/// The column of a ladder's digits.
const Z: usize = 2;

pub const ALL: &[Forgery] = &[
    Forgery {
        what: "all chains start off the curve",
        turn: FIRST,
        lie: |w, _| w.offset.y += Fr::ONE,
        reason: "equal(y_squared, right)",
    },
    Forgery {
        what: "every point is shifted by a multiple of the fog key",
        turn: FIRST,
        lie: |_, lies| {
            lies.turn(
                "ladder(d.sheet, row, start, half, zero, &[false; CHOICE])",
                Z,
                0,
            )
        },
        reason: "equal(chain.z, zero)",
    },
    Forgery {
        what: "the key is made with other high bits than the point",
        turn: FIRST,
        lie: |_, lies| lies.turn("&bits[..HIGH]", Z, 0),
        reason: "equal(high.z, choice.high)",
    },
    Forgery {
        what: "the key is made with other low bits than the point",
        turn: FIRST,
        lie: |_, lies| lies.turn("&bits[HIGH..]", Z, 0),
        reason: "equal(low.z, choice.low)",
    },
];
