//! Points and scalars.

use super::{FIRST, Forgery};
use ff::Field;
use halo2curves::bn256::Fr;

pub const ALL: &[Forgery] = &[
    Forgery {
        what: "all chains start off the curve",
        turn: FIRST,
        lie: |w, _| w.offset.y += Fr::ONE,
        reason: "T11.offset_on_curve",
    },
    Forgery {
        what: "every point is shifted by a multiple of the fog key",
        turn: FIRST,
        lie: |_, lies| lies.turn_last_bit("T11.offset_digits"),
        reason: "T11.offset_digits",
    },
    Forgery {
        what: "the key is made with other high bits than the point",
        turn: FIRST,
        lie: |_, lies| lies.turn_last_bit("T15.scalar_high"),
        reason: "T15.scalar_high",
    },
    Forgery {
        what: "the key is made with other low bits than the point",
        turn: FIRST,
        lie: |_, lies| lies.turn_last_bit("T15.scalar_low"),
        reason: "T15.scalar_low",
    },
];
