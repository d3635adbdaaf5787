//! Joining a game by its invitation (protocol, section 8, "join").

use alloy::primitives::B256;
use fog::engine::About;
use fog::ensure;
use game::toss::toss_commitment;

use super::engine::{check_game, registration};
use super::{Invite, LobbyError, check_money};
use crate::chain::{Chain, GameState, Receipt, Status};
use crate::wallet::Wallet;

/// The open game of an invitation, as the chain has it; also one that this wallet has joined before, as far as is remembered.
///
/// # Errors
///
/// If the invitation is for another chain or contract than the connection, or the game isn't there or isn't open.
pub async fn find(chain: &Chain, invite: &Invite) -> Result<GameState, LobbyError> {
    let (config, invited) = (chain.config(), &invite.game);
    if config.contract != invited.contract {
        return Err(LobbyError::OtherContract {
            invited: invited.contract,
            chain_id: config.chain_id,
            found: config.contract,
        });
    }
    if config.chain_id != invited.chain_id {
        return Err(LobbyError::OtherChain { invited: invited.chain_id, found: config.chain_id });
    }
    let state = chain.game(invited.game_id).await?;
    // An earlier command may have timed out: the contract knows who has joined, whatever the node has receipts of.
    match state.status == Status::Open || has_joined(chain, &state) {
        true => Ok(state),
        false => Err(LobbyError::NotOpen),
    }
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
