//! A player's actions as transactions, through the owner of the wallet's transactions.
//!
//! Protocol section 8 ("Actions"). An action that the contract would refuse is found out by the estimate and never sent. Each action takes
//! plain values; what they should be is decided above.

use alloy::contract::{CallBuilder, CallDecoder};
use alloy::eips::eip2718::Encodable2718 as _;
use alloy::network::TransactionBuilder as _;
use alloy::primitives::{B256, Bytes, U256, keccak256};
use alloy::providers::{DynProvider, Provider as _};
use alloy::rpc::types::TransactionRequest;
use events::{Declared, bond, calldata, is_bonded, join_calldata, open_calldata};
use fog::engine::Registration;

use super::Chain;
use super::error::{ChainError, ContractError};
use crate::sender::{Mined, Priority, Subject, Ticket};
use game::{Action, Opening, Transaction};

/// Gas of a call that is priced: little, because the account must have the money for it.
const CALL_GAS: u64 = 50_000;
/// How far the base fee may rise between two looks at the chain.
const CALL_PRICE_RISE: u128 = 2;

/// A transaction in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Receipt {
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

impl Receipt {
    /// Of a transaction with so many bytes of calldata.
    pub(crate) fn of(mined: &Mined, calldata_bytes: usize) -> Self {
        let Mined { transaction, block, block_hash, gas_used, fee, .. } = *mined;
        Self { transaction, block, block_hash, gas_used, fee, calldata_bytes }
    }
}

/// How urgent a transaction is: what has a deadline, or ends the game, waits for nothing.
pub fn priority(transaction: &Transaction) -> Priority {
    match transaction.action() {
        Action::Move | Action::Reclaim | Action::PublishViewKey | Action::Withdraw => Priority::Normal,
        Action::Reveal | Action::Resign | Action::AcceptDraw | Action::Refute | Action::ClaimTimeout => {
            Priority::Urgent
        }
        Action::DemandSight | Action::AnswerSight | Action::FillAnswer => Priority::Urgent,
        Action::ClaimFifty | Action::RespondFifty | Action::ClaimNoMove => Priority::Urgent,
    }
}

/// What a player's transaction is for.
pub fn subject(game: B256, transaction: &Transaction) -> Subject {
    match transaction {
        Transaction::Move { fields, .. } => Subject::Move { game, ply: fields.ply },
        _ => Subject::Action { game: Some(game), name: transaction.to_string() },
    }
}

/// A step of the lobby.
fn lobby(game: Option<B256>, name: &str) -> Subject {
    Subject::Action { game, name: name.to_owned() }
}

impl Chain {
    /// Opens a game, whose creator is this account; its id is [`Opening::game_id`].
    pub async fn create(&self, opening: &Opening) -> Result<Receipt, ChainError> {
        Ok(self.open(opening).await?.1)
    }

    /// Opens a game and gives the number of the transaction in the wallet's record, and its receipt.
    pub(crate) async fn open(&self, opening: &Opening) -> Result<(Ticket, Receipt), ChainError> {
        let request = self.request(open_calldata(opening)?).with_value(U256::from(opening.terms.stake));
        self.make(request, lobby(None, "opening the game"), Priority::Normal).await
    }

    /// Takes back a game that nobody has joined.
    pub async fn cancel(&self, game: B256) -> Result<Receipt, ChainError> {
        self.act(self.contract.cancel(game), lobby(Some(game), "cancelling the game"), Priority::Normal).await
    }

    /// Joins a game, with its stake and the commitment to the joiner's share of the coin toss.
    pub async fn join(
        &self,
        game: B256,
        stake: u128,
        toss: B256,
        registration: &Registration,
    ) -> Result<Receipt, ChainError> {
        let request = self.request(join_calldata(game, toss, registration)).with_value(U256::from(stake));
        Ok(self.make(request, lobby(Some(game), "joining the game"), Priority::Normal).await?.1)
    }

    /// Carries out what a player of a game asks of the contract.
    pub async fn carry_out(&self, game: B256, transaction: &Transaction) -> Result<Receipt, ChainError> {
        let request = self.call(game, transaction).await?;
        let (_, receipt) = self.make(request, subject(game, transaction), priority(transaction)).await?;
        Ok(receipt)
    }

    /// The call that asks it of the contract, with the bond that goes along: nothing is signed here.
    pub async fn call(&self, game: B256, transaction: &Transaction) -> Result<TransactionRequest, ChainError> {
        let account = self.account().ok_or(ChainError::ReadOnly)?;
        let request = self.request(calldata(game, account, transaction)?);
        Ok(match is_bonded(transaction) {
            Some(fifty) => request.with_value(self.bond(fifty).await?),
            None => request,
        })
    }

