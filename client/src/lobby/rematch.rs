//! A rematch: the terms of a game that is over, against the same opponent.

use alloy::primitives::{Address, B256};
use fog::engine::engine_name;
use fog::ensure;
use game::{ChainEvent, Opening, Terms};

use super::LobbyError;
use crate::chain::{Chain, Status};

/// How long a rematch can be joined, in seconds.
const OPEN_FOR: u64 = 86_400;

/// What a rematch of a game would be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rematch {
    /// For this opponent alone, from now on.
    pub terms: Terms,
    pub opponent: Address,
    /// None while nobody has opened it.
    pub step: Option<RematchStep>,
}

/// What a player who wants a rematch is to do. Where both have opened one, the earlier in the chain is played, so that both know which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RematchStep {
    /// It is in play already.
    Play { game: B256 },
    /// This player has opened it, and the opponent is to join.
    Wait { game: B256 },
    /// The opponent has opened it.
    Join {
        game: B256,
        /// The player's own offer, which is later, and is taken back.
        own: Option<B256>,
    },
}

/// Finds out what a rematch of a game would be for a player of it.
///
/// # Errors
///
/// [`LobbyError::NotAPlayer`], [`LobbyError::NotOver`], [`LobbyError::NeverJoined`]; the chain's failures.
pub async fn rematch(chain: &Chain, me: Address, game: B256) -> Result<Rematch, LobbyError> {
    let state = chain.game(game).await?;
    let is_player = state.creator == me || state.index_of(me).is_some();
    ensure!(is_player, LobbyError::NotAPlayer { account: me, game });
    ensure!(state.status == Status::Over, LobbyError::NotOver);
    let opponent = state.players.into_iter().flatten().find(|player| *player != me).ok_or(LobbyError::NeverJoined)?;
    let (before, ended) = course(chain, game).await?;
    let now = chain.now().await?;
    let alike = async |creator, invited| {
        let mut games = chain.games_between(creator, invited, ended).await?;
        games.retain(|game| is_alike(&game.opening, &before));
        games.retain(|game| game.status != Status::Open || game.opening.terms.expiry >= now);
        Result::<_, LobbyError>::Ok(games)
    };
    let (theirs, own) = (alike(opponent, me).await?, alike(me, opponent).await?);
    let in_play = theirs.iter().chain(&own).filter(|game| game.status != Status::Open).max_by_key(|game| game.place);
    let of_open = match (theirs.last(), own.last()) {
        (None, None) => None,
        (Some(theirs), Some(own)) if own.place < theirs.place => Some(RematchStep::Wait { game: own.game }),
        (None, Some(own)) => Some(RematchStep::Wait { game: own.game }),
        (Some(theirs), own) => Some(RematchStep::Join { game: theirs.game, own: own.map(|own| own.game) }),
    };
    let step = in_play.map(|game| RematchStep::Play { game: game.game }).or(of_open);
    let terms = Terms { expiry: now.saturating_add(OPEN_FOR), opponent: Some(opponent), ..before.terms };
    Ok(Rematch { terms, opponent, step })
}

/// Whether two games have one engine and the same terms, whoever may join them and however long.
fn is_alike(one: &Opening, other: &Opening) -> bool {
    let terms = |opening: &Opening| Terms { expiry: 0, opponent: None, ..opening.terms };
    terms(one) == terms(other) && engine(one) == engine(other)
}

fn engine(opening: &Opening) -> Option<&str> {
    engine_name(&opening.registration).filter(|_| !opening.terms.mode.has_proofs())
}

/// How a game was opened, and the block in which it ended.
async fn course(chain: &Chain, game: B256) -> Result<(Opening, u64), LobbyError> {
    let (mut opened, mut ended) = (None, None);
    for logged in chain.events(game, 0, chain.latest_block().await?).await? {
        match logged.event {
            ChainEvent::Created(opening) => opened = Some(opening),
            ChainEvent::Ended { .. } => ended = Some(logged.block.number),
            _ => {}
        }
    }
    opened
        .zip(ended)
        .ok_or_else(|| LobbyError::Inconsistent("nobody has opened it, or nothing has ended it".to_owned()))
}
