//! A player's actions as transactions: estimated, sent, included, and, where it matters, final.
//!
//! Protocol section 8 ("Actions") and section 6 ("once that move is final"). An action that the contract would refuse
//! is found out by the estimate and never sent. Each action takes plain values; what they should be is decided above.

use std::time::Instant;

use alloy::contract::{CallBuilder, CallDecoder};
use alloy::network::{ReceiptResponse as _, TransactionBuilder as _};
use alloy::primitives::{B256, U256};
use alloy::providers::{DynProvider, Provider as _};
use alloy::rpc::types::{TransactionReceipt, TransactionRequest};
use fog::curve::FogKey;
use fog::ensure;

use super::Chain;
use super::contract::IFogmate;
use super::error::{ChainError, ContractError};
use super::types;
use game::{Opening, Slot, Transaction, Unproven};

/// Gas allowed above the estimate, in percent: state may change between the estimate and the block.
const GAS_MARGIN_PERCENT: u64 = 20;

/// Gas of a call that is priced: little, because the account must have the money for it.
const CALL_GAS: u64 = 50_000;
/// How far the base fee may rise between two looks at the chain.
const CALL_PRICE_RISE: u128 = 2;

/// A transaction in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// Its hash.
    pub transaction: B256,
    /// The number of its block.
    pub block: u64,
    /// The hash of its block.
    pub block_hash: B256,
    /// Gas that it used.
    pub gas_used: u64,
    /// What it cost, in wei.
    pub fee: u128,
    /// Bytes of its calldata.
    pub calldata_bytes: usize,
}

impl Chain {
    /// Opens a game, whose creator is this account; its id is [`Opening::game_id`].
    pub async fn create(&self, opening: &Opening) -> Result<Receipt, ChainError> {
        let (terms, fog_key) = (&opening.terms, types::point(&opening.fog_key));
        let call = self.contract.create(opening.nonce.into(), terms.try_into()?, opening.toss, fog_key);
        self.act(call.value(U256::from(terms.stake))).await
    }

    /// Takes back a game that nobody has joined.
    pub async fn cancel(&self, game: B256) -> Result<Receipt, ChainError> {
        self.act(self.contract.cancel(game)).await
    }

    /// Joins a game, with its stake and the commitment to the joiner's share of the coin toss.
    pub async fn join(&self, game: B256, stake: u128, toss: B256, fog_key: &FogKey) -> Result<Receipt, ChainError> {
        let call = self.contract.join(game, toss, types::point(fog_key));
        self.act(call.value(U256::from(stake))).await
    }

