//! A player's actions as transactions, through the wallet's one sender.
//!
//! Protocol section 8 ("Actions"). An action that the contract would refuse is found out by the estimate and never sent. Each action takes
//! plain values; what they should be is decided above.

use alloy::contract::{CallBuilder, CallDecoder};
use alloy::eips::eip2718::Encodable2718 as _;
use alloy::primitives::{B256, U256, keccak256};
use alloy::providers::{DynProvider, Provider as _};
use alloy::rpc::types::TransactionRequest;
use alloy::sol_types::SolCall as _;
use fog::engine::Registration;

use super::Chain;
use super::contract::IFogmate::{self, IFogmateCalls};
use super::error::{ChainError, ContractError};
use super::types;
use chain::SendError;
use chain::send::{Call, Key, Mined, Priority, Request, Subject, TxId, revert};
use game::{Action, Opening, Slot, Transaction, Unproven};

/// Gas of a call that is priced: little, because the account must have the money for it.
const CALL_GAS: u64 = 50_000;
/// How many times the least bond is sent.
const BOND_RISE: u64 = 4;
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
        Transaction::Move { fields, .. } => Subject::Exclusive(Key { topic: game, number: fields.ply }),
        _ => Subject::Action { topic: Some(game), name: transaction.to_string() },
    }
}

