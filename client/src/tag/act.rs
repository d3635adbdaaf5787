//! What a player does: its steps, and what its machine does by itself.

use std::time::Instant;

use fog::ensure;
use tag::{Action, Duty, Fault, Kind, Square, Status};

use super::actions::subject;
use super::error::TagError;
use super::player::Player;
use super::proving::{Proven, run};
use crate::chain::Receipt;
use crate::connection::CLAIM_PAUSE;

/// What a player's machine has done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Done {
    pub kind: Kind,
    /// The ply at which.
    pub ply: u16,
    /// The proofs that it took.
    pub proven: Proven,
    pub receipt: Receipt,
}

impl Player {
    /// Does what leaves no choice: captures, replies, ends a game that is over without a capture, claims one that the opponent has let pass. None
    /// if nothing is to be done, or it is under way.
    ///
    /// # Errors
    ///
    /// The contract's refusals and the node's failures.
    pub async fn act(&mut self) -> Result<Option<Done>, TagError> {
        let (duty, kind) = match self.duty()? {
            Some(duty @ Duty::Capture(_)) => (duty, Kind::Capture),
            Some(duty @ Duty::Reply) => (duty, Kind::Reply),
            Some(duty @ Duty::Settle) => (duty, Kind::Settle),
            Some(Duty::Step) | None => return self.claim().await,
        };
        // Time is over: only the claim is left.
        if self.is_late() {
            return self.claim().await;
        }
        if !self.is_awaited(kind).await? {
            return Ok(None);
        }
        let side = self.side.clone();
        let (action, proven) = run(&self.prover, move |proofs| side.perform(duty, proofs)).await?;
        self.send(&action.map_err(TagError::Fault)?, proven).await.map(Some)
    }

    /// Claims a game whose time the opponent has let pass.
    async fn claim(&mut self) -> Result<Option<Done>, TagError> {
        let is_overdue = self.now().is_some_and(|now| self.side.is_overdue(now));
        if !is_overdue || self.claimed.is_some_and(|at| at.elapsed() < CLAIM_PAUSE) {
            return Ok(None);
        }
        self.claimed = Some(Instant::now());
        self.say(Action::ClaimTimeout).await
    }

    /// Steps to a square; none if what was sent for this ply is under way already.
    ///
    /// # Errors
    ///
    /// [`TagError::Fault`] if the king can't go there, or not now; the contract's refusals and the node's failures.
    pub async fn step(&mut self, square: Square) -> Result<Option<Done>, TagError> {
        ensure!(self.duty()? == Some(Duty::Step), TagError::Fault(Fault::NotYourTurn));
        ensure!(!self.is_late(), TagError::Fault(Fault::OutOfTime));
        if !self.is_awaited(Kind::Step).await? {
            return Ok(None);
        }
        let side = self.side.clone();
        let (action, proven) = run(&self.prover, move |proofs| side.step_to(square, proofs)).await?;
        self.send(&action.map_err(TagError::Fault)?, proven).await.map(Some)
    }

    /// Resigns; none if that is under way, or something that isn't final yet has changed the game.
    ///
    /// # Errors
    ///
    /// [`TagError::Fault`] if the game isn't in play; the contract's refusals and the node's failures.
    pub async fn resign(&mut self) -> Result<Option<Done>, TagError> {
        ensure!(matches!(self.side.table().status(), Status::Playing(_)), TagError::Fault(Fault::WrongStatus));
        self.say(Action::Resign).await
    }

    /// Whether the time for the next action is over.
    pub fn is_late(&self) -> bool {
        let table = self.side.table();
        matches!(table.status(), Status::Playing(_)) && self.now().is_some_and(|now| now > table.deadline())
    }

    /// Whether the chain waits for an action of this player: it has nothing newer than the machine, and none of this kind is on its way.
    ///
    /// # Errors
    ///
    /// The node's failures.
    pub async fn is_awaited(&self, kind: Kind) -> Result<bool, TagError> {
        let table = self.side.table();
        if self.chain.is_said(self.game, &subject(self.game, table.ply(), kind))? {
            return Ok(false);
        }
        Ok(self.chain.latest(self.game).await?.is_as(table))
    }

    /// An action that needs no proof.
    async fn say(&mut self, action: Action) -> Result<Option<Done>, TagError> {
        if !self.is_awaited(action.kind()).await? {
            return Ok(None);
        }
        self.send(&action, Proven::default()).await.map(Some)
    }

    async fn send(&self, action: &Action, proven: Proven) -> Result<Done, TagError> {
        let table = self.side.table();
        let receipt = self.chain.carry_out(self.game, table, action).await?;
        Ok(Done { kind: action.kind(), ply: table.ply(), proven, receipt })
    }
}
