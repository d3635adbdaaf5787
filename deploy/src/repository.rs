//! Where the parts of a clone are: contracts, compiler, local chain, deployments.
//!
//! Not part of the protocol. The compiler and the local chain are npm's (`npm ci` at the top of the repository), so
//! nothing has to be installed on the machine; nothing is downloaded here.

use std::path::{Path, PathBuf};

use chain::ensure;
use thiserror::Error;

/// What is missing from a clone.
#[derive(Debug, Error)]
pub enum RepositoryError {
    /// There are no contracts here or above.
    #[error("no Fogmate repository (a folder with contracts/src/Fogmate.sol) at {0} or above it")]
    NotFound(PathBuf),
    /// The local chain isn't installed.
    #[error("Anvil is not installed in {0}: run `npm ci` there first")]
    NoAnvil(PathBuf),
    /// npm hasn't published the local chain for this machine.
    #[error("there is no Anvil for this kind of machine ({0})")]
    NoSuchPlatform(String),
    /// The compiler isn't installed.
    #[error("solc is not installed in {0}: run `npm ci` there first")]
    NoSolc(PathBuf),
}

/// A clone of the repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repository {
    root: PathBuf,
}

impl Repository {
    /// The repository at `start` or the nearest one above it.
    pub fn find(start: &Path) -> Result<Self, RepositoryError> {
        let is_root = |folder: &&Path| folder.join("contracts/src/Fogmate.sol").is_file();
        let absolute = std::path::absolute(start).unwrap_or_else(|_| start.to_owned());
        match absolute.ancestors().find(is_root) {
            Some(root) => Ok(Self { root: root.to_owned() }),
            None => Err(RepositoryError::NotFound(absolute)),
        }
    }

    /// The repository around the working directory or, failing that, around this program's own file.
    pub fn find_here() -> Result<Self, RepositoryError> {
        let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
        let program = || std::env::current_exe().ok();
        Self::find(&here).or_else(|e| program().and_then(|path| Self::find(&path).ok()).ok_or(e))
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder of the contracts.
    pub fn contracts(&self) -> PathBuf {
        self.root.join("contracts")
    }

    /// The folder of the deployments' files.
    pub fn deployments(&self) -> PathBuf {
        self.root.join("deployments")
    }

    /// The compiler: the wrapper that makes npm's solc answer like a native one.
    pub fn solc(&self) -> Result<PathBuf, RepositoryError> {
        ensure!(self.root.join("node_modules/solc/package.json").is_file(), RepositoryError::NoSolc(self.root.clone()));
        Ok(self.contracts().join("solc.js"))
    }

    /// The native binary of the local chain: its Node shim is slower to start and swallows signals.
    pub fn anvil(&self) -> Result<PathBuf, RepositoryError> {
        let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
        let os = match os {
            "macos" => "darwin",
            other => other,
        };
        let arch = match arch {
            "x86_64" => "amd64",
            "aarch64" => "arm64",
            other => return Err(RepositoryError::NoSuchPlatform(format!("{os} {other}"))),
        };
        let binary = self.root.join(format!("node_modules/@foundry-rs/anvil-{os}-{arch}/bin/anvil"));
        if binary.is_file() { Ok(binary) } else { Err(RepositoryError::NoAnvil(self.root.clone())) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_repository_is_found_from_inside_and_not_from_outside() {
        let inside = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let repository = Repository::find(&inside).unwrap();
        assert!(repository.root().join("Cargo.toml").is_file());
        let outside = tempfile::tempdir().unwrap();
        assert!(matches!(Repository::find(outside.path()), Err(RepositoryError::NotFound(_))));
    }
}
