//! A whole game as the chain has it, with what its transactions carried: what an audit and a replay read.
//!
//! Protocol section 9 ("anyone can audit"). Nothing is judged here: a move whose calldata can't be read has no proof, and
//! the audit says so.

use std::collections::BTreeMap;

use alloy::eips::BlockNumberOrTag;
use alloy::primitives::{Address, B256, U64, U128};
use alloy::providers::Provider as _;

use super::{Chain, ChainError, Logged};
use events::Sent;
use fog::ensure;
use game::audit::Record;

/// An event of a game, and the transaction that it is of.
#[derive(Clone, Debug)]
pub struct Told {
    pub record: Record,
    pub transaction: B256,
}

/// What a transaction has cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    pub payer: Address,
    pub gas: u64,
    pub fee_wei: u128,
}

/// What is read of a receipt, of whatever type its transaction is.
#[derive(Debug, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Receipt {
    from: Address,
    gas_used: U64,
    effective_gas_price: U128,
    status: U64,
}

impl Chain {
    /// All events of a game up to the latest block, each move with the proof and the context of its calldata.
    pub async fn records(&self, game: B256) -> Result<Vec<Record>, ChainError> {
        let told = self.told(game).await?;
        Ok(told.into_iter().map(|told| told.record).collect())
    }

    /// The same, each with its transaction.
    pub async fn told(&self, game: B256) -> Result<Vec<Told>, ChainError> {
        let latest = self.latest_block().await?;
        self.told_to(game, latest).await
    }

    /// What a transaction with events has cost, by the node's word.
    pub async fn cost(&self, transaction: B256) -> Result<Option<Cost>, ChainError> {
        let receipt = self.provider().raw_request("eth_getTransactionReceipt".into(), [transaction]).await?;
        let receipt: Option<Receipt> = receipt;
        let Some(Receipt { from, gas_used, effective_gas_price, status }) = receipt else { return Ok(None) };
        ensure!(!status.is_zero(), ChainError::Nonsense("a transaction that has failed has events"));
        let fee_wei = gas_used.to::<u128>().saturating_mul(effective_gas_price.to());
        Ok(Some(Cost { payer: from, gas: gas_used.to(), fee_wei }))
    }

    /// All events of a game in the blocks that are final, each move with the proof and the basis of its calldata.
    pub async fn final_records(&self, game: B256) -> Result<Vec<Record>, ChainError> {
        match self.last_final().await? {
            Some(last) => Ok(self.told_to(game, last).await?.into_iter().map(|told| told.record).collect()),
            None => Ok(Vec::new()),
        }
    }

    async fn told_to(&self, game: B256, latest: u64) -> Result<Vec<Told>, ChainError> {
        let first = self.config().first_block;
        let mut times = BTreeMap::new();
        let mut told = Vec::new();
        for logged in self.events(game, first, latest).await? {
            let time = match times.get(&logged.block.number) {
                Some(time) => *time,
                None => self.time_of(logged.block.number).await?,
            };
            times.insert(logged.block.number, time);
            let transaction = logged.transaction;
            told.push(Told { record: self.record(game, logged, time).await?, transaction });
        }
        Ok(told)
    }

    /// An event with what its transaction says beyond it, if that is shown and calls the game contract.
    pub async fn record(&self, game: B256, logged: Logged, time: Option<u64>) -> Result<Record, ChainError> {
        let sent = match self.sent(logged.transaction).await {
            Ok(sent) => Some(sent),
            Err(ChainError::Nonsense(_) | ChainError::Behind) => None,
            Err(error) => return Err(error),
        };
        let sent =
            sent.as_ref().map(|(sender, call)| Sent { sender: *sender, value: call.value, calldata: &call.input });
        Ok(events::record(logged.event, time, game, sent)?)
    }

    /// A block's time, in seconds since 1970.
    pub async fn time_of(&self, block: u64) -> Result<Option<u64>, ChainError> {
        let number = BlockNumberOrTag::Number(block);
        let block = self.provider().get_block_by_number(number).await?;
        Ok(block.map(|block| block.header.timestamp))
    }
}
