//! The sender of the unhardened engines: opening, then an answer to each question.

use super::{opening, teller::Teller};
use fog::engine::{Fault, MessageSize, Party, Step, Word, Work};

pub struct Sender {
    teller: Teller,
    opening: Vec<u8>,
}

impl Sender {
    /// The party and the digest of its opening. `exchange` is the exchange without its attempt.
    pub fn new(teller: Teller, exchange: &Word) -> (Self, Word) {
        let (opening, digest) = teller.opening(exchange);
        (Self { teller, opening }, digest)
    }
}

impl Party for Sender {
    type Output = ();

    fn shape(&self) -> Vec<MessageSize> {
        self.teller.plan.shape(opening::size(&self.teller.plan))
    }

    fn step(&mut self, received: Option<&[u8]>) -> Result<Step<()>, Fault> {
        let Some(question) = received else {
            return Ok(Step::send(self.opening.clone()));
        };
        let answered = self.teller.answered();
        let place = self.teller.check(question, 2 * answered + 1)?;
        let step = Step::send(self.teller.answer(question, place));
        let is_last = answered + 1 == self.teller.plan.questions();
        Ok(if is_last { step.with_output(()) } else { step })
    }

    fn work(&self) -> Work {
        Work { modmuls: self.teller.modmuls(), ..Work::default() }
    }
}
