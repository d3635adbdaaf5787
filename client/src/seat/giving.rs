//! The answers that this seat gives (protocol, section 6, steps 1 and 4). An answer is made for one exchange and one own
//! state; it leaves the seat only when the move that it follows is final. What is given depends on the own board and the
//! opponent's request alone, never on anything that was seen.

use super::event::Effect;
use super::own::OwnState;
use crate::link::{Kind, Message, MessageId, Phase};
use crate::secrets::GameSecrets;
use fog::engine::sight_lines::answer::{Answer, AnswerError};
use fog::engine::sight_lines::context::SightContext;
use fog::engine::sight_lines::request::Request;
use fog::statement::answer::{AnswerPrivate, AnswerPublic, AnswerStatementError, gather};
use halo2curves::bn256::Fr;

/// The statement of an answer and its witness.
type Statement = (AnswerPublic, AnswerPrivate);

/// How far the proof is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Proof {
    /// With the statement, if it has been put together already.
    Absent(Option<Box<Statement>>),
    Making,
    Failed,
    Made(Vec<u8>),
}

/// One answer to the opponent.
#[derive(Clone, Debug)]
pub(super) struct Giving {
    context: SightContext,
    state: OwnState,
    elements: Vec<Fr>,
    proof: Proof,
    /// Whether the move that the answer follows is final.
    released: bool,
    sent: bool,
}

impl Giving {
    /// An answer for the exchange bound by `context`, from `state`; released says whether its move is final.
    pub fn new(context: SightContext, state: OwnState, released: bool) -> Self {
        Self {
            context,
            state,
            elements: Vec::new(),
            proof: Proof::Absent(None),
            released,
            sent: false,
        }
    }

    /// Its address.
    pub fn id(&self) -> MessageId {
        answer_id(&self.context)
    }

    /// What binds it.
    pub fn context(&self) -> &SightContext {
        &self.context
    }

    /// The move that it follows is final.
    pub fn release(&mut self) {
        self.released = true;
    }

    /// Whether the move that it follows is final.
    pub fn is_released(&self) -> bool {
        self.released
    }

    /// Whether a proof is to be made, now that the request is there.
    pub fn is_unproven(&self) -> bool {
        matches!(self.proof, Proof::Absent(_))
    }

    /// The root of the answer to a request. Fails only for a malformed one.
    pub fn root(
        &mut self,
        secrets: &GameSecrets,
        request: &Request,
    ) -> Result<Fr, AnswerStatementError> {
        let statement = self.statement(secrets, request)?;
        let (receiver, pending) = (statement.0.receiver, statement.0.pending_receiver);
        let answer = Answer::from_wire(&statement.0.elements, receiver, pending)?;
        self.proof = Proof::Absent(Some(Box::new(statement)));
        Ok(answer.root())
    }

    /// Starts the proof. Fails only for a malformed request.
    pub fn prove(
        &mut self,
        secrets: &GameSecrets,
        request: &Request,
    ) -> Result<Effect, AnswerStatementError> {
        let (public, private) = match std::mem::replace(&mut self.proof, Proof::Absent(None)) {
            Proof::Absent(Some(statement)) => *statement,
            _ => self.statement(secrets, request)?,
        };
        self.elements.clone_from(&public.elements);
        self.proof = Proof::Making;
        let MessageId { ply, phase, .. } = self.id();
        Ok(Effect::ProveAnswer {
            ply,
            phase,
            public: Box::new(public),
            private: Box::new(private),
        })
    }

    fn statement(
        &self,
        secrets: &GameSecrets,
        request: &Request,
    ) -> Result<Statement, AnswerStatementError> {
        let (side, salt) = (self.state.side.clone(), self.state.salt.0);
        gather(
            side,
            salt,
            secrets.fog_secret(),
            &self.context.terms(),
            request.clone(),
        )
    }

    /// The proof is there.
    pub fn proved(&mut self, proof: Vec<u8>) {
        if self.proof == Proof::Making {
            self.proof = Proof::Made(proof);
        }
    }

    /// The proof could not be made. It waits for [`Self::retry`], or a prover that fails at once would never rest.
    pub fn failed(&mut self) {
        if self.proof == Proof::Making {
            self.proof = Proof::Failed;
        }
    }

    /// A failed proof may be tried again.
    pub fn retry(&mut self) {
        if self.proof == Proof::Failed {
            self.proof = Proof::Absent(None);
        }
    }

    /// The message, once it may leave.
    pub fn message(&self) -> Option<Message> {
        match &self.proof {
            Proof::Made(proof) if self.released => {
                let MessageId { ply, phase, .. } = self.id();
                Some(Message::Answer {
                    ply,
                    phase,
                    elements: self.elements.clone(),
                    proof: proof.clone(),
                })
            }
            _ => None,
        }
    }

    /// The message, the first time that it may leave.
    pub fn take_message(&mut self) -> Option<Message> {
        if self.sent {
            return None;
        }
        let message = self.message()?;
        self.sent = true;
        Some(message)
    }

    /// Whether it is on its way without the opponent's asking.
    pub fn is_under_way(&self) -> bool {
        self.released && self.proof == Proof::Making
    }
}

/// The address of the answer for the exchange that a context binds.
pub(super) fn answer_id(context: &SightContext) -> MessageId {
    MessageId {
        ply: u16::try_from(context.ply).unwrap_or(u16::MAX),
        phase: match context.phase {
            fog::engine::Phase::Pre => Phase::Pre,
            fog::engine::Phase::Post => Phase::Post,
        },
        kind: Kind::Answer,
    }
}

/// Whether it is the request that can't be answered, and not a defect of this side.
pub(super) fn is_malformed(error: &AnswerStatementError) -> bool {
    matches!(
        error,
        AnswerStatementError::Answer(AnswerError::MalformedRequest(_) | AnswerError::Request(_))
    )
}
