//! *request data*: the words of calldata are the coordinates of the points under a request's root (protocol section 7), which a player
//! publishes to demand a sight on chain.
//!
//! The circuit has *turn*'s configuration, size and number of public inputs, so that one verifier's code serves both, with a key each. The
//! public inputs after its own three are bound to the cell of 0. The native twin is `fog::statement::request_data::check`.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use ff::Field;
use fog::statement::{
    request_data::{RequestDataInputs, RequestDataPrivate, RequestDataPublic},
    turn::TURN_INPUTS,
};
use halo2curves::bn256::Fr;

use super::turn::{TurnCircuit, config::TurnConfig, points::use_every_gate};
use crate::{
    StatementCircuit,
    gadget::{Cell, Context, Layout, Point, Tamper, layout::laid_circuit, merkle::request_root, polynomial::evaluate},
};

/// The circuit of *request data*.
#[derive(Clone)]
pub struct RequestDataCircuit {
    points: Arc<[[Fr; 2]; 64]>,
    /// The point at which calldata is compared.
    z: Fr,
    tampers: Vec<Tamper>,
}

fog::redacted!(RequestDataCircuit);

impl StatementCircuit for RequestDataCircuit {
    const NAME: &'static str = "request-data";
    const K: u32 = TurnCircuit::K;
    type Public = RequestDataPublic;
    type Private = RequestDataPrivate;

    fn new(public: &RequestDataPublic, private: &RequestDataPrivate) -> Self {
        let points = private.request.points.map(|point| [point.x, point.y]);
        Self { points: Arc::new(points), z: public.binding.z, tampers: Vec::new() }
    }

    fn blank() -> Self {
        Self { points: Arc::new([[Fr::ZERO; 2]; 64]), z: Fr::ZERO, tampers: Vec::new() }
    }

    /// Its own public inputs, and zeros up to *turn*'s number.
    fn instance(public: &RequestDataPublic) -> Vec<Vec<Fr>> {
        let mut column = public.to_instance().to_vec();
        column.resize(TURN_INPUTS, Fr::ZERO);
        vec![column]
    }
}

laid_circuit!(RequestDataCircuit, TurnConfig);

impl Layout for RequestDataCircuit {
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
