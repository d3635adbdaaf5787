//! *request data*: the words of calldata are the coordinates of the points under a request's root (protocol section 7), which a player
//! publishes to demand a sight on chain.
//!
//! The circuit has *turn*'s configuration, size and number of public inputs, so that one verifier's code serves both, with a key each. The
//! public inputs after its own three are bound to the cell of 0. The native twin is `fog::statement::request_data::check`.

#[cfg(test)]
mod tests;

use ff::Field;
use fog::statement::{
    request_data::{RequestDataInputs, RequestDataPrivate, RequestDataPublic, RequestDataStatement},
    turn::TURN_INPUTS,
};
use halo2curves::bn256::Fr;

use super::turn::{config::TurnConfig, points::use_every_gate};
use crate::gadget::{Assigned, Cell, CircuitOf, Context, Point, merkle::request_root, polynomial::evaluate};

/// The circuit of *request data*.
pub type RequestDataCircuit = CircuitOf<Witness>;

/// What the prover assigns.
pub struct Witness {
    points: [[Fr; 2]; 64],
    /// The point at which calldata is compared.
    z: Fr,
}

impl Assigned for Witness {
    const NAME: &'static str = "request-data";
    const K: u32 = 14;
    type Statement = RequestDataStatement;
    type Columns = TurnConfig;

    fn of(public: &RequestDataPublic, private: &RequestDataPrivate) -> Self {
        Self { points: private.request.points.map(|point| [point.x, point.y]), z: public.binding.z }
    }

    fn for_keys() -> Self {
        Self { points: [[Fr::ZERO; 2]; 64], z: Fr::ZERO }
    }

    fn lay(&self, config: &TurnConfig, cx: &mut Context<'_>) -> Vec<Cell> {
        use_every_gate(cx, config);
        let z = cx.witness(self.z);
        let coordinates: Vec<Cell> = self.points.iter().flatten().map(|&value| cx.witness(value)).collect();
        let points = coordinates.chunks_exact(2).map(|pair| Point { x: pair[0], y: pair[1] });
        let request_root = request_root(cx, points);
        let y = evaluate(cx, &coordinates, z);
        let mut public = RequestDataInputs { request_root, z, y }.to_array().to_vec();
        public.resize(TURN_INPUTS, cx.zero);
        public
    }
}
