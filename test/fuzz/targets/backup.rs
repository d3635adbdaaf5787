//! The file of a backup: its header, its frames, and the journal's entries of every kind. Bytes that begin with an odd one are put into a frame with the
//! right check sum, which no mutation would find.
#![no_main]

use alloy_primitives::{Address, B256};
use client::backup::{Backup, Owner};
use game::GameRef;
use sha2::{Digest as _, Sha256};
use std::path::PathBuf;
use std::sync::OnceLock;
use tempfile::TempDir;

/// A folder with an empty backup: its file, and what that has.
fn begun() -> &'static (TempDir, PathBuf, Vec<u8>) {
    static BEGUN: OnceLock<(TempDir, PathBuf, Vec<u8>)> = OnceLock::new();
    BEGUN.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let game = GameRef { chain_id: 1, contract: Address::ZERO, game_id: B256::ZERO };
        Backup::open(folder.path(), Owner { account: Address::ZERO, game, genesis: B256::ZERO }).expect("a backup");
        let path = Backup::list(folder.path()).expect("a folder")[0].0.clone();
        let header = std::fs::read(&path).expect("a file");
        (folder, path, header)
    })
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let (folder, path, header) = begun();
    let Some((kind, body)) = data.split_first() else { return };
    let bytes = match kind & 3 {
        0 => body.to_vec(),
        2 => [header, body].concat(),
        _ => {
            let length = u32::try_from(body.len()).expect("a short body").to_be_bytes();
            let sum = Sha256::new().chain_update(length).chain_update(body).finalize();
            [header, &length[..], &sum[..8], body].concat()
        }
    };
    std::fs::write(path, bytes).expect("a file");
    for (_, contents) in Backup::list(folder.path()).expect("a folder") {
        if let Ok(contents) = contents {
            assert!(contents.entries().all(|entry| !entry.key().is_empty()));
        }
    }
});
