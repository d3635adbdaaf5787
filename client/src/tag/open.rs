//! Opening a game and joining one: both place a king, proven.

use alloy::primitives::{Address, B256};
use fog::ensure;
use game::GameRef;
use rand::RngCore as _;
use rand::rngs::OsRng;
use tag::{Action, Fault, Secrets, Side, Table, Terms};

use super::chain::TagChain;
use super::error::TagError;
use super::events::{History, Opening, called};
use super::proving::{ByTheContract, Proven, Prover, run};
use crate::chain::Receipt;
use crate::connection::{Created, Opened, Place, Standing};
use crate::wallet::Wallet;

/// The branch of a player's seed that its exponents derive from.
const BRANCH: &str = "tag";

/// What a game is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// What each player puts in, in wei.
    pub stake: u128,
    /// What else is agreed.
    pub terms: Terms,
}

/// Opens a game, or goes on with an earlier opening for the same terms that its opener doesn't know of (see
/// [`crate::connection::Connection::acknowledge`]), which takes no proof.
///
/// # Errors
///
/// [`TagError::StakesNotYet`], [`TagError::BadTerms`], [`TagError::OtherOpening`], [`TagError::BeingOpened`], [`TagError::LateReceipt`], the
/// contract's refusals and the node's failures.
pub async fn create(
    chain: &TagChain,
    wallet: &Wallet,
    prover: &Prover,
    offer: Offer,
) -> Result<(Created, Proven), TagError> {
    check_offer(chain, &offer)?;
    let _alone = chain.alone_in_opening().await?;
    match earlier(chain, wallet.address(), &offer).await? {
        Some(earlier) => Ok((earlier, Proven::default())),
        None => open(chain, wallet, prover, offer).await,
    }
}

/// Opens one more game, whatever an earlier command has opened without saying so.
///
/// # Errors
///
/// As [`create`], but for [`TagError::OtherOpening`].
pub async fn create_another(
    chain: &TagChain,
    wallet: &Wallet,
    prover: &Prover,
    offer: Offer,
) -> Result<(Created, Proven), TagError> {
    check_offer(chain, &offer)?;
    open(chain, wallet, prover, offer).await
}

fn check_offer(chain: &TagChain, offer: &Offer) -> Result<(), TagError> {
    check_stake(chain, offer.stake)?;
    super::actions::terms(offer.stake, &offer.terms).map(drop)
}

async fn open(chain: &TagChain, wallet: &Wallet, prover: &Prover, offer: Offer) -> Result<(Created, Proven), TagError> {
    let Offer { stake, terms } = offer;
    let mut nonce = B256::ZERO;
    OsRng.fill_bytes(nonce.as_mut_slice());
    let (Place { chain_id, contract, .. }, creator) = (chain.place(), wallet.address());
    let secrets = Secrets::new(wallet.opening_secrets(chain_id, contract, nonce).seed().branch(BRANCH));
    let place = move |proofs: &dyn tag::Proofs| Side::first_placement(terms.size, &secrets, proofs);
    let (king, proven) = run(prover, place).await?;
    let opening = Opening { creator, nonce, stake, terms, king: king.map_err(TagError::Fault)? };
    let game = opening.game_id(chain_id, contract)?;
    let receipt = chain.create(&opening).await.map_err(|error| error.of_opening(game))?;
    Ok((Created { game, expiry: terms.expiry, receipt, earlier: false, is_open: true }, proven))
}

/// The game of an earlier opening for the same terms.
async fn earlier(chain: &TagChain, creator: Address, offer: &Offer) -> Result<Option<Created>, TagError> {
    let Place { chain_id, contract, .. } = chain.place();
    let read = |input: &[u8]| {
        let opening = called(input, creator)?;
        let terms = Terms { expiry: offer.terms.expiry, ..opening.terms };
        let is_same = Offer { stake: opening.stake, terms } == *offer;
        Some(Opened { game: opening.game_id(chain_id, contract).ok()?, expiry: opening.terms.expiry, is_same })
    };
    let standing = async |game| {
        let latest = chain.latest(game).await?;
        Ok(match (latest.is_open, latest.phase) {
            (true, _) => Standing::Open,
            (false, Some(_)) => Standing::Playing,
            (false, None) => Standing::Over,
        })
    };
    chain.opened_before(read, standing).await
}

/// Joins a game for a stake (wei) that the player has agreed to. Gives the transaction; none if the contract has it and the node no receipt of it.
///
/// # Errors
///
/// [`TagError::NotOpen`], [`TagError::OtherStake`], [`TagError::StakesNotYet`], the contract's refusals and the node's failures.
pub async fn join(
    chain: &TagChain,
    wallet: &Wallet,
    prover: &Prover,
    game: B256,
    agreed: u128,
) -> Result<(Option<Receipt>, Proven), TagError> {
    let history = chain.history(game, None).await?;
    ensure!(history.told.len() == 1 && chain.latest(game).await?.is_open, TagError::NotOpen);
    let stake = history.opening.stake;
    ensure!(stake == agreed, TagError::OtherStake(stake));
    check_stake(chain, stake)?;
    let account = wallet.address();
    ensure!(account != history.opening.creator, TagError::Fault(Fault::SelfPlay));
    let is_invited = history.opening.terms.opponent.is_none_or(|opponent| opponent == account);
    ensure!(is_invited, TagError::Fault(Fault::NotInvited));
    let (side, _) = sit(chain, wallet, prover, &history).await?;
    let (placed, proven) = run(prover, move |proofs| side.joining(proofs)).await?;
    let Action::Join(placement) = placed.map_err(TagError::Fault)? else {
        return Err(TagError::Fault(Fault::WrongStatus));
    };
    match chain.join(game, stake, &placement).await {
        Err(TagError::Refused(_)) if chain.latest(game).await?.is_joined_by(account) => Ok((None, proven)),
        joined => Ok((Some(joined?), proven)),
    }
}

/// Stakes stay on local chains, like those of the other games.
fn check_stake(chain: &TagChain, stake: u128) -> Result<(), TagError> {
    ensure!(stake == 0 || chain.is_local(), TagError::StakesNotYet);
    Ok(())
}

/// A wallet's side of a game that has just been opened, its opening verified; and whether the chain shows the proof of that.
pub(super) async fn sit(
    chain: &TagChain,
    wallet: &Wallet,
    prover: &Prover,
    history: &History,
) -> Result<(Side, bool), TagError> {
    let Place { chain_id, contract, .. } = chain.place();
    let Opening { creator, nonce, terms, king, .. } = chain.proven_opening(history).await?;
    let game_id = history.opening.game_id(chain_id, contract)?;
    let secrets = wallet.game_secrets(&GameRef { chain_id, contract, game_id }, creator, nonce);
    let (account, secrets) = (wallet.address(), Secrets::new(secrets.seed().branch(BRANCH)));
    let is_shown = !king.proof.is_empty();
    let open = move |proofs: &dyn tag::Proofs| {
        let proofs = if is_shown { proofs } else { &ByTheContract };
        Side::new(account, secrets, Table::open(terms, creator, &king, proofs)?)
    };
    let (side, _) = run(prover, open).await?;
    Ok((side.map_err(|fault| TagError::NotInOrder { index: 0, fault })?, is_shown))
}
