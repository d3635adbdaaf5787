//! [`Keys`] of sight-lines: requests, both parties of an exchange, and the proof of a move.

use super::{
    answer::{ANSWER_BYTES, Answer},
    key_ring::{KeyRing, element},
    proofs::Proofs,
    receiver::Receiver,
    request::Request,
    sender::Sender,
};
use crate::{
    engine::{BoxedParty, CommittedState, Exchange, Fault, Keys, MoveStep, Word},
    statement::turn::{TurnDraft, TurnPrivate, TurnPublic, TurnSight, gather},
    word::to_word,
};
use rules::Sight;
use std::sync::Arc;

/// What one player holds for one game.
pub(super) struct SightKeys<P>(pub Arc<KeyRing<P>>);

impl<P: Proofs + 'static> Keys for SightKeys<P> {
    fn request(&self, own: &CommittedState) -> Result<Vec<u8>, Fault> {
        Ok(self.0.request(own)?.to_bytes())
    }

    fn request_digest(&self, request: &[u8]) -> Result<Word, Fault> {
        Ok(to_word(&read_request(request)?.root()))
    }

    fn context(&self, exchange: &Exchange, request_digest: &Word) -> Result<Word, Fault> {
        let context = self.0.context(exchange, element(request_digest)?)?;
        Ok(to_word(&context.ctx()))
    }

    fn receiver(
        &self,
        exchange: &Exchange,
        own: &CommittedState,
        promised: Option<Word>,
    ) -> Result<BoxedParty<Sight>, Fault> {
        let receiver = Receiver::new(self.0.clone(), exchange.clone(), own.clone(), promised)?;
        Ok(Box::new(receiver))
    }

    fn sender(
        &self,
        exchange: &Exchange,
        own: &CommittedState,
        request: &[u8],
    ) -> Result<(BoxedParty<()>, Word), Fault> {
        let (sender, root) = Sender::new(&self.0, exchange, own, read_request(request)?)?;
        Ok((Box::new(sender), to_word(&root)))
    }

    fn prove_move(&self, step: &MoveStep) -> Result<Vec<u8>, Fault> {
        let (public, private) = self.turn(step)?;
        let is_posted = to_word(&public.commitment) == step.before.commitment
            && to_word(&public.next_commitment) == step.after.commitment
            && (public.capture, public.king_fell) == (step.capture, step.king_fell);
        if !is_posted {
            let what = "the statement is not the one that the contract will check";
            return Err(Fault::internal(what));
        }
        let proof = self.0.proofs.prove_turn(&public, &private);
        proof.map_err(Fault::Internal)
    }
}

impl<P: Proofs> SightKeys<P> {
    /// The statement of a move.
    fn turn(&self, step: &MoveStep) -> Result<(TurnPublic, TurnPrivate), Fault> {
        let player = &self.0;
        let (before, after) = (&step.before, &step.after);
        let (scalars, next_scalars) = (player.scalars(before)?, player.scalars(after)?);
        let seen = step.seen.as_ref();
        let seen = seen.map(|(exchange, messages)| self.sight(exchange, before, messages));
        let seen = seen.transpose()?;
        let sight =
            seen.as_ref().map(|(request, answer, ctx)| TurnSight { request, scalars: &scalars, answer, ctx: *ctx });
        let exchange = step.seen.as_ref().map(|(exchange, _)| exchange);
        let inputs = TurnDraft {
            side: &before.side,
            salt: element(&before.salt)?,
            pending: exchange.and_then(|exchange| exchange.pending_of(player.color)),
            mv: step.mv,
            next_salt: element(&after.salt)?,
            fog_key: *player.peer_key(),
            sight,
            next_scalars: &next_scalars,
        };
        gather(&inputs).map_err(Fault::internal)
    }

    /// The own request, the answer to it and its `ctx`.
    fn sight(
        &self,
        exchange: &Exchange,
        own: &CommittedState,
        messages: &[Vec<u8>],
    ) -> Result<(Request, Answer, crate::F), Fault> {
        self.0.check_own(exchange, own)?;
        let request = self.0.request(own)?;
        let context = self.0.context(exchange, request.root())?;
        let message = messages.first().and_then(|message| message.get(..ANSWER_BYTES));
        let message = message.ok_or_else(|| Fault::internal("the exchange has no answer"))?;
        let (receiver, pending) = (exchange.receiver(), context.pending_receiver);
        let answer = Answer::from_bytes(message, receiver, pending).map_err(Fault::internal)?;
        Ok((request, answer, context.ctx()))
    }
}

fn read_request(bytes: &[u8]) -> Result<Request, Fault> {
    Request::from_bytes(bytes).map_err(|error| Fault::Request(error.into()))
}
