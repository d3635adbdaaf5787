//! A player's actions as transactions, through the wallet's one sender.
//!
//! Protocol section 8 ("Actions"). An action that the contract would refuse is found out by the estimate and never sent. Each action takes
//! plain values; what they should be is decided above.

use alloy::consensus::Transaction as _;
use alloy::eips::eip2718::Encodable2718 as _;
use alloy::primitives::{Address, B256, Bytes, U64, U256, keccak256};
use alloy::providers::Provider as _;
use alloy::sol_types::SolCall;
use chain::SendError;
use chain::send::{Call, Key, Mined, Priority, Request, Subject, TxId, revert};
use events::IFogmate::{self, IFogmateCalls, cancelCall, withdrawCall};
use events::{Declared, bond, calldata, is_bonded, join_calldata, open_calldata};
use fog::engine::Registration;
use game::{Action, Opening, Transaction};

use super::Chain;
use super::error::{ChainError, ContractError};

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
        Action::Reveal | Action::Resign | Action::AcceptDraw | Action::ClaimTimeout => Priority::Urgent,
        Action::DemandSight | Action::AnswerSight | Action::FillAnswer => Priority::Urgent,
        Action::ClaimFifty | Action::RespondFifty | Action::ClaimNoMove => Priority::Urgent,
        Action::Wake | Action::Close => Priority::Urgent,
    }
}

/// What a player's transaction is for.
pub fn subject(game: B256, transaction: &Transaction) -> Subject {
    match transaction {
        Transaction::Move { fields, .. } => Subject::Exclusive(Key { topic: game, number: fields.ply }),
        _ => Subject::Action { topic: Some(game), name: transaction.to_string() },
    }
}

/// What a call of the game contract is for.
pub fn called(input: &[u8]) -> Subject {
    if let Ok(call) = IFogmate::moveCall::abi_decode_validate(input) {
        return Subject::Exclusive(Key { topic: call.gameId, number: call.declared.ply });
    }
    let selector = input.first_chunk::<4>().and_then(|selector| IFogmateCalls::name_by_selector(*selector));
    Subject::Action { topic: None, name: selector.unwrap_or("a call of the game contract").to_owned() }
}

/// A step of the lobby.
fn lobby(topic: Option<B256>, name: &str) -> Subject {
    Subject::Action { topic, name: name.to_owned() }
}

impl Chain {
    /// Opens a game, whose creator is this account; its id is [`Opening::game_id`].
    pub async fn create(&self, opening: &Opening) -> Result<Receipt, ChainError> {
        Ok(self.open(opening).await?.1)
    }

    /// Opens a game and gives the number of the transaction in the wallet's record, and its receipt.
    pub(crate) async fn open(&self, opening: &Opening) -> Result<(TxId, Receipt), ChainError> {
        let call = self.paying(U256::from(opening.terms.stake), open_calldata(opening)?);
        self.make(call, lobby(None, "opening the game"), Priority::Normal).await
    }

    /// Takes back a game that nobody has joined.
    pub async fn cancel(&self, game: B256) -> Result<Receipt, ChainError> {
        self.act(cancelCall { gameId: game }, lobby(Some(game), "cancelling the game")).await
    }

    /// Joins a game, with its stake and the commitment to the joiner's share of the coin toss.
    pub async fn join(
        &self,
        game: B256,
        stake: u128,
        toss: B256,
        registration: &Registration,
    ) -> Result<Receipt, ChainError> {
        let call = self.paying(U256::from(stake), join_calldata(game, toss, registration));
        Ok(self.make(call, lobby(Some(game), "joining the game"), Priority::Normal).await?.1)
    }

    /// Carries out what a player of a game asks of the contract.
    pub async fn carry_out(&self, game: B256, transaction: &Transaction) -> Result<Receipt, ChainError> {
        let call = self.call(game, transaction).await?;
        let (_, receipt) = self.make(call, subject(game, transaction), priority(transaction)).await?;
        Ok(receipt)
    }

    /// The call that asks it of the contract, with the bond that goes along: nothing is signed here.
    pub async fn call(&self, game: B256, transaction: &Transaction) -> Result<Call, ChainError> {
        let account = self.account().ok_or(ChainError::ReadOnly)?;
        let bond = match is_bonded(transaction) {
            Some(fifty) => self.bond(fifty).await?,
            None => U256::ZERO,
        };
        Ok(self.paying(bond, calldata(game, account, transaction)?))
    }

