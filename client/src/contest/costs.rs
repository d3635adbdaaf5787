//! What the transactions of a game were and cost.

use alloy::consensus::Transaction as _;
use alloy::primitives::{B256, Bytes};
use alloy::providers::Provider as _;

use super::game::name_of_call;
use super::{Chain, ContestError, Contract, History};
use crate::chain::ChainError;

/// What one transaction was and cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mined {
    /// The function of the contract.
    pub action: String,
    /// Gas that it used.
    pub gas: u64,
    /// What it cost, in wei.
    pub fee: u128,
    /// Bytes of its calldata.
    pub calldata_bytes: usize,
}

impl<G: Contract> Chain<G> {
    /// What the transactions of a game were and cost.
    pub async fn costs(&self, history: &History<G>) -> Result<Vec<Mined>, ContestError<G>> {
        let mut transactions: Vec<B256> = history.told.iter().map(|told| told.transaction).collect();
        transactions.dedup();
        let mut costs = Vec::new();
        for hash in transactions {
            let transaction = self.provider().get_transaction_by_hash(hash).await?;
            let receipt = self.provider().get_transaction_receipt(hash).await?;
            let (Some(transaction), Some(receipt)) = (transaction, receipt) else {
                return Err(ChainError::Behind.into());
            };
            let input = transaction.input();
            let name = input.first_chunk::<4>().and_then(|selector| name_of_call::<G>(*selector));
            let action = name.unwrap_or("through another contract").to_owned();
            let (gas, calldata_bytes) = (receipt.gas_used, input.len());
            let fee = u128::from(gas).saturating_mul(receipt.effective_gas_price);
            costs.push(Mined { action, gas, fee, calldata_bytes });
        }
        Ok(costs)
    }

    /// The calldata of a transaction that calls the contract itself; none if it calls another contract, which has called ours.
    pub(super) async fn calldata(&self, transaction: B256) -> Result<Option<Bytes>, ChainError> {
        let found = self.provider().get_transaction_by_hash(transaction).await?;
        // One of several machines may lack what another has told of.
        let found = found.ok_or(ChainError::Behind)?;
        Ok((found.to() == Some(self.config().contract)).then(|| found.input().clone()))
    }
}
