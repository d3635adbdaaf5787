//! How a command ends: what it says on stderr and which exit code it leaves.

use std::{fmt, io, process::ExitCode};

use eyre::Report;

/// Input that can't be used, told in one sentence. Exit code 2, as for a wrong command line.
#[derive(Debug)]
pub struct BadInput(pub String);

impl fmt::Display for BadInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadInput {}

/// Says what went wrong, if anything did, and returns the exit code.
pub fn exit_code(result: eyre::Result<()>) -> ExitCode {
    match result {
        Err(report) if !is_broken_pipe(&report) => {
            let is_bad_input = report.downcast_ref::<BadInput>().is_some();
            eprintln!("error: {report:#}");
            ExitCode::from(if is_bad_input { 2 } else { 1 })
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
