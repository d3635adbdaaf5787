//! The journal: what a seat was sent and what it signed, one file a wallet and game (protocol, section 9). It
//! is a cache of what chain, wallet and opponent have. Every write is durable before it returns, so a machine may lose power between any two. Losing
//! the file loses no game that the chain has: a missing, damaged or foreign one is put aside with a note, a damaged entry is left out. What can't be written, the disk
//! being full, is kept in memory and written as soon as that is possible again.
//! It holds no key; what stands in it lets nobody see more than the seat's own messages and moves do.

mod entry;
mod fork;
mod store;
mod transcript;

pub use entry::{Entry, EntryError, KeptPly};
pub use fork::last_common;
pub use store::{Store, Unkept};
pub use transcript::transcript;

use crate::check_sum;
use alloy::primitives::{Address, B256};
use chain::BlockRef;
use chain::private;
use fog::ensure;
use game::GameRef;
use redb::{Database, ReadOnlyDatabase, ReadableDatabase, ReadableTable, TableDefinition};
use std::fs::{File, TryLockError};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

const META: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("meta");
const ENTRIES: TableDefinition<'_, &[u8], &[u8]> = TableDefinition::new("entries");
const OWNER: &str = "owner";
/// The block of the game's creation, and the last block that was told as final: a number, and a number with a hash.
const BORN: &str = "born";
const CHECKPOINT: &str = "checkpoint";
/// The version of the encodings, first byte of the owner's record.
const VERSION: u8 = 2;
/// Bytes of the check sum before each entry.
const SUM_BYTES: usize = 8;
/// Messages of so many plies are kept; older ones are of no use to anybody.
const KEPT_PLIES: u16 = 4;

/// Why a journal can't be used at all.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// Two processes would play the same side.
    #[error(
        "this game is being played already, in another window or by a bot: go on there, or end that first (its journal {} is in use)", .0.display()
    )]
    InUse(PathBuf),
    /// The disk, its rights or its space.
    #[error("the journal {} can't be used: {reason}", path.display())]
    Disk {
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
}

#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    owner: Vec<u8>,
    state: Mutex<State>,
}

/// The database, and what it doesn't have yet.
#[derive(Debug)]
struct State {
    /// Held as long as this is: the database has a lock of its own, but not while it is opened again. None while there is no room for it.
    lock: Option<File>,
    /// None after a write has failed, for the database gives up then, until it is opened again.
    database: Option<Database>,
    unwritten: Vec<Record>,
}

/// Something to be written.
#[derive(Debug)]
enum Record {
    Entry(Entry),
    Meta(&'static str, Vec<u8>),
    /// No block is known to be final any more.
    NotFinal,
    /// Nothing of sights that followed on moves after this own ply is known any more.
    Fork {
        common: Option<u16>,
    },
}

/// What a journal has.
#[derive(Debug, Default)]
pub struct Contents {
    /// The entries that could be read.
    pub entries: Vec<Entry>,
    /// What the user should know of the rest.
    pub notes: Vec<String>,
    /// Whether there was no journal.
    pub is_new: bool,
    /// Whether there is a rest: something was written that can't be read.
    pub is_damaged: bool,
    /// The block of the game's creation, once final.
    pub born: Option<u64>,
    /// The last block that counted as final: it must still be on the chain.
    pub checkpoint: Option<BlockRef>,
}

impl Journal {
    /// Where the journal of a wallet and a game lies below `dir`.
    pub fn path(dir: &Path, me: Address, game: &GameRef) -> PathBuf {
        let name = format!("{:x}-{}-{:x}.redb", game.game_id, game.chain_id, game.contract);
        dir.join(format!("{me:x}")).join(name)
    }

    /// The file of this one.
    pub fn file(&self) -> &Path {
        &self.path
    }

    /// Whether no other process has the journal now: who opens it later may still find it in use.
    ///
    /// # Errors
    ///
    /// [`JournalError::InUse`].
    pub fn check_free(dir: &Path, me: Address, game: &GameRef) -> Result<(), JournalError> {
        let path = Self::path(dir, me, game);
        let is_taken = path.exists() && lock(&path).is_ok_and(|lock| lock.is_none());
        if is_taken { Err(JournalError::InUse(path)) } else { Ok(()) }
    }

