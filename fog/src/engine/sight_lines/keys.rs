//! [`GameKeys`] of sight-lines: requests, both parties of an exchange, and the proof of a move.

use super::{
    answer::{ANSWER_BYTES, Answer},
    context::element,
    key_ring::KeyRing,
    receiver::{Receiver, Trusted},
    request::Request,
    secrets::RequestScalars,
    sender::Sender,
};
use crate::{
    engine::{BoxedParty, CommittedState, Exchange, Fault, GameKeys, MoveStep, OnChain, Word},
    merkle::Tree,
    statement::{
        Proves,
        turn::{TurnDraft, TurnPrivate, TurnPublic, TurnSight, TurnStatement, gather},
    },
    word::to_word,
};
use rules::Sight;

impl GameKeys for KeyRing {
    fn request(&self, own: &CommittedState) -> Result<Vec<u8>, Fault> {
        Ok(self.own_request(own)?.to_bytes())
    }

    fn request_digest(&self, request: &[u8]) -> Result<Word, Fault> {
        Ok(to_word(&read_request(request)?.root()))
    }

    fn context(&self, exchange: &Exchange, request_digest: &Word) -> Result<Word, Fault> {
        Ok(to_word(&self.sight_context(exchange, element(request_digest)?)?.ctx()))
    }

    fn receiver(
        &self,
        exchange: &Exchange,
        own: &CommittedState,
        promised: Option<Word>,
    ) -> Result<BoxedParty<Sight>, Fault> {
        let receiver = Receiver::new(self.clone(), exchange.clone(), own.clone(), promised, Trusted::Proof)?;
        Ok(Box::new(receiver))
    }

    fn sender(
        &self,
        exchange: &Exchange,
        own: &CommittedState,
        request: &[u8],
    ) -> Result<(BoxedParty<()>, Word), Fault> {
        let (sender, root) = Sender::new(self.clone(), exchange, own, read_request(request)?)?;
        Ok((Box::new(sender), to_word(&root)))
    }

    fn prove_move(&self, step: &MoveStep) -> Result<Vec<u8>, Fault> {
        let (public, private) = self.turn(step)?;
        let is_posted = to_word(&public.commitment) == step.before.commitment
            && to_word(&public.next_commitment) == step.after.commitment
            && (public.capture, public.king_fell) == (step.capture, step.king_fell);
        ensure!(is_posted, Fault::internal("the statement is not the one that the contract will check"));
        Proves::<TurnStatement>::prove(&*self.proofs, &public, &private).map_err(Fault::Internal)
    }

    fn on_chain(&self) -> Option<&dyn OnChain> {
        Some(self)
    }
}

impl KeyRing {
    /// The statement of a move.
    fn turn(&self, step: &MoveStep) -> Result<(TurnPublic, TurnPrivate), Fault> {
        let (before, after) = (&step.before, &step.after);
        let next_scalars = self.scalars(after)?;
        let seen = step.seen.as_ref();
        let pending = seen.and_then(|(exchange, _)| exchange.pending_of(self.color));
        let seen = seen.map(|(exchange, messages)| self.sight(exchange, before, messages)).transpose()?;
        let sight = seen.as_ref().map(|(scalars, request_tree, answer, ctx)| TurnSight {
            request_tree,
            scalars,
            answer,
            ctx: *ctx,
        });
        let inputs = TurnDraft {
            side: &before.side,
            salt: element(&before.salt)?,
            pending,
            mv: step.mv,
            next_salt: element(&after.salt)?,
            fog_key: *self.peer_key(),
            sight,
            next_scalars: &next_scalars,
        };
        gather(&inputs).map_err(Fault::internal)
    }

    /// The scalars of the own request, its tree, the answer to it and its `ctx`.
    pub(super) fn sight(
        &self,
        exchange: &Exchange,
        own: &CommittedState,
        messages: &[Vec<u8>],
    ) -> Result<(RequestScalars, Tree, Answer, crate::F), Fault> {
        own.check(self.color, exchange)?;
        let (scalars, request) = self.own_request_with_scalars(own)?;
        let request_tree = request.tree();
        let context = self.sight_context(exchange, request_tree.root())?;
        let message = messages.first().and_then(|message| message.get(..ANSWER_BYTES));
        let message = message.ok_or_else(|| Fault::internal("the exchange has no answer"))?;
        let (receiver, pending) = (exchange.receiver(), context.pending_receiver);
        let answer = Answer::from_bytes(message, receiver, pending).map_err(Fault::internal)?;
        Ok((scalars, request_tree, answer, context.ctx()))
    }
}

fn read_request(bytes: &[u8]) -> Result<Request, Fault> {
    Request::from_bytes(bytes).map_err(|error| Fault::Request(error.into()))
}
