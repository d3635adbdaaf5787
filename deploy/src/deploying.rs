//! A deployment from the first look at the chain to its file: contracts one after the other, each written down once it stands, so that whoever is
//! interrupted pays for none twice. None is paid for before the one before it is seen to be what was compiled, and nothing is recorded before it is final:
//! the file names a block, and who plays looks for the creation there.

use std::path::Path;
use std::time::{Duration, Instant};

use alloy::eips::BlockNumberOrTag;
use alloy::primitives::{Address, B256, keccak256};
use alloy::providers::{DynProvider, Provider as _};
use alloy::transports::RpcError;
use rpc::is_local;

use crate::begun::Begun;
use crate::deployment::{Deployed, DeploymentError};
use crate::files::check_file;
use crate::included::Included;
use crate::shipped::immutables_of;
use crate::{Code, Creator, DeployError};

/// Gas of a contract's creation besides its code: the transaction, the creation, its constructor.
const GAS_OF_CREATION: u64 = 100_000;
/// Gas of a byte of code: kept (200) and carried (16), and a little for running through it.
const GAS_OF_BYTE: u64 = 220;

/// How long the machines behind a node's address may be behind each other: what one has in a block is asked of another. As long a node may be silent.
const LAG: Duration = Duration::from_secs(60);
/// How often is asked meanwhile.
const POLL: Duration = Duration::from_secs(1);
/// Blocks on top of one that is final on a chain that calls none so: what players wait for, too.
const CONFIRMATIONS: u64 = 12;
/// How often is asked for the final block.
const FINAL_POLL: Duration = Duration::from_secs(4);

/// A deployment that is being made.
pub(crate) struct Deploying<'a, C> {
    provider: &'a DynProvider,
    creator: &'a C,
    chain_id: u64,
    begun: Begun,
}

/// A contract of it.
pub(crate) struct Made {
    /// As the chain has it.
    pub deployed: Deployed,
    /// What it is, as in "narrow verifier".
    contract: String,
    /// The hash of its creation code with arguments.
    code_hash: B256,
    /// The transaction that has created it.
    transaction: B256,
}

impl Made {
    pub fn address(&self) -> Address {
        self.deployed.address
    }
}

