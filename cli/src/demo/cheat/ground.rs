//! The ground that all scenes are played on: one local chain, and for each game two wallets and a stake.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use alloy::consensus::Transaction as _;
use alloy::eips::Encodable2718 as _;
use alloy::network::TransactionResponse as _;
use alloy::primitives::{B256, Bytes, U256};
use alloy::providers::{DynProvider, Provider as _};
use alloy::rpc::types::TransactionRequest;
use client::chain::{Chain, ContractError, IFogmate::Status};
use client::runtime::{KeyProver, Parameters};
use deploy::anvil::{Hardfork, Mining};
use deploy::{Contracts, Game, Repository};
use eyre::{OptionExt as _, Result, bail};
use game::audit::opening;
use game::secrets::GameSecrets;
use game::toss::{creator_is_white, toss_commitment};
use game::{GameRef, Transaction};
use prover::NoProgress;
use rules::Color;
use tempfile::TempDir;

use super::scene::Scene;
use crate::anvil::anvil_of;
use crate::demo::local::LocalChain;
use crate::demo::process::Machine;
use crate::node::config;

/// What each puts in, in ether and in wei.
const STAKE: (&str, u128) = ("1", 1_000_000_000_000_000_000);
/// A usual price of gas, in wei.
const BASE_FEE: u64 = 20_000_000_000;
/// How often the chain is looked at for something that is on its way.
const POLL: Duration = Duration::from_millis(20);
/// After so many looks a block is asked for: Anvil may overlook a transaction that comes while it mines (foundry-rs/foundry#10122).
const LOOKS: u32 = 250;

/// The local chain, and the keys by which Bob proves what is true of what he says.
pub struct Ground {
    pub local: LocalChain,
    pub keys: Arc<KeyProver>,
    /// A connection that reads.
    pub chain: Chain,
    pub provider: DynProvider,
    folder: TempDir,
}

/// A transaction in a block.
#[derive(Clone, Debug)]
pub struct Mined {
    pub gas: u64,
    /// What it cost its sender, in wei.
    pub fee: u128,
    /// Why the contract has refused it, if it has.
    pub refusal: Option<ContractError>,
}

/// A game that both have joined, and whose colors are as good as drawn.
pub struct Opened {
    pub game: GameRef,
    pub machines: [Machine; 2],
    /// The reveals of Alice and of Bob, in which order the game begins.
    pub reveals: [Transaction; 2],
}

