//! What a deployment that isn't complete has created so far: a file beside the one of the deployment, `deployments/<chain id>.begun`. Its first line
//! says that something is about to be sent, and then there is one for each contract. It is locked while a process deploys, and gone once the
//! deployment's own file is there. An empty one was left by a process that had sent nothing.
//!
//! Nothing in it is believed: what a transaction of it has created, and by which code, is asked of the chain.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use alloy::primitives::B256;
use serde::{Deserialize, Serialize};

use crate::files::sync_name;
use crate::{DeployError, DeploymentError};

/// The first line: from here on there may be transactions that no line names.
#[derive(Serialize)]
struct Sending<'a> {
    /// What is sent first, as in "narrow verifier".
    sending: &'a str,
}

/// A contract that was created.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Line {
    /// What it is, as in "narrow verifier".
    contract: String,
    /// The hash of its creation code with arguments.
    code_hash: B256,
    transaction: B256,
}

pub(crate) struct Begun {
    path: PathBuf,
    file: File,
    lines: Vec<Line>,
    /// Whether something was sent, or may have been: then the file stays until the deployment is complete.
    is_paid_for: bool,
}

impl Begun {
    /// Opens or makes the file beside that of a deployment, and its folder.
    ///
    /// # Errors
    ///
    /// [`DeployError::UnderWay`] if another process has it; the system's.
    pub fn open(deployment: &Path) -> Result<Self, DeployError> {
        let path = deployment.with_extension("begun");
        let io = |source| io_error(&path, source);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(io)?;
        }
        let mut file = lock(&path)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(io)?;
        if !text.is_empty() && !text.ends_with('\n') {
            // A process was killed while it wrote.
            file.write_all(b"\n").map_err(io)?;
        }
        let lines = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        Ok(Self { path, file, lines, is_paid_for: !text.is_empty() })
    }

    /// Whether an earlier process has sent something, or may have.
    pub fn is_paid_for(&self) -> bool {
        self.is_paid_for
    }

    /// Something is about to be sent; that is on disk when this returns, and that there is this file.
    pub fn pay(&mut self, contract: &str) -> Result<(), DeployError> {
        if !self.is_paid_for {
            self.write(&Sending { sending: contract })?;
            sync_name(&self.path).map_err(|source| io_error(&self.path, source))?;
            self.is_paid_for = true;
        }
        Ok(())
    }

    /// The transaction that has created a contract by the code with this hash.
    pub fn find(&self, contract: &str, code_hash: B256) -> Option<B256> {
        let found = self.lines.iter().rev().find(|line| line.contract == contract && line.code_hash == code_hash);
        found.map(|line| line.transaction)
    }

    /// Writes a contract down; it is on disk when this returns.
    pub fn add(&mut self, contract: &str, code_hash: B256, transaction: B256) -> Result<(), DeployError> {
        let line = Line { contract: contract.to_owned(), code_hash, transaction };
        self.write(&line)?;
        self.lines.push(line);
        Ok(())
    }

    /// Has a line on disk.
    fn write(&self, line: &impl Serialize) -> Result<(), DeployError> {
        let text = serde_json::to_string(line).map_err(|error| io_error(&self.path, error.into()))?;
        let write = |mut file: &File| file.write_all((text + "\n").as_bytes()).and_then(|()| file.sync_all());
        write(&self.file).map_err(|source| io_error(&self.path, source))
    }

    /// The deployment is complete: nothing is left to be gone on with.
    pub fn finish(mut self) {
        (self.is_paid_for, self.lines) = (false, Vec::new());
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        if !self.is_paid_for {
            // One that stays does no harm: what it names was created.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Opens or makes the file at a path, and locks it.
fn lock(path: &Path) -> Result<File, DeployError> {
    let io = |source| io_error(path, source);
    loop {
        let file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(io)?;
        // Where a file system knows no locks, none is held.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(DeployError::UnderWay(path.to_owned()));
        }
        // Who held the lock may have removed the file after it was opened here. Only who holds the lock removes it: from now on it stays.
        if is_at(&file, path).map_err(io)? {
            return Ok(file);
        }
    }
}

/// Whether an open file is the one of this name.
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    let identity = |file: fs::Metadata| (file.dev(), file.ino());
    match fs::metadata(path) {
        Ok(named) => Ok(identity(named) == identity(file.metadata()?)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

fn io_error(path: &Path, source: io::Error) -> DeployError {
    DeploymentError::Io { path: path.to_owned(), source }.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    #[test]
    fn what_was_created_is_read_back_until_the_deployment_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let (deployment, path) = (folder.path().join("a/5.json"), folder.path().join("a/5.begun"));
        drop(Begun::open(&deployment).unwrap());
        assert!(!path.exists(), "nothing was paid for");
        let [code, other, first, second] = [1, 2, 3, 4].map(B256::repeat_byte);
        let mut begun = Begun::open(&deployment).unwrap();
        assert!(!begun.is_paid_for());
        begun.pay("key of turn").unwrap();
        begun.add("key of turn", code, first).unwrap();
        drop(begun);
        // Killed in the middle of a line.
        fs::write(&path, fs::read_to_string(&path).unwrap() + "{\"contract\":\"key of fi").unwrap();
        let mut begun = Begun::open(&deployment).unwrap();
        assert!(begun.is_paid_for());
        begun.add("key of fifty", code, second).unwrap();
        drop(begun);
        let begun = Begun::open(&deployment).unwrap();
        let found = |contract, code| begun.find(contract, code);
        assert_eq!((found("key of turn", code), found("key of fifty", code)), (Some(first), Some(second)));
        assert_eq!((found("key of turn", other), found("game contract", code)), (None, None));
        begun.finish();
        assert!(!path.exists());
    }

    #[test]
    fn one_process_at_a_time_deploys() {
        let folder = tempfile::tempdir().unwrap();
        let deployment = folder.path().join("5.json");
        let begun = Begun::open(&deployment).unwrap();
        assert!(matches!(Begun::open(&deployment), Err(DeployError::UnderWay(_))));
        drop(begun);
        Begun::open(&deployment).unwrap();
    }

    #[test]
    fn what_is_about_to_be_sent_is_on_disk_and_a_file_alone_says_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let (deployment, path) = (folder.path().join("5.json"), folder.path().join("5.begun"));
        // A process was killed before it sent anything.
        fs::write(&path, "").unwrap();
        let mut begun = Begun::open(&deployment).unwrap();
        assert!(!begun.is_paid_for());
        begun.pay("narrow verifier").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "{\"sending\":\"narrow verifier\"}\n");
        drop(begun);
        assert!(Begun::open(&deployment).unwrap().is_paid_for(), "killed while the first was sent");
    }

    /// Who opens the file while its holder removes it must not hold a file that nobody else finds.
    #[test]
    fn one_at_a_time_holds_the_file_of_that_name() {
        let folder = tempfile::tempdir().unwrap();
        let (deployment, path) = (folder.path().join("5.json"), folder.path().join("5.begun"));
        let (is_held, held) = (AtomicBool::new(false), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..2_000 {
                        match Begun::open(&deployment) {
                            Ok(_begun) => {
                                assert!(!is_held.swap(true, Ordering::SeqCst), "two hold it");
                                assert!(path.exists(), "it has no name");
                                held.fetch_add(1, Ordering::SeqCst);
                                is_held.store(false, Ordering::SeqCst);
                            }
                            Err(error) => assert!(matches!(error, DeployError::UnderWay(_)), "{error:?}"),
                        }
                    }
                });
            }
        });
        assert!(held.into_inner() > 0);
    }
}
