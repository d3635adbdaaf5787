//! Deploying: whatever doesn't stand yet is created, and the deployment's file is written.
//!
//! Protocol sections 3 and 8. Given again it goes on where it was interrupted, because an address is a proof of its code: what stands is paid for by nobody a
//! second time. The file is written before anything is sent, with the prices that the addresses follow from, and is complete once all contracts are in final
//! blocks: a stake that is paid to where a contract only stood until a fork took it back would be lost.

use std::path::Path;
use std::time::{Duration, Instant};

use alloy::eips::{BlockId, BlockNumberOrTag};
use alloy::primitives::{Address, B256, keccak256};
use alloy::providers::{DynProvider, Provider as _};
use alloy::transports::{RpcError, TransportError};
use chain::{Prices, is_local};

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
    let Plan { deploying, known, mut record, all, missing } = Plan::new(rpc, contracts, folder, creator).await?;
    if !missing.is_empty() {
        deploying.check_proxy().await?;
        deploying.check_prices(&record, folder).await?;
        let estimate = deploying.estimate(&missing).await?;
        let (account, needed, found) = (creator.account(), estimate.needed, estimate.found);
        if found < needed {
            return Err(DeployError::TooPoor { account, needed, found });
        }
        // No log of a contract is older than the block before which it didn't stand. Of a chain begun anew the file may know a later one.
        let head = deploying.provider.get_block_number().await?;
        let is_game_missing = missing.iter().any(|contract| Some(contract) == all.last());
        (record.block, record.is_complete) =
            (if is_game_missing { record.block.min(head) } else { record.block }, false);
        match known {
            Some(_) => record.write(folder)?,
            None => record.write_first(folder)?,
        }
    }
    for contract in &missing {
        deploying.create(contract).await?;
    }
    if !record.is_complete {
        deploying.until_final(&all).await?;
        record.is_complete = true;
        record.write(folder)?;
    }
    Ok(record.deployment(&all))
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
    let Plan { deploying, record, missing, .. } = Plan::new(rpc, contracts, folder, creator).await?;
    if !missing.is_empty() {
        deploying.check_proxy().await?;
        deploying.check_prices(&record, folder).await?;
    }
    deploying.estimate(&missing).await
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

/// What is known before anything is sent.
struct Plan<'a, C> {
    deploying: Deploying<'a, C>,
    /// The deployment's file, if there was one.
    known: Option<Record>,
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
        let deploying = Deploying { provider, creator, chain_id };
        let known = deploying.known(contracts, folder)?;
        let record = match known.clone() {
            Some(record) => record,
            None => deploying.begun(contracts).await?,
        };
        let all = contracts.with_prices(record.prices.as_ref());
        let missing = deploying.missing(&all).await?;
        Ok(Self { deploying, known, record, all, missing })
    }
}

/// The chain of a node, which must be the one that the creator signs for: a node that calls a chain local to one and real to the other would have
/// contracts for local chains paid on the real one.
async fn chain_of(provider: &DynProvider, creator: &impl Creator) -> Result<u64, DeployError> {
    let said = provider.get_chain_id().await?;
    let signed = creator.chain_id().await?;
    if said == signed { Ok(said) } else { Err(DeployError::OtherChain { said, signed }) }
}

/// How final all contracts of a deployment are.
enum Finality<'a> {
    Final,
    /// All stand in a block that may be taken back.
    Stand,
    /// This one doesn't stand, or not any more.
    Gone(&'a Contract),
}

/// A block in which all contracts were seen.
#[derive(Clone, Copy)]
struct BlockRef {
    number: u64,
    hash: B256,
}

/// A deployment that is being made.
struct Deploying<'a, C> {
    provider: DynProvider,
    creator: &'a C,
    chain_id: u64,
}

