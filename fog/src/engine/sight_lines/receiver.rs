//! The receiver of a sight-lines exchange: it has asked with its standing request, and opens the one message that it is sent.
//!
//! An answer is opened only after its root has matched the chain's (*pre*) and its proof has verified, in the step that verified
//! it: so nothing that was decrypted from an unproven answer can ever change what the player sends, not even whether it sends.

use super::{
    answer::{ANSWER_BYTES, Answer},
    context::SightContext,
    key_ring::KeyRing,
    open::open,
    proofs::Proofs,
    request::Request,
    secrets::RequestScalars,
};
use crate::{
    engine::{CommittedState, Exchange, Fault, MessageSize, Party, Step, Word, Work},
    statement::answer::AnswerPublic,
    word::to_word,
};
use rules::Sight;
use std::sync::Arc;

pub(super) struct Receiver<P> {
    player: Arc<KeyRing<P>>,
    exchange: Exchange,
    own: CommittedState,
    /// The answer's root on chain; *post* answers have none.
    promised: Option<Word>,
    asked: Option<Asked>,
    work: Work,
}

/// What the answer is compared with and opened by.
struct Asked {
    scalars: RequestScalars,
    request: Request,
    context: SightContext,
}

impl<P> Receiver<P> {
    pub fn new(
        player: Arc<KeyRing<P>>,
        exchange: Exchange,
        own: CommittedState,
        promised: Option<Word>,
    ) -> Result<Self, Fault> {
        if exchange.receiver() != player.color {
            return Err(Fault::internal("the sight of this exchange is the opponent's"));
        }
        player.check_own(&exchange, &own)?;
        Ok(Self { player, exchange, own, promised, asked: None, work: Work::default() })
    }

    /// The standing request again.
    fn ask(&self) -> Result<Asked, Fault> {
        let scalars = self.player.scalars(&self.own)?;
        let request = self.player.request(&self.own)?;
        let context = self.player.context(&self.exchange, request.root())?;
        Ok(Asked { scalars, request, context })
    }
}

impl<P: Proofs> Receiver<P> {
    /// Decodes, compares, verifies, and only then opens.
    fn read(&self, asked: &Asked, elements: &[u8], proof: &[u8]) -> Result<Sight, Fault> {
        let terms = asked.context.terms();
        let answer = Answer::from_bytes(elements, terms.receiver, terms.pending_receiver);
        let answer = answer.map_err(malformed)?;
        if self.promised.is_some_and(|root| root != to_word(&answer.root())) {
            return Err(Fault::Digest(0));
        }
        let public = AnswerPublic {
            commitment: asked.context.sender_commitment,
            pending_sender: terms.pending_sender,
            fog_key: asked.context.fog_key,
            ctx: terms.ctx,
            receiver: terms.receiver,
            phase: terms.phase,
            pending_receiver: terms.pending_receiver,
            request: asked.request.clone(),
            elements: answer.to_wire(),
        };
        let verified = self.player.proofs.verify_answer(&public, proof);
        verified.map_err(|cause| Fault::Proof { index: 0, cause })?;
        let key = &asked.context.fog_key;
        open(&self.own.side, &asked.scalars, key, &terms, &answer).map_err(malformed)
    }
}

impl<P: Proofs> Party for Receiver<P> {
    type Output = Sight;

    fn shape(&self) -> Vec<MessageSize> {
        vec![self.player.answer_size()]
    }

    fn step(&mut self, received: Option<&[u8]>) -> Result<Step<Sight>, Fault> {
        let Some(message) = received else {
            self.asked = Some(self.ask()?);
            self.work.scalar_muls += Request::SCALAR_MULS;
            return Ok(Step::WAIT);
        };
        let asked = self.asked.as_ref().ok_or(Fault::NotDue(0))?;
        let (got, expected) = (message.len(), self.player.answer_size().total());
        let parts = message.split_at_checked(ANSWER_BYTES);
        let Some((elements, proof)) = parts.filter(|_| got == expected) else {
            let index = 0;
            return Err(Fault::Length { index, got, expected });
        };
        let sight = self.read(asked, elements, proof)?;
        self.work.verifications += 1;
        self.work.scalar_muls += super::open::SCALAR_MULS;
        Ok(Step::output(sight))
    }

    fn work(&self) -> Work {
        self.work
    }
}

fn malformed(error: impl std::error::Error + Send + Sync + 'static) -> Fault {
    let cause = error.into();
    Fault::Malformed { index: 0, cause }
}
