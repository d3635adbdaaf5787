//! What this process asks of the system for itself.

use rustix::process::Signal;
#[cfg(target_os = "linux")]
use rustix::process::{DumpableBehavior, set_dumpable_behavior};
use rustix::process::{Resource, Rlimit, setrlimit};
use std::io;
use tokio::signal::unix::{self, SignalKind, signal};

/// Keeps the memory, which has the wallet's key, out of files that a crash leaves behind and out of other processes of this user. Where that can't be
/// had the program runs all the same.
pub fn keep_memory_private() {
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
    #[cfg(target_os = "linux")]
    let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
}

/// Has a write beyond the limit of a file's size (`ulimit -f`) fail, as on a full disk, instead of ending the process by its signal.
///
/// # Errors
///
/// The system's.
pub fn survive_full_files() -> io::Result<unix::Signal> {
    signal(SignalKind::from_raw(Signal::XFSZ.as_raw()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn no_memory_is_left_in_files() {
        use rustix::process::{dumpable_behavior, getrlimit};
        keep_memory_private();
        assert_eq!(getrlimit(Resource::Core), Rlimit { current: Some(0), maximum: Some(0) });
        assert_eq!(dumpable_behavior(), Ok(DumpableBehavior::NotDumpable));
    }
}
