//! Whether a move may be signed just so. A seat signs one move a ply, by what its journal remembers; where that isn't on disk, or the wallet has
//! sent something that nobody here knows, a restart has made or may make another one. Then the player is asked, by being told which ply, and answers
//! by giving the same move again.

use super::executor::Runtime;
use super::outlive::outlive;
use super::{Completion, RuntimeError};
use crate::chain::Chain;
use crate::seat::{Effect, Event};
use alloy::primitives::B256;
use game::{Command, CommandError, Doubt, Given, Notice};
use rules::Move;
use std::time::Duration;

/// How long a node is asked before a move goes on its way: the clock runs, and a node that can't be asked can't be sent a move either.
const PATIENCE: Duration = Duration::from_secs(3);

impl Runtime {
    /// What the user asks for.
    pub async fn on_command(&mut self, given: Given) -> Result<(), RuntimeError> {
        match self.to_be_asked(&given.command) {
            Some(ply) => {
                let (chain, game, done) = (self.transactions.chain.clone(), self.transactions.game, self.done.clone());
                tokio::spawn(async move {
                    // A defect of this program is no reason to believe that nothing was sent.
                    let is_sent = outlive(may_be_sent(chain, game, ply)).await.unwrap_or(true);
                    // Nobody listens once the runtime has ended.
                    let _ = done.send(Completion::Looked { given, ply, is_sent });
                });
                Ok(())
            }
            None => self.obey(given).await,
        }
    }

    /// The ply of a move that could be made and that the player wasn't asked about.
    fn to_be_asked(&self, command: &Command) -> Option<u16> {
        let Command::Move { mv, .. } = command else {
            return None;
        };
        let ply = self.side.seat().may_choose(mv).ok()?;
        (self.asked != Some((ply, *mv))).then_some(ply)
    }

    /// The node was asked for what the wallet has sent.
    pub async fn on_looked(&mut self, given: Given, ply: u16, is_sent: bool) -> Result<(), RuntimeError> {
        let Command::Move { mv, .. } = given.command else {
            return self.obey(given).await;
        };
        let doubts = [(is_sent, Doubt::Sent), (self.journal.is_behind(), Doubt::Unwritten)];
        match reservation(self.side.seat().may_choose(&mv), (given.id, mv), ply, doubts) {
            None => return self.obey(given).await,
            Some(notice) => {
                self.asked = matches!(notice, Notice::ConfirmMove { .. }).then_some((ply, mv)).or(self.asked);
                self.notify(notice);
            }
        }
        self.work.end();
        Ok(())
    }

    async fn obey(&mut self, Given { id, command }: Given) -> Result<(), RuntimeError> {
        let mut effects = self.side.apply(Event::Command(command));
        let refused = effects.iter_mut().find_map(|effect| match effect {
            Effect::Notify(Notice::Refused { id, .. }) => Some(id),
            _ => None,
        });
        match (refused, id) {
            (Some(of), _) => *of = id,
            (None, Some(id)) => self.notify(Notice::Accepted { id }),
            (None, None) => {}
        }
        let result = self.carry_out(effects).await;
        self.work.end();
        result
    }
}

/// Why a move that was given for a ply isn't signed just so; `now` is the ply that it could be chosen for by now. What the seat refuses it tells itself.
fn reservation(
    now: Result<u16, CommandError>,
    (id, mv): (Option<u64>, Move),
    ply: u16,
    doubts: [(bool, Doubt); 2],
) -> Option<Notice> {
    if now.is_ok_and(|now| now != ply) {
        return Some(Notice::Refused { id, error: CommandError::TooLate { mv, ply } });
    }
    let (_, doubt) = doubts.into_iter().find(|(is_so, _)| *is_so)?;
    Some(Notice::ConfirmMove { ply, mv, doubt })
}

/// Whether the wallet may have sent a move of this ply that the seat doesn't know, as far as the node says.
async fn may_be_sent(chain: Chain, game: B256, ply: u16) -> bool {
    let asked = tokio::time::timeout(PATIENCE, chain.move_may_be_under_way(game, ply)).await;
    matches!(asked, Ok(Ok(true)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_signed_for_the_ply_that_it_was_given_for() {
        let mv: Move = "e2e4".parse().expect("a move");
        let doubts = |sent, unwritten| [(sent, Doubt::Sent), (unwritten, Doubt::Unwritten)];
        assert_eq!(reservation(Ok(4), (Some(8), mv), 4, doubts(false, false)), None);
        let late = Some(Notice::Refused { id: Some(8), error: CommandError::TooLate { mv, ply: 4 } });
        assert_eq!(reservation(Ok(6), (Some(8), mv), 4, doubts(true, true)), late);
        let asked = |doubt| Some(Notice::ConfirmMove { ply: 4, mv, doubt });
        assert_eq!(reservation(Ok(4), (Some(8), mv), 4, doubts(true, true)), asked(Doubt::Sent));
        assert_eq!(
            reservation(Err(CommandError::NotYourTurn), (Some(8), mv), 4, doubts(false, true)),
            asked(Doubt::Unwritten)
        );
    }
}
