//! How a command ends: what it says on stderr and which exit code it leaves.

use std::{fmt::Display, io, process::ExitCode};

use chain::{Class, Classified as _, NodeError, SendError};
use client::chain::ChainError;
use client::lobby::{InviteError, LobbyError};
use client::wallet::WalletError;
use deploy::{DeployError, DeploymentError};
use eyre::Report;
use thiserror::Error;

use crate::output::note;

/// Exit code of a command that was interrupted, as shells have it for Ctrl-C.
const INTERRUPTED: u8 = 130;

/// Input that can't be used, told in one sentence. Exit code 2, as for a wrong command line.
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

/// Says what went wrong, if anything did, and returns the exit code.
pub fn exit_code(result: eyre::Result<()>) -> ExitCode {
    match result {
        Err(report) if !is_broken_pipe(&report) => {
            note!("error: {}", sentence(&report));
            ExitCode::from(match report.is::<Interrupted>() {
                true => INTERRUPTED,
                false if is_bad_input(&report) => 2,
                false => 1,
            })
        }
        // A reader that has seen enough, as `head` does, is no failure.
        _ => ExitCode::SUCCESS,
    }
}

/// The errors of a report, each after what it was the cause of, in one sentence. Some say their cause themselves.
fn sentence(report: &Report) -> String {
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
    use WalletError::{Ambiguous, NotAnAddress, NotFound, WrongPassword};
    let wallet = |e: &WalletError| matches!(e, NotFound { .. } | Ambiguous { .. } | NotAnAddress(_) | WrongPassword(_));
    let deployment = |e: &DeploymentError| {
        let is_of_file = matches!(e, Unknown { .. } | Earlier(_) | Misnamed(_) | Unfinished(_));
        is_of_file || matches!(e, DevelopmentOnRealChain(_) | DeploymentError::Node(NodeError::Url(_)))
    };
    let deploying = |e: &DeployError| match e {
        OtherKeys { .. } | TooPoor { .. } | NoProxy { .. } | NotShipped | DeployError::Node(NodeError::Url(_)) => true,
        DeployError::Creation { source, .. } => {
            matches!(source.downcast_ref(), Some(ChainError::Send(SendError::CannotPay { .. })))
        }
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
    fn a_cause_is_said_once() {
        let port = io::Error::other("taken");
        let error = Report::from(LobbyError::NoPort(port));
        assert_eq!(sentence(&error), "no free port on 127.0.0.1: taken");
        let error =
            Err::<(), _>(io::Error::other("full")).wrap_err("the report can't be written").expect_err("an error");
        assert_eq!(sentence(&error), "the report can't be written: full");
    }
}
