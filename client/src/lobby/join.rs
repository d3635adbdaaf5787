//! Joining a game by its invitation (protocol, section 8, "join").

use alloy::primitives::B256;
use fog::engine::About;
use fog::ensure;
use game::GameRef;
use game::toss::toss_commitment;

use super::engine::{check_game, registration};
use super::{Invite, LobbyError, check_money};
use crate::chain::{Chain, GameState, Receipt, Status};
use crate::wallet::Wallet;

/// A game as the chain has it.
///
/// # Errors
///
/// If it is on another chain or of another contract than the connection, or isn't there.
pub async fn look(chain: &Chain, game: &GameRef) -> Result<GameState, LobbyError> {
    let config = chain.config();
    let (invited, chain_id, found) = (game.contract, config.chain_id, config.contract);
    ensure!(found == invited, LobbyError::OtherContract { invited, chain_id, found });
    ensure!(chain_id == game.chain_id, LobbyError::OtherChain { invited: game.chain_id, found: chain_id });
    Ok(chain.game(game.game_id).await?)
}

/// The open game of an invitation; also one that this wallet has joined before, as far as is remembered.
///
/// # Errors
///
/// Those of [`look`], and [`LobbyError::NotOpen`].
pub async fn find(chain: &Chain, invite: &Invite) -> Result<GameState, LobbyError> {
    let state = look(chain, &invite.game).await?;
    // An earlier command may have timed out: the contract knows who has joined, whatever the node has receipts of.
    ensure!(state.status == Status::Open || has_joined(chain, &state), LobbyError::NotOpen);
    Ok(state)
}

/// Joins the game of an invitation, `found` by [`find`], for a stake that the player has agreed to, in wei, with the sight engine
/// `engine`, `None` for sight-lines. Gives the transaction that has joined it; `None` if it was joined before and nobody here remembers how.
///
/// # Errors
///
/// If that isn't the game's stake; [`LobbyError::OtherEngine`]; those of [`fn@super::create`]; what the contract refuses; the chain's failures.
pub async fn join(
    chain: &Chain,
    wallet: &Wallet,
    invite: &Invite,
    engine: Option<&About>,
    found: &GameState,
    agreed: u128,
) -> Result<Option<Receipt>, LobbyError> {
    let stake = found.terms.stake;
    check_game(found, engine)?;
    ensure!(stake == agreed, LobbyError::OtherStake(stake));
    if let Some(receipt) = chain.joined_before(invite.game.game_id).await? {
        return Ok(Some(receipt));
    }
    if has_joined(chain, found) {
        return Ok(None);
    }
    check_money(chain, wallet, &found.terms).await?;
    // Who joins derives its secrets from the game's id alone, whatever the nonce of the opening.
    let secrets = wallet.game_secrets(&invite.game, found.creator, B256::ZERO);
    let toss = toss_commitment(&wallet.address().into(), &secrets.toss_secret());
    let registration = registration(engine, secrets.seed());
    Ok(Some(chain.join(invite.game.game_id, stake, toss.into(), &registration).await?))
}

/// Whether this wallet is the game's joiner.
fn has_joined(chain: &Chain, state: &GameState) -> bool {
    chain.account().is_some_and(|account| state.index_of(account) == Some(1))
}
