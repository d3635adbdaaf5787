//! The files of deployments: read, written whole or not at all, and on disk once they are said to be.

use std::fs::{self, File};
use std::io::{self, Write as _};
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

/// Writes the file of a deployment, whole or not at all, also if the machine loses power, and makes its folder.
pub(crate) fn write_file(path: &Path, deployment: &impl Serialize) -> Result<(), DeploymentError> {
    let io = |source| DeploymentError::Io { path: path.to_owned(), source };
    let json = serde_json::to_string_pretty(deployment).expect("a deployment is plain data");
    let partial = path.with_extension("json.partial");
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(io)?;
    }
    let write = |mut file: File| file.write_all((json + "\n").as_bytes()).and_then(|()| file.sync_all());
    File::create(&partial).and_then(write).map_err(io)?;
    fs::rename(&partial, path).and_then(|()| sync_name(path)).map_err(io)
}

/// Has the name of a file on disk: that is kept by its folder, and not by the file.
fn sync_name(path: &Path) -> io::Result<()> {
    match path.parent() {
        // A name alone is one in the working directory.
        Some(folder) if folder.as_os_str().is_empty() => File::open(".")?.sync_all(),
        Some(folder) => File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}