/// What a call of the game contract is for.
pub(super) fn called(input: &[u8]) -> Subject {
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
        let (terms, registration) = (&opening.terms, types::point(&opening.registration));
        let call = self.contract.create(opening.nonce.into(), terms.try_into()?, opening.toss, registration);
        let request = call.value(U256::from(terms.stake)).into_transaction_request();
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
        let call = self.contract.join(game, toss, types::point(registration)).value(U256::from(stake));
        self.act(call, lobby(Some(game), "joining the game"), Priority::Normal).await
    }

    /// Carries out what a player of a game asks of the contract.
    pub async fn carry_out(&self, game: B256, transaction: &Transaction) -> Result<Receipt, ChainError> {
        let contract = &self.contract;
        let request = match transaction {
            Transaction::RevealCreator { share, joiner } => of(contract.revealCreator(game, (*share).into(), *joiner)),
            Transaction::RevealJoiner { share } => of(contract.revealJoiner(game, (*share).into())),
            Transaction::Move { fields, basis, proof } => {
                let declared = types::declare(fields, *basis);
                of(contract.r#move(game, declared, proof.clone().into()))
            }
            Transaction::Resign => of(contract.resign(game)),
            Transaction::AcceptDraw { ply, commitment } => of(contract.acceptDraw(game, *ply, types::word(commitment))),
            Transaction::Refute(unproven) => {
                let Unproven { inputs, proof, .. } = &**unproven;
                let inputs = inputs.each_ref().map(types::word);
                of(contract.refute(game, inputs, proof.clone().into()))
            }
            Transaction::DemandSight { phase, points, proof, .. } => {
                let (phase, points) = (types::phase(*phase), types::words(points)?);
                let call = contract.demandSight(game, phase, points, proof.clone().into());
                of(call.value(self.bond(false).await?))
            }
            Transaction::AnswerSight { demanded, answer_root, elements, proof } => {
                let (exchange, root) = (types::exchange(demanded), types::word(answer_root));
                let elements = types::words(elements)?;
                of(contract.answerSight(game, exchange, root, elements, proof.clone().into()))
            }
            Transaction::FillAnswer { ctx, answer_root, .. } => {
                of(contract.fillAnswer(game, types::word(ctx), types::word(answer_root)))
            }
            Transaction::ClaimFifty { proof, .. } => {
                let call = contract.claimFifty(game, proof.clone().into());
                of(call.value(self.bond(true).await?))
            }
            Transaction::RespondFifty { at_least_fifty, proof } => {
                of(contract.respondFifty(game, *at_least_fifty, proof.clone().into()))
            }
            Transaction::ClaimNoMove { proof, .. } => of(contract.claimNoMove(game, proof.clone().into())),
            Transaction::Reclaim(slot) => {
                let slot = match slot {
                    Slot::Hold => IFogmate::Slot::Hold,
                    Slot::WhitePost => IFogmate::Slot::WhitePost,
                    Slot::BlackPost => IFogmate::Slot::BlackPost,
                };
                of(contract.reclaim(game, slot))
            }
            Transaction::ClaimTimeout => of(contract.claimTimeout(game)),
            Transaction::PublishViewKey { key } => of(contract.publishViewKey(game, (*key).into())),
            Transaction::Withdraw => of(contract.withdraw(self.account().ok_or(ChainError::ReadOnly)?)),
        };
        let (_, receipt) = self.make(request, subject(game, transaction), priority(transaction)).await?;
        Ok(receipt)
    }

    /// Takes out all that the contract owes this account.
    pub async fn withdraw(&self) -> Result<Receipt, ChainError> {
        let account = self.account().ok_or(ChainError::ReadOnly)?;
        self.act(self.contract.withdraw(account), lobby(None, "withdrawing"), Priority::Normal).await
    }

    /// The bond to send with a demand, or with a claim of fifty moves: four times the least, because prices may rise until the
    /// transaction is in a block, and until it is answered. What isn't earned comes back.
    async fn bond(&self, fifty: bool) -> Result<U256, ChainError> {
        // Many nodes run a call that names no gas price with a base fee of 0, by which the least bond would be 0, too.
        let price = self.base_fee().await?.saturating_mul(CALL_PRICE_RISE);
        let account = self.account().ok_or(ChainError::ReadOnly)?;
        let call = self.contract.leastBond(fifty).from(account).gas(CALL_GAS).gas_price(price);
        let least = call.call().await?;
        Ok(least.saturating_mul(U256::from(BOND_RISE)))
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
    ) -> Result<(TxId, Receipt), ChainError> {
        let account = self.account().ok_or(ChainError::ReadOnly)?;
        match self.transact(&request, subject.clone(), priority).await {
            Err(ChainError::Send(SendError::CannotPay { .. })) if !self.withdrawable(account).await?.is_zero() => {
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
    ) -> Result<(TxId, Receipt), ChainError> {
        let to = request.to.unwrap_or_default();
        let (value, input) = (request.value.unwrap_or_default(), request.input.input().cloned().unwrap_or_default());
        let request = Request { call: Call { to, value, input, gas: 0 }, subject, priority };
        let (id, mined) = self.sender()?.send(&request).await.map_err(|error| match error {
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
    pub async fn declared_in(&self, transaction: B256) -> Result<super::Declared, ChainError> {
        use alloy::consensus::Transaction as _;
        let found = self.provider().get_transaction_by_hash(transaction).await?;
        let found = found.ok_or(ChainError::Behind)?;
        // The log names the transaction by its hash, which says what is in it: a node may have garbled the rest.
        let hash = keccak256(found.inner.inner().encoded_2718());
        fog::ensure!(hash == transaction, ChainError::OtherTransaction(transaction));
        // A move may also be made through another contract. Then the calldata is that contract's, and may look like a call of
        // `move` with another proof.
        let is_direct = found.to() == Some(self.config.contract);
        fog::ensure!(is_direct, ChainError::Nonsense("the transaction of a move is a call of another contract"));
        let call = IFogmate::moveCall::abi_decode_validate(found.input());
        let call = call.map_err(|_| ChainError::Nonsense("the transaction of a move is not a call of `move`"))?;
        let (fields, basis) = (types::declared(&call.declared)?, call.declared.basis);
        Ok(super::Declared { game: call.gameId, fields, basis, proof: call.proof.to_vec() })
    }
}

/// A call as a request.
fn of<D: CallDecoder>(call: CallBuilder<&DynProvider, D>) -> TransactionRequest {
    call.into_transaction_request()
}
