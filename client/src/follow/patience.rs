//! Questions that are asked again at once: a look needs a dozen answers, and a node that fails one time in seven would let few looks come to their
//! end.

use super::{Question, Unanswered};

/// How often one question is asked again.
const TRIES: u32 = 2;

/// How often the question that waits for its answer was asked again.
#[derive(Clone, Copy, Debug, Default)]
pub struct Patience {
    tries: u32,
}

impl Patience {
    /// Whether to ask the same once more, by what came of it. Not what is refused, which is asked otherwise, nor what the machine itself asks again or
    /// does without.
    pub fn asks_again<T>(&mut self, question: &Question, answer: &Result<T, Unanswered>) -> bool {
        let may = !matches!(question, Question::Declared { .. } | Question::Witness { .. });
        let again = may && matches!(answer, Err(Unanswered::Failed)) && self.tries < TRIES;
        self.tries = if again { self.tries + 1 } else { 0 };
        again
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_asked_three_times() {
        let (mut patience, failed) = (Patience::default(), Err::<(), _>(Unanswered::Failed));
        let mut asks = |question, answer: &Result<(), Unanswered>| patience.asks_again(&question, answer);
        assert!(asks(Question::Latest, &failed) && asks(Question::Latest, &failed));
        assert!(!asks(Question::Latest, &failed), "then the look has failed");
        assert!(asks(Question::Latest, &failed) && !asks(Question::Latest, &Ok(())));
        assert!(!asks(Question::Latest, &Err(Unanswered::Refused)));
        assert!(!asks(Question::Witness { node: 0, number: 1 }, &failed));
    }
}
