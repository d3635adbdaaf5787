//! Both parties of an open exchange. The receiver does what that of sight-lines does, in the same order: it compares the digest, verifies
//! the ticket, and only then reads.

use super::keys::{Keys, simulated};
use super::{answer, answer_size};
use crate::oracle::Statement;
use fog::engine::sight_lines::context::AnswerHeader;
use fog::engine::sight_lines::context::element;
use fog::engine::{CommittedState, Exchange, Fault, MessageSize, Party, Step, Word};
use fog::word::to_word;
use game::message::ELEMENTS_BYTES;
use halo2curves::bn256::Fr;
use rules::Sight;

pub(super) struct Receiver {
    pub keys: Keys,
    pub exchange: Exchange,
    pub own: CommittedState,
    pub promised: Option<Word>,
    /// The size of the answer's message: with a ticket, which is then verified; without one where the contract has verified the answer.
    pub size: MessageSize,
}

impl Party for Receiver {
    type Output = Sight;

    fn shape(&self) -> Vec<MessageSize> {
        vec![self.size]
    }

    fn step(&mut self, received: Option<&[u8]>) -> Result<Step<Sight>, Fault> {
        self.keys.work()?;
        let Some(message) = received else {
            return Ok(Step::WAIT);
        };
        let (got, expected) = (message.len(), self.size.total());
        let parts = message.split_at_checked(ELEMENTS_BYTES).filter(|_| got == expected);
        let (content, proof) = parts.ok_or(Fault::Length { index: 0, got, expected })?;
        let root = answer::root(content).ok_or_else(malformed)?;
        if self.promised.is_some_and(|promised| promised != to_word(&root)) {
            return Err(Fault::Digest(0));
        }
        let ctx = self.keys.own_context(&self.exchange, &self.own)?;
        if self.size.proof > 0 && !self.keys.oracle.verify(Statement::Answer, &[ctx, root], proof) {
            return Err(Fault::Proof { index: 0, cause: "not issued".into() });
        }
        answer::read(content, ctx).map(Step::output).ok_or_else(malformed)
    }
}

fn malformed() -> Fault {
    Fault::Malformed { index: 0, cause: "it is no answer in this exchange".into() }
}

pub(super) struct Sender {
    keys: Keys,
    content: Vec<u8>,
    instance: [Fr; 2],
}

impl Sender {
    /// The party, and the digest of its answer.
    pub fn new(keys: Keys, exchange: &Exchange, own: &CommittedState, request: &[u8]) -> Result<(Self, Word), Fault> {
        let (content, header) = keys.answer(exchange, own, request)?;
        let root = answer::root(&content).ok_or_else(|| Fault::internal("the own answer is none"))?;
        Ok((Self { keys, content, instance: [header.ctx, root] }, to_word(&root)))
    }
}

impl Party for Sender {
    type Output = ();

    fn shape(&self) -> Vec<MessageSize> {
        vec![answer_size()]
    }

    fn step(&mut self, received: Option<&[u8]>) -> Result<Step<()>, Fault> {
        self.keys.work()?;
        if received.is_some() {
            return Err(Fault::NotDue(0));
        }
        let ticket = self.keys.oracle.issue(Statement::Answer, &self.instance, || Ok(())).map_err(simulated)?;
        Ok(Step::send([&self.content[..], &ticket].concat()).with_output(()))
    }
}

impl Keys {
    /// The answer to a request in an exchange, and what it is made under.
    pub(super) fn answer(
        &self,
        exchange: &Exchange,
        own: &CommittedState,
        request: &[u8],
    ) -> Result<(Vec<u8>, AnswerHeader), Fault> {
        fog::ensure!(exchange.sender() == self.color, Fault::internal("the sight is the own one"));
        own.check(self.color, exchange)?;
        let viewer = super::request::board(request, exchange.receiver())?;
        let sight = Sight::between(&exchange.board(&viewer), &exchange.board(&own.side), is_before(exchange));
        let header = self.sight_context(exchange, super::request::root(request)?)?.header();
        Ok((answer::write(&sight, header.ctx), header))
    }

    /// The `ctx` of an exchange whose receiver this player is.
    pub(super) fn own_context(&self, exchange: &Exchange, own: &CommittedState) -> Result<Fr, Fault> {
        let root = super::request::root(&super::request::make(own))?;
        Ok(self.sight_context(exchange, element(&to_word(&root))?)?.ctx())
    }
}

fn is_before(exchange: &Exchange) -> bool {
    exchange.phase == fog::engine::Phase::Pre
}
