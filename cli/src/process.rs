//! What this process asks of the system for itself.

use eyre::Result;
use rustix::process::Signal;
#[cfg(target_os = "linux")]
use rustix::process::{DumpableBehavior, set_dumpable_behavior, set_parent_process_death_signal};
use rustix::process::{Resource, Rlimit, setrlimit};
use std::io;
use std::time::Duration;
use tokio::signal::unix::{self, SignalKind, signal};
use tokio::task::spawn_blocking;
use tokio::time::{sleep, timeout};

use crate::failure::{INTERRUPTED, Interrupted};
use crate::terminal;

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
/// What the system says if it lets no signal be caught.
pub fn survive_full_files() -> io::Result<unix::Signal> {
    signal(SignalKind::from_raw(Signal::XFSZ.as_raw()))
}

/// What this process is told by signals.
#[derive(Debug)]
pub struct Signals {
    interrupt: unix::Signal,
    terminate: unix::Signal,
    hangup: unix::Signal,
    stop: unix::Signal,
}

/// What a signal tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// What Ctrl-C sends where a terminal makes a signal of it.
    Interrupt,
    End,
    /// To give the terminal back until it goes on.
    Stop,
}

impl Signals {
    /// From now on signals are told and no more obeyed.
    ///
    /// # Errors
    ///
    /// What the system says if it lets no signal be caught.
    pub fn new() -> io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hangup: signal(SignalKind::hangup())?,
            stop: signal(SignalKind::from_raw(Signal::TSTP.as_raw()))?,
        })
    }

    pub async fn next(&mut self) -> Told {
        tokio::select! {
            _ = self.interrupt.recv() => Told::Interrupt,
            _ = self.terminate.recv() => Told::End,
            _ = self.hangup.recv() => Told::End,
            _ = self.stop.recv() => Told::Stop,
        }
    }

    /// What comes of some work. A stop gives the terminal back, and the work goes on with this process.
    ///
    /// # Errors
    ///
    /// The work's own, and that it was interrupted.
    pub async fn during<T>(&mut self, work: impl Future<Output = Result<T>>) -> Result<T> {
        let mut work = std::pin::pin!(work);
        loop {
            tokio::select! {
                done = &mut work => return done,
                told = self.next() => match told {
                    Told::Stop => terminal::stop()?,
                    Told::Interrupt | Told::End => return Err(Interrupted.into()),
                },
            }
        }
    }
}

/// What comes of some work that may go on when its terminal is closed: a hangup isn't caught, so that `nohup` holds.
///
/// # Errors
///
/// The work's own, and that it was interrupted.
pub async fn uninterrupted<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        done = work => done,
        _ = interrupt.recv() => Err(Interrupted.into()),
        _ = terminate.recv() => Err(Interrupted.into()),
    }
}

/// How long a game has to end by itself once it is told to.
const GRACE: Duration = Duration::from_secs(2);

/// Ends a process that is told to end and can't do so by itself, as one that waits for ever to write to who has stopped reading. Interrupts
/// may be left to the process alone.
///
/// # Errors
///
/// What the system says if it lets no signal be caught.
pub fn end_when_told(by_interrupt: bool) -> io::Result<()> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hangup = signal(SignalKind::hangup())?;
    tokio::spawn(async move {
        tokio::select! {
            _ = interrupt.recv(), if by_interrupt => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
        }
        sleep(GRACE).await;
        // A terminal that takes nothing more can't be given back either.
        let _ = timeout(GRACE, spawn_blocking(terminal::leave)).await;
        std::process::exit(INTERRUPTED.into());
    });
    Ok(())
}

/// Ends this process with the one that has started it.
pub fn end_with_parent() {
    #[cfg(target_os = "linux")]
    let _ = set_parent_process_death_signal(Some(Signal::TERM));
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
