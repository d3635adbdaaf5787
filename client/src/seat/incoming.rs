//! The answers that this seat is given (protocol, section 6, steps 2 and 4). An answer is opened only after its proof has
//! verified and, for a *pre* sight, its root has matched the chain's: so nothing that was decrypted from an unproven
//! answer can ever change what the seat sends, not even whether it sends.

use super::event::Effect;
use super::fault::PeerFault;
use super::giving::answer_id;
use crate::link::MessageId;
use fog::engine::sight_lines::answer::Answer;
use fog::engine::sight_lines::context::SightContext;
use fog::engine::sight_lines::request::Request;
use fog::statement::answer::AnswerPublic;
use halo2curves::bn256::Fr;
use rules::Sight;

/// An answer as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    /// In wire order.
    pub elements: Vec<Fr>,
    /// Unchecked.
    pub proof: Vec<u8>,
}

/// A proven answer and what it opened to.
#[derive(Clone, Debug)]
pub(super) struct Proven {
    /// The records.
    pub answer: Answer,
    /// In wire order.
    pub elements: Vec<Fr>,
    /// The sight.
    pub sight: Sight,
}

#[derive(Clone, Debug)]
enum State {
    Waiting,
    Checking {
        check: u64,
        candidate: Candidate,
        answer: Box<Answer>,
        next: Option<Candidate>,
    },
    Proven(Box<Proven>),
}

/// The place of one answer to come.
#[derive(Clone, Debug)]
pub(super) struct Incoming {
    context: SightContext,
    /// The root on chain; post answers have none.
    root: Option<Fr>,
    state: State,
}

impl Incoming {
    /// Waits for the answer of the exchange bound by `context`.
    pub fn new(context: SightContext, root: Option<Fr>) -> Self {
        Self {
            context,
            root,
            state: State::Waiting,
        }
    }

    /// Its address.
    pub fn id(&self) -> MessageId {
        answer_id(&self.context)
    }

    /// Whether nothing has come yet that could be right.
    pub fn is_waiting(&self) -> bool {
        matches!(self.state, State::Waiting)
    }

    /// The proven answer.
    pub fn proven(&self) -> Option<&Proven> {
        match &self.state {
            State::Proven(proven) => Some(proven),
            _ => None,
        }
    }

    /// Looks at an answer that came: refuses it, or has its proof verified under the number `check`.
    pub fn offer(
        &mut self,
        candidate: Candidate,
        request: &Request,
        check: u64,
    ) -> Result<Option<Effect>, PeerFault> {
        let id = self.id();
        match &mut self.state {
            State::Proven(proven) if proven.elements == candidate.elements => {
                return Err(PeerFault::Duplicate(id));
            }
            State::Proven(_) => return Err(PeerFault::Contradiction(id)),
            State::Checking {
                candidate: under_check,
                ..
            } if *under_check == candidate => {
                return Err(PeerFault::Duplicate(id));
            }
            State::Checking { next, .. } => {
                *next = Some(candidate);
                return Ok(None);
            }
            State::Waiting => {}
        }
        let (receiver, pending) = (self.context.terms().receiver, self.context.pending_receiver);
        let answer = Answer::from_wire(&candidate.elements, receiver, pending);
        let answer = answer.map_err(|_| PeerFault::NoAnswer(id))?;
        if self.root.is_some_and(|root| root != answer.root()) {
            return Err(PeerFault::AnswerRoot(id));
        }
        let public = AnswerPublic {
            commitment: self.context.sender_commitment,
            pending_sender: self.context.pending_sender,
            fog_key: self.context.fog_key,
            ctx: self.context.ctx(),
            receiver,
            phase: self.context.phase,
            pending_receiver: pending,
            request: request.clone(),
            elements: candidate.elements.clone(),
        };
        let proof = candidate.proof.clone();
        self.state = State::Checking {
            check,
            candidate,
            answer: Box::new(answer),
            next: None,
        };
        Ok(Some(Effect::VerifyAnswer {
            check,
            public: Box::new(public),
            proof,
        }))
    }

    /// Whether the check of that number is this answer's.
    pub fn is_checking(&self, number: u64) -> bool {
        matches!(self.state, State::Checking { check, .. } if check == number)
    }

    /// The proof is wrong: back to waiting; gives what came meanwhile.
    pub fn reject(&mut self) -> Option<Candidate> {
        match std::mem::replace(&mut self.state, State::Waiting) {
            State::Checking { next, .. } => next,
            state => {
                self.state = state;
                None
            }
        }
    }

    /// The proof is right: opens the answer with `open`, and gives it back as it came.
    pub fn accept(
        &mut self,
        open: impl FnOnce(&Answer, &SightContext) -> Option<Sight>,
    ) -> Result<Candidate, PeerFault> {
        let id = self.id();
        let State::Checking {
            candidate, answer, ..
        } = std::mem::replace(&mut self.state, State::Waiting)
        else {
            return Err(PeerFault::Unopenable(id));
        };
        let sight = open(&answer, &self.context).ok_or(PeerFault::Unopenable(id))?;
        let elements = candidate.elements.clone();
        self.state = State::Proven(Box::new(Proven {
            answer: *answer,
            elements,
            sight,
        }));
        Ok(candidate)
    }
}
