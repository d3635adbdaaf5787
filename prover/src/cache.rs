//! Files that can be made again: converted parameters and keys. A file is used only if it is whole and is the thing that was
//! asked for; anything else is made anew.
//!
//! Layout: `fogmate cache 1\n`, SHA-256 of all that follows, u32 little-endian length of the label, label, payload. The hash
//! guards against damage, not against somebody who may write to the owner's own folder.

use crate::Sha256Hash;
use crate::progress::{Progress, Stage, during};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 16] = b"fogmate cache 1\n";
const HASH_END: usize = MAGIC.len() + 32;

/// Why a cached file is not used.
#[derive(Debug, thiserror::Error)]
enum Damage {
    #[error("it can't be read: {0}")]
    Unreadable(#[from] io::Error),
    #[error("it is no cache file of this version")]
    WrongMagic,
    #[error("its contents don't match its hash")]
    WrongHash,
    #[error("it holds something else")]
    WrongLabel,
    #[error("its contents can't be parsed: {0}")]
    Unparsable(String),
}

/// What the files of a cache folder are worth, by their own hashes: nothing is parsed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inspected {
    /// The files that hold a key that this program knows.
    pub known: usize,
    /// Those that hold a key of another version, which is never used.
    pub foreign: usize,
    /// Those that hold what goes with keys: converted parameters, and tables.
    pub others: usize,
    /// Those that are damaged, which are made anew when they are needed.
    pub damaged: Vec<PathBuf>,
}

/// Looks at every file of a cache folder: whether it is whole, and of keys, whether they are among `known_keys`, the text of their hashes.
///
/// # Errors
///
/// If the folder can't be read.
pub fn inspect(folder: &Path, known_keys: &str) -> io::Result<Inspected> {
    let mut found = Inspected::default();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if name.starts_with('.') || name.ends_with(".lock") {
            continue;
        }
        let is_key = name.ends_with(".pk") || name.ends_with(".vk");
        let bytes = fs::read(&path)?;
        match payload(&bytes) {
            Err(_) => found.damaged.push(path),
            Ok(_) if !is_key => found.others += 1,
            Ok(payload) if known_keys.contains(&Sha256Hash::of(payload).to_string()) => found.known += 1,
            Ok(_) => found.foreign += 1,
        }
    }
    Ok(found)
}

/// The body of a file's bytes, if it is whole.
fn body(bytes: &[u8]) -> Result<&[u8], Damage> {
    let body = bytes.get(HASH_END..).filter(|_| bytes.starts_with(MAGIC)).ok_or(Damage::WrongMagic)?;
    fog::ensure!(Sha256Hash::of(body).0 == bytes[MAGIC.len()..HASH_END], Damage::WrongHash);
    Ok(body)
}

/// What comes after the label, whatever that says.
fn payload(bytes: &[u8]) -> Result<&[u8], Damage> {
    let (length, rest) = body(bytes)?.split_first_chunk().ok_or(Damage::WrongLabel)?;
    rest.get(u32::from_le_bytes(*length) as usize..).ok_or(Damage::WrongLabel)
}

/// A thing kept in a cache folder under a name; the label says exactly what it is.
pub(crate) struct Entry<'a> {
    pub folder: &'a Path,
    pub name: &'a str,
    pub label: &'a str,
    pub progress: &'a dyn Progress,
}