    /// Opens the journal, or begins a new one; gives what it has. `genesis` is the hash of the chain's first block: a local chain that is
    /// started anew may have the same contract and even the same game, and is another.
    pub fn open(dir: &Path, me: Address, game: &GameRef, genesis: B256) -> Result<(Self, Contents), JournalError> {
        let path = Self::path(dir, me, game);
        let disk = |error: String| JournalError::Disk { path: path.clone(), reason: error };
        let lock = match lock(&path) {
            Ok(Some(lock)) => Some(lock),
            Ok(None) => return Err(JournalError::InUse(path)),
            Err(error) if private::is_full(&error) => None,
            Err(error) => return Err(disk(error.to_string())),
        };
        let owner = owner(me, game, genesis);
        let mut contents = Contents { is_new: !path.exists(), ..Contents::default() };
        let mut state = State { lock, database: None, unwritten: Vec::new() };
        match state.open(&path, &owner, &mut contents) {
            Ok(()) => {}
            Err(OpenError::InUse) => return Err(JournalError::InUse(path)),
            Err(OpenError::Full(reason)) => {
                if contents.entries.is_empty() {
                    // What can't be read this way either is taken from the chain.
                    let _ = look_into(&path, &owner, &mut contents);
                }
                contents.notes.push(format!(
                    "the journal can't be written ({reason}): the game goes on, and what is to be remembered is kept in \
                     memory; make room before you stop it"
                ));
            }
            Err(error) => return Err(disk(error.to_string())),
        }
        Ok((Self { path, owner, state: Mutex::new(state) }, contents))
    }

    /// Remembers the block of the game's creation. Errors are those of [`Self::write`].
    pub fn set_born(&self, block: u64) -> Result<(), JournalError> {
        self.put(Record::Meta(BORN, block.to_be_bytes().to_vec()))
    }

    /// Remembers the last block that counts as final. Errors are those of [`Self::write`].
    pub fn set_checkpoint(&self, block: &BlockRef) -> Result<(), JournalError> {
        self.put(Record::Meta(CHECKPOINT, [&block.number.to_be_bytes()[..], &block.hash[..]].concat()))
    }

    /// The chain was taken back deeper than its final blocks, and the player goes on by what it has now: forgets which blocks were final,
    /// the choices among `entries` that were made by them, and what was heard in sights that followed on moves after `common`, the
    /// [`last_common`] own ply. What was signed and what was given stays. Errors are those of [`Self::write`].
    pub fn take_back(&self, entries: &[Entry], common: Option<u16>) -> Result<(), JournalError> {
        let mut state = self.state();
        let chosen = entries.iter().filter(|entry| matches!(entry, Entry::Chosen { .. }));
        let withdrawn = chosen.map(|entry| Record::Entry(Entry::Withdrawn { ply: entry.ply() }));
        state.unwritten.extend([Record::NotFinal, Record::Fork { common }].into_iter().chain(withdrawn));
        self.flush(&mut state)
    }

    /// Writes an entry; it is on disk when this returns.
    ///
    /// # Errors
    ///
    /// The disk's. The entry is kept then, and written by the next call of any of these functions that the disk allows.
    pub fn write(&self, entry: &Entry) -> Result<(), JournalError> {
        self.put(Record::Entry(entry.clone()))
    }

    /// Tries to write what couldn't be written, if there is anything. Errors are those of [`Self::write`].
    pub fn retry(&self) -> Result<(), JournalError> {
        self.flush(&mut self.state())
    }

    fn put(&self, record: Record) -> Result<(), JournalError> {
        let mut state = self.state();
        state.unwritten.push(record);
        self.flush(&mut state)
    }