    /// Takes out all that the contract owes this account.
    pub async fn withdraw(&self) -> Result<Receipt, ChainError> {
        let to = self.account().ok_or(ChainError::ReadOnly)?;
        self.act(withdrawCall { to }, lobby(None, "withdrawing")).await
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

    /// A call of the contract that pays so much.
    pub(super) fn paying(&self, value: U256, input: Bytes) -> Call {
        Call { to: self.config.contract.into(), value, input, gas: 0 }
    }

    /// Has an action that may wait carried out, and waits until it is in a block.
    async fn act(&self, call: impl SolCall, subject: Subject) -> Result<Receipt, ChainError> {
        let call = self.paying(U256::ZERO, call.abi_encode().into());
        Ok(self.make(call, subject, Priority::Normal).await?.1)
    }

    /// Makes a call. If the account can't pay for it, it withdraws first what the contract owes it: of every demand most of the bond
    /// comes back there, and a player with its money there couldn't play on.
    pub(super) async fn make(
        &self,
        call: Call,
        subject: Subject,
        priority: Priority,
    ) -> Result<(TxId, Receipt), ChainError> {
        let account = self.account().ok_or(ChainError::ReadOnly)?;
        let request = Request { call, subject, priority };
        match self.transact(&request).await {
            Err(ChainError::Send(SendError::CannotPay { .. })) if !self.withdrawable(account).await?.is_zero() => {
                let call = self.paying(U256::ZERO, withdrawCall { to: account }.abi_encode().into());
                self.transact(&Request { call, subject: lobby(None, "withdrawing"), priority }).await?;
                self.transact(&request).await
            }
            result => result,
        }
    }

    async fn transact(&self, request: &Request) -> Result<(TxId, Receipt), ChainError> {
        let (id, mined) = self.sender()?.send(request).await.map_err(|error| match error {
            SendError::Reverts { message, data } => ChainError::of_revert(message, data),
            other => other.into(),
        })?;
        Ok((id, self.receipt(&request.call, &mined).await?))
    }

    /// The receipt of a transaction in a block, or why it failed.
    pub(super) async fn receipt(&self, call: &Call, mined: &Mined) -> Result<Receipt, ChainError> {
        if !mined.succeeded {
            let (transaction, reason) = (mined.transaction, self.reason(call, mined.block).await);
            return Err(ChainError::Failed { transaction, reason });
        }
        Ok(Receipt::of(mined, call.input.len()))
    }

    /// Why an included transaction failed: its call again, in the block where it failed.
    async fn reason(&self, call: &Call, block: u64) -> Option<ContractError> {
        let request = call.request(self.account()?);
        let call = self.provider().call(request).block(block.into()).await;
        ContractError::decode(&revert(&call.err()?)?.1)
    }

    /// The `move` of a transaction: what was declared, and its proof.
    ///
    /// # Errors
    ///
    /// [`ChainError::OtherTransaction`] if the node shows another one under that hash, [`ChainError::Behind`] if it shows none, and
    /// [`ChainError::Nonsense`] if it is no such call.
    pub async fn declared_in(&self, transaction: B256) -> Result<Declared, ChainError> {
        let (sender, call) = self.sent(transaction).await?;
        // Whatever stands in one that its hash doesn't hold may be another proof than the contract has verified.
        fog::ensure!(sender.is_some(), ChainError::Nonsense("a transaction is of a type that only its chain has"));
        Ok(Declared::decode(&call.input)?)
    }

    /// Who has sent a transaction to the game contract, by its signature, and what; its errors are those of [`Self::declared_in`]. Of a type that only
    /// some chains have, or without a signature, nobody is known to have sent it, and the call is the node's word.
    pub(super) async fn sent(&self, transaction: B256) -> Result<(Option<Address>, Call), ChainError> {
        let shown = self.provider().raw_request("eth_getTransactionByHash".into(), [transaction]).await?;
        let shown: Option<serde_json::Value> = shown;
        let shown = shown.ok_or(ChainError::Behind)?;
        let Shown { kind, to, value, input, r, s } =
            serde_json::from_value(shown.clone()).map_err(|_| ChainError::OtherTransaction(transaction))?;
        let is_ordinary = kind.unwrap_or_default() <= NEWEST_KIND
            && [r, s].iter().all(|part| part.is_some_and(|part| !part.is_zero()));
        if !is_ordinary {
            fog::ensure!(to == Some(self.config.contract), OF_ANOTHER);
            return Ok((None, self.paying(value, input)));
        }
        let found = serde_json::from_value::<alloy::rpc::types::Transaction>(shown);
        let found = found.map_err(|_| ChainError::OtherTransaction(transaction))?;
        // The log names the transaction by its hash, which says what is in it: a node may have garbled the rest.
        let hash = keccak256(found.inner.inner().encoded_2718());
        fog::ensure!(hash == transaction, ChainError::OtherTransaction(transaction));
        // A call may also be made through another contract. Then the calldata is that contract's, and may look like a call of
        // this one with another proof.
        fog::ensure!(found.to() == Some(self.config.contract), OF_ANOTHER);
        let envelope = found.inner.inner();
        // A creation names no game, and the contract may have this address on another chain, too. A signature of the oldest kind names no chain.
        let is_here = envelope.chain_id().is_none_or(|chain_id| chain_id == self.config.chain_id);
        fog::ensure!(is_here, ChainError::OtherTransaction(transaction));
        let sender = envelope.signature().recover_address_from_prehash(&envelope.signature_hash());
        let sender = sender.map_err(|_| ChainError::Nonsense("a transaction has no signature"))?;
        Ok((Some(sender), self.paying(found.value(), found.input().clone())))
    }
}

/// The last type of transactions that Ethereum has.
const NEWEST_KIND: U64 = U64::from_limbs([4]);
const OF_ANOTHER: ChainError = ChainError::Nonsense("the transaction of a move is a call of another contract");

/// What is read of a transaction of any type.
#[derive(serde::Deserialize)]
struct Shown {
    #[serde(rename = "type")]
    kind: Option<U64>,
    to: Option<Address>,
    #[serde(default)]
    value: U256,
    input: Bytes,
    r: Option<U256>,
    s: Option<U256>,
}
