//! The ledger of an account on a chain on disk: one file, which all processes of its user share, 0600 in a folder 0700.
//!
//! A change takes the lock of a second file, reads, changes and replaces the file: nothing but disk and processor is waited for
//! meanwhile, so a node that hangs holds up no other process. What a change was decided on is asked of the node before, without the
//! lock; a change therefore names the revision that it was decided on and is refused if another process was quicker.
//!
//! The file is bound to the very chain by its genesis block, whose hash its name has: a local chain that was started anew has the same id, the same
//! accounts and the same nonces, and nothing that was signed for the old one may go to it, nor a node of another chain put it aside.
//!
//! What can't be written, the disk being full, is kept in memory: no game waits for room. A process that ends before it is written forgets what it
//! has sent, so what would do harm when sent twice is refused instead.

use crate::private;
use crate::send::Ledger;
use alloy::primitives::{Address, B256};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The version of the file's form.
const VERSION: u8 = 1;

/// Why the ledger can't be used.
#[derive(Debug, thiserror::Error)]
#[error("the record of this wallet's transactions, {}, can't be used: {reason}", path.display())]
pub struct StoreError {
    pub path: PathBuf,
    pub reason: String,
}

/// Whose transactions a ledger has, and on which chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    pub chain_id: u64,
    /// The hash of its first block.
    pub genesis: B256,
    #[serde(rename = "account")]
    pub address: Address,
}

impl Account {
    /// Of the first block's hash its first eight bytes.
    fn file_name(&self) -> String {
        let genesis = alloy::hex::encode(&self.genesis[..8]);
        format!("{:x}-{}-{genesis}.json", self.address, self.chain_id)
    }
}

/// What the file has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Record {
    version: u8,
    #[serde(rename = "owned")]
    account: Account,
    /// How often it was changed.
    revision: u64,
    ledger: Ledger,
}

/// Where the record of a wallet's transactions is.
#[derive(Clone, Debug)]
pub enum Storage {
    /// In a file of this folder, which all processes of the wallet share.
    Folder(PathBuf),
    /// In memory: a process that ends forgets what it has sent.
    Memory(Memory),
}

/// A ledger in memory, with the number of its changes.
#[derive(Clone, Debug, Default)]
pub struct Memory(Arc<Mutex<State>>);

impl Memory {
    pub fn read(&self) -> (u64, Ledger) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// A ledger that is open.
#[derive(Debug)]
pub(super) enum Store {
    Memory(Memory),
    File { path: PathBuf, account: Account, process: Box<Mutex<Process>> },
}

/// What this process has for itself.
#[derive(Debug)]
pub(super) struct Process {
    /// The last id that it gave: each process counts from a number of its own, so that ledgers that grew apart can be put together.
    last_id: u64,
    /// What the file couldn't take; none if it has everything.
    kept: Option<Kept>,
    /// What the user should know.
    note: Option<String>,
}

impl Process {
    fn new() -> Self {
        Self { last_id: u64::from(rand::random::<u32>()) << 32, kept: None, note: None }
    }

    /// What is to be changed: the file's state, or the one that it couldn't take, joined with what another process has written since.
    fn state(&mut self, path: &Path) -> Result<State, StoreError> {
        let Some(kept) = &mut self.kept else { return in_file(path) };
        // Another process has found room first.
        if let Ok((revision, mut ledger)) = in_file(path)
            && revision != kept.base
        {
            ledger.absorb(std::mem::take(&mut kept.state.1));
            *kept = Kept { state: (revision.max(kept.state.0).wrapping_add(1), ledger), base: revision };
        }
        Ok(kept.state.clone())
    }