/// The chain of a node, which must be the one that the creator signs for: a node that calls a chain local to one and real to the other would have
/// contracts for local chains paid on the real one.
pub(crate) async fn chain_of(provider: &DynProvider, creator: &impl Creator) -> Result<u64, DeployError> {
    let said = rpc::patiently(|| provider.get_chain_id()).await?;
    let signed = creator.chain_id().await?;
    if said == signed { Ok(said) } else { Err(DeployError::OtherChain { said, signed }) }
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

    /// Creates a contract, or finds the one that an earlier process has created for this deployment, and sees that it is there. `code` has the
    /// constructor's arguments.
    pub async fn create(&mut self, contract: &str, code: Code) -> Result<Made, DeployError> {
        let code_hash = keccak256(&code.creation);
        if let Some(transaction) = self.begun.find(contract, code_hash) {
            // A local chain that was begun anew doesn't have it, and says so at once.
            let patience = if is_local(self.chain_id) { Duration::ZERO } else { LAG };
            if let Some(included) = self.included(contract, transaction, code_hash, patience).await? {
                return self.seen(contract, transaction, &code, included).await;
            }
        }
        self.begun.pay(contract)?;
        let transaction = self.creator.create(contract, code.creation.clone()).await?;
        self.begun.add(contract, code_hash, transaction)?;
        self.creator.recorded(transaction).await?;
        let included = self.included(contract, transaction, code_hash, LAG).await?;
        self.seen(contract, transaction, &code, included.ok_or(DeployError::NotIncluded(transaction))?).await
    }

    /// What a transaction has created by the code with a hash; none if the chain doesn't have it after so long.
    async fn included(
        &self,
        contract: &str,
        transaction: B256,
        code_hash: B256,
        patience: Duration,
    ) -> Result<Option<Included>, DeployError> {
        let start = Instant::now();
        loop {
            let found = Included::find(self.provider, contract, transaction, code_hash).await?;
            if found.is_some() || start.elapsed() >= patience {
                return Ok(found);
            }
            tokio::time::sleep(POLL).await;
        }
    }

    /// A contract that was created, once its code is what was compiled, with any immutables.
    async fn seen(
        &self,
        contract: &str,
        transaction: B256,
        code: &Code,
        Included { address, .. }: Included,
    ) -> Result<Made, DeployError> {
        let start = Instant::now();
        loop {
            let found = rpc::patiently(|| self.provider.get_code_at(address)).await?;
            if immutables_of(&found, &code.runtime, &code.immutables).is_some() {
                let deployed = Deployed { address, code_hash: keccak256(&found) };
                let (contract, code_hash) = (contract.to_owned(), keccak256(&code.creation));
                return Ok(Made { deployed, contract, code_hash, transaction });
            }
            if !found.is_empty() || start.elapsed() >= LAG {
                let what = "it shows other code where that must stand, or none";
                return Err(DeployError::Untrue { contract: contract.to_owned(), transaction, what });
            }
            tokio::time::sleep(POLL).await;
        }
    }

    /// Waits until a contract's creation is final, and gives its block, which may have become another one meanwhile. Where it is the deployment's last
    /// one, the others are final with it: an account's transactions come in the order of their nonces.
    pub async fn final_block(&self, made: &Made) -> Result<u64, DeployError> {
        let mut waited_for = 0;
        loop {
            let included = self.included(&made.contract, made.transaction, made.code_hash, LAG).await?;
            let block = included.ok_or(DeployError::NotIncluded(made.transaction))?.block;
            // On a local chain a block is as final as it will ever be.
            if is_local(self.chain_id) || block <= waited_for {
                return Ok(block);
            }
            self.until_final(block).await?;
            waited_for = block;
        }
    }

    /// Waits until a block is final, and tells the user that something is waited for.
    async fn until_final(&self, block: u64) -> Result<(), DeployError> {
        let (mut answered, mut is_told) = (Instant::now(), false);
        loop {
            match self.last_final().await {
                Ok(last) if last >= block => return Ok(()),
                Ok(last) => {
                    answered = Instant::now();
                    if !std::mem::replace(&mut is_told, true) {
                        self.creator.tell(&format!(
                            "all contracts stand, the last one in block {block}; their file is written when that is final (so far {last} is), on Ethereum \
                             after a quarter of an hour. If you stop here, give the same command again: nothing is paid for twice"
                        ));
                    }
                }
                // Who waits so long doesn't give up for a moment's silence.
                Err(error) if answered.elapsed() >= LAG => return Err(error),
                Err(_) => {}
            }
            tokio::time::sleep(FINAL_POLL).await;
        }
    }

    /// The number of the last final block: what the chain calls so, because what is recorded is recorded for good; or, where no block is called so, one
    /// with enough others on top.
    async fn last_final(&self) -> Result<u64, DeployError> {
        let finalized = || self.provider.get_block_by_number(BlockNumberOrTag::Finalized);
        match rpc::patiently(finalized).await {
            Ok(Some(block)) => Ok(block.header.number),
            Err(error) if rpc::is_busy(&error) || !matches!(error, RpcError::ErrorResp(_)) => Err(error.into()),
            // A chain without such blocks says so with an error.
            Ok(None) | Err(_) => Ok(self.provider.get_block_number().await?.saturating_sub(CONFIRMATIONS)),
        }
    }

    /// Compares the deployment with the chain, as whoever plays will. A machine that is behind doesn't know our contract yet, or its block, and is asked
    /// again.
    pub async fn check<F>(&self, check: impl Fn() -> F) -> Result<(), DeployError>
    where
        F: Future<Output = Result<(), DeploymentError>>,
    {
        let start = Instant::now();
        while let Err(error) = check().await {
            if start.elapsed() >= LAG {
                return Err(error.into());
            }
            tokio::time::sleep(POLL).await;
        }
        Ok(())
    }

    /// The deployment's file is written.
    pub fn finish(self) {
        self.begun.finish();
    }
}
