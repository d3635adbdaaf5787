//! The receiver: opening, then question and answer in turn. With proofs, a question comes with the digest of its copies, which are opened to a
//! challenge; an answer is proven; and the sender's board may be, before the first question.

use super::{
    messages::{self, Messages, Opening},
    packet::{Form, PACKET, SQUARE, Source},
    proof::{
        answer::{self, ANSWER_PROOF},
        board::BoardClaim,
        chain::Chain,
        challenge::Challenge,
        copies,
        history::History,
        symbols,
    },
    query::{Query, Question},
    random::StreamKey,
};
use fog::engine::{Exchange, Fault, MessageSize, Party, Step, Word};
use rules::Sight;
use std::sync::Arc;

pub struct Receiver {
    query: Query,
    messages: Messages,
    /// The exchange without its attempt.
    exchange: Word,
    promised: Option<Word>,
    opening: Option<Opening>,
    proofs: Option<Proofs>,
}

/// What an engine with proofs needs besides.
#[derive(Clone, Default)]
pub struct Proofs {
    /// The proof of the board, until it is verified.
    board: Option<Arc<Board>>,
    /// What the question that waits for its challenge is opened by.
    waiting: Option<Waiting>,
    /// The elements that the last question asks for.
    asked: Vec<u8>,
}

#[derive(Clone)]
struct Waiting {
    question: StreamKey,
    copies: StreamKey,
}

/// A board that is to be proven.
struct Board {
    /// The sender's chain as it was shown last.
    before: Chain,
    exchange: Exchange,
    /// Where the proven chain is noted.
    history: Arc<History>,
    claimed: Option<Claimed>,
}

/// A board that waits for its openings.
struct Claimed {
    claim: BoardClaim,
    challenge: Challenge,
    /// The opening of the packets.
    opening: Vec<u8>,
}

impl Proofs {
    /// With the proof of a board that follows from the chain `before` the exchange.
    pub fn of_board(before: Chain, exchange: Exchange, history: Arc<History>) -> Self {
        Self { board: Some(Arc::new(Board { before, exchange, history, claimed: None })), ..Self::default() }
    }
}

impl Receiver {
    /// Before the opening. `exchange` is what it is bound to, `promised` its digest on chain.
    pub fn new(
        query: Query,
        messages: Messages,
        exchange: Word,
        promised: Option<Word>,
        proofs: Option<Proofs>,
    ) -> Self {
        Self { query, messages, exchange, promised, opening: None, proofs }
    }

    /// Takes the opening of packets and a board, and challenges the board's proof.
    fn claim(&self, board: &Board, message: &[u8]) -> Result<(Board, Step<Sight>), Fault> {
        let size = self.messages.board.ok_or_else(|| Fault::internal("a board without a size"))?;
        let (opening, said) = messages::split_board(message, size.message_bytes(), &self.exchange, self.promised)?;
        // The pawn phase comes second, and its packet must be the one that this proof is about.
        let (named, general) = Opening::read(opening, &self.exchange, None)?;
        named.check(1, &said[..PACKET], 0)?;
        let claim = BoardClaim::read(&self.query.setting.key, &board.before, &size, general, said);
        let claim = claim.map_err(|cause| Fault::malformed(0, cause))?;
        let mut query = self.query.clone();
        query.hear(message);
        let challenge = Challenge::draw(&query.randomness("challenge"));
        let claimed = Some(Claimed { claim, challenge, opening: opening.to_vec() });
        let Board { before, exchange, history, .. } = board;
        let board = Board { before: before.clone(), exchange: exchange.clone(), history: history.clone(), claimed };
        Ok((board, Step::send(challenge.to_bytes().to_vec())))
    }

    /// Takes a step of the board's proof; after it the first question.
    fn prove(&mut self, board: &Board, message: &[u8]) -> Result<Step<Sight>, Fault> {
        let Some(Claimed { claim, challenge, opening }) = &board.claimed else {
            let (claimed, step) = self.claim(board, message)?;
            self.set_board(Some(Arc::new(claimed)));
            return Ok(step);
        };
        let chain = claim.verify(&self.query.setting.key, challenge, message);
        let chain = chain.map_err(|cause| Fault::unproven(2, cause))?;
        let step = self.take(opening, None)?;
        board.history.see(&board.exchange, chain);
        self.set_board(None);
        Ok(step)
    }

    fn set_board(&mut self, board: Option<Arc<Board>>) {
        if let Some(proofs) = &mut self.proofs {
            proofs.board = board;
        }
    }

