//! A player of a demo: one of its machines' processes, which plays, and what that says.

use alloy::primitives::B256;
use eyre::{Result, bail, ensure};
use serde_json::Value;
use tokio::sync::mpsc::UnboundedReceiver;

use crate::demo::{Machine, Process};

/// A player's process. Dropping it kills it.
pub struct Player {
    pub process: Process,
    heard: UnboundedReceiver<Value>,
}

impl Player {
    /// Starts the process that plays, with further options.
    pub fn start(machine: &Machine, game: B256, more: &[&str]) -> Result<Self> {
        let command = machine.command(&[&["play", &game.to_string(), "--json", "--stay"], more].concat())?;
        let (process, heard) = machine.listen(command, |line| serde_json::from_str(line).ok())?;
        Ok(Self { process, heard })
    }

    /// The next thing that it says.
    pub async fn next(&mut self) -> Result<Value> {
        match self.heard.recv().await {
            Some(said) => Ok(said),
            None => bail!(self.process.complaint()),
        }
    }

    /// Waits for its end.
    pub async fn end(mut self) -> Result<()> {
        let status = self.process.ended().await?;
        ensure!(status.success(), "{}'s process ended with {status}", self.process.name);
        Ok(())
    }
}
