//! Deploying: whatever doesn't stand yet is created, and the deployment's file is written.
//!
//! Protocol sections 3 and 8. Given again it goes on where it was interrupted, because an address is a proof of its code: what stands is paid for by nobody a
//! second time. The file is written before anything is sent, with the prices that the addresses follow from, and is complete once all contracts are in final
//! blocks: a stake that is paid to where a contract only stood until a fork took it back would be lost.

use std::path::Path;
use std::slice::from_ref;
use std::time::{Duration, Instant};

use alloy::eips::{BlockId, BlockNumberOrTag};
use alloy::primitives::{Address, keccak256};
use alloy::providers::{DynProvider, Provider as _};
use alloy::transports::{RpcError, TransportError};
use chain::{BlockRef, Prices, ensure, is_local};

use crate::contracts::PROXY_CODE_HASH;
use crate::deployment::Record;
use crate::history::{first_block, stands};
use crate::{Contract, Contracts, Creator, DeployError, Deployment, DeploymentError, Game, PROXY};

/// Gas of a contract's creation besides its code: the transaction, the proxy, the constructor.
const GAS_OF_CREATION: u64 = 100_000;
/// Gas of a byte of code: kept (200) and carried (16), and a little for running through it.
const GAS_OF_BYTE: u64 = 220;
/// How long the machines behind a node's address may be behind each other. As long a node may be silent.
const LAG: Duration = Duration::from_secs(60);
/// How often is asked meanwhile.
const POLL: Duration = Duration::from_secs(1);
/// Blocks on top of one that is final on a chain that calls none so: what players wait for, too.
const CONFIRMATIONS: u64 = 12;
/// How often is asked for the final block.
const FINAL_POLL: Duration = Duration::from_secs(4);
/// Creates what doesn't stand yet of a game's contracts on a node's chain, and writes the deployment's file into a folder. Whoever is interrupted calls it
/// again.
///
/// # Errors
///
/// Before anything is sent: [`DeployError::OtherKeys`], [`DeployError::OtherChain`], [`DeployError::NoProxy`], [`DeployError::NotShipped`],
/// [`DeployError::TooPoor`], [`DeploymentError::DevelopmentOnRealChain`] and failures of the files. Later those of the node and the creator.
pub async fn deploy(
    rpc: &str,
    contracts: &Contracts,
    folder: &Path,
    creator: &impl Creator,
) -> Result<Deployment, DeployError> {
    let mut plan = Plan::new(rpc, contracts, folder, creator).await?;
    if !plan.missing.is_empty() {
        plan.check_proxy().await?;
        plan.check_prices(folder).await?;
        let Estimate { needed, found, .. } = plan.estimate().await?;
        ensure!(found >= needed, DeployError::TooPoor { account: creator.account(), needed, found });
        // No log of a contract is older than the block before which it didn't stand. Of a chain begun anew the file may know a later one.
        let head = plan.provider.get_block_number().await?;
        if plan.missing.iter().any(|contract| Some(contract) == plan.all.last()) {
            plan.record.block = plan.record.block.min(head);
        }
        plan.record.is_complete = false;
        match plan.had_file {
            true => plan.record.write(folder)?,
            false => plan.record.write_first(folder)?,
        }
    }
    for contract in &plan.missing {
        plan.create(contract).await?;
    }
    if !plan.record.is_complete {
        plan.until_final().await?;
        plan.record.is_complete = true;
        plan.record.write(folder)?;
    }
    Ok(plan.record.deployment(&plan.all))
}

/// What deploying would create on a node's chain now, and what that would cost. Nothing is sent, and no file is written.
///
/// # Errors
///
/// Those of [`deploy`] before anything is sent, but for [`DeployError::TooPoor`].
pub async fn estimate(
    rpc: &str,
    contracts: &Contracts,
    folder: &Path,
    creator: &impl Creator,
) -> Result<Estimate, DeployError> {
    let plan = Plan::new(rpc, contracts, folder, creator).await?;
    if !plan.missing.is_empty() {
        plan.check_proxy().await?;
        plan.check_prices(folder).await?;
    }
    plan.estimate().await
}

/// What deploying costs: money in wei, gas by the length of the codes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Estimate {
    pub chain_id: u64,
    /// The contracts that don't stand yet, where they will, and the gas of each.
    pub missing: Vec<(String, Address, u64)>,
    /// A unit of gas at the present fee.
    pub price: u128,
    /// All of it at the present fee.
    pub paid: u128,
    /// What the account must have: each creation must find its greatest fee there, in case that fees rise.
    pub needed: u128,
    /// What the account has.
    pub found: u128,
}

/// A deployment that is being made: what is known of it before anything is sent.
struct Plan<'a, C> {
    provider: DynProvider,
    creator: &'a C,
    chain_id: u64,
    /// Whether there was a deployment's file.
    had_file: bool,
    record: Record,
    all: Vec<Contract>,
    missing: Vec<Contract>,
}