    /// Takes the opening of packets, or an answer, and asks the next question.
    fn take(&mut self, message: &[u8], promised: Option<Word>) -> Result<Step<Sight>, Fault> {
        let (mut query, mut proofs) = (self.query.clone(), self.proofs.clone());
        let opening = match &self.opening {
            None => {
                query.hear(message);
                let (opening, packet) = Opening::read(message, &self.exchange, promised)?;
                open(&mut query, &proofs, packet, 0)?;
                opening
            }
            Some(opening) => {
                let number = query.asked() - 1;
                let index = self.messages.answer(number);
                let answer = match &proofs {
                    None => message,
                    Some(proofs) => proofs.check(&query, message, index)?,
                };
                // Proofs may differ from one sending to the next, and nothing that is drawn depends on them.
                query.hear(answer);
                query.learn(answer[0], index)?;
                if let Some(phase) = self.messages.plan.opened_after(number) {
                    opening.check(phase, &answer[1..], index)?;
                    open(&mut query, &proofs, &answer[1..], index)?;
                }
                opening.clone()
            }
        };
        let step = if query.is_over() {
            Step::output(query.sight()?)
        } else {
            let question = query.ask()?;
            let said = [&question.packet[..], &question.choice].concat();
            match &mut proofs {
                None => Step::send(said),
                Some(proofs) => Step::send([said, proofs.commit(&query, question)?.to_vec()].concat()),
            }
        };
        (self.query, self.opening, self.proofs) = (query, Some(opening), proofs);
        Ok(step)
    }

    /// Opens the copies of the last question to a challenge.
    fn open_copies(&mut self, waiting: &Waiting, message: &[u8]) -> Result<Step<Sight>, Fault> {
        let mut query = self.query.clone();
        query.hear(message);
        let challenge = messages::read_challenge(message, self.messages.challenge(query.asked() - 1))?;
        let form = Form::PACKET;
        let step = copies::Step::of(&query.setting.key, &form, &waiting.question);
        let openings = copies::open(&query.setting.key, &form, &step, &waiting.copies, &challenge);
        self.query = query;
        if let Some(proofs) = &mut self.proofs {
            proofs.waiting = None;
        }
        Ok(Step::send(openings))
    }
}

/// Takes a packet, from message `index`; where it is proven, its Jacobi symbols are looked at.
fn open(query: &mut Query, proofs: &Option<Proofs>, packet: &[u8], index: usize) -> Result<(), Fault> {
    query.open(packet, index)?;
    if proofs.is_some() {
        let is_unmarked = symbols::are_all_one(&query.setting.key, packet, &query.randomness("symbols"));
        fog::ensure!(is_unmarked, Fault::malformed(index, "an element is marked by its Jacobi symbol"));
    }
    Ok(())
}

impl Proofs {
    /// Checks the proof of an answer, in message `index`, and gives what is proven.
    fn check<'a>(&self, query: &Query, message: &'a [u8], index: usize) -> Result<&'a [u8], Fault> {
        let (answer, proof) = message.split_at(message.len() - ANSWER_PROOF);
        let context = messages::answer_context(&query.setting.id, query.asked() - 1);
        let is_proven = answer::is_proven(&query.setting.key, &context, &self.asked, answer[0], proof);
        is_proven.then_some(answer).ok_or_else(|| Fault::unproven(index, "the answer isn't what the packet holds"))
    }

    /// Makes the copies of a question: their digest.
    fn commit(&mut self, query: &Query, question: Question) -> Result<Word, Fault> {
        let Question { packet, choice, randomness } = question;
        let asked = Source::new(&query.setting.key, Form::PACKET, &packet);
        let asked = asked.ok_or_else(|| Fault::internal("an own packet is none"))?;
        let copies = query.randomness("copies");
        let commitment = copies::commit(&query.setting.key, &asked, &copies);
        self.asked = packet[usize::from(choice[0]) * SQUARE..][..SQUARE].to_vec();
        self.waiting = Some(Waiting { question: randomness, copies });
        Ok(commitment)
    }
}

impl Party for Receiver {
    type Output = Sight;

    fn shape(&self) -> Vec<MessageSize> {
        self.messages.shape()
    }

    fn step(&mut self, received: Option<&[u8]>) -> Result<Step<Sight>, Fault> {
        let Some(message) = received else {
            return Ok(Step::WAIT);
        };
        let proofs = self.proofs.clone().unwrap_or_default();
        match (proofs.board, proofs.waiting) {
            (Some(board), _) => self.prove(&board, message),
            (None, Some(waiting)) => self.open_copies(&waiting, message),
            (None, None) => self.take(message, self.promised),
        }
    }

    fn meaning(&self) -> String {
        self.query.meaning()
    }
}
