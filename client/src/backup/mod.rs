//! The backup of a game between the machines (protocol, section 8): what a player needs to go on elsewhere, in a folder on another disk or
//! host, one file a wallet and game. The chain doesn't say how far such a game has come, and the opponent may lie: a machine that went on from
//! an older position would sign a second move for a ply.
//!
//! So each entry is *written ahead*: it is in the backup, and on its disk, before a signature or a sight that belongs to it leaves. It takes an entry
//! for a ply once: the same again is fine, another is refused, and with it a second machine of the same wallet. Entries come in their
//! order, so what is there has no gap. A last entry that was cut off was never acknowledged, and is dropped.
//!
//! There is no secret in it: positions hide boards as the chain's commitments do. It is what a transcript is made of, and all that a tower needs. Its
//! entries are the journal's, those of a game between the machines; another machine takes them into its own journal and goes on.

mod contents;
mod frame;

pub use contents::Contents;

use crate::check_sum;
use crate::journal::{Entry, Store, Unkept};
use alloy::primitives::{Address, B256};
use chain::private;
use fog::ensure;
use frame::{Front, SUM_BYTES, framed, front};
use game::GameRef;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 16] = b"fogmate backup 2";
/// Magic, account, chain, contract, game, the chain's first block, and their check sum.
const HEADER_BYTES: usize = 16 + 20 + 8 + 20 + 32 + 32 + 8;
const EXTENSION: &str = "backup";

/// Why an entry is not safe, or a backup can't be read.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// Another entry was kept in its place.
    #[error(
        "the backup has another {0} of this game: another machine plays with this wallet, or has, and only one may; nothing of it leaves this one"
    )]
    Taken(String),
    /// Those before it are missing.
    #[error("the backup has {has} plies of this game, so it can't take the {what} before those between are there")]
    Gap {
        what: String,
        /// How many it has.
        has: u16,
    },
    #[error("the backup {} belongs to another wallet, game or chain, or is of another version", .0.display())]
    Foreign(PathBuf),
    /// What was written once has changed.
    #[error("the backup {} is damaged from byte {at} on: the disk has lost what it had", path.display())]
    Damaged { path: PathBuf, at: usize },
    /// There is no room, which may pass.
    #[error("there is no room for the backup {}: {reason}; the game waits until there is", path.display())]
    Full { path: PathBuf, reason: String },
    #[error("the backup {} can't be used: {reason}", path.display())]
    Disk { path: PathBuf, reason: String },
}

impl BackupError {
    fn of(path: &Path, error: &io::Error) -> Self {
        let (path, reason) = (path.to_owned(), error.to_string());
        if private::is_full(error) { Self::Full { path, reason } } else { Self::Disk { path, reason } }
    }
}

/// Whose game a backup is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    pub account: Address,
    pub game: GameRef,
    /// The hash of the chain's first block: a local chain that is started anew is another.
    pub genesis: B256,
}

impl Owner {
    fn header(&self) -> Vec<u8> {
        let body = [&MAGIC[..], &self.account[..], &self.game.to_bytes(), &self.genesis[..]].concat();
        [&body[..], &check_sum::<SUM_BYTES>(&[&body])].concat()
    }

    fn read(header: &[u8; HEADER_BYTES]) -> Option<Self> {
        let rest = header.strip_prefix(MAGIC)?;
        let (account, rest) = rest.split_first_chunk::<20>()?;
        let (game, rest) = rest.split_first_chunk()?;
        let (genesis, _) = rest.split_first_chunk::<32>()?;
        let owner = Self { account: account.into(), game: GameRef::of(game), genesis: genesis.into() };
        (owner.header() == header).then_some(owner)
    }

    /// Where the backup lies below a folder.
    fn path(&self, dir: &Path) -> PathBuf {
        let GameRef { chain_id, contract, game_id } = &self.game;
        dir.join(format!("{game_id:x}-{chain_id}-{contract:x}-{:x}.{EXTENSION}", self.account))
    }
}

/// The backup of one game in a folder.
#[derive(Clone, Debug)]
pub struct Backup {
    path: PathBuf,
    owner: Owner,
}

impl Backup {
    /// Opens the backup of a game below a folder, or begins it; gives what it has.
    ///
    /// # Errors
    ///
    /// [`BackupError`], if the file is another's, has changed, or the disk fails.
    pub fn open(dir: &Path, owner: Owner) -> Result<(Self, Contents), BackupError> {
        let backup = Self { path: owner.path(dir), owner };
        private::folder(dir).map_err(|error| BackupError::of(&backup.path, &error))?;
        let (_, contents, _) = backup.lock()?;
        Ok((backup, contents))
    }

    /// Tries whether a folder, which is made where there is none, can have backups.
    ///
    /// # Errors
    ///
    /// [`BackupError`], if nothing can be written there.
    pub fn try_out(dir: &Path) -> Result<(), BackupError> {
        let trial = dir.join(format!("trial-{}", std::process::id()));
        let tried = private::folder(dir).and_then(|()| std::fs::write(&trial, [0; HEADER_BYTES]));
        tried.and_then(|()| std::fs::remove_file(&trial)).map_err(|error| BackupError::of(dir, &error))
    }

