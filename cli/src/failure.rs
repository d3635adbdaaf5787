//! How a command ends: what it says on stderr and which exit code it leaves.

use std::{fmt, io, process::ExitCode};

use eyre::Report;

/// Exit code of a command that was interrupted, as shells have it for Ctrl-C.
const INTERRUPTED: u8 = 130;

/// Input that can't be used, told in one sentence. Exit code 2, as for a wrong command line.
#[derive(Debug)]
pub struct BadInput(pub String);

impl fmt::Display for BadInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadInput {}

/// A bad input as an error.
pub fn bad_input(fault: impl fmt::Display) -> Report {
    BadInput(fault.to_string()).into()
}

/// The user has ended the command.
#[derive(Debug)]
pub struct Interrupted;

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted")
    }
}

impl std::error::Error for Interrupted {}

/// Says what went wrong, if anything did, and returns the exit code.
pub fn exit_code(result: eyre::Result<()>) -> ExitCode {
    match result {
        Err(report) if !is_broken_pipe(&report) => {
            eprintln!("error: {report:#}");
            let is_bad_input = report.downcast_ref::<BadInput>().is_some();
            let is_interrupted = report.downcast_ref::<Interrupted>().is_some();
            ExitCode::from(match (is_bad_input, is_interrupted) {
                (true, _) => 2,
                (_, true) => INTERRUPTED,
                _ => 1,
            })
        }
        // A reader that has seen enough, as `head` does, is no failure.
        _ => ExitCode::SUCCESS,
    }
}

fn is_broken_pipe(report: &Report) -> bool {
    let mut errors = report
        .chain()
        .filter_map(|error| error.downcast_ref::<io::Error>());
    errors.any(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
