//! How a command ends: what it says on stderr and which exit code it leaves.

use std::{fmt::Display, io, process::ExitCode};

use chain::{Class, Classified as _, NodeError, SendError};
use client::chain::ChainError;
use client::lobby::{InviteError, LobbyError};
use client::wallet::WalletError;
use deploy::{DeployError, DeploymentError};
use eyre::Report;
use game::audit::Audit;
use thiserror::Error;

use crate::output::note;

/// What a command that is done leaves.
pub const DONE: u8 = 0;
/// Something has failed, here or at a node.
pub const FAILED: u8 = 1;
/// What was typed can't be used.
pub const UNUSABLE: u8 = 2;
/// The game that was looked at is not in order.
pub const NOT_IN_ORDER: u8 = 3;
/// There is no such game.
pub const NO_GAME: u8 = 4;
/// What was found of the game is in order, and not all of it is there.
pub const INCOMPLETE: u8 = 5;
/// The user has ended the command, as shells have it for Ctrl-C.
pub const INTERRUPTED: u8 = 130;

/// Input that can't be used, told in one sentence.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct BadInput(pub String);

/// A bad input as an error.
pub fn bad_input(fault: impl Display) -> Report {
    BadInput(fault.to_string()).into()
}

/// The user has ended the command.
#[derive(Debug, Error)]
#[error("interrupted")]
pub struct Interrupted;

/// What a command has found out about a game, where that isn't what its user hoped for.
#[derive(Debug, Error)]
pub enum Found {
    #[error("{0}")]
    NoGame(String),
    #[error("{0}")]
    NotInOrder(String),
    /// All that is there is in order.
    #[error("{0}")]
    Incomplete(String),
}

impl Found {
    pub fn not_in_order(audit: &Audit) -> Self {
        let with = if audit.is_of_transcript { " with this transcript" } else { "" };
        Self::NotInOrder(format!("the game is not in order{with}"))
    }
}

/// Says what went wrong, if anything did, and returns the exit code.
pub fn exit_code(result: eyre::Result<()>) -> ExitCode {
    match result {
        Err(report) if !is_broken_pipe(&report) => {
            // Who has ended the command knows that.
            if !report.is::<Interrupted>() {
                // What is missing of a game that is in order is no error.
                let kind = if matches!(report.downcast_ref(), Some(Found::Incomplete(_))) { "note" } else { "error" };
                note!("{kind}: {}", sentence(&report));
            }
            ExitCode::from(code(&report))
        }
        // A reader that has seen enough, as `head` does, is no failure.
        _ => ExitCode::from(DONE),
    }
}

/// The exit code of a failure.
fn code(report: &Report) -> u8 {
    match report.downcast_ref() {
        Some(Found::NotInOrder(_)) => NOT_IN_ORDER,
        Some(Found::Incomplete(_)) => INCOMPLETE,
        Some(Found::NoGame(_)) => NO_GAME,
        None if is_no_game(report) => NO_GAME,
        None if report.is::<Interrupted>() => INTERRUPTED,
        None if is_bad_input(report) => UNUSABLE,
        None => FAILED,
    }
}

fn is_no_game(report: &Report) -> bool {
    let of_lobby = matches!(report.downcast_ref(), Some(LobbyError::Chain(ChainError::NoGame(_))));
    of_lobby || matches!(report.downcast_ref(), Some(ChainError::NoGame(_)))
}

/// The errors of a report, each after what it was the cause of, in one sentence. Some say their cause themselves.
pub fn sentence(report: &Report) -> String {
    let mut text = String::new();
    for error in report.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = error;
        } else if !text.contains(&error) {
            text = format!("{text}: {error}");
        }
    }
    text
}

/// Whether the user can put it right by saying something else; all other errors are failures.
fn is_bad_input(report: &Report) -> bool {
    use DeployError::{Deployment, NoProxy, NotShipped, OtherKeys, TooPoor};
    use DeploymentError::{DevelopmentOnRealChain, Earlier, Misnamed, Unfinished, Unknown};
    use WalletError::{Ambiguous, Keystore, Known, NotAnAddress, NotFound, WrongPassword};
    let wallet = |e: &WalletError| {
        let is_of_file = matches!(e, WrongPassword(_) | Keystore { .. } | Known(_));
        is_of_file || matches!(e, NotFound { .. } | Ambiguous { .. } | NotAnAddress(_))
    };
    let deployment = |e: &DeploymentError| {
        let is_of_file = matches!(e, Unknown { .. } | Earlier(_) | Misnamed(_) | Unfinished(_));
        is_of_file || matches!(e, DevelopmentOnRealChain(_) | DeploymentError::Node(NodeError::Url(_)))
    };
    let deploying = |e: &DeployError| match e {
        OtherKeys { .. } | TooPoor { .. } | NoProxy { .. } | NotShipped | DeployError::Node(NodeError::Url(_)) => true,
        DeployError::Creation { source, .. } => matches!(source.downcast_ref(), Some(SendError::CannotPay { .. })),
        Deployment(error) => deployment(error),
        _ => false,
    };
    report.is::<BadInput>()
        || report.is::<InviteError>()
        || report.downcast_ref().is_some_and(|error: &LobbyError| error.is_of_the_user())
        || report.downcast_ref().is_some_and(|error: &ChainError| error.class() == Class::Usage)
        || report.downcast_ref().is_some_and(wallet)
        || report.downcast_ref().is_some_and(deployment)
        || report.downcast_ref().is_some_and(deploying)
}

fn is_broken_pipe(report: &Report) -> bool {
    let mut errors = report.chain().filter_map(|error| error.downcast_ref::<io::Error>());
    errors.any(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;
    use eyre::WrapErr as _;

    #[test]
    fn each_way_to_end_has_its_code() {
        let code = |error: Report| code(&error);
        assert_eq!(code(io::Error::other("full").into()), FAILED);
        assert_eq!(code(bad_input("castle")), UNUSABLE);
        assert_eq!(code(Found::NotInOrder("a move is none".to_owned()).into()), NOT_IN_ORDER);
        assert_eq!(code(ChainError::NoGame(Default::default()).into()), NO_GAME);
        assert_eq!(code(LobbyError::Chain(ChainError::NoGame(Default::default())).into()), NO_GAME);
        assert_eq!(code(Found::NoGame("there is none".to_owned()).into()), NO_GAME);
        assert_eq!(code(Found::Incomplete("a key is missing".to_owned()).into()), INCOMPLETE);
        assert_eq!(code(Interrupted.into()), INTERRUPTED);
    }

    #[test]
    fn a_cause_is_said_once() {
        let port = io::Error::other("taken");
        let error = Report::from(LobbyError::NoPort(port));
        assert_eq!(sentence(&error), "no free port on 127.0.0.1: taken");
        let error =
            Err::<(), _>(io::Error::other("full")).wrap_err("the report can't be written").expect_err("an error");
        assert_eq!(sentence(&error), "the report can't be written: full");
    }
}
