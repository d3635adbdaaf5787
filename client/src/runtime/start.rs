//! Before there is a seat: waits until the chain has both players of a game (protocol, section 8: create, join). Then the
//! link knows whom to expect.

use super::watch::ChainUpdate;
use super::{RuntimeError, notify};
use crate::chain::{ChainTime, News, Update};
use alloy::primitives::Address;
use game::{BlockRef, ChainEvent, Command, CommandError, Notice};
use tokio::sync::mpsc::{Receiver, UnboundedReceiver, UnboundedSender};

/// What is known when both players are there, or the game has ended without.
pub(super) struct Start {
    pub events: Vec<ChainEvent>,
    /// The block of the game's creation, if it is final.
    pub born: Option<u64>,
    /// The last block that is final.
    pub last_final: Option<BlockRef>,
    pub coming: Vec<News>,
    /// None if there is nobody to talk to any more.
    pub opponent: Option<Address>,
    pub time: ChainTime,
}

/// Waits until the chain has a second player; none if the user doesn't want to wait any longer.
pub(super) async fn until_both_are_there(
    me: Address,
    commands: &mut UnboundedReceiver<Command>,
    notices: &UnboundedSender<Notice>,
    updates: &mut Receiver<ChainUpdate>,
) -> Result<Option<Start>, RuntimeError> {
    let (mut events, mut born, mut waiting) = (Vec::new(), None, false);
    loop {
        let update = tokio::select! {
            update = updates.recv() => update,
            command = commands.recv() => match command {
                Some(_) => {
                    notify(notices, Notice::Refused(CommandError::NotBegun));
                    continue;
                }
                None => return Ok(None),
            },
        };
        let Update { news, time, last_final } = match update {
            Some(ChainUpdate::News(update)) => update,
            Some(ChainUpdate::Unreachable(reason)) => {
                notify(notices, Notice::ChainTrouble(reason));
                continue;
            }
            Some(ChainUpdate::Broken(error)) => return Err(error.into()),
            None => return Err(RuntimeError::Stopped("nobody follows the chain".into())),
        };
        let mut coming = Vec::new();
        for item in news {
            match item {
                News::Final(logged) => {
                    if matches!(logged.event, ChainEvent::Created(_)) {
                        born = Some(logged.block);
                    }
                    events.push(logged.event);
                }
                other => coming.push(other),
            }
        }
        let opponent = opponent_of(me, &events)?;
        let over = |event: &ChainEvent| matches!(event, ChainEvent::Ended { .. });
        let over = events.iter().any(over);
        if over || opponent.is_some() {
            let opponent = opponent.filter(|_| !over);
            return Ok(Some(Start { events, born, last_final, coming, opponent, time }));
        }
        if !std::mem::replace(&mut waiting, true) {
            notify(notices, Notice::Waiting);
        }
    }
}

/// The other player, if there is one yet.
fn opponent_of(me: Address, events: &[ChainEvent]) -> Result<Option<Address>, RuntimeError> {
    let (mut creator, mut joiner) = (None, None);
    for event in events {
        match event {
            ChainEvent::Created(opening) => creator = Some(opening.creator),
            ChainEvent::Joined { joiner: account, .. } => joiner = Some(*account),
            _ => {}
        }
    }
    match (creator, joiner) {
        (Some(creator), joiner) if creator == me => Ok(joiner),
        (Some(creator), Some(joiner)) if joiner == me => Ok(Some(creator)),
        // This player's joining may not be final yet.
        (_, None) => Ok(None),
        _ => Err(RuntimeError::NotAPlayer(me)),
    }
}
