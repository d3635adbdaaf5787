//! Deploying at a wallet's cost: its transactions go through the wallet's one owner of nonces and fees, like all others.

use chain::about_in_ether;
use chain::send::Storage;
use client::wallet::Wallet;
use deploy::{Contracts, Creator as _, Deployment, Estimate, Payer, deploy, estimate, verify_bundles, write_bundles};
use eyre::Result;
use serde_json::{Map, Value, json};

use crate::home::Home;
use crate::machine::{FeeArgs, tell_advice};
use crate::node::NodeArgs;
use crate::output::{note, say};

/// Connects a wallet that pays for contracts to a node; tells on stderr what becomes of its transactions.
pub async fn connect(rpc: &str, wallet: &Wallet, fees: FeeArgs, home: &Home) -> Result<Payer> {
    let (signer, storage) = (wallet.signer().clone(), Storage::Folder(home.transactions()));
    let payer = Payer::connect(rpc, signer, fees.in_wei(), storage, |sentence| note!("note: {sentence}")).await?;
    tell_advice(Some(payer.advice()));
    Ok(payer)
}

/// Deploys contracts to a node's chain, writes what they were compiled from beside the deployment's file, and says where they stand.
pub async fn publish(node: &NodeArgs, contracts: &Contracts, payer: &Payer, json: bool) -> Result<()> {
    let folder = node.deployments();
    let rpc = node.rpc(None);
    let deployed = deploy(&rpc, contracts, &folder, payer).await?;
    let bundle = write_bundles(&rpc, contracts, &folder).await?;
    let file = Deployment::path(&folder, contracts.game, deployed.chain_id);
    if json {
        let contracts: Map<String, Value> =
            deployed.contracts.iter().map(|(name, address)| (name.clone(), json!(address))).collect();
        let Deployment { chain_id, block, development_only, .. } = deployed;
        return say!(
            "{}",
            json!({ "chainId": chain_id, "contracts": contracts, "block": block, "developmentOnly": development_only, "file": file, "bundle": bundle })
        );
    }
    say!("chain {}, from block {}", deployed.chain_id, deployed.block)?;
    for (name, address) in &deployed.contracts {
        say!("{name:20} {address}")?;
    }
    say!("{:20} {}", "written", file.display())?;
    say!("{:20} {}", "sources", bundle.display())
}

/// Compiles what was written beside the deployments of a node's chain, and says what was found to be what stands there.
pub async fn verify(node: &NodeArgs, json: bool) -> Result<()> {
    let verified = verify_bundles(&node.rpc(None), &node.deployments()).await?;
    if json {
        let contracts: Vec<Value> =
            verified.iter().map(|found| json!({ "address": found.address, "compiled": found.target })).collect();
        return say!("{}", json!({ "verified": contracts }));
    }
    for found in &verified {
        say!("{}  {}", found.address, found.target.as_deref().unwrap_or("a key, which is data"))?;
    }
    say!("compiled again from the bundle alone: all {} are what stands on the chain", verified.len())
}

/// Says what deploying would create, and what that would cost.
pub async fn tell_cost(node: &NodeArgs, contracts: &Contracts, payer: &Payer, json: bool) -> Result<()> {
    let Estimate { chain_id, missing, price, paid, needed, found } =
        estimate(&node.rpc(None), contracts, &node.deployments(), payer).await?;
    let gas: u64 = missing.iter().map(|(_, _, gas)| gas).sum();
    if json {
        let missing: Vec<Value> = missing
            .iter()
            .map(|(name, address, gas)| json!({ "name": name, "address": address, "gas": gas }))
            .collect();
        return say!(
            "{}",
            json!({
                "chainId": chain_id, "missing": missing, "gas": gas, "weiPerGas": price.to_string(), "wei": paid.to_string(),
                "neededWei": needed.to_string(), "foundWei": found.to_string(),
            })
        );
    }
    for (name, address, gas) in &missing {
        say!("{name:20} {address} {gas:>12} gas")?;
    }
    if missing.is_empty() {
        return say!("on chain {chain_id} everything stands: nothing is to be paid");
    }
    say!("all on chain {chain_id}: {gas} gas, {} ETH at the present fee", about_in_ether(paid))?;
    let account = payer.account();
    say!(
        "{account} must have about {} ETH, a reserve included, and has {} ETH",
        about_in_ether(needed),
        about_in_ether(found)
    )
}
