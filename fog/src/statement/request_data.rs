//! The statement *request data*: these 128 words of calldata are the coordinates of the points under a request's root (protocol section
//! 7). Who demands a sight on chain publishes them so.
//!
//! The root is that of the private points, and `y` is the value at `z` of the polynomial that has their coordinates for coefficients, in
//! wire order ([`binding`](crate::binding)).
//!
//! **Nothing is said of the curve.** The root is one that the contract has from a *turn* proof, and that fixes the points: they are on the
//! curve and can be answered, for the reasons given in [`chain_answer`](super::chain_answer). No point off the curve, made up after the
//! turn, has a path to such a root. Root 0 of the opening has no points, so nothing can be demanded by it.

use super::Unmet;
use crate::{
    F,
    binding::{Binding, binding, evaluate},
    engine::sight_lines::request::Request,
};

public_inputs! {
    /// The public inputs of *request data*. Its circuit has *turn*'s shape, whose further public inputs are 0.
    RequestDataInputs, REQUEST_DATA_INPUTS of RequestDataPublic:
    /// The root over the leaves of the 64 points.
    request_root,
    /// A hash of the root and the 128 coordinates.
    z,
    /// The value at `z` of the polynomial that has the coordinates for coefficients.
    y,
}

statement! {
    /// *request data*: a request's coordinates are those in calldata.
    RequestDataStatement: RequestDataPublic, RequestDataPrivate
}

/// What everybody knows of a request on chain, besides the coordinates in calldata.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestDataPublic {
    pub request_root: F,
    /// What binds the coordinates in calldata to the root.
    pub binding: Binding,
}

impl RequestDataPublic {
    /// The public inputs by name.
    pub fn inputs(&self) -> RequestDataInputs<F> {
        let Binding { z, y } = self.binding;
        RequestDataInputs { request_root: self.request_root, z, y }
    }
}

/// What the proof is of; it becomes public with calldata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestDataPrivate {
    pub request: Request,
}

/// Makes the public and private parts for a request. The words for calldata are [`Request::coordinates`].
pub fn gather(request: Request) -> (RequestDataPublic, RequestDataPrivate) {
    let request_root = request.root();
    let binding = binding(request_root, &request.coordinates());
    (RequestDataPublic { request_root, binding }, RequestDataPrivate { request })
}

/// The relation of *request data*. That `z` is the hash of root and calldata is the contract's to see: here it may be any point.
pub fn check(public: &RequestDataPublic, private: &RequestDataPrivate) -> Result<(), Unmet> {
    ensure!(private.request.root() == public.request_root, Unmet::RequestRoot);
    let Binding { z, y } = public.binding;
    ensure!(evaluate(&private.request.coordinates(), z) == y, Unmet::Value);
    Ok(())
}
