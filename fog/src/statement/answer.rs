//! The statement *answer*: every element of an answer is what the sender's committed board makes it (protocol section 7).
//!
//! `A = a·g`; `C` opens to the sender's state; its applied captured square is removed; all 733 elements are those of
//! section 5. Who verifies makes the public inputs itself: that `ctx`, phase and the two captured squares belong together
//! is not stated here but bound by `ctx`. The on-chain form, with roots and `(z, y)` in place of the points and elements,
//! is another statement over the same relation: [`chain_answer`](super::chain_answer).

use super::Unmet;
use crate::{
    F,
    commitment::{commit, is_well_formed},
    curve::{FogKey, FogSecret},
    engine::sight_lines::answer::{ELEMENTS, WireError, answer},
    engine::sight_lines::context::{AnswerHeader, square_field},
    engine::sight_lines::request::{COORDINATES, Request},
};
use rules::Side;

public_inputs! {
    /// The public inputs of *answer* before the points and the elements. A square is 0 to 63, and 64 for none.
    AnswerInputs, ANSWER_SCALARS:
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
}

impl AnswerInputs<F> {
    /// What a commitment, a fog key and a header say.
    pub fn new(commitment: F, fog_key: &FogKey, header: &AnswerHeader) -> Self {
        let (fog_key_x, fog_key_y) = fog_key.xy();
        Self {
            commitment,
            pending_sender: square_field(header.pending_sender),
            fog_key_x,
            fog_key_y,
            context: header.ctx,
            receiver: F::from(header.receiver as u64),
            phase: F::from(header.phase as u64),
            pending_receiver: square_field(header.pending_receiver),
        }
    }
}

/// Public inputs of the peer-to-peer form.
pub const ANSWER_INPUTS: usize = ANSWER_SCALARS + COORDINATES + ELEMENTS;

statement! {
    /// *answer*: what one player's request sees of the other's board.
    AnswerStatement: AnswerPublic, AnswerPrivate
}

/// What sender and receiver both know of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerPublic {
    pub commitment: F,
    /// The sender's fog key.
    pub fog_key: FogKey,
    /// What the answer is made under.
    pub header: AnswerHeader,
    pub request: Request,
    /// The answer on the wire: 733 elements.
    pub elements: Vec<F>,
}

impl AnswerPublic {
    /// The public inputs before the points and the elements, by name.
    pub fn inputs(&self) -> AnswerInputs<F> {
        AnswerInputs::new(self.commitment, &self.fog_key, &self.header)
    }

    /// All public inputs in order: those by name, 128 coordinates, 733 elements.
    pub fn to_instance(&self) -> Vec<F> {
        let mut instance = self.inputs().to_array().to_vec();
        instance.extend(self.request.coordinates());
        instance.extend_from_slice(&self.elements);
        instance
    }
}

/// What only the sender knows.
#[derive(Clone, PartialEq, Eq)]
pub struct AnswerPrivate {
    /// The committed state, before the removal of the piece on the sender's captured square.
    pub side: Side,
    pub salt: F,
    /// The fog secret `a`.
    pub secret: FogSecret,
}

crate::wiped_on_drop!(AnswerPrivate: salt);

/// Makes the public and private parts of an answer.
pub fn gather(
    side: Side,
    salt: F,
    secret: FogSecret,
    header: &AnswerHeader,
    request: Request,
) -> Result<(AnswerPublic, AnswerPrivate), Unmet> {
    ensure!(side.color != header.receiver, Unmet::Color);
    ensure!(is_well_formed(&side), Unmet::StateRange);
    let elements = answer(&side, &secret, header, &request)?.to_wire();
    let (commitment, fog_key) = (commit(&side, salt), secret.key());
    let public = AnswerPublic { commitment, fog_key, header: *header, request, elements };
    Ok((public, AnswerPrivate { side, salt, secret }))
}

/// The relation of *answer*.
pub fn check(public: &AnswerPublic, private: &AnswerPrivate) -> Result<(), Unmet> {
    let sender = open(public.commitment, &public.fog_key, &public.header, private)?;
    ensure!(public.elements.len() == ELEMENTS, WireError::Count(public.elements.len()).into());
    let right = answer(&sender, &private.secret, &public.header, &public.request)?;
    let wrong = right.to_wire().iter().zip(&public.elements).position(|(right, given)| right != given);
    wrong.map_or(Ok(()), |index| Err(Unmet::Element(index)))
}

/// The sender's side, if commitment and fog key are those of the private part. The color is public and no part of the state, so the
/// private side's own is not looked at.
pub(super) fn open(
    commitment: F,
    fog_key: &FogKey,
    header: &AnswerHeader,
    private: &AnswerPrivate,
) -> Result<Side, Unmet> {
    let side = Side { color: !header.receiver, ..private.side.clone() };
    ensure!(is_well_formed(&side), Unmet::StateRange);
    ensure!(commit(&side, private.salt) == commitment, Unmet::Commitment);
    ensure!(private.secret.key() == *fog_key, Unmet::FogKey);
    Ok(side)
}
