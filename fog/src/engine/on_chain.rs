//! What a player does through the chain alone: verify the opponent's moves, demand a sight and give one where the link is silent,
//! and prove what its claims need (protocol sections 6 and 8). For engines whose statements a contract verifies.

use super::{BoxedParty, CommittedState, Exchange, Fault, Word};
use rules::Sight;

/// An answer as it is published: what goes into calldata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Published {
    /// The digest of the answer, `answerRoot` on chain.
    pub digest: Word,
    /// The answer, without a proof.
    pub content: Vec<u8>,
    /// The proof, for the contract.
    pub proof: Vec<u8>,
}

/// What one player of a game does on chain besides moving.
pub trait OnChain: Send + Sync {
    /// Verifies the proof of a move against its public inputs, as the contract does: some milliseconds. Refused: [`Fault::Proof`].
    fn verify_move(&self, inputs: &[Word], proof: &[u8]) -> Result<(), Fault>;

    /// Slow. The proof that the standing request is what its digest says, for a demand.
    fn prove_request(&self, own: &CommittedState) -> Result<Vec<u8>, Fault>;

    /// Slow. The answer to a demand. A request that can't be answered is [`Fault::Request`].
    fn prove_answer(&self, exchange: &Exchange, own: &CommittedState, request: &[u8]) -> Result<Published, Fault>;

    /// Slow. The proof of how many moves the own state counts without a pawn's: fifty at least, or fewer.
    fn prove_fifty(&self, own: &CommittedState) -> Result<Vec<u8>, Fault>;

    /// Slow. The proof that there is no move, by the sight of `exchange`, whose messages are given.
    fn prove_no_move(&self, exchange: &Exchange, own: &CommittedState, messages: &[Vec<u8>]) -> Result<Vec<u8>, Fault>;

    /// The receiver's part in an exchange whose answer was published: the contract has verified it under `digest`, so there is
    /// nothing left to prove. The sender opens, with the content alone.
    fn receive_published(
        &self,
        exchange: &Exchange,
        own: &CommittedState,
        digest: Word,
    ) -> Result<BoxedParty<Sight>, Fault>;
}
