//! Whether a move may be signed just so. A seat signs one move a ply, by what its journal remembers; where that isn't on disk, or the wallet has
//! sent something that nobody here knows, a restart has made or may make another one. Then the player is asked, by being told which ply, and answers
//! by giving the same move again.

use super::executor::Runtime;
use super::{Completion, RuntimeError};
use crate::chain::{Chain, MoveUnderWay};
use crate::seat::Event;
use alloy::primitives::B256;
use game::{Command, Doubt, Notice};
use rules::Move;
use std::time::Duration;

/// How long a node is asked before a move goes on its way: the clock runs, and a node that can't be asked can't be sent a move either.
const PATIENCE: Duration = Duration::from_secs(3);

/// What the player was asked for last: the ply, and the move that it had given.
pub(super) type Asked = Option<(u16, Move)>;

impl Runtime {
    /// What the user asks for.
    pub async fn on_command(&mut self, command: Command) -> Result<(), RuntimeError> {
        match self.to_be_asked(&command) {
            Some(ply) => {
                let (chain, game, done) =
                    (self.transactions.chain().clone(), self.transactions.game(), self.done.clone());
                tokio::spawn(async move {
                    let is_sent = may_be_sent(&chain, game, ply).await;
                    // Nobody listens once the runtime has ended.
                    let _ = done.send(Completion::Looked { command, ply, is_sent });
                });
                Ok(())
            }
            None => self.obey(command).await,
        }
    }

    /// The ply of a move that could be made and that the player wasn't asked about.
    fn to_be_asked(&self, command: &Command) -> Option<u16> {
        let Command::Move { mv, .. } = command else {
            return None;
        };
        let ply = self.seat.may_choose(mv).ok()?;
        (self.asked != Some((ply, *mv))).then_some(ply)
    }

    /// The node was asked for what the wallet has sent.
    pub async fn on_looked(&mut self, command: Command, ply: u16, is_sent: bool) -> Result<(), RuntimeError> {
        let doubts = [(is_sent, Doubt::Sent), (self.journal.is_behind(), Doubt::Unwritten)];
        let Some((_, doubt)) = doubts.into_iter().find(|(is_so, _)| *is_so) else {
            return self.obey(command).await;
        };
        if let Command::Move { mv, .. } = command {
            self.asked = Some((ply, mv));
            self.notify(Notice::ConfirmMove { ply, mv, doubt });
        }
        self.work.end();
        Ok(())
    }

    async fn obey(&mut self, command: Command) -> Result<(), RuntimeError> {
        let result = self.tell(Event::Command(command)).await;
        self.work.end();
        result
    }
}

/// Whether the wallet may have sent a move of this ply that the seat doesn't know, as far as the node says.
async fn may_be_sent(chain: &Chain, game: B256, ply: u16) -> bool {
    let asked = tokio::time::timeout(PATIENCE, chain.move_under_way(game, ply)).await;
    matches!(asked, Ok(Ok(MoveUnderWay::Hidden | MoveUnderWay::Move { .. })))
}
