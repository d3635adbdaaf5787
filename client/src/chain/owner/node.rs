//! What a node knows of an account: the answers to a ledger's questions. Nothing is decided here.

use super::super::amount::in_ether;
use super::super::error::ChainError;
use super::words;
use crate::sender::{Call, Facts, Fees, Ledger, Mined, PoolTransaction, Questions, Rules, Sending, Subject, Version};
use alloy::consensus::Transaction as _;
use alloy::eips::BlockId;
use alloy::eips::eip2718::Encodable2718 as _;
use alloy::network::{ReceiptResponse as _, TransactionBuilder as _};
use alloy::primitives::{Address, B256, Bytes, U256};
use alloy::providers::{DynProvider, Provider as _};
use alloy::rpc::types::state::{AccountOverride, StateOverride};
use alloy::rpc::types::{Block, Transaction, TransactionRequest};
use alloy::sol_types::SolCall as _;
use events::IFogmate::{IFogmateCalls, moveCall};

/// Gas of a call where a node can't tell: more than any call of a game but a proven one takes.
const USUAL_GAS: u64 = 500_000;
/// What is needed is told in millionths of an ether: a fee isn't known better.
const WEI_OF_PART: u128 = 1_000_000_000_000;
/// The tip where a node names none: a gwei.
const USUAL_TIP: u128 = 1_000_000_000;

/// What is to be understood of the contract that an account mostly calls.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dialect {
    pub contract: Address,
    /// What a call of it is for, by its calldata.
    pub subject: fn(&[u8]) -> Subject,
    /// Why it refuses, by the node's words and the data of the revert.
    pub refusal: fn(String, Bytes) -> ChainError,
}

impl Dialect {
    /// That of the contract of dark chess.
    pub fn of_chess(contract: Address) -> Self {
        Self { contract, subject, refusal: ChainError::of_revert }
    }
}

/// A node, asked for an account and its calls of one contract.
#[derive(Debug)]
pub(super) struct Node {
    pub provider: DynProvider,
    pub dialect: Dialect,
    pub chain_id: u64,
}

impl Node {
    pub async fn head(&self) -> Result<Block, ChainError> {
        let block = self.provider.get_block(BlockId::latest()).await?;
        block.ok_or(ChainError::Nonsense("the chain has no latest block"))
    }

    /// All that a ledger needs to know.
    pub async fn facts(&self, rules: &Rules, ledger: &Ledger, head: &Block) -> Result<Facts, ChainError> {
        let mined_nonce = self.provider.get_transaction_count(rules.account).latest().await?;
        let pending_nonce = self.provider.get_transaction_count(rules.account).pending().await?;
        // Not all nodes have a word on it.
        let tip = self.provider.get_max_priority_fee_per_gas().await.unwrap_or(USUAL_TIP);
        let mut facts = Facts {
            block: head.header.number,
            base_fee: head.header.base_fee_per_gas.unwrap_or_default().into(),
            tip: tip.max(1),
            mined_nonce,
            pending_nonce,
            ..Facts::default()
        };
        let Questions { receipts, calls, unknown } = ledger.questions(rules, &facts);
        for hash in receipts {
            facts.receipts.extend(self.mined(hash).await?);
        }
        for (nonce, call) in calls {
            // The state after the latest block, in which this very transaction isn't.
            let estimate = self.estimate(rules.account, &call, BlockId::latest()).await;
            if let Err(error @ (ChainError::Refused(_) | ChainError::Reverts { .. })) = estimate {
                facts.refused.push((nonce, error.to_string()));
            }
        }
        for nonce in unknown {
            let found = self.in_mempool(rules.account, nonce).await;
            facts.pool.extend(found.and_then(|found| self.understood(rules, nonce, &found)));
        }
        Ok(facts)
    }

    /// A transaction, if it is in a block.
    async fn mined(&self, hash: B256) -> Result<Option<Mined>, ChainError> {
        let receipt = self.provider.get_transaction_receipt(hash).await?;
        Ok(receipt.and_then(|receipt| {
            Some(Mined {
                transaction: hash,
                block: receipt.block_number?,
                block_hash: receipt.block_hash?,
                gas_used: receipt.gas_used,
                fee: u128::from(receipt.gas_used).saturating_mul(receipt.effective_gas_price()),
                succeeded: receipt.status(),
            })
        }))
    }

    /// The gas that a call takes; [`ChainError::Refused`] if the contract refuses it.
    pub async fn estimate(&self, account: Address, call: &Call, at: BlockId) -> Result<u64, ChainError> {
        let estimate = self.provider.estimate_gas(request(account, call)).block(at).await;
        estimate.map_err(|error| ChainError::of_call(error, Some(account), self.dialect.refusal))
    }