impl Ground {
    pub async fn new(repository: &Repository, cache: PathBuf) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("fogmate-cheat-").tempdir()?;
        let anvil = anvil_of(repository)?;
        let (rules, contracts) = (Hardfork::default(), Contracts::shipped(Game::Chess, true));
        let local = LocalChain::start(anvil, Mining::Instant, rules, &contracts, folder.path(), cache.clone()).await?;
        let lock = local.environment.proving_lock.clone();
        let keys =
            tokio::task::spawn_blocking(move || KeyProver::load_or_make(&Parameters::Development, &cache, &NoProgress));
        let keys = Arc::new(keys.await??.with_lock(Some(lock)));
        let chain = Chain::connect(config(&local.environment.rpc, &local.deployment), None).await?;
        let provider = local.anvil.provider()?;
        Ok(Self { local, keys, chain, provider, folder })
    }

    /// Two new players with money, for one scene. Their game is opened by Alice's machine and joined by Bob, who plays `color`: of the two shares of
    /// the coin toss this demo knows both, as no player does, and chooses Bob's.
    pub async fn open(&self, scene: Scene, color: Color) -> Result<Opened> {
        let folder = self.folder.path().join(scene.to_string());
        let machines = self.local.machines(["Alice", "Bob"], None, &folder).await?;
        let [alice, bob] = &machines;
        let opponent = bob.wallet.address().to_string();
        let mode = scene.mode().to_string();
        let created = alice.ask(&["create", "--stake", STAKE.0, "--opponent", &opponent, "--mode", &mode]).await?;
        let id: B256 = created["game"].as_str().ok_or_eyre("`fogmate create` names no game")?.parse()?;
        let game = self.chain.game_ref(id);
        let of_alice = secrets(&self.chain, alice, game).await?.toss_secret();
        let is_right = |share: &B256| creator_is_white(&of_alice, share, &id) == (color == Color::Black);
        let share = (0..=u8::MAX).map(B256::with_last_byte).find(is_right).ok_or_eyre("the coin has one side")?;
        let committed = toss_commitment(&bob.wallet.address().into(), &share).into();
        let key = secrets(&self.chain, bob, game).await?.fog_secret().key().to_bytes();
        self.connect(bob).await?.join(id, STAKE.1, committed, &key).await?;
        let of_alice = Transaction::RevealCreator { share: of_alice.into(), joiner: committed };
        Ok(Opened { game, machines, reveals: [of_alice, Transaction::RevealJoiner { share }] })
    }

    /// The connection by which a player's hand encodes what it asks.
    pub async fn connect(&self, machine: &Machine) -> Result<Chain> {
        let config = config(&self.local.environment.rpc, &self.local.deployment);
        Ok(Chain::connect(config, Some(&machine.wallet)).await?)
    }

    /// What a player has: in its wallet, at the contract, and in a game that goes on.
    pub async fn worth(&self, machine: &Machine, game: B256) -> Result<i128> {
        let (chain, account) = (&self.chain, machine.wallet.address());
        let has = chain.balance(account).await? + chain.withdrawable(account).await?;
        let at_stake = if chain.game(game).await?.status == Status::Over { 0 } else { STAKE.1 };
        Ok(i128::try_from(has.saturating_to::<u128>().saturating_add(at_stake))?)
    }

    /// Makes gas cost what it does on a chain with other users: on this one blocks are all but empty, and its price falls from block to block.
    pub async fn set_base_fee(&self) -> Result<()> {
        let set = self.provider.raw_request("anvil_setNextBlockBaseFeePerGas".into(), (U256::from(BASE_FEE),));
        let _: serde_json::Value = set.await?;
        Ok(self.local.anvil.mine(1).await?)
    }

    /// Puts other code in the place of the verifier of moves; gives what stood there.
    pub async fn replace_verifier(&self, code: Bytes) -> Result<Bytes> {
        let verifier = self.local.deployment.part("narrow verifier").ok_or_eyre("a deployment without a verifier")?;
        let before = self.provider.get_code_at(verifier).await?;
        let _: serde_json::Value = self.provider.raw_request("anvil_setCode".into(), (verifier, code)).await?;
        Ok(before)
    }

    /// Lets so much time pass that who must act in a game is out of it.
    pub async fn let_deadline_pass(&self, game: B256) -> Result<()> {
        let (deadline, now) = (self.chain.clocks(game).await?.deadline, self.chain.block_time().await?);
        Ok(self.local.anvil.pass_time(deadline.saturating_sub(now) + 1).await?)
    }

    /// What became of a transaction.
    pub async fn mined(&self, hash: B256) -> Result<Mined> {
        let mut looks = 0_u32;
        let receipt = loop {
            if let Some(receipt) = self.provider.get_transaction_receipt(hash).await? {
                break receipt;
            }
            tokio::time::sleep(POLL).await;
            looks += 1;
            if looks.is_multiple_of(LOOKS) {
                self.local.anvil.mine(1).await?;
            }
        };
        let fee = u128::from(receipt.gas_used).saturating_mul(receipt.effective_gas_price);
        let mut refusal = None;
        if !receipt.status() {
            let sent = self.provider.get_transaction_by_hash(hash).await?.ok_or_eyre("a transaction is missing")?;
            let to = sent.to().ok_or_eyre("a contract was created")?;
            let call = TransactionRequest::default().from(sent.from()).to(to).value(sent.value());
            let call = call.input(sent.input().clone().into());
            // Why it failed: its call once more, at the end of its block.
            let again = self.provider.call(call).block(receipt.block_number.unwrap_or_default().into()).await;
            let data = again.err().and_then(|error| error.as_error_resp()?.as_revert_data());
            refusal = data.and_then(|data| ContractError::decode(&data));
            if refusal.is_none() {
                bail!("the transaction {hash} has failed without a reason");
            }
        }
        Ok(Mined { gas: receipt.gas_used, fee, refusal })
    }

    /// The bytes that were signed for a transaction, which everybody can read and send again.
    pub async fn signed(&self, hash: B256) -> Result<Vec<u8>> {
        let sent = self.provider.get_transaction_by_hash(hash).await?.ok_or_eyre("a transaction is missing")?;
        Ok(sent.inner.encoded_2718())
    }

    /// Sends bytes that somebody has signed.
    pub async fn send_again(&self, signed: &[u8]) -> Result<Mined> {
        let sent = self.provider.send_raw_transaction(signed).await?;
        self.mined(*sent.tx_hash()).await
    }
}

/// A player's secrets of a game that was created.
pub async fn secrets(chain: &Chain, machine: &Machine, game: GameRef) -> Result<GameSecrets> {
    let records = chain.records(game.game_id).await?;
    let opening = opening(&records).ok_or_eyre("the chain has no such game")?;
    Ok(machine.wallet.game_secrets(&game, opening.creator, opening.nonce))
}
