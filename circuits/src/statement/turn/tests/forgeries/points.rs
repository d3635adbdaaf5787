//! Points and scalars.

use super::{FIRST, Forgery, label};
use ff::Field;
use halo2curves::bn256::Fr;

pub const ALL: &[Forgery] = &[
    Forgery {
        what: "all chains start off the curve",
        turn: FIRST,
        lie: |w, _| w.offset.y += Fr::ONE,
        reason: label::T11_OFFSET_ON_CURVE,
    },
    Forgery {
        what: "every point is shifted by a multiple of the fog key",
        turn: FIRST,
        lie: |_, lies| lies.turn_last_bit(label::T11_OFFSET_DIGITS),
        reason: label::T11_OFFSET_DIGITS,
    },
    Forgery {
        what: "the key is made with other high bits than the point",
        turn: FIRST,
        lie: |_, lies| lies.turn_last_bit(label::T15_SCALAR_HIGH),
        reason: label::T15_SCALAR_HIGH,
    },
    Forgery {
        what: "the key is made with other low bits than the point",
        turn: FIRST,
        lie: |_, lies| lies.turn_last_bit(label::T15_SCALAR_LOW),
        reason: label::T15_SCALAR_LOW,
    },
];
