//! Which node and which deployment a command uses.

use std::convert::Infallible;
use std::path::PathBuf;

use ::chain::NodeError;
use alloy::primitives::{Address, B256};
use alloy::providers::Provider as _;
use clap::Args;
use client::chain::{Chain, ChainConfig, ChainError, Finality, GameState};
use client::lobby::LobbyError;
use deploy::{Deployment, DeploymentError, Game, Repository};
use eyre::{Report, Result};

use crate::failure::{BadInput, bad_input};
use crate::home::{Home, HomeArgs, SavedGame, game_id};
use crate::terms::address;

/// The node that is asked if nothing else is said: Anvil's own choice of port.
const DEFAULT_RPC: &str = "http://127.0.0.1:8545";

/// Where the chain is.
#[derive(Clone, Args)]
pub struct NodeArgs {
    /// The node's URL [default: the one that the named game last used on this machine, else http://127.0.0.1:8545]. Given again, or several
    /// with commas, the others are asked whether they have the same blocks, before anything is released; one that can't be asked is told, and holds
    /// nothing up
    #[arg(long, env = "FOGMATE_RPC", value_name = "URL", value_delimiter = ',', value_parser = url)]
    rpc: Vec<String>,

    /// The folder with the deployments' files [default: the repository's, and outside of it `deployments`]. A chain without a file there may be one whose
    /// deployment this program knows
    #[arg(long, env = "FOGMATE_DEPLOYMENTS", value_name = "DIR")]
    deployments: Option<PathBuf>,

    /// Blocks on top of a block before it counts as final, or `finalized` for when the chain calls it so [default: 0 on local chains, 12 on
    /// others]
    #[arg(long, value_name = "BLOCKS")]
    confirmations: Option<Finality>,
}

// URLs of nodes often have keys in them.
fog::redacted!(NodeArgs);

/// A game that is only looked at, and where it is.
#[derive(Debug, Args)]
pub struct GameArgs {
    /// The game's id, or the start of one that this machine knows
    game: String,
    #[command(flatten)]
    home: HomeArgs,
    #[command(flatten)]
    pub look: LookArgs,
}

impl GameArgs {
    /// This machine's folder, what it remembers of the game, and the game's id.
    pub fn known(&self) -> Result<(Home, Option<SavedGame>, B256)> {
        let home = self.home.home()?;
        let known = home.find(&self.game)?;
        let id = game_id(known.as_ref(), &self.game)?;
        Ok((home, known, id))
    }
}

/// Where a game is that is only looked at.
#[derive(Clone, Debug, Args)]
pub struct LookArgs {
    #[command(flatten)]
    pub node: NodeArgs,
    /// The game contract's address. No deployment's file is read then: that it is one of this program's contracts follows from the address
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    contract: Option<Address>,
}

impl LookArgs {
    /// A connection to read by.
    pub async fn connect(&self, game: Option<&SavedGame>) -> Result<(Chain, Deployment)> {
        let connected = match self.contract {
            None => self.node.connect(game).await,
            Some(contract) => self.node.connect_at(contract, game).await,
        };
        connected.map_err(|error| self.with_options(error))
    }

    /// A connection to read by, and how a game stands there.
    pub async fn find(&self, known: Option<&SavedGame>, id: B256) -> Result<(Chain, Deployment, GameState)> {
        let (chain, deployment) = self.connect(known).await?;
        let state = chain.game(id).await.map_err(|error| {
            let ChainConfig { contract, chain_id, .. } = chain.config();
            let there = format!("{error} at the contract {contract:#x} on chain {chain_id}");
            let is_there = !matches!(error, ChainError::NoGame(_));
            self.with_options(if is_there { error.into() } else { Report::from(error).wrap_err(there) })
        })?;
        Ok((chain, deployment, state))
    }

    /// An error with the options that say where else a game may be, of those that weren't given.
    fn with_options(&self, error: Report) -> Report {
        let of_node = |error: &Report| {
            let of_chain = matches!(error.downcast_ref(), Some(ChainError::Node(_)));
            of_chain || error.is::<NodeError>() || matches!(error.downcast_ref(), Some(DeploymentError::Node(_)))
        };
        let contract =
            (self.contract.is_none() && !of_node(&error)).then_some("--contract ADDRESS says which contract is meant");
        let node = self.node.rpc.is_empty().then_some("--rpc URL, or FOGMATE_RPC, says which node is meant");
        let options: Vec<&str> = contract.into_iter().chain(node).collect();
        if error.is::<BadInput>() || options.is_empty() {
            return error;
        }
        let sentence = format!("{error}; {}", options.join(", and "));
        error.wrap_err(sentence)
    }
}

/// A node's URL. One on this machine may be given without http://, as on the audit page.
fn url(text: &str) -> Result<String, Infallible> {
    let is_near = ["localhost", "127.", "[::1]"].iter().any(|near| text.starts_with(near));
    Ok(if is_near { format!("http://{text}") } else { text.to_owned() })
}

