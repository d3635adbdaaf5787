//! The receiver of the unhardened engines: opening, then question and answer in turn.

use super::{
    asker::Asker,
    opening::{self, Opening},
};
use fog::engine::{Fault, MessageSize, Party, Step, Word, Work};
use rules::Sight;

pub struct Receiver {
    asker: Asker,
    /// The exchange without its attempt.
    exchange: Word,
    promised: Option<Word>,
    opening: Option<Opening>,
}

impl Receiver {
    /// Before the opening. `exchange` is what it is bound to, `promised` its digest on chain.
    pub fn new(asker: Asker, exchange: Word, promised: Option<Word>) -> Self {
        Self { asker, exchange, promised, opening: None }
    }
}

impl Party for Receiver {
    type Output = Sight;

    fn shape(&self) -> Vec<MessageSize> {
        let plan = self.asker.plan();
        plan.shape(opening::size(plan))
    }

    fn step(&mut self, received: Option<&[u8]>) -> Result<Step<Sight>, Fault> {
        let Some(message) = received else {
            return Ok(Step::WAIT);
        };
        let mut asker = self.asker.clone();
        asker.hear(message);
        let opening = match &self.opening {
            None => {
                let (opening, packet) = Opening::read(message, &self.exchange, self.promised)?;
                asker.open(packet, 0)?;
                Some(opening)
            }
            Some(opening) => {
                let index = 2 * asker.asked();
                asker.learn(message[0], index)?;
                if let Some(phase) = asker.plan().opened_after(asker.asked() - 1) {
                    opening.check(phase, &message[1..], index)?;
                    asker.open(&message[1..], index)?;
                }
                Some(opening.clone())
            }
        };
        let step = if asker.is_over() {
            Step::output(asker.sight()?)
        } else {
            let question = asker.ask()?;
            Step::send([question.packet, question.choice].concat())
        };
        (self.asker, self.opening) = (asker, opening);
        Ok(step)
    }

    fn work(&self) -> Work {
        self.asker.work()
    }
}
