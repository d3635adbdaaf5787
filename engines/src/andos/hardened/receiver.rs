//! The receiver of the hardened engine: opening, then for each question four messages: the question with the digest of its copies, a challenge,
//! the openings, the answer.

use super::{
    answer_proof::{self, ANSWER_PROOF},
    challenge::CHOSEN,
    copies, messages, symbols,
};
use crate::andos::{
    asker::{Asker, Question},
    opening::Opening,
    packet::{Form, SQUARE, Source},
    random::StreamKey,
};
use fog::engine::{Fault, MessageSize, Party, Step, Word, Work};
use rules::Sight;

pub struct Receiver {
    asker: Asker,
    /// The exchange without its attempt.
    exchange: Word,
    promised: Option<Word>,
    opening: Option<Opening>,
    /// The question that waits for its challenge.
    proof: Option<Proof>,
    /// The elements that the last question asks for.
    asked: Vec<u8>,
}

/// What a question is opened by.
#[derive(Clone)]
struct Proof {
    question: StreamKey,
    copies: StreamKey,
}

impl Receiver {
    /// Before the opening. `exchange` is what it is bound to, `promised` its digest on chain.
    pub fn new(asker: Asker, exchange: Word, promised: Option<Word>) -> Self {
        Self { asker, exchange, promised, opening: None, proof: None, asked: Vec::new() }
    }

    /// Randomness for what is said to an opening, before anything else is.
    pub fn randomness_after(&self, opening: &[u8]) -> StreamKey {
        let mut asker = self.asker.clone();
        asker.hear(opening);
        asker.randomness("challenge")
    }

    /// Takes a packet, from message `index`, and looks at its Jacobi symbols.
    fn open(asker: &mut Asker, packet: &[u8], index: usize) -> Result<(), Fault> {
        asker.open(packet, index)?;
        asker.count(symbols::MODMULS);
        if !symbols::are_all_one(asker.key(), packet, &asker.randomness("symbols")) {
            let cause = "an element is marked by its Jacobi symbol".into();
            return Err(Fault::Malformed { index, cause });
        }
        Ok(())
    }

    /// Checks the proof of an answer, in message `index`, and gives what is proven.
    fn check<'a>(&self, message: &'a [u8], index: usize) -> Result<&'a [u8], Fault> {
        let (answer, proof) = message.split_at(message.len() - ANSWER_PROOF);
        let asker = &self.asker;
        let context = messages::answer_context(asker.id(), asker.asked() - 1);
        let is_proven = answer_proof::is_proven(asker.key(), &context, &self.asked, answer[0], proof);
        let cause = "the answer isn't what the packet holds";
        is_proven.then_some(answer).ok_or_else(|| Fault::Proof { index, cause: cause.into() })
    }

    fn ask(asker: &mut Asker) -> Result<(Proof, Vec<u8>, Step<Sight>), Fault> {
        let Question { packet, choice, randomness } = asker.ask()?;
        let asked =
            Source::new(asker.key(), Form::PACKET, &packet).ok_or_else(|| Fault::internal("an own packet is none"))?;
        let copies = asker.randomness("copies");
        let commitment = copies::commit(asker.key(), &asked, &copies);
        asker.count(Form::PACKET.modmuls() / 2 + copies::modmuls(&Form::PACKET));
        let message = [&packet[..], &choice, &commitment].concat();
        let elements = packet[usize::from(choice[0]) * SQUARE..][..SQUARE].to_vec();
        Ok((Proof { question: randomness, copies }, elements, Step::send(message)))
    }
}

impl Party for Receiver {
    type Output = Sight;

    fn shape(&self) -> Vec<MessageSize> {
        messages::shape(self.asker.plan())
    }

    fn step(&mut self, received: Option<&[u8]>) -> Result<Step<Sight>, Fault> {
        let Some(message) = received else {
            return Ok(Step::WAIT);
        };
        let mut asker = self.asker.clone();
        if self.opening.is_some() && self.proof.is_none() {
            // Proofs may differ from one sending to the next, and nothing that is drawn depends on them.
            asker.hear(&message[..message.len() - ANSWER_PROOF]);
        } else {
            asker.hear(message);
        }
        if let Some(proof) = &self.proof {
            let index = messages::challenge_index(asker.asked() - 1);
            let challenge = messages::read_challenge(message, index)?;
            let form = Form::PACKET;
            let step = copies::Step::of(asker.key(), &form, &proof.question);
            let openings = copies::open(asker.key(), &form, &step, &proof.copies, &challenge);
            asker.count(CHOSEN as u64 * Form::PACKET.modmuls() / 2);
            (self.asker, self.proof) = (asker, None);
            return Ok(Step::send(openings));
        }
        let opening = match &self.opening {
            None => {
                let (opening, packet) = Opening::read(message, &self.exchange, self.promised)?;
                Self::open(&mut asker, packet, 0)?;
                opening
            }
            Some(opening) => {
                let index = messages::answer_index(asker.asked() - 1);
                let message = self.check(message, index)?;
                asker.count(answer_proof::MODMULS);
                asker.learn(message[0], index)?;
                if let Some(phase) = asker.plan().opened_after(asker.asked() - 1) {
                    opening.check(phase, &message[1..], index)?;
                    Self::open(&mut asker, &message[1..], index)?;
                }
                opening.clone()
            }
        };
        let (proof, asked, step) = if asker.is_over() {
            (None, Vec::new(), Step::output(asker.sight()?))
        } else {
            let (proof, asked, step) = Self::ask(&mut asker)?;
            (Some(proof), asked, step)
        };
        (self.asker, self.opening, self.proof, self.asked) = (asker, Some(opening), proof, asked);
        Ok(step)
    }

    fn work(&self) -> Work {
        self.asker.work()
    }
}