    /// Takes out all that the contract owes this account.
    pub async fn withdraw(&self) -> Result<Receipt, ChainError> {
        let account = self.account().ok_or(ChainError::ReadOnly)?;
        self.act(self.contract.withdraw(account), lobby(None, "withdrawing"), Priority::Normal).await
    }

    /// The [`bond`] to send with a demand, or with a claim of fifty moves.
    async fn bond(&self, fifty: bool) -> Result<U256, ChainError> {
        // Many nodes run a call that names no gas price with a base fee of 0, by which the least bond would be 0, too.
        let price = self.base_fee().await?.saturating_mul(CALL_PRICE_RISE);
        let account = self.account().ok_or(ChainError::ReadOnly)?;
        let call = self.contract.leastBond(fifty).from(account).gas(CALL_GAS).gas_price(price);
        let least = call.call().await?;
        Ok(bond(least))
    }

    /// A call of the contract.
    fn request(&self, input: Bytes) -> TransactionRequest {
        TransactionRequest::default().with_to(self.config.contract).with_input(input)
    }

    /// Has an action carried out and waits until it is in a block.
    async fn act<D: CallDecoder>(
        &self,
        call: CallBuilder<&DynProvider, D>,
        subject: Subject,
        priority: Priority,
    ) -> Result<Receipt, ChainError> {
        Ok(self.make(of(call), subject, priority).await?.1)
    }

    /// Sends a request. If the account can't pay for it, it withdraws first what the contract owes it: of every demand most of the bond
    /// comes back there, and a player with its money there couldn't play on.
    async fn make(
        &self,
        request: TransactionRequest,
        subject: Subject,
        priority: Priority,
    ) -> Result<(Ticket, Receipt), ChainError> {
        let account = self.account().ok_or(ChainError::ReadOnly)?;
        match self.transact(&request, subject.clone(), priority).await {
            Err(ChainError::CannotPay { .. }) if !self.withdrawable(account).await?.is_zero() => {
                let withdraw = of(self.contract.withdraw(account));
                self.transact(&withdraw, lobby(None, "withdrawing"), priority).await?;
                self.transact(&request, subject, priority).await
            }
            result => result,
        }
    }

    async fn transact(
        &self,
        request: &TransactionRequest,
        subject: Subject,
        priority: Priority,
    ) -> Result<(Ticket, Receipt), ChainError> {
        let owner = self.owner.as_ref().ok_or(ChainError::ReadOnly)?;
        let (ticket, mined) = owner.carry_out(request, subject, priority).await?;
        let calldata_bytes = request.input.input().map_or(0, |bytes| bytes.len());
        let request = request.clone().with_from(owner.account());
        Ok((ticket, self.receipt(request, &mined, calldata_bytes).await?))
    }

    /// The receipt of a transaction in a block, or why it failed.
    pub(super) async fn receipt(
        &self,
        request: TransactionRequest,
        mined: &Mined,
        calldata_bytes: usize,
    ) -> Result<Receipt, ChainError> {
        let Mined { transaction, block, block_hash, gas_used, fee, succeeded } = *mined;
        if !succeeded {
            let reason = self.reason(request, block).await;
            return Err(ChainError::Failed { transaction, reason });
        }
        Ok(Receipt { transaction, block, block_hash, gas_used, fee, calldata_bytes })
    }

    /// Why an included transaction failed: its call again, in the block where it failed.
    async fn reason(&self, request: TransactionRequest, block: u64) -> Option<ContractError> {
        let call = self.provider.call(request).block(block.into()).await;
        let failed = ChainError::of_call(call.err()?, None, ChainError::of_revert);
        failed.contract_error().cloned()
    }

    /// The `move` of a transaction: what was declared, and its proof.
    ///
    /// # Errors
    ///
    /// [`ChainError::OtherTransaction`] if the node shows another one under that hash, [`ChainError::Behind`] if it shows none, and
    /// [`ChainError::Nonsense`] if it is no such call.
    pub async fn declared_in(&self, transaction: B256) -> Result<Declared, ChainError> {
        use alloy::consensus::Transaction as _;
        let found = self.provider.get_transaction_by_hash(transaction).await?;
        let found = found.ok_or(ChainError::Behind)?;
        // The log names the transaction by its hash, which says what is in it: a node may have garbled the rest.
        let hash = keccak256(found.inner.inner().encoded_2718());
        fog::ensure!(hash == transaction, ChainError::OtherTransaction(transaction));
        // A move may also be made through another contract. Then the calldata is that contract's, and may look like a call of
        // `move` with another proof.
        let is_direct = found.to() == Some(self.config.contract);
        fog::ensure!(is_direct, ChainError::Nonsense("the transaction of a move is a call of another contract"));
        Ok(Declared::decode(found.input())?)
    }
}

/// A call as a request.
fn of<D: CallDecoder>(call: CallBuilder<&DynProvider, D>) -> TransactionRequest {
    call.into_transaction_request()
}
