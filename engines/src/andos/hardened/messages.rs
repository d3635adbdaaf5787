//! Sizes and numbers of the hardened engine's messages.

use super::{challenge::CHOSEN, copies};
use crate::andos::{opening, packet::Form, plan::Plan};
use fog::{engine::MessageSize, word::WORD};

/// Bytes of a question's openings.
pub const OPENINGS: usize = copies::opening_bytes(&Form::PACKET);

/// The size of every message: the opening, then four for each question.
pub fn shape(plan: &Plan) -> Vec<MessageSize> {
    let of_question = |n| [plan.question_bytes(n) + WORD, CHOSEN, OPENINGS, plan.answer_bytes(n)];
    let turns = (0..plan.questions()).flat_map(of_question).map(MessageSize::of);
    [opening::size(plan)].into_iter().chain(turns).collect()
}

/// The message with question `number`.
pub fn question_index(number: usize) -> usize {
    4 * number + 1
}

/// Its challenge.
pub fn challenge_index(number: usize) -> usize {
    4 * number + 2
}

/// Its openings.
pub fn openings_index(number: usize) -> usize {
    4 * number + 3
}

/// Its answer.
pub fn answer_index(number: usize) -> usize {
    4 * number + 4
}