    /// Takes a state that was `written` over the file's revision `base`, or keeps it if it wasn't, unless it must last.
    fn take(
        &mut self,
        state: State,
        base: u64,
        written: Result<(), StoreError>,
        must_last: bool,
    ) -> Result<(), StoreError> {
        let last_id = state.1.last_id;
        match written {
            Ok(()) if self.kept.take().is_some() => {
                self.note = Some("the record of this wallet's transactions is on disk again".to_owned());
            }
            Ok(()) => {}
            Err(fault) if must_last => return Err(fault),
            Err(fault) => {
                if self.kept.is_none() {
                    self.note = Some(format!("{fault}; it is kept in memory: make room before you stop"));
                }
                self.kept = Some(Kept { state, base });
            }
        }
        self.last_id = last_id;
        Ok(())
    }
}

/// A state that is in memory alone.
#[derive(Debug)]
struct Kept {
    state: State,
    /// The file's revision when it couldn't be written.
    base: u64,
}

impl Store {
    /// Opens the ledger; also gives what the user should know of it.
    pub fn open(storage: &Storage, account: Account) -> Result<(Self, Option<String>), StoreError> {
        let folder = match storage {
            Storage::Folder(folder) => folder,
            Storage::Memory(memory) => return Ok((Self::Memory(memory.clone()), None)),
        };
        let path = folder.join(account.file_name());
        let fault = |error: io::Error| StoreError { path: path.clone(), reason: error.to_string() };
        private::folder(folder).map_err(fault)?;
        let _lock = match lock(&path) {
            Ok(lock) => Some(lock),
            Err(error) if private::is_full(&error) => None,
            Err(error) => return Err(fault(error)),
        };
        let why = match read(&path) {
            Ok(None) => None,
            Ok(Some(record)) if record.account == account && record.version == VERSION => None,
            Ok(Some(record)) if record.version == VERSION => Some("belongs to another chain".to_owned()),
            Ok(Some(_)) => Some("is of another version".to_owned()),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => Some(format!("is damaged ({error})")),
            Err(error) => return Err(fault(error)),
        };
        let note = match why {
            None => None,
            Some(why) => {
                let aside = private::put_aside(&path, "aside").map_err(fault)?;
                Some(format!("the record of this wallet's transactions {why}; it was put aside as {}", aside.display()))
            }
        };
        drop(_lock);
        Ok((Self::File { path, account, process: Box::new(Mutex::new(Process::new())) }, note))
    }

    /// The ledger and its revision.
    pub fn read(&self) -> Result<(u64, Ledger), StoreError> {
        match self {
            Self::Memory(memory) => Ok(memory.read()),
            Self::File { path, process, .. } => {
                if let Some(kept) = &locked(process).kept {
                    return Ok(kept.state.clone());
                }
                in_file(path)
            }
        }
    }

    /// What the user should know since this was asked last.
    pub fn take_note(&self) -> Option<String> {
        match self {
            Self::Memory(_) => None,
            Self::File { process, .. } => locked(process).note.take(),
        }
    }