impl<'a, C: Creator> Plan<'a, C> {
    async fn new(rpc: &str, contracts: &Contracts, folder: &Path, creator: &'a C) -> Result<Self, DeployError> {
        let provider = chain::connect(rpc, None)?;
        let chain_id = chain_of(&provider, creator).await?;
        contracts.refuse_development(chain_id)?;
        if *contracts != Contracts::shipped(contracts.game, contracts.development_only) && !is_local(chain_id) {
            return Err(DeployError::NotShipped);
        }
        let known = read_record(contracts, folder, chain_id)?;
        let had_file = known.is_some();
        let record = match known {
            Some(record) => record,
            None => first_record(&provider, contracts, chain_id, creator).await?,
        };
        let all = contracts.with_prices(record.prices.as_ref());
        let missing = not_standing(&provider, &all).await?;
        Ok(Self { provider, creator, chain_id, had_file, record, all, missing })
    }

    async fn check_proxy(&self) -> Result<(), DeployError> {
        let (code, chain_id) = (self.provider.get_code_at(PROXY).await?, self.chain_id);
        match keccak256(&code) {
            PROXY_CODE_HASH => Ok(()),
            _ if code.is_empty() => Err(DeployError::NoProxy { chain_id }),
            _ => Err(DeployError::OtherProxy { chain_id }),
        }
    }

    /// Whether bonds would be what they should by the prices of a file, which may be old, or another's.
    async fn check_prices(&self, folder: &Path) -> Result<(), DeployError> {
        let Some(prices) = &self.record.prices else { return Ok(()) };
        match prices.hold(&Prices::measure(&self.provider).await?) {
            true => Ok(()),
            false => Err(DeployError::OtherPrices(Deployment::path(folder, self.record.game, self.chain_id))),
        }
    }

    /// What creating the missing contracts costs, by their codes' lengths.
    async fn estimate(&self) -> Result<Estimate, DeployError> {
        let (price, offer) = (self.provider.get_gas_price().await?, self.creator.offer().await?);
        let (mut missing, mut paid, mut needed) = (Vec::new(), 0u128, 0);
        for contract in &self.missing {
            let gas = GAS_OF_CREATION + GAS_OF_BYTE * contract.creation.len() as u64;
            missing.push((contract.name.clone(), contract.address(), gas));
            needed = paid.saturating_add(u128::from(gas).saturating_mul(offer)).max(needed);
            paid = paid.saturating_add(u128::from(gas).saturating_mul(price));
        }
        let found = self.provider.get_balance(self.creator.account()).await?.saturating_to();
        Ok(Estimate { chain_id: self.chain_id, missing, price, paid, needed: needed.max(paid), found })
    }

    /// Creates a contract, unless it stands by now, and sees that it is there. One that somebody else has created meanwhile is as good.
    async fn create(&self, contract: &Contract) -> Result<(), DeployError> {
        let is_missing =
            || async { Ok::<_, DeployError>(!not_standing(&self.provider, from_ref(contract)).await?.is_empty()) };
        if !is_missing().await? {
            return Ok(());
        }
        if let Err(error) = self.creator.create(contract).await {
            if is_missing().await? {
                return Err(error);
            }
            let name = &contract.name;
            self.creator.tell(&format!(
                "somebody else has created the {name} meanwhile; a transaction that came too late for it costs its fee all the same ({error})"
            ));
        }
        let start = Instant::now();
        while is_missing().await? {
            ensure!(start.elapsed() < LAG, not_there(contract));
            tokio::time::sleep(POLL).await;
        }
        Ok(())
    }

    /// Waits until all contracts stand in a final block, and tells the user that something is waited for.
    async fn until_final(&self) -> Result<(), DeployError> {
        // On a local chain a block is as final as it will ever be.
        if is_local(self.chain_id) {
            return Ok(());
        }
        let (mut seen, mut stood, mut is_told) = (None, Instant::now(), false);
        loop {
            match self.finality(&mut seen).await {
                Ok(Finality::Final) => return Ok(()),
                Ok(Finality::Stand) => {
                    stood = Instant::now();
                    if !std::mem::replace(&mut is_told, true) {
                        self.creator.tell(
                            "all contracts stand; their file is complete when they do in a final block, on Ethereum after a quarter of an hour. \
                             If you stop here, give the same command again: nothing is paid for twice",
                        );
                    }
                }
                // Who waits so long doesn't give up for a moment's silence, nor for a machine that is behind.
                Ok(Finality::Gone(contract)) if stood.elapsed() >= LAG => return Err(not_there(contract)),
                Err(error) if stood.elapsed() >= LAG => return Err(error),
                Ok(Finality::Gone(_)) | Err(_) => {}
            }
            tokio::time::sleep(FINAL_POLL).await;
        }
    }

