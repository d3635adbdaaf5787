//! A model of the game contract: it enforces the same rules as `contracts/src/Fogmate.sol`, with its own state and its
//! own order of checks, and computes the public inputs of every statement itself. Where the contract verifies a SNARK, the model
//! asks the [`Oracle`]. It leaves out the games' registry: that is the contract's tests' business.

mod claims;
mod disputes;
mod exchanges;
mod lobby;
mod oracle;
mod play;
mod purse;
mod storage;
mod time;

pub use oracle::{Oracle, ProofSystem, Statement};
pub use purse::Purse;
pub use storage::{Logged, ModelChain};

use alloy::primitives::Address;
use game::Transaction;

/// The name of the contract's error.
pub type Refusal = &'static str;

impl ModelChain {
    /// A transaction, mined; a bond is what the contract asks for.
    ///
    /// # Errors
    /// The name of the contract's error. Nothing has changed then.
    pub fn execute(&mut self, oracle: &Oracle, sender: Address, tx: &Transaction) -> Result<(), Refusal> {
        match tx {
            Transaction::RevealCreator { share, joiner } => self.reveal_creator(sender, share, joiner),
            Transaction::RevealJoiner { share } => self.reveal_joiner(sender, share),
            Transaction::Move { fields, basis, proof } => self.play(oracle, sender, fields, *basis, proof),
            Transaction::Resign => self.resign(sender),
            Transaction::AcceptDraw { ply, commitment } => self.accept_draw(sender, *ply, *commitment),
            Transaction::Refute(unproven) => self.refute(oracle, sender, unproven),
            Transaction::DemandSight { phase, points, proof, .. } => {
                self.demand_sight(oracle, sender, *phase, points, proof)
            }
            Transaction::AnswerSight { demanded, answer_root, elements, proof } => {
                self.answer_sight(oracle, sender, demanded, *answer_root, elements, proof)
            }
            Transaction::FillAnswer { ctx, answer_root, .. } => self.fill_answer(sender, *ctx, *answer_root),
            Transaction::ClaimFifty { proof, .. } => self.claim_fifty(oracle, sender, proof),
            Transaction::RespondFifty { at_least_fifty, proof } => {
                self.respond_fifty(oracle, sender, *at_least_fifty, proof)
            }
            Transaction::ClaimNoMove { proof, .. } => self.claim_no_move(oracle, sender, proof),
            Transaction::ClaimTimeout => self.claim_timeout(),
            Transaction::Reclaim(slot) => self.reclaim(*slot),
            Transaction::PublishViewKey { key } => self.publish_view_key(sender, *key),
            Transaction::Withdraw => {
                let role = self.role_of_account(sender)?;
                self.fetch(role);
                Ok(())
            }
        }
    }
}
