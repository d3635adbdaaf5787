//! The receiver of a sight-lines exchange: it has asked with its standing request, and opens the one message that it is sent.
//!
//! An answer is opened only after its root has matched the chain's (*pre*) and its proof has verified, in the step that verified
//! it: so nothing that was decrypted from an unproven answer can ever change what the player sends, not even whether it sends. One that
//! was published on chain has been verified there.

use super::{
    answer::{ANSWER_BYTES, Answer},
    context::SightContext,
    key_ring::KeyRing,
    open::open,
    request::Request,
    secrets::RequestScalars,
};
use crate::{
    engine::{CommittedState, Exchange, Fault, MessageSize, Party, Step, Word},
    statement::{
        Proves,
        answer::{AnswerPublic, AnswerStatement},
    },
    word::to_word,
};
use rules::Sight;

/// Whose word an answer is taken on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Trusted {
    /// A proof that comes with it.
    Proof,
    /// The contract's, which has verified it under the promised root.
    Contract,
}

pub(super) struct Receiver {
    player: KeyRing,
    exchange: Exchange,
    own: CommittedState,
    /// The answer's root on chain; *post* answers have none.
    promised: Option<Word>,
    trusted: Trusted,
    asked: Option<Asked>,
}

/// What the answer is compared with and opened by.
struct Asked {
    scalars: RequestScalars,
    request: Request,
    context: SightContext,
}

impl Receiver {
    /// A receiver that waits for the answer to its standing request.
    pub fn new(
        player: KeyRing,
        exchange: Exchange,
        own: CommittedState,
        promised: Option<Word>,
        trusted: Trusted,
    ) -> Result<Self, Fault> {
        ensure!(exchange.receiver() == player.color, Fault::internal("the sight is the opponent's"));
        own.check(player.color, &exchange)?;
        Ok(Self { player, exchange, own, promised, trusted, asked: None })
    }

    /// The standing request again.
    fn ask(&self) -> Result<Asked, Fault> {
        let (scalars, request) = self.player.own_request_with_scalars(&self.own)?;
        let context = self.player.sight_context(&self.exchange, request.root())?;
        Ok(Asked { scalars, request, context })
    }

    fn size(&self) -> MessageSize {
        match self.trusted {
            Trusted::Proof => super::answer_size(&*self.player.proofs),
            Trusted::Contract => MessageSize { content: ANSWER_BYTES, proof: 0 },
        }
    }

    /// Decodes, compares, verifies, and only then opens.
    fn read(&self, asked: &Asked, elements: &[u8], proof: &[u8]) -> Result<Sight, Fault> {
        let header = asked.context.header();
        let answer = Answer::from_bytes(elements, header.receiver, header.pending_receiver);
        let answer = answer.map_err(|error| Fault::malformed(0, error))?;
        let is_promised = self.promised.is_none_or(|root| root == to_word(&answer.root()));
        ensure!(is_promised, Fault::Digest(0));
        if self.trusted == Trusted::Proof {
            let public = AnswerPublic {
                commitment: asked.context.sender_commitment,
                fog_key: *self.player.peer_key(),
                header,
                request: asked.request.clone(),
                elements: answer.to_wire(),
            };
            let verified = Proves::<AnswerStatement>::verify(&*self.player.proofs, &public, proof);
            verified.map_err(|cause| Fault::unproven(0, cause))?;
        }
        let sight = open(&self.own.side, &asked.scalars, self.player.peer_key(), &header, &answer);
        sight.map_err(|error| Fault::malformed(0, error))
    }
}

impl Party for Receiver {
    type Output = Sight;

    fn shape(&self) -> Vec<MessageSize> {
        vec![self.size()]
    }

    fn step(&mut self, received: Option<&[u8]>) -> Result<Step<Sight>, Fault> {
        let Some(message) = received else {
            self.asked = Some(self.ask()?);
            return Ok(Step::WAIT);
        };
        let asked = self.asked.as_ref().ok_or(Fault::NotDue(0))?;
        let (elements, proof) = self.size().split(0, message)?;
        Ok(Step::output(self.read(asked, elements, proof)?))
    }
}
