//! The sender: opening, then an answer to each question. With proofs, a question is challenged, and answered once its copies are opened rightly;
//! and the board may be proven after the opening.

use super::{
    messages::{self, Messages, Opens},
    packet::{Form, PACKET, SQUARE, Source},
    proof::{answer, board::BoardProof, challenge::Challenge, copies},
    random::StreamKey,
    reply::Reply,
};
use fog::{
    engine::{Branch, Fault, MessageSize, Party, Step, Word, digest},
    word::WORD,
};
use std::sync::Arc;

pub struct Sender {
    reply: Reply,
    messages: Messages,
    opening: Vec<u8>,
    proofs: Option<Proofs>,
}

/// What an engine with proofs needs besides.
pub struct Proofs {
    branch: Branch,
    /// The exchange, its attempt included.
    id: Word,
    /// The proof of the board, until it is opened.
    board: Option<BoardProof>,
    /// All that was received of questions, hashed.
    heard: Word,
    /// The own packet of the phase in which questions come.
    packet: Option<Arc<Source>>,
    asked: Option<Arc<Asked>>,
}

/// A question that was challenged.
struct Asked {
    question: Vec<u8>,
    place: usize,
    source: Source,
    commitment: Word,
    challenge: Challenge,
}

impl Proofs {
    pub fn new(branch: Branch, id: Word, board: Option<BoardProof>) -> Self {
        Self { branch, id, board, heard: [0; 32], packet: None, asked: None }
    }
}

impl Sender {
    /// The party and the digest of its opening. `exchange` is the exchange without its attempt.
    pub fn new(reply: Reply, messages: Messages, exchange: &Word, proofs: Option<Proofs>) -> (Self, Word) {
        let (opening, digest) = messages::opening(exchange, &reply.packets);
        let (opening, digest) = match proofs.as_ref().and_then(|proofs| proofs.board.as_ref()) {
            None => (opening, digest),
            Some(board) => Opens::Board.seal(exchange, &[&opening[..], &board.message].concat()),
        };
        (Self { reply, messages, opening, proofs }, digest)
    }
}

impl Party for Sender {
    type Output = ();

    fn shape(&self) -> Vec<MessageSize> {
        self.messages.shape()
    }

    fn step(&mut self, received: Option<&[u8]>) -> Result<Step<()>, Fault> {
        let Some(message) = received else {
            return Ok(Step::send(self.opening.clone()));
        };
        if let Some(proofs) = &mut self.proofs {
            return proofs.step(&mut self.reply, &self.messages, message);
        }
        let place = self.reply.check(message, self.messages.question(self.reply.answered()))?;
        let answer = self.reply.answer(message, place);
        Ok(self.reply.step(answer))
    }
}

impl Proofs {
    fn step(&mut self, reply: &mut Reply, messages: &Messages, message: &[u8]) -> Result<Step<()>, Fault> {
        if let Some(board) = &self.board {
            let challenge = messages::read_challenge(message, 1)?;
            let openings = board.open(reply.key.public(), &challenge);
            self.board = None;
            return Ok(Step::send(openings));
        }
        match self.asked.clone() {
            None => self.challenge(reply, messages, message),
            Some(asked) => self.answer(reply, messages, &asked, message),
        }
    }

    /// The challenge of a question: unknown to its maker, and another one for any other question.
    fn challenge(&mut self, reply: &Reply, messages: &Messages, message: &[u8]) -> Result<Step<()>, Fault> {
        let (question, commitment) = message.split_at(message.len() - WORD);
        let place = reply.check(question, messages.question(reply.answered()))?;
        let source = Source::new(reply.key.public(), Form::PACKET, &question[..PACKET]);
        let source = source.ok_or_else(|| Fault::internal("it was a packet before"))?;
        let heard = digest([&self.heard[..], message]);
        let challenge = Challenge::draw(&StreamKey::derive(&self.branch, [&b"challenge"[..], &self.id, &heard]));
        let commitment = std::array::from_fn(|i| commitment[i]);
        self.asked = Some(Arc::new(Asked { question: question.to_vec(), place, source, commitment, challenge }));
        self.heard = heard;
        Ok(Step::send(challenge.to_bytes().to_vec()))
    }

    /// The answer, if the openings are right.
    fn answer(
        &mut self,
        reply: &mut Reply,
        messages: &Messages,
        asked: &Asked,
        openings: &[u8],
    ) -> Result<Step<()>, Fault> {
        let number = reply.answered();
        let key = reply.key.public();
        let made = || reply.packet().and_then(|packet| Source::new(key, Form::PACKET, packet)).map(Arc::new);
        let packet = self.packet.clone().or_else(made);
        let packet = packet.ok_or_else(|| Fault::internal("a question without a packet"))?;
        let verified = copies::verify(key, [&packet, &asked.source], &asked.commitment, &asked.challenge, openings);
        verified.map_err(|cause| Fault::unproven(messages.openings(number), cause))?;
        let square = &asked.question[asked.place * SQUARE..][..SQUARE];
        let context = messages::answer_context(&self.id, number);
        let randomness = StreamKey::derive(&self.branch, [&b"answer"[..], &self.id, &self.heard]);
        let mut message = reply.answer(&asked.question, asked.place);
        message.extend(answer::prove(&reply.key, &context, square, message[0], &randomness));
        self.heard = digest([&self.heard[..], openings]);
        self.packet = messages.plan.opened_after(number).is_none().then_some(packet);
        self.asked = None;
        Ok(reply.step(message))
    }
}
