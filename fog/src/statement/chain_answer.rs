//! The statement *chain answer*: *answer* in the form that a contract verifies, when a sight is demanded on chain (protocol section 7).
//!
//! The relation is that of [`answer`](super::answer). In place of the points there is the request's root, which the contract has from the
//! receiver's last *turn*, and in place of the 733 elements their root and what binds them to calldata ([`binding`](crate::binding)): 12
//! public inputs instead of 869.
//!
//! `y` is over the elements in wire order, as they stand in calldata, so the contract needs no table of their places. Eight of them, the
//! double pushes of the receiver's pawn rank, stand where the receiver's color puts them; the circuit passes over the eight places of
//! the other color.
//!
//! **An honest sender can always make this statement true.** That takes a request whose points are on the curve and none of which is
//! `±j·A` for a choice `j` that is asked there ([`RequestError`](crate::engine::sight_lines::request::RequestError)). Every root that a
//! contract demands an answer for came with a *turn* proof, in whose circuit all 64 points under it are `r·g + c·A` by additions that
//! have no exceptional case, from `A` and `g`, which are on the curve. So they are on it, none is at infinity, and
//! `r·g + c·A = ±j·A` with `r·g ≠ O` would mean that whoever proved the turn knew the discrete logarithm of the fog key, `a`, which is
//! the sender's secret. The two roots of the opening, 0, have no points at all.

use super::{
    Unmet,
    answer::{AnswerInputs, AnswerPrivate, AnswerPublic, open},
};
use crate::{
    F,
    binding::{Binding, binding, evaluate},
    curve::FogKey,
    engine::sight_lines::answer::{Answer, WireError, answer},
    engine::sight_lines::context::AnswerHeader,
    engine::sight_lines::request::Request,
};

public_inputs! {
    /// The public inputs of *chain answer*: those of *answer* before points and elements, then roots and binding.
    ChainAnswerInputs, CHAIN_ANSWER_INPUTS of ChainAnswerPublic:
    /// The sender's commitment, `C`.
    commitment,
    /// The sender's applied captured square (phase 1 only).
    pending_sender,
    /// The sender's fog key.
    fog_key_x,
    /// The sender's fog key.
    fog_key_y,
    /// `ctx`, which the answer is bound to.
    context,
    /// The receiver's color: 0 white, 1 black.
    receiver,
    /// 0 before the receiver's move, 1 after it.
    phase,
    /// The receiver's applied captured square (phase 0 only).
    pending_receiver,
    /// The root over the leaves of the receiver's 64 points.
    request_root,
    /// The root over the leaves of the answer's 64 records.
    answer_root,
    /// A hash of the answer's root and its 733 elements.
    z,
    /// The value at `z` of the polynomial that has the elements, in wire order, for coefficients.
    y,
}

impl<T: Copy> ChainAnswerInputs<T> {
    /// Those of *answer*, the request's root and the answer's, `z` and `y`.
    pub fn new(answer: &AnswerInputs<T>, [request_root, answer_root]: [T; 2], [z, y]: [T; 2]) -> Self {
        // The public inputs of *answer* come first, in the same order.
        let mut all = [y; CHAIN_ANSWER_INPUTS];
        let (of_answer, more) = all.split_at_mut(answer.to_array().len());
        of_answer.copy_from_slice(&answer.to_array());
        more.copy_from_slice(&[request_root, answer_root, z, y]);
        Self::from_array(all)
    }
}

statement! {
    /// *chain answer*: an answer that everybody can hold against its calldata.
    ChainAnswerStatement: ChainAnswerPublic, ChainAnswerPrivate
}

/// What everybody knows of an answer on chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainAnswerPublic {
    pub commitment: F,
    /// The sender's fog key.
    pub fog_key: FogKey,
    /// What the answer is made under.
    pub header: AnswerHeader,
    pub request_root: F,
    pub answer_root: F,
    /// What binds the elements in calldata to the answer's root.
    pub binding: Binding,
}

impl ChainAnswerPublic {
    /// The public inputs by name.
    pub fn inputs(&self) -> ChainAnswerInputs<F> {
        let answer = AnswerInputs::new(self.commitment, &self.fog_key, &self.header);
        let Binding { z, y } = self.binding;
        ChainAnswerInputs::new(&answer, [self.request_root, self.answer_root], [z, y])
    }
}

/// The points, which aren't public inputs here, and what only the sender knows.
#[derive(Clone, PartialEq, Eq)]
pub struct ChainAnswerPrivate {
    pub request: Request,
    pub answer: AnswerPrivate,
}

crate::redacted!(ChainAnswerPrivate);

/// Makes the public and private parts from those of an answer. The elements for calldata are `answer.elements`.
///
/// The elements aren't checked here, only put in their places: an answer that isn't the board's gives a statement that isn't true.
pub fn gather(
    answer: &AnswerPublic,
    private: AnswerPrivate,
) -> Result<(ChainAnswerPublic, ChainAnswerPrivate), WireError> {
    let AnswerPublic { commitment, fog_key, header, ref request, ref elements } = *answer;
    let answer_root = Answer::from_wire(elements, header.receiver, header.pending_receiver)?.root();
    let public = ChainAnswerPublic {
        commitment,
        fog_key,
        header,
        request_root: request.root(),
        answer_root,
        binding: binding(answer_root, elements),
    };
    Ok((public, ChainAnswerPrivate { request: request.clone(), answer: private }))
}

/// The relation of *chain answer*. That `z` is the hash of root and calldata is the contract's to see: here it may be any point.
pub fn check(public: &ChainAnswerPublic, private: &ChainAnswerPrivate) -> Result<(), Unmet> {
    let sender = open(public.commitment, &public.fog_key, &public.header, &private.answer)?;
    ensure!(private.request.root() == public.request_root, Unmet::RequestRoot);
    let right = answer(&sender, &private.answer.secret, &public.header, &private.request)?;
    ensure!(right.root() == public.answer_root, Unmet::AnswerRoot);
    let Binding { z, y } = public.binding;
    ensure!(evaluate(&right.to_wire(), z) == y, Unmet::Value);
    Ok(())
}