    /// Carries out what a player of a game asks of the contract.
    pub async fn carry_out(&self, game: B256, transaction: &Transaction) -> Result<Receipt, ChainError> {
        let contract = &self.contract;
        match transaction {
            Transaction::RevealCreator { share, joiner } => {
                self.act(contract.revealCreator(game, (*share).into(), *joiner)).await
            }
            Transaction::RevealJoiner { share } => self.act(contract.revealJoiner(game, (*share).into())).await,
            Transaction::Move { fields, ctx_next, proof } => {
                let declared = types::declare(fields, ctx_next);
                self.act(contract.r#move(game, declared, proof.clone().into())).await
            }
            Transaction::Resign => self.act(contract.resign(game)).await,
            Transaction::AcceptDraw { ply, commitment } => {
                self.act(contract.acceptDraw(game, *ply, types::word(commitment))).await
            }
            Transaction::Refute(unproven) => {
                let Unproven { inputs, proof, .. } = &**unproven;
                let inputs = inputs.each_ref().map(types::word);
                self.act(contract.refute(game, inputs, proof.clone().into())).await
            }
            Transaction::DemandSight { phase, points, proof, .. } => {
                let (phase, points) = (types::phase(*phase), types::words(points)?);
                let call = contract.demandSight(game, phase, points, proof.clone().into());
                self.act(call.value(self.bond(false).await?)).await
            }
            Transaction::AnswerSight { demanded, answer_root, elements, proof } => {
                let (exchange, root) = (types::exchange(demanded), types::word(answer_root));
                let elements = types::words(elements)?;
                self.act(contract.answerSight(game, exchange, root, elements, proof.clone().into())).await
            }
            Transaction::FillAnswer { ctx, answer_root, .. } => {
                self.act(contract.fillAnswer(game, types::word(ctx), types::word(answer_root))).await
            }
            Transaction::ClaimFifty { proof, .. } => {
                let call = contract.claimFifty(game, proof.clone().into());
                self.act(call.value(self.bond(true).await?)).await
            }
            Transaction::RespondFifty { at_least_fifty, proof } => {
                self.act(contract.respondFifty(game, *at_least_fifty, proof.clone().into())).await
            }
            Transaction::ClaimNoMove { proof, .. } => self.act(contract.claimNoMove(game, proof.clone().into())).await,
            Transaction::Reclaim(slot) => {
                let slot = match slot {
                    Slot::Hold => IFogmate::Slot::Hold,
                    Slot::WhitePost => IFogmate::Slot::WhitePost,
                    Slot::BlackPost => IFogmate::Slot::BlackPost,
                };
                self.act(contract.reclaim(game, slot)).await
            }
            Transaction::ClaimTimeout => self.act(contract.claimTimeout(game)).await,
            Transaction::PublishViewKey { key } => self.act(contract.publishViewKey(game, (*key).into())).await,
            Transaction::Withdraw => self.withdraw().await,
        }
    }

    /// Takes out all that the contract owes this account.
    pub async fn withdraw(&self) -> Result<Receipt, ChainError> {
        let account = self.account.ok_or(ChainError::ReadOnly)?;
        self.act(self.contract.withdraw(account)).await
    }

    /// The bond to send with a demand, or with a claim of fifty moves: half as much again as the least, because the base fee
    /// may rise until the transaction is in a block.
    async fn bond(&self, fifty: bool) -> Result<U256, ChainError> {
        // Many nodes run a call that names no gas price with a base fee of 0, by which the least bond would be 0, too.
        let price = self.base_fee().await?.saturating_mul(CALL_PRICE_RISE);
        let account = self.account.ok_or(ChainError::ReadOnly)?;
        let call = self.contract.leastBond(fifty).from(account).gas(CALL_GAS).gas_price(price);
        let least = call.call().await?;
        Ok(least.saturating_add(least / U256::from(2)))
    }

    /// Sends an action and waits until it is in a block. An account that can't pay for it fetches first what the contract owes it: of
    /// every demand most of the bond comes back there, and a player with its money there couldn't play on.
    async fn act<D: CallDecoder>(&self, call: CallBuilder<&DynProvider, D>) -> Result<Receipt, ChainError> {
        let account = self.account.ok_or(ChainError::ReadOnly)?;
        let request = call.into_transaction_request();
        match self.transact(request.clone()).await {
            Err(ChainError::CannotPay { .. }) if !self.withdrawable(account).await?.is_zero() => {
                self.transact(self.contract.withdraw(account).into_transaction_request()).await?;
                self.transact(request).await
            }
            result => result,
        }
    }

    async fn transact(&self, request: TransactionRequest) -> Result<Receipt, ChainError> {
        let account = self.account.ok_or(ChainError::ReadOnly)?;
        let request = request.with_from(account);
        let estimate = self.provider.estimate_gas(request.clone()).await;
        let estimate = estimate.map_err(|e| ChainError::of_call(e, self.account))?;
        let gas = estimate.saturating_add(estimate / 100 * GAS_MARGIN_PERCENT);
        let sent = self.provider.send_transaction(request.clone().with_gas_limit(gas)).await;
        let transaction = *sent.map_err(|e| ChainError::of_call(e, self.account))?.tx_hash();
        let receipt = self.included(transaction).await?;
        if !receipt.status() {
            let reason = self.reason(request, &receipt).await;
            return Err(ChainError::Failed { transaction, reason });
        }
        let (Some(block), Some(block_hash)) = (receipt.block_number, receipt.block_hash) else {
            return Err(ChainError::Nonsense("a receipt has no block"));
        };
        Ok(Receipt {
            transaction,
            block,
            block_hash,
            gas_used: receipt.gas_used,
            fee: u128::from(receipt.gas_used).saturating_mul(receipt.effective_gas_price()),
            calldata_bytes: request.input.input().map_or(0, |bytes| bytes.len()),
        })
    }

    /// Waits until a transaction is in a block.
    async fn included(&self, transaction: B256) -> Result<TransactionReceipt, ChainError> {
        let start = Instant::now();
        loop {
            if let Some(receipt) = self.provider.get_transaction_receipt(transaction).await? {
                return Ok(receipt);
            }
            let waited = start.elapsed();
            if waited > self.config.timeout {
                return Err(ChainError::NotConfirmed { transaction, waited });
            }
            tokio::time::sleep(self.config.poll).await;
        }
    }

    /// Why an included transaction failed: its call again, in the block where it failed.
    async fn reason(&self, request: TransactionRequest, receipt: &TransactionReceipt) -> Option<ContractError> {
        let call = self.provider.call(request).block(receipt.block_number?.into()).await;
        let failed = ChainError::of_call(call.err()?, None);
        failed.contract_error().cloned()
    }

    /// The `move` of a transaction: what was declared, and its proof.
    pub async fn declared_in(&self, transaction: B256) -> Result<super::Declared, ChainError> {
        use alloy::consensus::Transaction as _;
        use alloy::sol_types::SolCall as _;
        let found = self.provider.get_transaction_by_hash(transaction).await?;
        let found = found.ok_or(ChainError::Nonsense("the transaction of an event is not on the chain"))?;
        // A move may also be made through another contract. Then the calldata is that contract's, and may look like a call of
        // `move` with another proof.
        let is_direct = found.to() == Some(self.config.contract);
        ensure!(is_direct, ChainError::Nonsense("the transaction of a move is a call of another contract"));
        let call = IFogmate::moveCall::abi_decode_validate(found.input());
        let call = call.map_err(|_| ChainError::Nonsense("the transaction of a move is not a call of `move`"))?;
        let (fields, ctx_next) = types::declared(&call.declared)?;
        Ok(super::Declared { game: call.gameId, fields, ctx_next, proof: call.proof.to_vec() })
    }
}