    fn flush(&self, state: &mut State) -> Result<(), JournalError> {
        if state.unwritten.is_empty() {
            return Ok(());
        }
        state.open(&self.path, &self.owner, &mut Contents::default()).map_err(|error| match error {
            OpenError::InUse => JournalError::InUse(self.path.clone()),
            error => JournalError::Disk { path: self.path.clone(), reason: error.to_string() },
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Opens the file, unless it is open, and writes what it doesn't have. One that can't be relied on is put aside, and another begun with what
    /// could be read of it.
    fn open(&mut self, path: &Path, owner: &[u8], contents: &mut Contents) -> Result<(), OpenError> {
        if self.lock.is_none() {
            self.lock = Some(lock(path)?.ok_or(OpenError::InUse)?);
        }
        let database = match self.database.take() {
            Some(database) => database,
            None => match open(path, owner, contents) {
                Err(damage @ (OpenError::Damaged(_) | OpenError::Foreign)) => {
                    let aside = private::put_aside(path, "damaged")?;
                    contents.is_damaged = true;
                    contents.notes.push(format!(
                        "the journal can't be relied on ({damage}); it was put aside as {}, {} of its entries were saved, and \
                         the rest is rebuilt from wallet and chain",
                        aside.display(),
                        contents.entries.len()
                    ));
                    self.unwritten.splice(0..0, contents.entries.iter().cloned().map(Record::Entry));
                    open(path, owner, &mut Contents::default())?
                }
                opened => opened?,
            },
        };
        write(&database, &self.unwritten)?;
        self.database = Some(database);
        self.unwritten.clear();
        Ok(())
    }
}

/// The lock of a journal; none if another process has it. It is a file of its own, which is never replaced.
fn lock(path: &Path) -> std::io::Result<Option<File>> {
    path.parent().map_or(Ok(()), private::folder)?;
    let file = private::file(&path.with_extension("lock"))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Writes records, all or none.
fn write(database: &Database, records: &[Record]) -> Result<(), redb::Error> {
    let transaction = database.begin_write()?;
    {
        let (mut meta, mut entries) = (transaction.open_table(META)?, transaction.open_table(ENTRIES)?);
        for record in records {
            match record {
                Record::Meta(name, bytes) => {
                    meta.insert(name, &sealed(bytes)[..])?;
                }
                Record::NotFinal => {
                    meta.remove(BORN)?;
                    meta.remove(CHECKPOINT)?;
                }
                Record::Fork { common } => {
                    let Range { start, end } = Entry::sights_after(*common);
                    entries.retain_in(&start[..]..&end[..], |_, _| false)?;
                }
                Record::Entry(entry) => {
                    entries.insert(&entry.key()[..], &sealed(&entry.encode())[..])?;
                    let oldest = entry.ply().saturating_sub(KEPT_PLIES);
                    // Their own ranges only: the messages of sessions may be hundreds of megabytes.
                    for Range { start, end } in Entry::messages_before(oldest) {
                        entries.retain_in(&start[..]..&end[..], |_, _| false)?;
                    }
                }
            }
        }
    }
    transaction.commit()?;
    Ok(())
}

#[derive(Debug, thiserror::Error)]
enum OpenError {
    #[error("in use")]
    InUse,
    /// There is no room, which may pass.
    #[error("{0}")]
    Full(String),
    #[error("{0}")]
    Disk(String),
    #[error("{0}")]
    Damaged(String),
    #[error("it belongs to another wallet, game or chain, or is of another version")]
    Foreign,
}

impl OpenError {
    /// What an error of the system means: whether another file in the place of this one would fail as well.
    fn of(error: &std::io::Error) -> Self {
        use std::io::ErrorKind::{IsADirectory, PermissionDenied, ReadOnlyFilesystem};
        match error.kind() {
            _ if private::is_full(error) => Self::Full(error.to_string()),
            PermissionDenied | ReadOnlyFilesystem | IsADirectory => Self::Disk(error.to_string()),
            _ => Self::Damaged(error.to_string()),
        }
    }
}

/// Of any of the database's errors, and of the system's, which the database knows too.
impl<E: Into<redb::Error>> From<E> for OpenError {
    fn from(error: E) -> Self {
        match error.into() {
            redb::Error::DatabaseAlreadyOpen => Self::InUse,
            redb::Error::Io(error) => Self::of(&error),
            other => Self::Damaged(other.to_string()),
        }
    }
}

/// Opens a file that has passed a trial.
fn open(path: &Path, owner: &[u8], contents: &mut Contents) -> Result<Database, OpenError> {
    // A file of a few bytes would be taken for a database that is about to be made.
    let length = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
    if path.exists() && length < 512 {
        return Err(OpenError::Damaged(format!("it has only {length} bytes")));
    }
    if path.exists() {
        attempt(path, owner, contents)?;
    }
    let is_new = !path.exists();
    if is_new {
        private::file(path)?;
    }
    let opened = create(path, owner);
    if is_new && opened.is_err() {
        // What there was no room for is no file that anything stands in.
        let _ = std::fs::remove_file(path);
    }
    opened
}

fn create(path: &Path, owner: &[u8]) -> Result<Database, OpenError> {
    let database = Database::create(path)?;
    read(&database, owner, &mut Contents::default())?;
    Ok(database)
}

/// Reads a file without writing to it.
fn look_into(path: &Path, owner: &[u8], contents: &mut Contents) -> Result<(), OpenError> {
    let database = ReadOnlyDatabase::open(path)?;
    let meta = database.begin_read()?.open_table(META)?;
    let known = meta.get(OWNER)?.map(|value| value.value().to_vec());
    ensure!(known.as_deref() == Some(owner), OpenError::Foreign);
    read_all(&database, contents)
}

/// Opens, reads, checks and closes a file for trial. The database asserts its own invariants, some only when it is closed;
/// a file that breaks them is damaged, and no reason to stop. What could be read until then is kept.
fn attempt(path: &Path, owner: &[u8], contents: &mut Contents) -> Result<(), OpenError> {
    let read_so_far = Mutex::new(Contents::default());
    let tried = std::panic::catch_unwind(|| -> Result<(), OpenError> {
        let mut database = Database::create(path)?;
        let mut found = Contents::default();
        let result = read(&database, owner, &mut found);
        *read_so_far.lock().unwrap_or_else(PoisonError::into_inner) = found;
        result?;
        match database.check_integrity() {
            Ok(true) => Ok(()),
            Ok(false) => Err(OpenError::Damaged("its check sums are wrong".into())),
            Err(error) => Err(error.into()),
        }
    });
    *contents = read_so_far.into_inner().unwrap_or_else(PoisonError::into_inner);
    tried.unwrap_or_else(|_| Err(OpenError::Damaged("its pages contradict each other".into())))
}

/// Checks which wallet and game the file belongs to, marks a new one, and reads all entries.
fn read(database: &Database, owner: &[u8], contents: &mut Contents) -> Result<(), OpenError> {
    ensure!(claim(database, owner)?, OpenError::Foreign);
    read_all(database, contents)
}

fn read_all(database: &impl ReadableDatabase, contents: &mut Contents) -> Result<(), OpenError> {
    let transaction = database.begin_read()?;
    let (records, entries) = (transaction.open_table(META)?, transaction.open_table(ENTRIES)?);
    let born = meta(&records, BORN)?;
    contents.born = born.and_then(|bytes| bytes.try_into().ok()).map(u64::from_be_bytes);
    let checkpoint = meta(&records, CHECKPOINT)?;
    contents.checkpoint = checkpoint.and_then(|bytes| {
        let (number, hash) = bytes.split_first_chunk()?;
        Some(BlockRef { number: u64::from_be_bytes(*number), hash: B256::try_from(hash).ok()? })
    });
    for item in entries.iter()? {
        let (key, value) = item?;
        match unsealed(value.value()).and_then(|bytes| Entry::decode(key.value(), bytes)) {
            Ok(entry) => contents.entries.push(entry),
            Err(error) => {
                contents.is_damaged = true;
                contents.notes.push(format!("an entry of the journal was left out: {error}"));
            }
        }
    }
    Ok(())
}

/// Whether the file is the owner's; a new one becomes so.
fn claim(database: &Database, owner: &[u8]) -> Result<bool, redb::Error> {
    let transaction = database.begin_write()?;
    {
        let mut meta = transaction.open_table(META)?;
        let known = meta.get(OWNER)?.map(|value| value.value().to_vec());
        match known {
            None => {
                meta.insert(OWNER, owner)?;
            }
            Some(known) if known != owner => return Ok(false),
            Some(_) => {}
        }
        transaction.open_table(ENTRIES)?;
    }
    transaction.commit()?;
    Ok(true)
}

fn owner(me: Address, game: &GameRef, genesis: B256) -> Vec<u8> {
    [&[VERSION][..], &me[..], &game.to_bytes(), &genesis[..]].concat()
}

/// A record of the table of one's own records, if it is there and undamaged.
fn meta(table: &impl ReadableTable<&'static str, &'static [u8]>, name: &str) -> Result<Option<Vec<u8>>, redb::Error> {
    let found = table.get(name)?;
    Ok(found.and_then(|value| unsealed(value.value()).ok().map(<[u8]>::to_vec)))
}

fn sealed(bytes: &[u8]) -> Vec<u8> {
    [&check_sum::<SUM_BYTES>(&[bytes])[..], bytes].concat()
}

fn unsealed(bytes: &[u8]) -> Result<&[u8], EntryError> {
    match bytes.split_at_checked(SUM_BYTES) {
        Some((given, rest)) if given == check_sum::<SUM_BYTES>(&[rest]) => Ok(rest),
        _ => Err(EntryError::Sum),
    }
}
