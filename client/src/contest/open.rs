//! Opening a game and joining one.

use alloy::primitives::B256;
use contest::{Fault, Hand as _, Opening, Side, Table, Terms};
use fog::ensure;
use game::GameRef;
use rand::RngCore as _;
use rand::rngs::OsRng;

use super::Chain;
use super::error::GameError;
use super::game::{Contract, Proven};
use super::history::History;
use super::opened::Created;
use crate::chain::{ChainConfig, Receipt};
use crate::wallet::Wallet;

/// Opens a game, or goes on with an earlier opening for the same terms that its opener doesn't know of (see
/// [`Connection::acknowledge`](crate::chain::Connection::acknowledge)), which takes no proof. If it is to be `another`, one more game is opened,
/// whatever an earlier command has opened without saying so.
///
/// # Errors
///
/// [`GameError::StakesNotYet`], [`GameError::NoOpponent`], [`GameError::BadTerms`], [`GameError::OtherOpening`],
/// [`GameError::BeingOpened`], [`GameError::LateReceipt`], the contract's refusals and the node's failures.
pub async fn create<G: Contract>(
    chain: &Chain<G>,
    wallet: &Wallet,
    prover: &G::Prover,
    terms: Terms<G::Setup>,
    another: bool,
) -> Result<(Created, Proven), GameError<G>> {
    check_stake(chain, terms.stake)?;
    let is_named = terms.stake == 0 || terms.opponent.is_some() || !G::NAMES_OPPONENT;
    ensure!(is_named, GameError::NoOpponent);
    ensure!(G::fits(&terms), GameError::BadTerms(G::BAD_TERMS));
    if another {
        return open(chain, wallet, prover, terms).await;
    }
    let _alone = chain.wait_to_open().await?;
    match chain.opened_before(&terms).await? {
        Some(earlier) => Ok((earlier, Proven::default())),
        None => open(chain, wallet, prover, terms).await,
    }
}

async fn open<G: Contract>(
    chain: &Chain<G>,
    wallet: &Wallet,
    prover: &G::Prover,
    terms: Terms<G::Setup>,
) -> Result<(Created, Proven), GameError<G>> {
    let mut nonce = B256::ZERO;
    OsRng.fill_bytes(nonce.as_mut_slice());
    let (&ChainConfig { chain_id, contract, .. }, creator) = (chain.config(), wallet.address());
    let hand = G::Hand::new(wallet.opening_secrets(chain_id, contract, nonce).seed().branch(G::NAME));
    let setup = terms.setup;
    let (entry, proven) = G::run(prover, move |proofs| hand.entry(creator, &setup, proofs)).await?;
    let entry = entry.map_err(GameError::Fault)?;
    let opening = Opening { chain_id, contract, creator, nonce, terms, entry };
    let game = opening.game_id();
    let (id, receipt) = chain.create(&opening).await.map_err(|error| error.of_opening(game))?;
    Ok((Created { game, expiry: terms.expiry, id, receipt, earlier: false, is_open: true }, proven))
}

/// Joins a game for a stake (wei) that the player has agreed to. Gives the transaction; none if the contract has it and the node no receipt of it.
///
/// # Errors
///
/// [`GameError::NotOpen`], [`GameError::OtherStake`], [`GameError::StakesNotYet`], the contract's refusals and the node's failures.
pub async fn join<G: Contract>(
    chain: &Chain<G>,
    wallet: &Wallet,
    prover: &G::Prover,
    game: B256,
    agreed: u128,
) -> Result<(Option<Receipt>, Proven), GameError<G>> {
    let history = chain.history(game).await?;
    ensure!(history.told.len() == 1 && chain.latest(game).await?.is_open, GameError::NotOpen);
    let Terms { stake, opponent, .. } = history.opening.terms;
    ensure!(stake == agreed, GameError::OtherStake(stake));
    check_stake(chain, stake)?;
    let account = wallet.address();
    ensure!(account != history.opening.creator, GameError::Fault(Fault::SelfPlay));
    ensure!(opponent.is_none_or(|opponent| opponent == account), GameError::Fault(Fault::NotInvited));
    let side = sit(chain, wallet, prover, &history).await?;
    let (acceptance, proven) = G::run(prover, move |proofs| side.acceptance(proofs)).await?;
    match chain.join(game, stake, &acceptance.map_err(GameError::Fault)?).await {
        Err(GameError::Refused(_)) if chain.latest(game).await?.is_joined_by(account) => Ok((None, proven)),
        joined => Ok((Some(joined?), proven)),
    }
}

/// Stakes stay on local chains, like those of dark chess.
fn check_stake<G: Contract>(chain: &Chain<G>, stake: u128) -> Result<(), GameError<G>> {
    ensure!(stake == 0 || chain.is_local(), GameError::StakesNotYet);
    Ok(())
}

/// A wallet's side of a game that has just been opened, its opening verified.
pub(super) async fn sit<G: Contract>(
    chain: &Chain<G>,
    wallet: &Wallet,
    prover: &G::Prover,
    history: &History<G>,
) -> Result<Side<G>, GameError<G>> {
    let opening = chain.shown_opening(history).await?;
    let Opening { chain_id, contract, creator, nonce, .. } = opening;
    let secrets = wallet.game_secrets(&GameRef { chain_id, contract, game_id: opening.game_id() }, creator, nonce);
    let (account, hand) = (wallet.address(), G::Hand::new(secrets.seed().branch(G::NAME)));
    let open = move |proofs: &G::Proofs| Side::new(account, hand, Table::open(opening, proofs)?);
    let (side, _) = G::run(prover, open).await?;
    side.map_err(|fault| GameError::NotInOrder { index: 0, fault })
}