impl Entry<'_> {
    fn path(&self) -> PathBuf {
        self.folder.join(self.name)
    }

    /// Takes the thing from the cache, or makes it and puts it there. Processes that want the same thing at the same time
    /// wait for the first. A cache that can't be written is no reason to fail.
    pub fn load_or_make<T, E>(
        &self,
        parse: impl Fn(&[u8]) -> Result<T, String>,
        make: impl FnOnce() -> Result<T, E>,
        serialise: impl FnOnce(&T) -> Vec<u8>,
    ) -> Result<T, E> {
        match self.load(&parse) {
            Ok(Some(found)) => return Ok(found),
            Ok(None) => {}
            Err(damage) => {
                let path = self.path();
                self.progress.notice(&format!("{} is made anew: {damage}", path.display()));
            }
        }
        let _guard = self.lock();
        // Another process may have made it while this one waited.
        if let Ok(Some(found)) = self.load(&parse) {
            return Ok(found);
        }
        let made = make()?;
        let stored = during(self.progress, self.name, Stage::WriteCache, || self.store(&serialise(&made)));
        if let Err(error) = stored {
            self.progress.notice(&format!("{} could not be written: {error}", self.path().display()));
        }
        Ok(made)
    }

    /// The thing, if it is there.
    fn load<T>(&self, parse: impl Fn(&[u8]) -> Result<T, String>) -> Result<Option<T>, Damage> {
        during(self.progress, self.name, Stage::ReadCache, || {
            let bytes = match fs::read(self.path()) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                read => read?,
            };
            parse(self.open(&bytes)?).map(Some).map_err(Damage::Unparsable)
        })
    }

    /// The payload of a file's bytes.
    fn open<'b>(&self, bytes: &'b [u8]) -> Result<&'b [u8], Damage> {
        let expected = [&(self.label.len() as u32).to_le_bytes()[..], self.label.as_bytes()].concat();
        body(bytes)?.strip_prefix(&expected[..]).ok_or(Damage::WrongLabel)
    }

    /// Writes the file beside its place and renames it, so that no reader ever meets half a file.
    fn store(&self, payload: &[u8]) -> io::Result<()> {
        fs::create_dir_all(self.folder)?;
        let label_length = (self.label.len() as u32).to_le_bytes();
        let body = [&label_length[..], self.label.as_bytes(), payload].concat();
        let mut file = tempfile::Builder::new().prefix(".unfinished-").tempfile_in(self.folder)?;
        file.write_all(MAGIC)?;
        file.write_all(&Sha256Hash::of(&body).0)?;
        file.write_all(&body)?;
        file.as_file().sync_all()?;
        file.persist(self.path()).map_err(|error| error.error)?;
        Ok(())
    }

    /// Holds the lock of this name until dropped. Where locks don't work, two processes may do the same work twice.
    fn lock(&self) -> Option<File> {
        fs::create_dir_all(self.folder).ok()?;
        let file = File::create(self.folder.join(format!("{}.lock", self.name))).ok()?;
        if file.try_lock().is_err() {
            during(self.progress, self.name, Stage::AwaitOther, || file.lock()).ok()?;
        }
        Some(file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NoProgress;
    use std::cell::Cell;

    fn entry<'a>(folder: &'a Path, label: &'a str) -> Entry<'a> {
        Entry { folder, name: "thing", label, progress: &NoProgress }
    }

    /// Asks for the thing and says whether it had to be made.
    fn ask(entry: &Entry<'_>) -> (Vec<u8>, bool) {
        let made = Cell::new(false);
        let parse = |bytes: &[u8]| {
            if bytes.is_empty() { Err("empty".into()) } else { Ok(bytes.to_vec()) }
        };
        let make = || -> Result<_, io::Error> {
            made.set(true);
            Ok(b"payload".to_vec())
        };
        let thing = entry.load_or_make(parse, make, Clone::clone).expect("making never fails here");
        (thing, made.get())
    }

    #[test]
    fn a_thing_is_made_once() {
        let folder = tempfile::tempdir().unwrap();
        let entry = entry(folder.path(), "a label");
        assert_eq!(ask(&entry), (b"payload".to_vec(), true));
        assert_eq!(ask(&entry), (b"payload".to_vec(), false));
        let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
        assert_eq!(left.len(), 2, "the thing and its lock, no temporary file: {left:?}");
    }

    #[test]
    fn every_damaged_byte_and_every_truncation_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let entry = entry(folder.path(), "a label");
        ask(&entry);
        let whole = fs::read(entry.path()).unwrap();
        for index in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[index] ^= 1;
            fs::write(entry.path(), &damaged).unwrap();
            assert_eq!(ask(&entry), (b"payload".to_vec(), true), "byte {index} flipped");
            fs::write(entry.path(), &whole[..index]).unwrap();
            assert_eq!(ask(&entry), (b"payload".to_vec(), true), "cut to {index} bytes");
            assert_eq!(fs::read(entry.path()).unwrap(), whole);
        }
    }

    #[test]
    fn another_label_is_another_thing() {
        let folder = tempfile::tempdir().unwrap();
        ask(&entry(folder.path(), "a label"));
        assert!(ask(&entry(folder.path(), "b label")).1);
        assert!(ask(&entry(folder.path(), "a label")).1);
        assert!(ask(&entry(folder.path(), "a labe")).1);
    }

    #[test]
    fn an_unwritable_cache_is_no_failure() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, b"in the way").unwrap();
        assert_eq!(ask(&entry(&file, "a label")), (b"payload".to_vec(), true));
    }
}
