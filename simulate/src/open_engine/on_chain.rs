//! What a dispute takes, with tickets for proofs: the public inputs are those that the contract checks.

use super::keys::{Keys, simulated};
use super::{answer, request};
use crate::oracle::Statement;
use fog::binding::binding;
use fog::engine::sight_lines::context::{element, square_field};
use fog::engine::{BoxedParty, CommittedState, Exchange, Fault, MessageSize, OnChain, Phase, Published, Word};
use fog::statement::answer::AnswerInputs;
use fog::statement::chain_answer::ChainAnswerInputs;
use fog::statement::request_data::RequestDataInputs;
use fog::word::to_word;
use game::message::ELEMENTS_BYTES;
use halo2curves::bn256::Fr;
use rules::Sight;

/// Own moves without a pawn's that a claim of fifty moves needs.
const FIFTY: u8 = 50;

impl OnChain for Keys {
    fn verify_move(&self, inputs: &[Word], proof: &[u8]) -> Result<(), Fault> {
        self.work()?;
        let inputs: Vec<Fr> = inputs.iter().map(element).collect::<Result<_, _>>()?;
        let is_issued = self.oracle.verify(Statement::Turn, &inputs, proof);
        is_issued.then_some(()).ok_or_else(|| Fault::Proof { index: 0, cause: "not issued".into() })
    }

    fn prove_request(&self, own: &CommittedState) -> Result<Vec<u8>, Fault> {
        let bytes = request::make(own);
        let request_root = request::root(&bytes)?;
        let (words, _) = bytes.as_chunks();
        let words: Vec<Fr> = words.iter().map(element).collect::<Result<_, _>>()?;
        let bound = binding(request_root, &words);
        let inputs = RequestDataInputs { request_root, z: bound.z, y: bound.y };
        self.issue(Statement::RequestData, &inputs.to_array())
    }

    fn prove_answer(&self, exchange: &Exchange, own: &CommittedState, request: &[u8]) -> Result<Published, Fault> {
        let (content, header) = self.answer(exchange, own, request)?;
        let answer_root = answer::root(&content).ok_or_else(|| Fault::internal("the own answer is none"))?;
        let bound = binding(answer_root, &answer::elements(&content));
        let answer = AnswerInputs::new(element(&own.commitment)?, &self.fog_keys[self.color.index()], &header);
        let inputs = ChainAnswerInputs::new(&answer, [request::root(request)?, answer_root], [bound.z, bound.y]);
        let proof = self.issue(Statement::ChainAnswer, &inputs.to_array())?;
        Ok(Published { digest: to_word(&answer_root), content, proof })
    }

    fn prove_fifty(&self, own: &CommittedState) -> Result<Vec<u8>, Fault> {
        let counts = Fr::from(own.side.since_pawn >= FIFTY);
        self.issue(Statement::Fifty, &[element(&own.commitment)?, counts])
    }

    fn prove_no_move(&self, exchange: &Exchange, own: &CommittedState, messages: &[Vec<u8>]) -> Result<Vec<u8>, Fault> {
        let pending = exchange.pending_of(self.color);
        let ctx = self.own_context(exchange, own)?;
        let seen = messages.first().and_then(|content| Some((answer::root(content)?, answer::read(content, ctx)?)));
        let (answer_root, sight) = seen.ok_or_else(|| Fault::internal("the exchange has no answer"))?;
        if exchange.phase != Phase::Pre || !own.side.without(pending).legal_moves(&sight).is_empty() {
            return Err(Fault::internal("there is a move"));
        }
        let (x, y) = self.fog_keys[(!self.color).index()].xy();
        let request_root = request::root(&request::make(own))?;
        let color = Fr::from(self.color.index() as u64);
        let commitment = element(&own.commitment)?;
        let inputs = [commitment, square_field(pending), request_root, answer_root, ctx, x, y, color];
        self.issue(Statement::NoMove, &inputs)
    }

    fn receive_published(
        &self,
        exchange: &Exchange,
        own: &CommittedState,
        digest: Word,
    ) -> Result<BoxedParty<Sight>, Fault> {
        self.receive(exchange, own, Some(digest), MessageSize::of(ELEMENTS_BYTES))
    }
}

impl Keys {
    /// A ticket, unless the world says that the work fails.
    fn issue(&self, statement: Statement, inputs: &[Fr]) -> Result<Vec<u8>, Fault> {
        self.work()?;
        self.oracle.issue(statement, inputs, || Ok(())).map_err(simulated)
    }
}
