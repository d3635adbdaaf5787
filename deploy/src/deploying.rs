//! A deployment from the first look at the chain to its file: contracts one after the other, each written down once it stands, so that whoever is
//! interrupted pays for none twice.

use std::path::Path;
use std::time::{Duration, Instant};

use alloy::consensus::Transaction as _;
use alloy::primitives::{Address, B256, Bytes, keccak256};
use alloy::providers::{DynProvider, Provider as _};
use rpc::is_local;

use crate::begun::Begun;
use crate::deployment::{Deployed, DeploymentError};
use crate::files::check_file;
use crate::{Creator, DeployError};

/// Gas of a contract's creation besides its code: the transaction, the creation, its constructor.
const GAS_OF_CREATION: u64 = 100_000;
/// Gas of a byte of code: kept (200) and carried (16), and a little for running through it.
const GAS_OF_BYTE: u64 = 220;

/// How long the machines behind a node's address may be behind each other: what one has in a block is asked of another.
const LAG: Duration = Duration::from_secs(60);
/// How often is asked meanwhile.
const POLL: Duration = Duration::from_secs(1);

/// A deployment that is being made.
pub(crate) struct Deploying<'a, C> {
    provider: &'a DynProvider,
    creator: &'a C,
    chain_id: u64,
    begun: Begun,
}

impl<'a, C: Creator> Deploying<'a, C> {
    /// Makes sure that a deployment may be recorded and can be, before anything is paid for. One that is on file, `path`, is the way to its games;
    /// only on a local chain, which may have been begun anew, it goes if its contract, which `recorded` reads there, doesn't stand any more. A file that
    /// can't be read is nobody's to replace.
    pub async fn begin(
        provider: &'a DynProvider,
        creator: &'a C,
        chain_id: u64,
        path: &Path,
        recorded: impl FnOnce() -> Result<Deployed, DeploymentError>,
    ) -> Result<Self, DeployError> {
        // First, because who has held the lock may have just written the file.
        let begun = Begun::open(path)?;
        let stands = match recorded() {
            Ok(recorded) => keccak256(provider.get_code_at(recorded.address).await?) == recorded.code_hash,
            Err(DeploymentError::Unknown { .. }) => false,
            Err(unreadable) => return Err(unreadable.into()),
        };
        if stands || path.exists() && !is_local(chain_id) {
            begun.finish();
            return Err(DeployError::Exists { chain_id, path: path.to_owned() });
        }
        check_file(path)?;
        Ok(Self { provider, creator, chain_id, begun })
    }

    /// Whether the account can pay for contracts with so many bytes of code, before the first of them is paid for. Who goes on with an
    /// earlier deployment has paid for some of them, and loses nothing where it doesn't come to an end.
    pub async fn check_funds(&self, codes: impl IntoIterator<Item = usize>) -> Result<(), DeployError> {
        if self.begun.is_paid_for() {
            return Ok(());
        }
        let (price, offer) = (self.provider.get_gas_price().await?, self.creator.offer().await?);
        let (mut paid, mut needed) = (0u128, 0);
        for bytes in codes {
            let gas = u128::from(GAS_OF_CREATION + GAS_OF_BYTE * bytes as u64);
            needed = paid.saturating_add(gas.saturating_mul(offer)).max(needed);
            paid = paid.saturating_add(gas.saturating_mul(price));
        }
        let (account, needed) = (self.creator.account(), needed.max(paid));
        let found = self.provider.get_balance(account).await?.saturating_to();
        match found >= needed {
            true => Ok(()),
            false => Err(DeployError::TooPoor { account, needed, found }),
        }
    }

    /// Creates a contract, or finds the one that an earlier process has created for this deployment; its address and its block. `code` is its
    /// creation code with arguments.
    pub async fn create(&mut self, contract: &str, code: Bytes) -> Result<(Address, u64), DeployError> {
        let code_hash = keccak256(&code);
        if let Some(transaction) = self.begun.find(contract, code_hash) {
            // A local chain that was begun anew doesn't have it, and says so at once.
            let patience = if is_local(self.chain_id) { Duration::ZERO } else { LAG };
            if let Some(created) = self.created(transaction, code_hash, patience).await? {
                return Ok(created);
            }
        }
        self.begun.pay(contract)?;
        let transaction = self.creator.create(contract, code).await?;
        self.begun.add(contract, code_hash, transaction)?;
        self.creator.recorded(transaction).await?;
        let created = self.created(transaction, code_hash, LAG).await?;
        created.ok_or(DeployError::NotIncluded(transaction))
    }

    /// The contract that a transaction has created by the code with a hash, and its block; none if the chain doesn't have it after so long.
    async fn created(
        &self,
        transaction: B256,
        code_hash: B256,
        patience: Duration,
    ) -> Result<Option<(Address, u64)>, DeployError> {
        let start = Instant::now();
        loop {
            let found = rpc::patiently(|| self.provider.get_transaction_by_hash(transaction)).await?;
            let receipt = rpc::patiently(|| self.provider.get_transaction_receipt(transaction)).await?;
            if let (Some(found), Some(receipt)) = (found, receipt) {
                let is_it = found.to().is_none() && keccak256(found.input()) == code_hash && receipt.status();
                return Ok(receipt.contract_address.zip(receipt.block_number).filter(|_| is_it));
            }
            if start.elapsed() >= patience {
                return Ok(None);
            }
            tokio::time::sleep(POLL).await;
        }
    }

    /// A contract as the chain has it.
    pub async fn deployed(&self, address: Address) -> Result<Deployed, DeployError> {
        let code_hash = keccak256(rpc::patiently(|| self.provider.get_code_at(address)).await?);
        Ok(Deployed { address, code_hash })
    }

    /// The deployment's file is written.
    pub fn finish(self) {
        self.begun.finish();
    }
}
