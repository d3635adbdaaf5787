//! Sizes and numbers of the hardened engine's messages.

use super::{
    answer_proof::ANSWER_PROOF,
    challenge::{CHOSEN, Challenge},
    copies,
};
use crate::andos::{opening, packet::Form, plan::Plan};
use fog::{
    engine::{Fault, MessageSize, Word, digest},
    word::WORD,
};

/// Bytes of a challenge.
pub const CHALLENGE: usize = CHOSEN;
/// Bytes of a question's openings.
pub const OPENINGS: usize = copies::opening_bytes(&Form::PACKET);

/// The size of every message: the opening, then four for each question.
pub fn shape(plan: &Plan) -> Vec<MessageSize> {
    let of_question = |n| {
        let [question, challenge, openings] = [plan.question_bytes(n) + WORD, CHOSEN, OPENINGS].map(MessageSize::of);
        [question, challenge, openings, MessageSize { content: plan.answer_bytes(n), proof: ANSWER_PROOF }]
    };
    let turns = (0..plan.questions()).flat_map(of_question);
    [opening::size(plan)].into_iter().chain(turns).collect()
}

/// The challenge in message `index`.
pub fn read_challenge(message: &[u8], index: usize) -> Result<Challenge, Fault> {
    let cause = "a challenge is twelve ascending numbers of copies";
    Challenge::from_bytes(message).ok_or_else(|| Fault::Malformed { index, cause: cause.into() })
}

/// What the proof of an answer is bound to.
pub fn answer_context(exchange: &Word, number: usize) -> Word {
    digest([&exchange[..], &(number as u64).to_be_bytes()])
}

/// The message with question `number`.
pub fn question_index(number: usize) -> usize {
    4 * number + 1
}

pub fn challenge_index(number: usize) -> usize {
    4 * number + 2
}

pub fn openings_index(number: usize) -> usize {
    4 * number + 3
}

pub fn answer_index(number: usize) -> usize {
    4 * number + 4
}
