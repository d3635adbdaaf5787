//! What a sender asks of a node, over JSON-RPC.

use alloy::eips::BlockId;
use alloy::network::ReceiptResponse as _;
use alloy::primitives::{Address, B256, Bytes, U256};
use alloy::providers::Provider as _;
use alloy::rpc::types::Transaction;
use alloy::rpc::types::state::{AccountOverride, StateOverride};
use alloy::transports::{RpcError, TransportError};

use super::words;
use super::{Call, Mined, SendError, Sending};
use crate::{NodeError, Nodes, TxNode};

/// Gas of a call where a node can't tell: more than any call of a game but a proven one takes.
const USUAL_GAS: u64 = 500_000;

impl TxNode for Nodes {
    async fn nonce(&self, account: Address, at: BlockId) -> Result<u64, NodeError> {
        Ok(self.provider().get_transaction_count(account).block_id(at).await?)
    }

    async fn tip(&self) -> Option<u128> {
        self.provider().get_max_priority_fee_per_gas().await.ok()
    }

    async fn mined(&self, transaction: B256) -> Result<Option<Mined>, NodeError> {
        let receipt = self.provider().get_transaction_receipt(transaction).await?;
        Ok(receipt.and_then(|receipt| {
            Some(Mined {
                transaction,
                block: receipt.block_number?,
                block_hash: receipt.block_hash?,
                gas_used: receipt.gas_used,
                fee: u128::from(receipt.gas_used).saturating_mul(receipt.effective_gas_price()),
                succeeded: receipt.status(),
            })
        }))
    }

    /// Few nodes show what waits for its block, by either of two methods.
    async fn waiting(&self, account: Address, nonce: u64) -> Option<Transaction> {
        let waits = |found: &Transaction| found.block_number.is_none();
        let asked = self.provider().get_transaction_by_sender_nonce(account, nonce).await;
        if let Some(found) = asked.ok().flatten().filter(waits) {
            return Some(found);
        }
        let content =
            self.provider().raw_request::<_, serde_json::Value>("txpool_contentFrom".into(), (account,)).await;
        let found = content.ok()?["pending"].get(nonce.to_string())?.clone();
        serde_json::from_value(found).ok().filter(waits)
    }

    async fn estimate(&self, account: Address, call: &Call, at: BlockId) -> Result<u64, SendError> {
        let estimate = self.provider().estimate_gas(call.request(account)).block(at).await;
        estimate.map_err(|error| match (revert(&error), &error) {
            (Some((message, data)), _) => SendError::Reverts { message, data },
            (None, RpcError::ErrorResp(answer)) if answer.message.to_lowercase().contains("insufficient funds") => {
                SendError::CannotPay { account, message: answer.message.to_string() }
            }
            _ => SendError::Node(error.into()),
        })
    }

    async fn funds(&self, account: Address, call: &Call) -> Result<(u128, u128), NodeError> {
        let found = self.provider().get_balance(account).await?;
        // As if the account were rich; not all nodes can tell that.
        let rich = AccountOverride { balance: Some(U256::from(u128::MAX)), ..AccountOverride::default() };
        let rich = StateOverride::from_iter([(account, rich)]);
        let gas = self.provider().estimate_gas(call.request(account)).overrides(rich).await.unwrap_or(USUAL_GAS);
        let price = self.provider().get_gas_price().await?;
        let needed = call.value.saturating_to::<u128>().saturating_add(price.saturating_mul(gas.into()));
        Ok((found.saturating_to(), needed))
    }

    async fn send_raw(&self, raw: &Bytes) -> Result<Sending, NodeError> {
        match self.provider().send_raw_transaction(raw).await {
            Ok(_) => Ok(Sending::Accepted),
            Err(error) => match words::meaning(&error) {
                Sending::Unanswered => Err(error.into()),
                understood => Ok(understood),
            },
        }
    }
}

/// The node's words and the data of a revert, if a call failed by one.
pub fn revert(error: &TransportError) -> Option<(String, Bytes)> {
    let RpcError::ErrorResp(answer) = error else { return None };
    Some((answer.message.to_string(), answer.as_revert_data()?))
}
