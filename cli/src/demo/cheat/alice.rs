//! Alice's side of a scene: the program that people play with, in a process of its own, told only her moves.

use std::time::Duration;

use alloy::primitives::B256;
use client::link::{Frames, Identity, LinkConfig, LinkEvent, LinkHandle, spawn};
use eyre::{OptionExt as _, Result, bail, eyre};
use game::{Ending, GameRef, Message, Notice};
use tokio::sync::mpsc::Receiver;

use super::story::Story;
use crate::demo::process::{Machine, Player};

/// Longest that anything may take here: far longer than it does on a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);

/// Alice's process, and what it says.
pub struct Alice {
    player: Player<Notice>,
}

impl Alice {
    /// Sits her down. Of a sight that is missing she has patience for one second.
    pub fn sit(machine: &Machine, game: GameRef) -> Result<Self> {
        let command = machine.seat(&["play", &game.game_id.to_string(), "--json", "--stay", "--grace", "1s"])?;
        Ok(Self { player: machine.listen(command, Notice::from_line)? })
    }

    /// Waits until she may move.
    pub async fn may_move(&mut self, story: &mut Story, ply: u16) -> Result<()> {
        let may = |notice: &Notice| match notice {
            Notice::View(view) => (view.ply == ply && !view.legal.is_empty()).then_some(()),
            _ => None,
        };
        self.until(story, "her turn", may).await
    }

    /// She moves, as soon as she may. Gives the transaction that did it.
    pub async fn moves(&mut self, story: &mut Story, wanted: u16, mv: &str) -> Result<B256> {
        self.may_move(story, wanted).await?;
        self.types(mv).await?;
        let mined = |notice: &Notice| match notice {
            Notice::Mined { transaction, ply: Some(ply), .. } if *ply == wanted => Some(*transaction),
            _ => None,
        };
        self.until(story, "her move", mined).await
    }

    /// Gives her program a line as if she had typed it.
    pub async fn types(&mut self, line: &str) -> Result<()> {
        self.player.process.type_line(line).await
    }

    /// Tells what her machine says until it says what is wanted.
    pub async fn until<T>(
        &mut self,
        story: &mut Story,
        what: &str,
        mut wanted: impl FnMut(&Notice) -> Option<T>,
    ) -> Result<T> {
        loop {
            let heard = tokio::time::timeout(PATIENCE, self.player.next()).await;
            let notice = heard.map_err(|_| eyre!("Alice's machine says nothing of {what}"))??;
            if let Notice::Refused { error, .. } = &notice {
                bail!("Alice's machine does nothing: {error}");
            }
            story.heard(&notice)?;
            if let Some(found) = wanted(&notice) {
                return Ok(found);
            }
        }
    }

    /// Waits for the end of the game, and has her fetch what she has won.
    pub async fn ends(mut self, story: &mut Story) -> Result<Ending> {
        let ending = self.until(story, "the end", |notice| match notice {
            Notice::Over(ending) => Some(*ending),
            _ => None,
        });
        let ending = ending.await?;
        self.types("withdraw").await?;
        self.until(story, "her money", |notice| matches!(notice, Notice::Fetched { .. }).then_some(())).await?;
        self.leave().await;
        Ok(ending)
    }

    /// Her machine is switched off.
    pub async fn leave(self) {
        self.player.process.end().await;
    }
}

/// Bob's end of a real link to Alice's machine, by which he says whatever he likes.
pub struct Line {
    handle: LinkHandle,
    events: Receiver<LinkEvent>,
}

impl Line {
    /// Bob dials the address at which Alice's machine listens.
    pub async fn dial([alice, bob]: &[Machine; 2], game: GameRef, address: &str, frames: Frames) -> Result<Self> {
        let config = LinkConfig {
            identity: Identity::new(&bob.wallet, game)?,
            opponent: alice.wallet.address(),
            listen: "/ip4/127.0.0.1/tcp/0".parse()?,
            dial: vec![address.parse()?],
            relays: Vec::new(),
            patient: false,
            frames,
        };
        let (handle, events) = spawn(config).await?;
        Ok(Self { handle, events })
    }

    /// The points of Alice's request of a ply.
    pub async fn request(&mut self, wanted: u16) -> Result<Vec<u8>> {
        let heard = async {
            loop {
                match self.events.recv().await.ok_or_eyre("Bob's link has ended")? {
                    LinkEvent::Received(Message::Request { ply, points }) if ply == wanted => {
                        return Ok(points.to_vec());
                    }
                    _ => {}
                }
            }
        };
        tokio::time::timeout(PATIENCE, heard).await.map_err(|_| eyre!("Alice's machine sends no request"))?
    }

    pub async fn say(&self, message: Message) -> Result<()> {
        Ok(self.handle.send(message).await?)
    }
}
