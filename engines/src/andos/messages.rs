//! Numbers and sizes of an exchange's messages, and what the first one says.
//!
//! ```text
//! opening                                      with a board's proof: opening, challenge, openings
//! question, answer                             with proofs: question, challenge, openings, answer    (as many as the plan says)
//! ```
//!
//! **The opening** is the general phase's packet, a digest of each later phase's packet, and, in the place of a proof, a digest of
//! all this and of the exchange. So all packets are fixed before the first question, and one of another exchange is noticed. What is said of a board
//! comes after it, and then a digest of both.
//!
//! The last digest is what stands on chain as `answerRoot`. It is that of attempt 0 at every attempt: a receiver that lost its memory is
//! sent the promised packets again, and asks with fresh randomness.

use super::{
    packet::{Form, PACKET},
    plan::Plan,
    proof::{
        answer::ANSWER_PROOF,
        board::BoardSize,
        challenge::{CHOSEN, Challenge},
        copies,
    },
};
use fog::{
    engine::{Fault, MessageSize, Word, chain_digest, digest},
    word::WORD,
};

/// Bytes of a question's openings.
pub const OPENINGS: usize = copies::opening_bytes(&Form::PACKET);

/// What is public of an exchange's messages.
pub struct Messages {
    pub plan: Plan,
    /// Whether questions and answers are proven.
    pub proven: bool,
    /// The proof of the sender's board, if there is one.
    pub board: Option<BoardSize>,
}

impl Messages {
    fn of_question(&self, number: usize, part: usize) -> usize {
        let first = if self.board.is_some() { 3 } else { 1 };
        let each = if self.proven { 4 } else { 2 };
        first + each * number + part
    }

    /// The message with question `number`.
    pub fn question(&self, number: usize) -> usize {
        self.of_question(number, 0)
    }

    pub fn challenge(&self, number: usize) -> usize {
        self.of_question(number, 1)
    }

    pub fn openings(&self, number: usize) -> usize {
        self.of_question(number, 2)
    }

    pub fn answer(&self, number: usize) -> usize {
        self.of_question(number, if self.proven { 3 } else { 1 })
    }

    /// The size of every message.
    pub fn shape(&self) -> Vec<MessageSize> {
        let of_packets = PACKET + WORD * self.plan.phases.len().saturating_sub(1);
        let mut shape = match &self.board {
            None => vec![MessageSize { content: of_packets, proof: WORD }],
            Some(board) => vec![
                MessageSize { content: of_packets + WORD + board.message_bytes(), proof: WORD },
                MessageSize::of(CHOSEN),
                MessageSize::of(board.opening_bytes()),
            ],
        };
        for number in 0..self.plan.questions() {
            let (question, answer) = (self.plan.question_bytes(number), self.plan.answer_bytes(number));
            if self.proven {
                shape.extend([question + WORD, CHOSEN, OPENINGS].map(MessageSize::of));
                shape.push(MessageSize { content: answer, proof: ANSWER_PROOF });
            } else {
                shape.extend([question, answer].map(MessageSize::of));
            }
        }
        shape
    }
}

/// The challenge in message `index`.
pub fn read_challenge(message: &[u8], index: usize) -> Result<Challenge, Fault> {
    let cause = "a challenge is twelve ascending numbers of copies";
    Challenge::from_bytes(message).ok_or_else(|| Fault::malformed(index, cause))
}

/// What the proof of an answer is bound to.
pub fn answer_context(exchange: &Word, number: usize) -> Word {
    digest([&exchange[..], &(number as u64).to_be_bytes()])
}

/// What an opening's digest is of.
#[derive(Clone, Copy)]
pub enum Opens {
    /// The packets of all phases.
    Packets,
    /// Their opening, and what is said of the board.
    Board,
}

impl Opens {
    fn digest(self, exchange: &Word, content: &[u8]) -> Word {
        let label: &[u8] = match self {
            Self::Packets => b"fogmate/andos/opening/1",
            Self::Board => b"fogmate/andos/board/1",
        };
        chain_digest([label, exchange, content])
    }

    /// A content with its digest, and the digest.
    pub fn seal(self, exchange: &Word, content: &[u8]) -> (Vec<u8>, Word) {
        let digest = self.digest(exchange, content);
        ([content, &digest].concat(), digest)
    }

    /// The content of a message, of the right length, that is bound to the exchange and was promised.
    fn open<'a>(self, message: &'a [u8], exchange: &Word, promised: Option<Word>) -> Result<&'a [u8], Fault> {
        let (content, given) = message.split_at(message.len() - WORD);
        let digest = self.digest(exchange, content);
        fog::ensure!(promised.is_none_or(|promised| promised == digest), Fault::Digest(0));
        fog::ensure!(given == digest, Fault::unproven(0, "it is the opening of another exchange"));
        Ok(content)
    }
}

fn packet_digest(exchange: &Word, phase: usize, packet: &[u8]) -> Word {
    digest([&b"fogmate/andos/packet/1"[..], exchange, &[phase as u8], packet])
}

/// The opening of packets, one a phase, and its digest.
pub fn opening(exchange: &Word, packets: &[Vec<u8>]) -> (Vec<u8>, Word) {
    let mut content = Vec::new();
    for (phase, packet) in packets.iter().enumerate() {
        match phase {
            0 => content.extend(packet),
            _ => content.extend(packet_digest(exchange, phase, packet)),
        }
    }
    Opens::Packets.seal(exchange, &content)
}

/// The opening of packets in a message, and the `said` last bytes of what was sealed with it.
pub fn split_board<'a>(
    message: &'a [u8],
    said: usize,
    exchange: &Word,
    promised: Option<Word>,
) -> Result<(&'a [u8], &'a [u8]), Fault> {
    let content = Opens::Board.open(message, exchange, promised)?;
    Ok(content.split_at(content.len() - said))
}

/// An opening that was received.
#[derive(Clone)]
pub struct Opening {
    exchange: Word,
    /// Digests of the packets of phase 1 and on.
    later: Vec<Word>,
}

impl Opening {
    /// Checks a message, of the right length, against what it is bound to and what was promised; gives the first packet too.
    pub fn read<'a>(message: &'a [u8], exchange: &Word, promised: Option<Word>) -> Result<(Self, &'a [u8]), Fault> {
        let (packet, later) = Opens::Packets.open(message, exchange, promised)?.split_at(PACKET);
        let later = later.chunks_exact(WORD).map(|word| std::array::from_fn(|i| word[i])).collect();
        Ok((Self { exchange: *exchange, later }, packet))
    }

    /// Checks that the packet of a later phase, in message `index`, is the one that the opening names.
    pub fn check(&self, phase: usize, packet: &[u8], index: usize) -> Result<(), Fault> {
        let is_named = self.later.get(phase - 1) == Some(&packet_digest(&self.exchange, phase, packet));
        is_named.then_some(()).ok_or(Fault::Digest(index))
    }
}
