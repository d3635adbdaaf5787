//! What a node knows of an account: the answers to a ledger's questions. Nothing is decided here.

use super::{Attempt, Call, Facts, Fees, Ledger, PoolTransaction, Questions, SendError, Sender, Sending, Subject};
use crate::amount::in_ether;
use crate::{Header, NodeError, TxNode};
use alloy::consensus::Transaction as _;
use alloy::eips::BlockId;
use alloy::eips::eip2718::Encodable2718 as _;
use alloy::primitives::keccak256;
use alloy::rpc::types::Transaction;

/// What is needed is told in millionths of an ether: a fee isn't known better.
const WEI_OF_PART: u128 = 1_000_000_000_000;
/// The tip where a node names none: a gwei.
const USUAL_TIP: u128 = 1_000_000_000;

impl<N: TxNode> Sender<N> {
    pub(super) async fn head(&self) -> Result<Header, NodeError> {
        let block = self.node.block(BlockId::latest()).await?;
        block.ok_or(NodeError::Nonsense("the chain has no latest block"))
    }

    /// All that a ledger needs to know.
    pub(super) async fn facts(&self, ledger: &Ledger, head: &Header) -> Result<Facts, NodeError> {
        let account = self.rules.account;
        let mined_nonce = self.node.nonce(account, BlockId::latest()).await?;
        let pending_nonce = self.node.nonce(account, BlockId::pending()).await?;
        let mut facts = Facts {
            block: head.block.number,
            base_fee: head.base_fee,
            tip: self.node.tip().await.unwrap_or(USUAL_TIP).max(1),
            mined_nonce,
            pending_nonce,
            ..Facts::default()
        };
        let Questions { receipts, calls, unknown } = ledger.questions(&self.rules, &facts);
        for hash in receipts {
            facts.receipts.extend(self.node.mined(hash).await?);
        }
        for (nonce, call) in calls {
            // The state after the latest block, in which this very transaction isn't.
            let estimate = self.node.estimate(account, &call, BlockId::latest()).await;
            if let Err(SendError::Reverts { message, data }) = estimate {
                let reason = match (self.config.reason)(&data) {
                    Some(reason) => format!("the contract refuses: {reason}"),
                    None => SendError::Reverts { message, data }.to_string(),
                };
                facts.refused.push((nonce, reason));
            }
        }
        for nonce in unknown {
            let found = self.node.waiting(account, nonce).await;
            facts.pool.extend(found.and_then(|found| self.understood(nonce, &found)));
        }
        Ok(facts)
    }

    /// What a transaction of the mempool is for. None where the account hasn't signed it: what a node makes up must not become a request of this
    /// wallet, which would sign it again for a higher fee.
    fn understood(&self, nonce: u64, found: &Transaction) -> Option<PoolTransaction> {
        let (signed, account) = (found.inner.inner(), self.rules.account);
        let signer = signed.signature().recover_address_from_prehash(&signed.signature_hash());
        let is_ours = signer.is_ok_and(|signer| signer == account);
        if !is_ours || (found.nonce(), found.chain_id()) != (nonce, Some(self.config.chain_id)) {
            return None;
        }
        let raw = signed.encoded_2718();
        let tip = found.max_priority_fee_per_gas().unwrap_or_else(|| found.max_fee_per_gas());
        let fees = Fees { max: found.max_fee_per_gas(), tip };
        let (hash, sending) = (keccak256(&raw), Some(Sending::Accepted));
        let attempt = Attempt { fees, hash, raw: raw.into(), cancellation: false, sending };
        let input = found.input().clone();
        let call = Call { to: found.kind(), value: found.value(), input, gas: found.gas_limit() };
        let subject = match &call {
            call if call.calls(self.rules.contract) => Some((self.config.subject)(&call.input)),
            call if call.calls(account) && call.input.is_empty() => Some(Subject::Cancellation),
            _ => None,
        };
        Some(PoolTransaction { nonce, call, subject, attempt })
    }

    /// That the account can't pay for a call, with what it has and what it needs; in the node's words if that isn't it, or can't be found out.
    pub(super) async fn cannot_pay(&self, call: Option<&Call>, words: String) -> SendError {
        let account = self.rules.account;
        let funds = match call {
            Some(call) => self.node.funds(account, call).await.ok(),
            None => None,
        };
        let message = match funds.map(|(found, needed)| (found, needed.checked_next_multiple_of(WEI_OF_PART))) {
            Some((found, needed)) if found < needed.unwrap_or(u128::MAX) => {
                let [found, needed] = [found, needed.unwrap_or(u128::MAX)].map(in_ether);
                format!("it takes about {needed} ETH at the present fee, and there are {found} ETH")
            }
            _ => words,
        };
        SendError::CannotPay { account, message }
    }
}