    /// What an account has and what a call needs at the present fee, in words; none if it has as much.
    pub async fn shortage(&self, account: Address, call: &Call) -> Result<Option<String>, ChainError> {
        let found = self.provider.get_balance(account).await?;
        // As if the account were rich; not all nodes can tell that.
        let rich = AccountOverride { balance: Some(U256::from(u128::MAX)), ..AccountOverride::default() };
        let rich = StateOverride::from_iter([(account, rich)]);
        let gas = self.provider.estimate_gas(request(account, call)).overrides(rich).await.unwrap_or(USUAL_GAS);
        let price = self.provider.get_gas_price().await?;
        let needed = call.value.saturating_to::<u128>().saturating_add(price.saturating_mul(gas.into()));
        let needed = needed.checked_next_multiple_of(WEI_OF_PART).unwrap_or(u128::MAX);
        let found = found.saturating_to();
        let is_short = found < needed;
        let [found, needed] = [found, needed].map(in_ether);
        Ok(is_short.then(|| format!("it takes about {needed} ETH at the present fee, and there are {found} ETH")))
    }

    /// Sends signed bytes; gives what came of it, and a failure in words where it says nothing about them.
    pub async fn send(&self, raw: &Bytes) -> (Sending, Option<ChainError>) {
        match self.provider.send_raw_transaction(raw).await {
            Ok(_) => (Sending::Accepted, None),
            Err(error) => match words::meaning(&error) {
                Sending::Unanswered => (Sending::Unanswered, Some(error.into())),
                understood => (understood, None),
            },
        }
    }

    /// A transaction that waits for its block, if the node shows it: few do, by either of two methods.
    async fn in_mempool(&self, account: Address, nonce: u64) -> Option<Transaction> {
        let waits = |found: &Transaction| found.block_number.is_none();
        let asked = self.provider.get_transaction_by_sender_nonce(account, nonce).await;
        if let Some(found) = asked.ok().flatten().filter(waits) {
            return Some(found);
        }
        let content = self.provider.raw_request::<_, serde_json::Value>("txpool_contentFrom".into(), (account,)).await;
        let found = content.ok()?["pending"].get(nonce.to_string())?.clone();
        serde_json::from_value(found).ok().filter(waits)
    }

    /// What a transaction of the mempool is for. None where the account hasn't signed it: what a node makes up must not become a wish of this
    /// wallet, which would sign it again for a higher fee.
    fn understood(&self, rules: &Rules, nonce: u64, found: &Transaction) -> Option<PoolTransaction> {
        let signed = found.inner.inner();
        let signer = signed.signature().recover_address_from_prehash(&signed.signature_hash());
        let is_ours = signer.is_ok_and(|signer| signer == rules.account);
        if !is_ours || (found.nonce(), found.chain_id()) != (nonce, Some(self.chain_id)) {
            return None;
        }
        let raw = signed.encoded_2718();
        let tip = found.max_priority_fee_per_gas().unwrap_or_else(|| found.max_fee_per_gas());
        let fees = Fees { max: found.max_fee_per_gas(), tip };
        let hash = alloy::primitives::keccak256(&raw);
        let version = Version { fees, hash, raw: raw.into(), filler: false, sending: Some(Sending::Accepted) };
        let input = found.input().clone();
        let call = Call { to: found.kind(), value: found.value(), input, gas: found.gas_limit() };
        let subject = match &call {
            call if call.calls(self.dialect.contract) => Some((self.dialect.subject)(&call.input)),
            call if call.calls(rules.account) && call.input.is_empty() => Some(Subject::Filler),
            _ => None,
        };
        Some(PoolTransaction { nonce, call, subject, version })
    }
}

/// A call as a node wants it for an estimate or a trial.
pub fn request(account: Address, call: &Call) -> TransactionRequest {
    let request = TransactionRequest::default().with_from(account).with_kind(call.to);
    request.with_value(call.value).with_input(call.input.clone())
}

/// What a call of the game contract is for.
fn subject(input: &[u8]) -> Subject {
    if let Ok(call) = moveCall::abi_decode_validate(input) {
        return Subject::Move { game: call.gameId, ply: call.declared.ply };
    }
    let selector = input.first_chunk::<4>().and_then(|selector| IFogmateCalls::name_by_selector(*selector));
    Subject::Action { game: None, name: selector.unwrap_or("a call of the game contract").to_owned() }
}
