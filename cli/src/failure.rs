//! How a command ends: what it says on stderr and which exit code it leaves.

use std::{fmt::Display, io, process::ExitCode};

use client::lobby::{InviteError, LobbyError};
use client::wallet::WalletError;
use deploy::{DeployError, DeploymentError};
use eyre::Report;
use rpc::NodeError;
use thiserror::Error;

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
            eprintln!("error: {report:#}");
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

/// Whether the user can put it right by saying something else; all other errors are failures.
fn is_bad_input(report: &Report) -> bool {
    use DeployError::{Deployment, Exists};
    use DeploymentError::{DevelopmentOnRealChain, Unknown};
    use WalletError::{Ambiguous, NotAnAddress, NotFound, WrongPassword};
    let wallet = |e: &WalletError| matches!(e, NotFound { .. } | Ambiguous { .. } | NotAnAddress(_) | WrongPassword(_));
    let deployment = |e: &DeploymentError| matches!(e, Unknown { .. } | DeploymentError::Node(NodeError::Url(_)));
    let deploying = |e: &DeployError| match e {
        Exists { .. } | DeployError::Node(NodeError::Url(_)) => true,
        Deployment(error) => matches!(error, DevelopmentOnRealChain(_)),
        _ => false,
    };
    report.is::<BadInput>()
        || report.is::<InviteError>()
        || report.downcast_ref().is_some_and(LobbyError::is_of_the_user)
        || report.downcast_ref().is_some_and(wallet)
        || report.downcast_ref().is_some_and(deployment)
        || report.downcast_ref().is_some_and(deploying)
}

fn is_broken_pipe(report: &Report) -> bool {
    let mut errors = report.chain().filter_map(|error| error.downcast_ref::<io::Error>());
    errors.any(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
