//! The files of deployments: read, written whole or not at all, and on disk once they are said to be.

use std::fs::{self, File, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::DeploymentError;

/// Reads the file of a deployment on a chain.
pub(crate) fn read_file<T: DeserializeOwned>(path: &Path, chain_id: u64) -> Result<T, DeploymentError> {
    let bytes = fs::read(path).map_err(|source| match source.kind() {
        io::ErrorKind::NotFound => DeploymentError::Unknown { chain_id, path: path.to_owned() },
        _ => DeploymentError::Io { path: path.to_owned(), source },
    })?;
    serde_json::from_slice(&bytes).map_err(|source| DeploymentError::Json { path: path.to_owned(), source })
}

/// Writes the file of a deployment, whole or not at all, also if the machine loses power, and makes its folder. A file that is there is replaced, or
/// left as it is.
pub(crate) fn write_file(path: &Path, deployment: &impl Serialize, replaces: bool) -> Result<(), DeploymentError> {
    let io = |source| DeploymentError::Io { path: path.to_owned(), source };
    let json = serde_json::to_string_pretty(deployment).expect("a deployment is plain data");
    let folder = match path.parent() {
        // A name alone is one in the working directory.
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let write = || {
        fs::create_dir_all(folder)?;
        // Under a name of its own: two processes may write at once.
        let mut partial = tempfile::Builder::new().permissions(Permissions::from_mode(0o644)).tempfile_in(folder)?;
        partial.write_all((json + "\n").as_bytes())?;
        partial.as_file().sync_all()?;
        match partial.persist_noclobber(path) {
            Err(there) if there.error.kind() == io::ErrorKind::AlreadyExists && replaces => {
                there.file.persist(path)?;
            }
            Err(there) if there.error.kind() == io::ErrorKind::AlreadyExists => {}
            written => drop(written?),
        }
        // The name of a file is kept by its folder.
        File::open(folder)?.sync_all()
    };
    write().map_err(io)
}