    /// What each backup in a folder has, with its file; one that can't be read, with the reason.
    ///
    /// # Errors
    ///
    /// The system's, if there is no such folder.
    pub fn list(dir: &Path) -> io::Result<Vec<(PathBuf, Result<Contents, BackupError>)>> {
        let mut found = Vec::new();
        for entry in std::fs::read_dir(dir)? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == EXTENSION) && path.is_file() {
                let contents = read_file(&path);
                found.push((path, contents));
            }
        }
        found.sort_by(|(one, _), (other, _)| one.cmp(other));
        Ok(found)
    }

    /// The entry is safe when this returns. After an error nothing that belongs to it may leave the machine.
    ///
    /// # Errors
    ///
    /// [`BackupError`], if another entry stands in its place, those before it are missing, or the disk fails.
    pub fn keep(&self, entry: &Entry) -> Result<(), BackupError> {
        let (mut file, mut contents, end) = self.lock()?;
        match contents.set(entry)? {
            // It may be there and not on disk, if the process that wrote it ended in between.
            false => file.sync_all().map_err(|error| BackupError::of(&self.path, &error)),
            true => self.write(&mut file, end, &framed(entry)),
        }
    }

    /// Opens the file and keeps others out of it; gives it, what it has, and where that ends. All is read again each time: another machine may
    /// have written, or somebody may have taken the file away.
    fn lock(&self) -> Result<(File, Contents, usize), BackupError> {
        let failed = |error: io::Error| BackupError::of(&self.path, &error);
        private::file(&self.path).map_err(failed)?;
        let mut file = OpenOptions::new().read(true).write(true).open(&self.path).map_err(failed)?;
        file.lock().map_err(failed)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        let header = self.owner.header();
        // A file that has grown before its bytes were written ends with zeros.
        let written = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        if !bytes.starts_with(&header) && header.starts_with(&bytes[..written]) {
            self.write(&mut file, 0, &header)?;
            // The new name is on disk with its folder.
            let folder = self.path.parent().map(File::open).transpose().map_err(failed)?;
            folder.map_or(Ok(()), |folder| folder.sync_all()).map_err(failed)?;
            return Ok((file, Contents::new(self.owner), HEADER_BYTES));
        }
        ensure!(bytes.starts_with(&header), BackupError::Foreign(self.path.clone()));
        let (contents, end) = contents(&self.path, self.owner, &bytes)?;
        Ok((file, contents, end))
    }

    /// Writes bytes where what counts ends; they are on disk when this returns, or not there.
    fn write(&self, file: &mut File, end: usize, bytes: &[u8]) -> Result<(), BackupError> {
        let end = end as u64;
        let written = file.set_len(end).and_then(|()| file.seek(SeekFrom::Start(end)));
        let written = written.and_then(|_| file.write_all(bytes)).and_then(|()| file.sync_all());
        written.map_err(|error| {
            // Where even that fails the rest is a last entry that was cut off.
            let _ = file.set_len(end);
            BackupError::of(&self.path, &error)
        })
    }
}

impl Store for Backup {
    fn kept(&self) -> Result<Vec<Entry>, String> {
        let (_, contents, _) = self.lock().map_err(|error| error.to_string())?;
        Ok(contents.entries().cloned().collect())
    }

    fn keep(&self, entry: &Entry) -> Result<(), Unkept> {
        Self::keep(self, entry).map_err(|error| match error {
            BackupError::Taken(_) => Unkept::Taken(error.to_string()),
            error => Unkept::Later(error.to_string()),
        })
    }
}

/// What an entry is, for a sentence.
fn name(entry: &Entry) -> String {
    match entry {
        Entry::Countersigned { ply, .. } => format!("signature under ply {ply}"),
        Entry::Result { .. } => "result".to_owned(),
        Entry::Wake { ply, .. } => format!("wake at ply {ply}"),
        entry => format!("ply {}", entry.ply()),
    }
}

/// Reads a backup without writing to it.
fn read_file(path: &Path) -> Result<Contents, BackupError> {
    let bytes = std::fs::read(path).map_err(|error| BackupError::of(path, &error))?;
    let owner = bytes.first_chunk().and_then(Owner::read);
    let owner = owner.ok_or_else(|| BackupError::Foreign(path.to_owned()))?;
    Ok(contents(path, owner, &bytes)?.0)
}

/// What stands after the header, and where it ends: before a last entry that was cut off.
fn contents(path: &Path, owner: Owner, bytes: &[u8]) -> Result<(Contents, usize), BackupError> {
    let (mut contents, mut at) = (Contents::new(owner), HEADER_BYTES);
    while at < bytes.len() {
        match front(&bytes[at..]) {
            Front::Entry(entry, size) if contents.set(&entry).is_ok() => at += size,
            Front::Torn => break,
            Front::Entry(..) | Front::Damaged => return Err(BackupError::Damaged { path: path.to_owned(), at }),
        }
    }
    Ok((contents, at))
}
