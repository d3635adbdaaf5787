//! Deploying at a wallet's cost: its transactions go through the wallet's one owner of nonces and fees, like all others.

use std::error::Error;

use alloy::primitives::{Address, B256, Bytes};
use client::chain::Creations;
use client::wallet::Wallet;
use deploy::{Creator, DeployError};
use eyre::Result;

use crate::home::Home;
use crate::machine::{FeeArgs, tell_advice};
use crate::output::note;

/// A wallet that pays for contracts.
pub struct OfWallet {
    creations: Creations,
}

impl OfWallet {
    /// Connects a wallet to a node; tells on stderr what becomes of its transactions.
    pub async fn connect(rpc: &str, wallet: &Wallet, fees: FeeArgs, home: &Home) -> Result<Self> {
        let creations = Creations::connect(rpc, wallet, fees.in_wei(), home.transactions()).await?;
        tell_advice(Some(creations.advice()));
        Ok(Self { creations })
    }
}

impl Creator for OfWallet {
    fn account(&self) -> Address {
        self.creations.account()
    }

    async fn chain_id(&self) -> Result<u64, DeployError> {
        Ok(self.creations.chain_id())
    }

    async fn offer(&self) -> Result<u128, DeployError> {
        self.creations.offer().await.map_err(|error| failed("first contract", error))
    }

    async fn create(&self, contract: &str, code: Bytes) -> Result<B256, DeployError> {
        self.creations.create(contract, code).await.map_err(|error| failed(contract, error))
    }

    async fn recorded(&self, transaction: B256) -> Result<(), DeployError> {
        self.creations.acknowledge(transaction).await.map_err(|error| failed("next contract", error))
    }

    fn tell(&self, sentence: &str) {
        note!("note: {sentence}");
    }
}

fn failed(contract: &str, source: impl Error + Send + Sync + 'static) -> DeployError {
    DeployError::Creation { contract: contract.to_owned(), source: Box::new(source) }
}
