//! [`OnChain`] of sight-lines: what a dispute takes.

use super::{
    answer::ANSWER_BYTES,
    context::element,
    key_ring::KeyRing,
    receiver::{Receiver, Trusted},
    request::Request,
    sender,
};
use crate::{
    engine::{BoxedParty, CommittedState, Exchange, Fault, OnChain, Published, Word},
    statement::{
        Proves,
        chain_answer::{self, ChainAnswerStatement},
        fifty::{self, FiftyStatement},
        no_move::{self, NoMoveStatement},
        request_data::{self, RequestDataStatement},
        turn::{TURN_INPUTS, TurnPublic, TurnSight, TurnStatement},
    },
    word::to_word,
};
use rules::Sight;

impl OnChain for KeyRing {
    fn verify_move(&self, inputs: &[Word], proof: &[u8]) -> Result<(), Fault> {
        let inputs: Vec<_> = inputs.iter().map(element).collect::<Result<_, _>>()?;
        let inputs: [_; TURN_INPUTS] =
            inputs.try_into().map_err(|_| Fault::internal("a move has another number of public inputs"))?;
        let public = TurnPublic::from_instance(inputs);
        let public = public.ok_or_else(|| Fault::internal("a move of the chain has other public inputs"))?;
        Proves::<TurnStatement>::verify(&*self.proofs, &public, proof).map_err(|cause| Fault::unproven(0, cause))
    }

    fn prove_request(&self, own: &CommittedState) -> Result<Vec<u8>, Fault> {
        let (public, private) = request_data::gather(self.own_request(own)?);
        Proves::<RequestDataStatement>::prove(&*self.proofs, &public, &private).map_err(Fault::Internal)
    }

    fn prove_answer(&self, exchange: &Exchange, own: &CommittedState, request: &[u8]) -> Result<Published, Fault> {
        let request = Request::from_bytes(request).map_err(|error| Fault::Request(error.into()))?;
        let (answer, private) = sender::statement(self, exchange, own, request)?;
        let content: Vec<u8> = answer.elements.iter().flat_map(to_word).collect();
        debug_assert_eq!(content.len(), ANSWER_BYTES);
        let (public, private) = chain_answer::gather(&answer, private).map_err(Fault::internal)?;
        let proof = Proves::<ChainAnswerStatement>::prove(&*self.proofs, &public, &private).map_err(Fault::Internal)?;
        Ok(Published { digest: to_word(&public.answer_root), content, proof })
    }

    fn prove_fifty(&self, own: &CommittedState) -> Result<Vec<u8>, Fault> {
        let (public, private) = fifty::gather(&own.side, element(&own.salt)?).map_err(Fault::internal)?;
        Proves::<FiftyStatement>::prove(&*self.proofs, &public, &private).map_err(Fault::Internal)
    }

    fn prove_no_move(&self, exchange: &Exchange, own: &CommittedState, messages: &[Vec<u8>]) -> Result<Vec<u8>, Fault> {
        let (scalars, request_tree, answer, ctx) = self.sight(exchange, own, messages)?;
        let draft = no_move::NoMoveDraft {
            side: &own.side,
            salt: element(&own.salt)?,
            pending: exchange.pending_of(self.color),
            fog_key: *self.peer_key(),
            sight: TurnSight { request_tree: &request_tree, scalars: &scalars, answer: &answer, ctx },
        };
        let (public, private) = no_move::gather(&draft).map_err(Fault::internal)?;
        Proves::<NoMoveStatement>::prove(&*self.proofs, &public, &private).map_err(Fault::Internal)
    }

    fn receive_published(
        &self,
        exchange: &Exchange,
        own: &CommittedState,
        digest: Word,
    ) -> Result<BoxedParty<Sight>, Fault> {
        let receiver = Receiver::new(self.clone(), exchange.clone(), own.clone(), Some(digest), Trusted::Contract)?;
        Ok(Box::new(receiver))
    }
}
