//! *fifty*: whether a player has moved no pawn for fifty moves (protocol section 7), proved on chain in a claim of fifty moves, by
//! either player. On *turn*'s columns, without points. The native twin is `fog::statement::fifty::check`.

#[cfg(test)]
mod tests;

use fog::statement::fifty::{FIFTY, FiftyInputs, FiftyPrivate, FiftyPublic, FiftyStatement};

use super::turn::config::TurnConfig;
use crate::gadget::{
    Assigned, Cell, CircuitOf, Context,
    state::{State, StateWitness},
};

/// Bits of the counter, and the one above them.
const RAISED_BITS: usize = 8;

/// The circuit of *fifty*.
pub type FiftyCircuit = CircuitOf<StateWitness>;

impl Assigned for StateWitness {
    const NAME: &'static str = "fifty";
    const K: u32 = 14;
    type Statement = FiftyStatement;
    type Columns = TurnConfig;

    /// The public part follows from the private one, so it isn't looked at.
    fn of(_: &FiftyPublic, private: &FiftyPrivate) -> Self {
        Self::new(&private.side, private.salt)
    }

    fn for_keys() -> Self {
        Self::blank()
    }

    fn lay(&self, _: &TurnConfig, cx: &mut Context<'_>) -> Vec<Cell> {
        let state = State::open(cx, "F1.double_push", self);
        let counter = cx.number(&state.counter);
        // Raised so that fifty becomes a power of two, the counter has that bit just if it is fifty or more.
        let fifty = 1 << (RAISED_BITS - 1);
        let raised = cx.linear(&[(1, counter)], fifty - i64::from(FIFTY));
        let bits = cx.free_bits(raised.value, RAISED_BITS);
        let number = cx.number(&bits);
        cx.equal("F2.counter", number, raised);
        let inputs = FiftyInputs { commitment: state.commitment, bit: bits[RAISED_BITS - 1] };
        inputs.to_array().to_vec()
    }
}
