//! Before there is a seat: waits until the chain has both players of a game (protocol, section 8: create, join). Then the
//! link knows whom to expect.

use super::watch::Sighting;
use super::{RuntimeError, notify};
use crate::chain::News;
use alloy::primitives::Address;
use game::Clocks;
use game::{ChainEvent, Command, CommandError, Notice};
use tokio::sync::mpsc::{Receiver, UnboundedReceiver, UnboundedSender};

/// What is known when both players are there, or the game has ended without.
pub(super) struct Start {
    pub events: Vec<ChainEvent>,
    pub coming: Vec<News>,
    /// None if there is nobody to talk to any more.
    pub opponent: Option<Address>,
    pub clocks: Option<Clocks>,
    pub ahead: u64,
}

/// Waits until the chain has a second player; none if the user doesn't want to wait any longer.
pub(super) async fn until_both_are_there(
    me: Address,
    commands: &mut UnboundedReceiver<Command>,
    notices: &UnboundedSender<Notice>,
    sightings: &mut Receiver<Sighting>,
) -> Result<Option<Start>, RuntimeError> {
    let (mut events, mut told) = (Vec::new(), false);
    loop {
        let sighting = tokio::select! {
            sighting = sightings.recv() => sighting,
            command = commands.recv() => match command {
                Some(_) => {
                    notify(notices, Notice::Refused(CommandError::NotBegun));
                    continue;
                }
                None => return Ok(None),
            },
        };
        let (news, clocks, ahead) = match sighting {
            Some(Sighting::News {
                news,
                clocks,
                ahead,
            }) => (news, clocks, ahead),
            Some(Sighting::Trouble(reason)) => {
                notify(notices, Notice::ChainTrouble(reason));
                continue;
            }
            Some(Sighting::Broken(error)) => return Err(error.into()),
            None => return Err(RuntimeError::Stopped("nobody follows the chain".into())),
        };
        let mut coming = Vec::new();
        for item in news {
            match item {
                News::Final(logged) => events.push(logged.event),
                other => coming.push(other),
            }
        }
        let opponent = opponent_of(me, &events)?;
        let over = events
            .iter()
            .any(|event| matches!(event, ChainEvent::Ended { .. }));
        if over || opponent.is_some() {
            let opponent = opponent.filter(|_| !over);
            return Ok(Some(Start {
                events,
                coming,
                opponent,
                clocks,
                ahead,
            }));
        }
        if !told {
            told = true;
            notify(notices, Notice::Waiting);
        }
    }
}

/// The other player, if there is one yet.
fn opponent_of(me: Address, events: &[ChainEvent]) -> Result<Option<Address>, RuntimeError> {
    let (mut creator, mut joiner) = (None, None);
    for event in events {
        match event {
            ChainEvent::Created {
                creator: account, ..
            } => creator = Some(*account),
            ChainEvent::Joined {
                joiner: account, ..
            } => joiner = Some(*account),
            _ => {}
        }
    }
    match (creator, joiner) {
        (Some(creator), joiner) if creator == me => Ok(joiner),
        (Some(creator), Some(joiner)) if joiner == me => Ok(Some(creator)),
        // One's own joining may not be final yet.
        (_, None) => Ok(None),
        _ => Err(RuntimeError::NotAPlayer(me)),
    }
}
