//! The sender of a sight-lines exchange: its only message is the answer with its proof, 733 elements and then the proof.

use super::{answer::Answer, key_ring::KeyRing, request::Request};
use crate::{
    F,
    engine::{CommittedState, Exchange, Fault, MessageSize, Party, Step},
    statement::{
        Proves, Unmet,
        answer::{AnswerPrivate, AnswerPublic, AnswerStatement, gather},
    },
    word::to_word,
};

pub(super) struct Sender {
    player: KeyRing,
    /// The statement of the answer and its witness, until it is proven.
    statement: Option<Box<(AnswerPublic, AnswerPrivate)>>,
}

impl Sender {
    /// The party, and the root of its answer. What the answer says is settled here; only the proof is made later.
    pub fn new(
        player: KeyRing,
        exchange: &Exchange,
        own: &CommittedState,
        request: Request,
    ) -> Result<(Self, F), Fault> {
        let statement = statement(&player, exchange, own, request)?;
        let AnswerPublic { header, elements, .. } = &statement.0;
        let answer = Answer::from_wire(elements, header.receiver, header.pending_receiver);
        let root = answer.map_err(Fault::internal)?.root();
        Ok((Self { player, statement: Some(Box::new(statement)) }, root))
    }
}

/// The statement of an answer and its witness.
pub(super) fn statement(
    player: &KeyRing,
    exchange: &Exchange,
    own: &CommittedState,
    request: Request,
) -> Result<(AnswerPublic, AnswerPrivate), Fault> {
    ensure!(exchange.sender() == player.color, Fault::internal("the sight is the own one"));
    own.check(player.color, exchange)?;
    let context = player.sight_context(exchange, request.root())?;
    let (header, salt) = (context.header(), super::context::element(&own.salt)?);
    let (side, secret) = (own.side.clone(), player.secret.clone());
    let statement = gather(side, salt, secret, &header, request).map_err(refusal)?;
    let is_own = statement.0.commitment == context.sender_commitment;
    ensure!(is_own, Fault::internal("the commitment is not the own state's"));
    Ok(statement)
}

/// Whether it is the request that can't be answered, or a defect of this side.
fn refusal(error: Unmet) -> Fault {
    match error {
        Unmet::Request(error) => Fault::Request(error.into()),
        error => Fault::internal(error),
    }
}

impl Party for Sender {
    type Output = ();

    fn shape(&self) -> Vec<MessageSize> {
        vec![super::answer_size(&*self.player.proofs)]
    }

    fn step(&mut self, received: Option<&[u8]>) -> Result<Step<()>, Fault> {
        let statement = self.statement.as_deref().filter(|_| received.is_none());
        let (public, private) = statement.ok_or(Fault::NotDue(0))?;
        let proof = Proves::<AnswerStatement>::prove(&*self.player.proofs, public, private);
        let mut message: Vec<u8> = public.elements.iter().flat_map(to_word).collect();
        message.extend(proof.map_err(Fault::Internal)?);
        self.statement = None;
        Ok(Step::send(message).with_output(()))
    }
}
