//! *fifty*: whether a player has moved no pawn for fifty moves (protocol section 7), proved on chain in a claim of fifty moves, by
//! either player. On *turn*'s columns, without points. The native twin is `fog::statement::fifty::check`.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use fog::statement::fifty::{FIFTY, FiftyInputs, FiftyPrivate, FiftyPublic};
use halo2curves::bn256::Fr;

use super::turn::config::{TurnConfig, padded};
use crate::{
    StatementCircuit,
    gadget::{
        Cell, Context, Layout, Tamper,
        layout::laid_circuit,
        state::{State, StateWitness},
    },
};

/// Bits of the counter, and the one above them.
const RAISED_BITS: usize = 8;

/// The circuit of *fifty*.
#[derive(Clone)]
pub struct FiftyCircuit {
    state: Arc<StateWitness>,
    tampers: Vec<Tamper>,
}

fog::redacted!(FiftyCircuit);

impl StatementCircuit for FiftyCircuit {
    const NAME: &'static str = "fifty";
    const K: u32 = 14;
    type Public = FiftyPublic;
    type Private = FiftyPrivate;

    /// The public part follows from the private one, so it isn't looked at.
    fn new(_: &FiftyPublic, private: &FiftyPrivate) -> Self {
        Self { state: Arc::new(StateWitness::new(&private.side, private.salt)), tampers: Vec::new() }
    }

    fn blank() -> Self {
        Self { state: Arc::new(StateWitness::blank()), tampers: Vec::new() }
    }

    fn instance(public: &FiftyPublic) -> Vec<Vec<Fr>> {
        vec![padded(&public.to_instance())]
    }
}

laid_circuit!(FiftyCircuit, TurnConfig);

impl Layout for FiftyCircuit {
    fn lay(&self, _: &TurnConfig, cx: &mut Context<'_>) -> Vec<Cell> {
        let state = State::open(cx, "F1.double_push", &self.state);
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