impl<C: Creator> Deploying<'_, C> {
    /// What the deployment's file says, if there is one.
    fn known(&self, contracts: &Contracts, folder: &Path) -> Result<Option<Record>, DeployError> {
        match Record::load(folder, contracts.game, self.chain_id) {
            Ok(record) if record.development_only == contracts.development_only => Ok(Some(record)),
            Ok(_) => {
                let (chain_id, folder) = (self.chain_id, folder.display().to_string());
                Err(DeployError::OtherKeys { chain_id, folder })
            }
            Err(DeploymentError::Unknown { .. }) => Ok(None),
            Err(unreadable) => Err(unreadable.into()),
        }
    }

    /// What the file of a deployment says that begins now, or that somebody has made who has the file.
    async fn begun(&self, contracts: &Contracts) -> Result<Record, DeployError> {
        let prices = match contracts.game {
            Game::Chess => Some(Prices::measure(&self.provider).await?),
            Game::Dice | Game::Tag => None,
        };
        if let Some(prices) = &prices {
            self.creator.tell(&format!("bonds on this chain: {prices}"));
        }
        let game = contracts.with_prices(prices.as_ref()).pop().map(|game| game.address()).unwrap_or_default();
        let head = self.provider.get_block_number().await?;
        let stands = stands(&self.provider, game, BlockId::number(head)).await?;
        let block = if stands { first_block(&self.provider, game, head).await? } else { head };
        Ok(Record::new(contracts, self.chain_id, prices, block))
    }

    /// The contracts that don't stand.
    async fn missing(&self, contracts: &[Contract]) -> Result<Vec<Contract>, DeployError> {
        let mut missing = Vec::new();
        for contract in contracts {
            if self.provider.get_code_at(contract.address()).await?.is_empty() {
                missing.push(contract.clone());
            }
        }
        Ok(missing)
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
    async fn check_prices(&self, record: &Record, folder: &Path) -> Result<(), DeployError> {
        let Some(prices) = &record.prices else { return Ok(()) };
        match prices.hold(&Prices::measure(&self.provider).await?) {
            true => Ok(()),
            false => Err(DeployError::OtherPrices(Deployment::path(folder, record.game, self.chain_id))),
        }
    }

    /// What creating contracts costs, by their codes' lengths.
    async fn estimate(&self, contracts: &[Contract]) -> Result<Estimate, DeployError> {
        let (price, offer) = (self.provider.get_gas_price().await?, self.creator.offer().await?);
        let (mut missing, mut paid, mut needed) = (Vec::new(), 0u128, 0);
        for contract in contracts {
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
        let missing =
            || async { Ok::<_, DeployError>(!self.missing(std::slice::from_ref(contract)).await?.is_empty()) };
        if !missing().await? {
            return Ok(());
        }
        if let Err(error) = self.creator.create(contract).await {
            if missing().await? {
                return Err(error);
            }
            let name = &contract.name;
            self.creator.tell(&format!(
                "somebody else has created the {name} meanwhile; a transaction that came too late for it costs its fee all the same ({error})"
            ));
        }
        let start = Instant::now();
        while missing().await? {
            if start.elapsed() >= LAG {
                return Err(not_there(contract));
            }
            tokio::time::sleep(POLL).await;
        }
        Ok(())
    }

    /// Waits until all contracts stand in a final block, and tells the user that something is waited for.
    async fn until_final(&self, contracts: &[Contract]) -> Result<(), DeployError> {
        // On a local chain a block is as final as it will ever be.
        if is_local(self.chain_id) {
            return Ok(());
        }
        let (mut seen, mut stood, mut is_told) = (None, Instant::now(), false);
        loop {
            match self.finality(contracts, &mut seen).await {
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

    /// How final contracts are. `seen` is the block in whose state all of them were seen first: once that is final they are, also where the node has
    /// forgotten that state, as most have after a few minutes.
    async fn finality<'b>(
        &self,
        contracts: &'b [Contract],
        seen: &mut Option<BlockRef>,
    ) -> Result<Finality<'b>, DeployError> {
        let last_final = self.last_final().await?;
        // A node that has forgotten refuses to answer.
        if let Ok(None) = self.first_missing(contracts, BlockId::number(last_final)).await {
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
        if let Some(missing) = self.first_missing(contracts, BlockId::hash(head.hash)).await? {
            return Ok(Finality::Gone(missing));
        }
        *seen = Some(BlockRef { number: head.number, hash: head.hash });
        Ok(Finality::Stand)
    }

    /// The first of the contracts that doesn't stand, as of a block.
    async fn first_missing<'b>(
        &self,
        contracts: &'b [Contract],
        block: BlockId,
    ) -> Result<Option<&'b Contract>, TransportError> {
        for contract in contracts {
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

fn not_there(contract: &Contract) -> DeployError {
    DeployError::NotThere { contract: contract.name.clone(), address: contract.address() }
}