    /// How final all contracts are. `seen` is the block in whose state all of them were seen first: once that is final they are, also where the node has
    /// forgotten that state, as most have after a few minutes.
    async fn finality(&self, seen: &mut Option<BlockRef>) -> Result<Finality<'_>, DeployError> {
        let last_final = self.last_final().await?;
        // A node that has forgotten refuses to answer.
        if let Ok(None) = self.first_missing(BlockId::number(last_final)).await {
            return Ok(Finality::Final);
        }
        if let Some(block) = *seen {
            let found = self.provider.get_block_by_number(block.number.into()).await?;
            if found.is_some_and(|found| found.header.hash == block.hash) {
                return Ok(if block.number <= last_final { Finality::Final } else { Finality::Stand });
            }
            // A fork has another block there.
            *seen = None;
        }
        let latest = self.provider.get_block_by_number(BlockNumberOrTag::Latest).await?;
        let head = latest.ok_or(RpcError::NullResp)?.header;
        if let Some(missing) = self.first_missing(BlockId::hash(head.hash)).await? {
            return Ok(Finality::Gone(missing));
        }
        *seen = Some(BlockRef { number: head.number, hash: head.hash });
        Ok(Finality::Stand)
    }

    /// The first of the contracts that doesn't stand, as of a block.
    async fn first_missing(&self, block: BlockId) -> Result<Option<&Contract>, TransportError> {
        for contract in &self.all {
            if !stands(&self.provider, contract.address(), block).await? {
                return Ok(Some(contract));
            }
        }
        Ok(None)
    }

    /// The number of the last final block: what the chain calls so; or, where no block is called so, one with enough others on top.
    async fn last_final(&self) -> Result<u64, DeployError> {
        let finalized = || self.provider.get_block_by_number(BlockNumberOrTag::Finalized);
        match finalized().await {
            Ok(Some(block)) => Ok(block.header.number),
            Err(error) if chain::is_busy(&error) || !matches!(error, RpcError::ErrorResp(_)) => Err(error.into()),
            // A chain without such blocks says so with an error.
            Ok(None) | Err(_) => Ok(self.provider.get_block_number().await?.saturating_sub(CONFIRMATIONS)),
        }
    }
}

/// How final all contracts of a deployment are.
enum Finality<'a> {
    Final,
    /// All stand in a block that may be taken back.
    Stand,
    /// This one doesn't stand, or not any more.
    Gone(&'a Contract),
}

/// The chain of a node, which must be the one that the creator signs for: a node that calls a chain local to one and real to the other would have
/// contracts for local chains paid on the real one.
async fn chain_of(provider: &DynProvider, creator: &impl Creator) -> Result<u64, DeployError> {
    let said = provider.get_chain_id().await?;
    let signed = creator.chain_id();
    if said == signed { Ok(said) } else { Err(DeployError::OtherChain { said, signed }) }
}

/// What the deployment's file says, if there is one.
fn read_record(contracts: &Contracts, folder: &Path, chain_id: u64) -> Result<Option<Record>, DeployError> {
    match Record::load(folder, contracts.game, chain_id) {
        Ok(record) if record.development_only == contracts.development_only => Ok(Some(record)),
        Ok(_) => {
            let folder = folder.display().to_string();
            Err(DeployError::OtherKeys { chain_id, folder })
        }
        Err(DeploymentError::Unknown { .. }) => Ok(None),
        Err(unreadable) => Err(unreadable.into()),
    }
}

/// What the file of a deployment says that begins now, or that somebody has made who has the file.
async fn first_record(
    provider: &DynProvider,
    contracts: &Contracts,
    chain_id: u64,
    creator: &impl Creator,
) -> Result<Record, DeployError> {
    let prices = match contracts.game {
        Game::Chess => Some(Prices::measure(provider).await?),
        Game::Dice | Game::Tag => None,
    };
    if let Some(prices) = &prices {
        creator.tell(&format!("bonds on this chain: {prices}"));
    }
    let game = contracts.with_prices(prices.as_ref()).pop().map(|game| game.address()).unwrap_or_default();
    let head = provider.get_block_number().await?;
    let stands = stands(provider, game, BlockId::number(head)).await?;
    let block = if stands { first_block(provider, game, head).await? } else { head };
    Ok(Record::new(contracts, chain_id, prices, block))
}

/// The contracts that don't stand.
async fn not_standing(provider: &DynProvider, contracts: &[Contract]) -> Result<Vec<Contract>, DeployError> {
    let mut missing = Vec::new();
    for contract in contracts {
        if provider.get_code_at(contract.address()).await?.is_empty() {
            missing.push(contract.clone());
        }
    }
    Ok(missing)
}

fn not_there(contract: &Contract) -> DeployError {
    DeployError::NotThere { contract: contract.name.clone(), address: contract.address() }
}
