//! The sender of the hardened engine: opening, then for each question a challenge and, once the copies are opened rightly, the answer.

use super::{answer_proof, challenge::Challenge, copies, messages};
use crate::andos::{
    packet::{Form, PACKET, SQUARE, Source},
    random::StreamKey,
    teller::Teller,
};
use fog::{
    engine::{Branch, Fault, MessageSize, Party, Step, Word, Work, digest},
    word::WORD,
};
use std::sync::Arc;

pub struct Sender {
    teller: Teller,
    opening: Vec<u8>,
    branch: Branch,
    /// The exchange, its attempt included.
    id: Word,
    /// All that was received, hashed.
    heard: Word,
    /// The own packet of the phase in which questions come.
    packet: Option<Arc<Source>>,
    asked: Option<Arc<Asked>>,
    modmuls: u64,
}

/// A question that was challenged.
struct Asked {
    question: Vec<u8>,
    place: usize,
    source: Source,
    commitment: Word,
    challenge: Challenge,
}

impl Sender {
    /// The party and the digest of its opening. `exchange` is the exchange without its attempt, `id` with it.
    pub fn new(teller: Teller, exchange: &Word, branch: Branch, id: Word) -> (Self, Word) {
        let (opening, digest) = teller.opening(exchange);
        let modmuls = teller.modmuls();
        (Self { teller, opening, branch, id, heard: [0; 32], packet: None, asked: None, modmuls }, digest)
    }

    /// The challenge of a question: unknown to its maker, and another one for any other question.
    fn challenge(&mut self, message: &[u8]) -> Result<Step<()>, Fault> {
        let number = self.teller.answered();
        let index = messages::question_index(number);
        let (question, commitment) = message.split_at(message.len() - WORD);
        let place = self.teller.check(question, index)?;
        let key = self.teller.key().public();
        let source = Source::new(key, Form::PACKET, &question[..PACKET])
            .ok_or_else(|| Fault::internal("it was a packet before"))?;
        let heard = digest([&self.heard[..], message]);
        let challenge = Challenge::draw(&StreamKey::derive(&self.branch, [&b"challenge"[..], &self.id, &heard]));
        let commitment = std::array::from_fn(|i| commitment[i]);
        self.asked = Some(Arc::new(Asked { question: question.to_vec(), place, source, commitment, challenge }));
        self.heard = heard;
        Ok(Step::send(challenge.to_bytes().to_vec()))
    }

    /// The answer, if the openings are right.
    fn answer(&mut self, asked: &Asked, openings: &[u8]) -> Result<Step<()>, Fault> {
        let number = self.teller.answered();
        let index = messages::openings_index(number);
        let key = self.teller.key().public();
        let made = || self.teller.packet().and_then(|packet| Source::new(key, Form::PACKET, packet)).map(Arc::new);
        let packet = self.packet.clone().or_else(made);
        let packet = packet.ok_or_else(|| Fault::internal("a question without a packet"))?;
        let verified = copies::verify(key, [&packet, &asked.source], &asked.commitment, &asked.challenge, openings);
        verified.map_err(|cause| Fault::Proof { index, cause: cause.into() })?;
        let square = &asked.question[asked.place * SQUARE..][..SQUARE];
        let mut message = self.teller.answer(&asked.question, asked.place);
        let context = messages::answer_context(&self.id, number);
        let randomness = StreamKey::derive(&self.branch, [&b"answer"[..], &self.id, &self.heard]);
        message.extend(answer_proof::prove(self.teller.key(), &context, square, message[0], &randomness));
        let step = Step::send(message);
        self.heard = digest([&self.heard[..], openings]);
        self.packet = self.teller.plan.opened_after(number).is_none().then_some(packet);
        self.asked = None;
        self.modmuls += copies::modmuls(&Form::PACKET);
        let is_last = number + 1 == self.teller.plan.questions();
        Ok(if is_last { step.with_output(()) } else { step })
    }
}

impl Party for Sender {
    type Output = ();

    fn shape(&self) -> Vec<MessageSize> {
        messages::shape(&self.teller.plan)
    }

    fn step(&mut self, received: Option<&[u8]>) -> Result<Step<()>, Fault> {
        let Some(message) = received else {
            return Ok(Step::send(self.opening.clone()));
        };
        match self.asked.clone() {
            None => self.challenge(message),
            Some(asked) => self.answer(&asked, message),
        }
    }

    fn work(&self) -> Work {
        Work { modmuls: self.modmuls, ..Work::default() }
    }
}