    /// Changes the ledger; the change is on disk when this returns, if there is room. None if the ledger is not at the revision `expected`
    /// any more. A change that fails changes nothing. It says itself whether it must last:
    /// then it is refused unless it is on disk, else it is made in any case, and may be forgotten when the process ends.
    pub fn update<R, E>(
        &self,
        expected: Option<u64>,
        change: impl FnOnce(&mut Ledger) -> Result<(R, bool), E>,
    ) -> Result<Option<Result<R, E>>, StoreError> {
        match self {
            Self::Memory(memory) => {
                let mut state = memory.0.lock().unwrap_or_else(PoisonError::into_inner);
                let (changed, result) = changed(&state, expected, change);
                if let Some(changed) = changed {
                    *state = changed;
                }
                Ok(result.map(|result| result.map(|(answer, _)| answer)))
            }
            Self::File { path, account, process } => {
                let mut process = locked(process);
                let lock = lock(path);
                let mut state = process.state(path)?;
                let base = process.kept.as_ref().map_or(state.0, |kept| kept.base);
                state.1.count_from(process.last_id);
                let (changed, result) = changed(&state, expected, change);
                // What was kept before is written with the first change that finds room.
                if let Some((revision, ledger)) = changed {
                    let record = Record { version: VERSION, account: *account, revision, ledger };
                    let written = lock.and_then(|_lock| write(path, &record)).map_err(|error| fault(path, &error));
                    let must_last = matches!(result, Some(Ok((_, true))));
                    process.take((record.revision, record.ledger), base, written, must_last)?;
                }
                Ok(result.map(|result| result.map(|(answer, _)| answer)))
            }
        }
    }
}

fn locked(process: &Mutex<Process>) -> MutexGuard<'_, Process> {
    process.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A state with its revision.
type State = (u64, Ledger);

/// What a change makes of a state: the state to keep, if there is anything new in it, and its result.
fn changed<R, E>(
    state: &State,
    expected: Option<u64>,
    change: impl FnOnce(&mut Ledger) -> Result<R, E>,
) -> (Option<State>, Option<Result<R, E>>) {
    let (revision, before) = state;
    if expected.is_some_and(|expected| expected != *revision) {
        return (None, None);
    }
    let mut ledger = before.clone();
    let result = change(&mut ledger);
    let keep = result.is_ok() && ledger != *before;
    // Only whether it is another one counts.
    (keep.then(|| (revision.wrapping_add(1), ledger)), Some(result))
}

fn fault(path: &Path, error: &io::Error) -> StoreError {
    StoreError { path: path.to_owned(), reason: error.to_string() }
}

/// The lock, until it is dropped. It is a file of its own, because the other one is replaced.
fn lock(path: &Path) -> io::Result<File> {
    let file = private::file(&path.with_extension("lock"))?;
    file.lock()?;
    Ok(file)
}

fn read(path: &Path) -> io::Result<Option<Record>> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    serde_json::from_slice(&bytes).map(Some).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// The state that the file holds.
fn in_file(path: &Path) -> Result<State, StoreError> {
    let record = read(path).map_err(|error| fault(path, &error))?;
    Ok(record.map_or_else(Default::default, |record| (record.revision, record.ledger)))
}

/// Replaces the file by one that is wholly on disk.
fn write(path: &Path, record: &Record) -> io::Result<()> {
    private::write(path, &serde_json::to_vec(record).map_err(io::Error::other)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::send::{Call, Facts, Priority, Request, Rules, Subject};

    fn account(genesis: u8) -> Account {
        Account { chain_id: 31337, genesis: B256::repeat_byte(genesis), address: Address::repeat_byte(7) }
    }

    fn want(store: &Store, expected: Option<u64>, byte: u8) -> bool {
        let account = Address::repeat_byte(7);
        let rules = Rules { account, contract: Address::ZERO, ceiling: 1_000, confirmations: 0 };
        let call = Call { to: Address::ZERO.into(), value: Default::default(), input: vec![byte].into(), gas: 1 };
        let subject = Subject::Action { topic: None, name: "a test".into() };
        let request = Request { call, subject, priority: Priority::Normal };
        let change = |ledger: &mut Ledger| {
            ledger.want(&rules, &request, &Facts::default());
            Ok::<_, ()>(((), false))
        };
        store.update(expected, change).expect("a folder").is_some()
    }

    #[test]
    fn handles_share_a_file_that_only_its_owner_reads() {
        let folder = tempfile::tempdir().expect("a folder");
        let below = folder.path().join("transactions");
        let open = || Store::open(&Storage::Folder(below.clone()), account(1)).expect("a folder").0;
        let (first, second) = (open(), open());
        assert!(want(&first, Some(0), 1), "nobody was quicker");
        assert!(!want(&second, Some(0), 2), "the other was quicker");
        assert!(want(&second, Some(1), 2));
        let (revision, ledger) = first.read().expect("the file");
        assert_eq!((revision, ledger.entries().len()), (2, 2));
        let failed = first.update(None, |ledger| {
            *ledger = Ledger::default();
            Err::<((), bool), _>("no")
        });
        assert!(matches!(failed, Ok(Some(Err("no")))));
        assert_eq!(second.read().expect("the file"), (revision, ledger));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = |path: &Path| fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
            assert_eq!(mode(&below), 0o700);
            for entry in fs::read_dir(&below).expect("a folder") {
                assert_eq!(mode(&entry.expect("a file").path()), 0o600);
            }
        }
    }

    #[test]
    fn chains_have_their_own_records_and_a_damaged_one_is_put_aside() {
        let folder = tempfile::tempdir().expect("a folder");
        let open = |genesis| Store::open(&Storage::Folder(folder.path().into()), account(genesis)).expect("a folder");
        let (store, note) = open(1);
        assert!(want(&store, None, 1) && note.is_none());
        assert!(open(1).1.is_none());
        // Two chains of one number, as two Anvils are: neither process ever has the other's.
        let (other, note) = open(2);
        assert!(note.is_none() && want(&other, None, 2) && want(&other, None, 3));
        let entries = |store: &Store| store.read().expect("a file").1.entries().len();
        assert_eq!((entries(&store), entries(&other), entries(&open(1).0)), (1, 2, 1));
        let path = |genesis| folder.path().join(account(genesis).file_name());
        fs::copy(path(2), path(1)).expect("a file");
        assert!(open(1).1.expect("a note").contains("another chain"));
        fs::write(path(2), "{").expect("a file");
        assert!(other.read().is_err(), "a damaged record is no empty one");
        assert!(open(2).1.expect("a note").contains("damaged"));
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 4, "two put aside and the locks");
    }