impl NodeArgs {
    /// The URLs, one at least; a remembered game knows its last ones.
    pub fn nodes(&self, game: Option<&SavedGame>) -> Vec<String> {
        let known = game.map_or(&[][..], |game| &game.nodes);
        let nodes = if self.rpc.is_empty() { known } else { &self.rpc };
        if nodes.is_empty() { vec![DEFAULT_RPC.to_owned()] } else { nodes.to_vec() }
    }

    /// The URL of the node that is asked for everything.
    pub fn rpc(&self, game: Option<&SavedGame>) -> String {
        self.nodes(game).swap_remove(0)
    }

    /// The node that is asked for everything, and the others, which blocks are compared with; none is named twice.
    pub fn compared(&self, game: Option<&SavedGame>) -> Result<(String, Vec<String>)> {
        let mut nodes = self.nodes(game);
        let named = |i: usize, node: &String| nodes.iter().take(i).any(|known| ::chain::is_same(known, node));
        if let Some((_, twice)) = nodes.iter().enumerate().find(|(i, node)| named(*i, node)) {
            let host = ::chain::host(twice);
            return Err(bad_input(format!("--rpc names the node {host} twice, and a node can't vouch for itself")));
        }
        let others = nodes.split_off(1);
        Ok((nodes.swap_remove(0), others))
    }

    /// How to connect to a deployment, to read only.
    pub fn config(&self, game: Option<&SavedGame>, deployment: &Deployment) -> Result<ChainConfig> {
        let (rpc, cross_checks) = self.compared(game)?;
        let usual = config(&rpc, deployment);
        Ok(ChainConfig { cross_checks, finality: self.confirmations.unwrap_or(usual.finality), ..usual })
    }

    /// The folder of deployments.
    pub fn deployments(&self) -> PathBuf {
        match &self.deployments {
            Some(folder) => folder.clone(),
            None => Repository::find_here()
                .map_or_else(|_| PathBuf::from("deployments"), |repository| repository.deployments()),
        }
    }

    /// A connection to a game contract by its address alone.
    async fn connect_at(&self, contract: Address, game: Option<&SavedGame>) -> Result<(Chain, Deployment)> {
        let (rpc, _) = self.compared(game)?;
        let chain_id = ::chain::connect(&rpc, None)?.get_chain_id().await.map_err(NodeError::from)?;
        let not_ours = |what: &str| {
            bad_input(format!(
                "no game contract of this version stands at {contract:#x} on chain {chain_id}: {what}. Is the address right, and the node \
                 one of the game's chain?"
            ))
        };
        let chain = match Chain::connect(ChainConfig::new(&rpc, chain_id, contract, 0), None).await {
            Err(ChainError::NoContract(_)) => return Err(not_ours("nothing does")),
            connected => connected?,
        };
        // Whoever doesn't answer, or with anything else, is another contract.
        let prices = chain.prices().await.map_err(|_| not_ours("another contract does"))?;
        let deployment =
            Deployment::at(&rpc, contract, &prices).await?.ok_or_else(|| not_ours("another contract does"))?;
        Ok((Chain::connect(self.config(game, &deployment)?, None).await?, deployment))
    }

    /// A connection to read the deployed game contract by.
    pub async fn connect(&self, game: Option<&SavedGame>) -> Result<(Chain, Deployment)> {
        let (config, deployment) = self.deployed(game).await?;
        Ok((Chain::connect(config, None).await?, deployment))
    }

    /// The deployed game contract, which must be that of a remembered game, and how to connect to it.
    pub async fn deployed(&self, game: Option<&SavedGame>) -> Result<(ChainConfig, Deployment)> {
        let (rpc, _) = self.compared(game)?;
        let deployment = Deployment::read(&self.deployments(), Game::Chess, &rpc).await?;
        if let Some(game) = game
            && game.game.chain_id != deployment.chain_id
        {
            let (expected, found) = (game.game.chain_id, deployment.chain_id);
            return Err(ChainError::WrongChain { expected, found }.into());
        }
        if let Some(game) = game
            && game.game.contract != deployment.address()
        {
            let (invited, chain_id, found) = (game.game.contract, deployment.chain_id, deployment.address());
            return Err(LobbyError::OtherContract { invited, chain_id, found }.into());
        }
        Ok((self.config(game, &deployment)?, deployment))
    }
}

/// How to connect to a deployment on a node.
pub fn config(rpc: &str, deployment: &Deployment) -> ChainConfig {
    ChainConfig::new(rpc, deployment.chain_id, deployment.address(), deployment.block)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_near_by_needs_no_http() {
        let read = |text| url(text).unwrap_or_default();
        for near in ["127.0.0.1:8545", "localhost:8545", "[::1]:8545"] {
            assert_eq!(read(near), format!("http://{near}"));
        }
        for whole in ["http://127.0.0.1:8545", "https://node.example", "node.example:8545"] {
            assert_eq!(read(whole), whole);
        }
    }
}
