//! The connection to the dice contract: its actions as transactions, and its latest state.

use std::time::{Duration, Instant};

use alloy::contract::{CallBuilder, CallDecoder};
use alloy::eips::BlockNumberOrTag;
use alloy::primitives::{Address, B256, U256};
use alloy::providers::{DynProvider, Provider as _};
use dice::{Acceptance, Action, Opening, Roll, Terms};
use fog::ensure;

use super::contract::IDiceGame;
use super::error::DiceError;
use crate::chain::Receipt;
use crate::wallet::Wallet;

/// Blocks on top of another before it counts as final, on chains that aren't local.
const CONFIRMATIONS: u64 = 12;

/// Where the contract stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The chain.
    pub chain_id: u64,
    /// The contract, whose code has been compared.
    pub contract: Address,
    /// The block of its deployment.
    pub block: u64,
}

/// A connection, with a wallet or to read only.
pub struct DiceChain {
    pub(super) provider: DynProvider,
    contract: IDiceGame::IDiceGameInstance<DynProvider>,
    place: Place,
    /// Blocks on top of another before it counts as final.
    pub(super) confirmations: u64,
    account: Option<Address>,
}

impl DiceChain {
    /// Connects as the owner of a wallet, or without one. Without a number of confirmations it is 0 on local chains and 12 on others.
    pub async fn connect(
        rpc: &str,
        place: Place,
        wallet: Option<&Wallet>,
        confirmations: Option<u64>,
    ) -> Result<Self, DiceError> {
        let provider = rpc::connect(rpc, wallet.map(Wallet::signer))?;
        let found = provider.get_chain_id().await?;
        ensure!(found == place.chain_id, DiceError::WrongChain { expected: place.chain_id, found });
        let contract = IDiceGame::new(place.contract, provider.clone());
        let default = if rpc::is_local(found) { 0 } else { CONFIRMATIONS };
        let confirmations = confirmations.unwrap_or(default);
        Ok(Self { provider, contract, place, confirmations, account: wallet.map(Wallet::address) })
    }

    /// Where the contract stands.
    pub fn place(&self) -> Place {
        self.place
    }

    /// How often to look.
    pub fn poll(&self) -> Duration {
        Duration::from_millis(if rpc::is_local(self.place.chain_id) { 50 } else { 2_000 })
    }

    /// The latest block's time, in seconds since 1970.
    pub async fn time(&self) -> Result<u64, DiceError> {
        self.time_at(BlockNumberOrTag::Latest).await
    }

    /// How long a message lately took to become final once it was in a block, in seconds: what that leaves of a turn is the time to roll.
    pub async fn finality_time(&self) -> Result<u64, DiceError> {
        let latest = self.provider.get_block_number().await?;
        let before = self.time_at(latest.saturating_sub(self.confirmations).into()).await?;
        Ok(self.time_at(latest.into()).await?.saturating_sub(before))
    }

    /// A block's time, in seconds since 1970.
    pub(super) async fn time_at(&self, block: BlockNumberOrTag) -> Result<u64, DiceError> {
        let block = self.provider.get_block_by_number(block).await?;
        block.map(|block| block.header.timestamp).ok_or(DiceError::Nonsense("a block is missing"))
    }

    /// The head of a game in the latest block, final or not; zero if there is no such game.
    pub async fn latest_head(&self, game: B256) -> Result<B256, DiceError> {
        Ok(self.contract.game(game).call().await?.head)
    }

    /// What the contract owes an account, in wei.
    pub async fn withdrawable(&self, account: Address) -> Result<U256, DiceError> {
        Ok(self.contract.withdrawable(account).call().await?)
    }

    /// Opens a game.
    pub async fn create(&self, opening: &Opening) -> Result<Receipt, DiceError> {
        let Terms { stake, turn, expiry, opponent } = &opening.terms;
        let terms = IDiceGame::Terms {
            stake: (*stake).try_into().map_err(|_| DiceError::BadTerms)?,
            turn: (*turn).try_into().map_err(|_| DiceError::BadTerms)?,
            expiry: (*expiry).try_into().map_err(|_| DiceError::BadTerms)?,
            opponent: opponent.unwrap_or_default(),
        };
        let call = self.contract.create(opening.nonce.into(), terms, opening.promised);
        self.send(call.value(U256::from(*stake))).await
    }

    /// Joins a game, with its stake in wei.
    pub async fn join(&self, game: B256, stake: u128, acceptance: &Acceptance) -> Result<Receipt, DiceError> {
        let Acceptance { number, promised, .. } = acceptance;
        self.send(self.contract.join(game, *number, *promised).value(U256::from(stake))).await
    }

    /// Does what a player's machine asks for; joining takes [`Self::join`].
    pub async fn carry_out(&self, game: B256, action: &Action) -> Result<Receipt, DiceError> {
        match action {
            Action::Join(acceptance) => self.join(game, 0, acceptance).await,
            Action::Cancel => self.send(self.contract.cancel(game)).await,
            Action::Resign => self.send(self.contract.resign(game)).await,
            Action::ClaimTimeout => self.send(self.contract.claimTimeout(game)).await,
            Action::Roll(Roll { head, revealed, number, promised, .. }) => {
                self.send(self.contract.roll(game, *head, *revealed, *number, *promised)).await
            }
        }
    }

    /// Fetches what the contract owes the wallet.
    pub async fn withdraw(&self) -> Result<Receipt, DiceError> {
        let account = self.account.ok_or(DiceError::ReadOnly)?;
        self.send(self.contract.withdraw(account)).await
    }

    /// Sends a transaction, which the estimate refuses if the contract would, and waits until it is in a block.
    async fn send<C: CallDecoder>(&self, call: CallBuilder<&DynProvider, C>) -> Result<Receipt, DiceError> {
        ensure!(self.account.is_some(), DiceError::ReadOnly);
        let calldata_bytes = call.calldata().len();
        let transaction = *call.send().await?.tx_hash();
        let patience = Duration::from_secs(if rpc::is_local(self.place.chain_id) { 30 } else { 300 });
        let start = Instant::now();
        while start.elapsed() < patience {
            if let Some(receipt) = self.provider.get_transaction_receipt(transaction).await? {
                ensure!(receipt.status(), DiceError::Reverted(transaction));
                let place = (receipt.block_number, receipt.block_hash);
                let (Some(block), Some(block_hash)) = place else {
                    return Err(DiceError::Nonsense("a receipt has no block"));
                };
                let fee = u128::from(receipt.gas_used).saturating_mul(receipt.effective_gas_price);
                let gas_used = receipt.gas_used;
                return Ok(Receipt { transaction, block, block_hash, gas_used, fee, calldata_bytes });
            }
            tokio::time::sleep(self.poll()).await;
        }
        Err(DiceError::NotIncluded(transaction))
    }
}