    /// A record of an earlier build, of a move, an action and a nonce that is used up: its names on disk stay what they were.
    #[test]
    fn a_record_is_written_as_it_always_was() {
        let [game, hash] = [3, 4].map(B256::repeat_byte);
        let [contract, address] = [1, 7].map(Address::repeat_byte);
        let call = serde_json::json!({ "to": contract, "value": "0x0", "input": "0x01", "gas": 100_000 });
        let entry = |ticket: u64, subject: serde_json::Value, filler: bool| {
            serde_json::json!({
                "ticket": ticket, "nonce": ticket,
                "wish": { "call": call, "subject": subject, "priority": "Normal" },
                "versions": [{
                    "fees": { "max": 100, "tip": 10 }, "hash": hash, "raw": "0x02", "filler": filler, "sending": "Accepted",
                }],
                "ceiling": 1_000, "since": 1, "place": "Pending", "found_at": 0, "dropped": null, "refusals": [0, 0],
                "overtaken": null, "told_ceiling": false, "acknowledged": false,
            })
        };
        let entries = [
            entry(1, serde_json::json!({ "Move": { "game": game, "ply": 4 } }), false),
            entry(2, serde_json::json!({ "Action": { "game": null, "name": "opening the game" } }), false),
            entry(3, serde_json::json!("Filler"), true),
        ];
        let written = serde_json::json!({
            "version": 1, "owned": { "chain_id": 31337, "genesis": hash, "account": address }, "revision": 7,
            "ledger": { "last_ticket": 3, "entries": entries, "strange": [[9, contract]], "unknown_since": null },
        });
        let record: Record = serde_json::from_value(written.clone()).expect("a record");
        assert!(record.ledger.entries()[0].request.is_exclusive());
        assert_eq!(serde_json::to_value(&record).expect("JSON"), written);
    }

    /// A folder in the place of the file that is written first stands for a disk without room.
    #[test]
    fn what_can_t_be_written_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let open = || Store::open(&Storage::Folder(folder.path().into()), account(1)).expect("a folder").0;
        let store = open();
        assert!(want(&store, Some(0), 1));
        let obstacle = folder.path().join(account(1).file_name()).with_extension("partial");
        fs::create_dir(&obstacle).expect("a folder");
        for (revision, byte) in [(1, 2), (2, 3)] {
            assert!(want(&store, Some(revision), byte));
            let note = store.take_note();
            assert_eq!(note.is_some_and(|note| note.contains("kept in memory")), revision == 1, "told once");
        }
        let wipe = |ledger: &mut Ledger| {
            *ledger = Ledger::default();
            Ok::<_, ()>(((), true))
        };
        assert!(store.update(None, wipe).is_err());
        let entries = |store: &Store| store.read().map(|(revision, ledger)| (revision, ledger.entries().len()));
        assert_eq!((entries(&store).expect("kept"), entries(&open()).expect("the file")), ((3, 3), (1, 1)));
        fs::remove_dir(&obstacle).expect("room");
        assert!(want(&store, Some(3), 4) && store.take_note().expect("a note").contains("on disk again"));
        assert_eq!(entries(&open()).expect("the file"), (4, 4));
    }

    /// What another process writes as soon as there is room isn't lost when this one writes what it had kept.
    #[test]
    fn ledgers_that_grew_apart_are_put_together() {
        let folder = tempfile::tempdir().expect("a folder");
        let open = || Store::open(&Storage::Folder(folder.path().into()), account(1)).expect("a folder").0;
        let (first, second) = (open(), open());
        let obstacle = folder.path().join(account(1).file_name()).with_extension("partial");
        fs::create_dir(&obstacle).expect("a folder");
        assert!(want(&first, None, 1));
        fs::remove_dir(&obstacle).expect("room");
        assert!(want(&second, None, 2));
        let (before, _) = first.read().expect("kept");
        assert!(!want(&first, Some(before), 3), "it decided without the other's");
        assert!(want(&first, None, 3));
        let (_, ledger) = open().read().expect("the file");
        let mut ids: Vec<_> = ledger.entries().iter().map(|entry| entry.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!((ledger.entries().len(), ids.len()), (3, 3), "{ledger:?}");
    }
}
