//! What one player of the open engine holds for one game.

use crate::oracle::Oracle;
use fog::curve::FogKey;
use fog::engine::sight_lines::context::SightContext;
use fog::engine::{Cause, Exchange, Fault, Game};
use halo2curves::bn256::Fr;
use rules::Color;

#[derive(Clone)]
pub(super) struct Keys {
    pub oracle: Oracle,
    pub game: Game,
    pub color: Color,
    pub fog_keys: [FogKey; 2],
}

impl Keys {
    /// A step of work: it fails where the world says so.
    pub fn work(&self) -> Result<(), Fault> {
        if self.oracle.is_failing() { Err(simulated("out of memory, as drawn".into())) } else { Ok(()) }
    }

    pub fn sight_context(&self, exchange: &Exchange, request_root: Fr) -> Result<SightContext, Fault> {
        let context = SightContext::new(&self.game, exchange, request_root);
        context.ok_or_else(|| Fault::internal("a word of the chain is no field element"))
    }
}

/// A fault of this side.
pub(super) fn simulated(cause: Cause) -> Fault {
    Fault::Internal(cause)
}
