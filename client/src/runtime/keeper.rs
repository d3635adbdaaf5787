//! Keeps what a seat wants remembered. A disk without room stops no game: the journal keeps in memory what it can't write, and is made to try
//! again until it can.

use super::{RuntimeError, notify};
use crate::journal::{Entry, Journal, JournalError, Store, Unkept};
use game::{Notice, move_name};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;

/// How long the game waits for a backup, a disk far away perhaps. After that it goes on, and nothing leaves that the backup doesn't have.
const PATIENCE: Duration = if cfg!(test) { Duration::from_millis(200) } else { Duration::from_secs(3) };
const SILENT: &str = "the backup doesn't answer";

/// What a thread that may never come back is waited for.
type Awaited<T> = oneshot::Receiver<T>;

/// Does something that may never end, a dead disk being asked; no end of the program waits for it.
fn apart<T: Send + 'static>(what: impl FnOnce() -> T + Send + 'static) -> Awaited<T> {
    let (done, awaited) = oneshot::channel();
    std::thread::spawn(move || done.send(what()));
    awaited
}

/// A journal, and whether it is on disk.
pub(super) struct Keeper {
    journal: Arc<Journal>,
    /// Who else keeps what a game between the machines is recovered from, and what they don't have yet.
    stores: Vec<Arc<dyn Store>>,
    unstored: Vec<Entry>,
    /// What they are keeping now: what they couldn't, and why.
    storing: Option<Awaited<(Vec<Entry>, Option<Unkept>)>>,
    /// Whether they fail, which the user knows.
    is_unstored: bool,
    /// Whether one of them had something of the game at the start, and all of it that the journal had: an older copy can't say what a damaged journal lacks.
    pub has_backup: bool,
    notices: UnboundedSender<Notice>,
    /// Whether something isn't written yet; the user knows.
    is_behind: bool,
}

impl Keeper {
    /// A keeper of an open journal with these entries. What the stores have and the journal lacks goes into both it and `entries`: another machine
    /// has played, or the journal is an old copy. What the stores lack they are given.
    pub async fn open(
        journal: Journal,
        entries: &mut Vec<Entry>,
        stores: Vec<Arc<dyn Store>>,
        notices: UnboundedSender<Notice>,
    ) -> Result<Self, RuntimeError> {
        let journal = Arc::new(journal);
        let (unstored, storing) = (Vec::new(), None);
        let (is_unstored, has_backup, is_behind) = (false, false, false);
        let mut keeper = Self { journal, stores, unstored, storing, is_unstored, has_backup, notices, is_behind };
        let known = entries.iter().filter(|entry| entry.is_of_a_channel()).map(Entry::key).collect::<BTreeSet<_>>();
        for store in keeper.stores.clone() {
            let kept = match tokio::time::timeout(PATIENCE, apart(move || store.kept())).await {
                Ok(kept) => stopped(kept)?,
                Err(_) => Err(SILENT.to_owned()),
            };
            match kept {
                Ok(kept) => {
                    let keys: BTreeSet<Vec<u8>> = kept.iter().map(Entry::key).collect();
                    keeper.has_backup |= !keys.is_empty() && known.is_subset(&keys);
                    if kept.is_empty() && entries.iter().any(|entry| matches!(entry, Entry::Ply(_))) {
                        keeper.tell(
                            "the backup has nothing of this game and is given all of it: is the right disk there?"
                                .to_owned(),
                        );
                    }
                    keeper.import(kept, entries).await?;
                }
                Err(reason) => keeper.tell(reason),
            }
        }
        if !keeper.stores.is_empty() {
            keeper.unstored = entries.iter().filter(|entry| entry.is_of_a_channel()).cloned().collect();
        }
        keeper.retry().await?;
        Ok(keeper)
    }

    /// Takes up what the journal lacks of what is kept elsewhere.
    async fn import(&mut self, kept: Vec<Entry>, entries: &mut Vec<Entry>) -> Result<(), RuntimeError> {
        let known: BTreeSet<Vec<u8>> = entries.iter().map(Entry::key).collect();
        let lacking: Vec<Entry> = kept.into_iter().filter(|entry| !known.contains(&entry.key())).collect();
        if let Some(ply) = lacking.iter().map(Entry::ply).max() {
            self.tell(format!(
                "the backup has more of this game than this machine had: it goes on from {} there",
                move_name(ply)
            ));
        }
        for entry in lacking {
            entries.push(entry.clone());
            self.keep(move |journal| journal.write(&entry)).await?;
        }
        Ok(())
    }

    /// Has an entry written before anything else is done, by everybody who keeps it.
    pub async fn write(&mut self, entry: Entry) -> Result<(), RuntimeError> {
        if entry.is_of_a_channel() && !self.stores.is_empty() {
            self.unstored.push(entry.clone());
        }
        self.keep(move |journal| journal.write(&entry)).await?;
        self.store().await
    }

    /// Has the stores keep what they don't have: plies in their order, each signature after its ply. Stores that have failed aren't waited for.
    async fn store(&mut self) -> Result<(), RuntimeError> {
        let was_behind = self.is_unstored;
        while self.storing.is_some() || !self.unstored.is_empty() {
            let patience = if self.is_unstored { Duration::ZERO } else { PATIENCE };
            let storing = self.storing.get_or_insert_with(|| {
                let (stores, mut entries) = (self.stores.clone(), std::mem::take(&mut self.unstored));
                entries.sort_by_key(|entry| (!matches!(entry, Entry::Ply(_)), entry.ply()));
                apart(move || {
                    let keep = |entry: &Entry| stores.iter().try_for_each(|store| store.keep(entry));
                    let failed = entries.iter().enumerate().find_map(|(at, entry)| Some((at, keep(entry).err()?)));
                    let (at, error) = failed.unzip();
                    (entries.into_iter().skip(at.unwrap_or(usize::MAX)).collect(), error)
                })
            });
            let error = match tokio::time::timeout(patience, storing).await {
                Err(_) => Some(Unkept::Later(SILENT.to_owned())),
                Ok(stored) => {
                    let (mut rest, error) = stopped(stored)?;
                    self.storing = None;
                    rest.append(&mut self.unstored);
                    self.unstored = rest;
                    error
                }
            };
            if let Some(reason @ Unkept::Taken(_)) = error {
                return Err(RuntimeError::Elsewhere { reason, journal: self.journal.file().to_owned() });
            }
            self.is_unstored = error.is_some();
            if let Some(error) = error {
                if !was_behind {
                    self.tell(format!(
                        "{error}; nothing is said to the opponent before the backup has what it belongs to: its clock and yours run on"
                    ));
                }
                return Ok(());
            }
        }
        if was_behind {
            self.is_unstored = false;
            self.tell("the backup has all of the game again".to_owned());
        }
        Ok(())
    }

    /// Has something written before anything else is done.
    pub async fn keep(
        &mut self,
        write: impl FnOnce(&Journal) -> Result<(), JournalError> + Send + 'static,
    ) -> Result<(), RuntimeError> {
        let journal = self.journal.clone();
        let written = tokio::task::spawn_blocking(move || write(&journal)).await;
        let written = written.map_err(|error| RuntimeError::Stopped(error.to_string()))?;
        let was_behind = std::mem::replace(&mut self.is_behind, written.is_err());
        match written {
            Err(error) if !was_behind => self.tell(format!(
                "{error}; the game goes on, and what is to be remembered is kept in memory: make room before you stop"
            )),
            Ok(()) if was_behind => self.tell("the journal is on disk again".to_owned()),
            _ => {}
        }
        Ok(())
    }

    /// Whether something isn't written yet, here or by another who keeps it.
    pub fn is_behind(&self) -> bool {
        self.is_behind || self.storing.is_some() || !self.unstored.is_empty()
    }

    /// Tries again, if there is anything to be written.
    pub async fn retry(&mut self) -> Result<(), RuntimeError> {
        if self.is_behind {
            self.keep(Journal::retry).await?;
        }
        self.store().await
    }

    fn tell(&self, note: String) {
        notify(&self.notices, Notice::JournalNote { text: note });
    }
}

/// What a thread has brought, or that it has panicked.
fn stopped<T>(brought: Result<T, oneshot::error::RecvError>) -> Result<T, RuntimeError> {
    brought.map_err(|_| RuntimeError::Stopped("a thread that keeps the backup".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloy::primitives::{Address, B256};
    use game::GameRef;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Condvar, Mutex};
    use tokio::sync::mpsc;

    /// A backup that can be away.
    #[derive(Default)]
    struct Backup {
        is_away: AtomicBool,
        kept: Mutex<Vec<Entry>>,
    }

    impl Store for Backup {
        fn kept(&self) -> Result<Vec<Entry>, String> {
            Ok(self.kept.lock().expect("nobody panics").clone())
        }

        fn keep(&self, entry: &Entry) -> Result<(), Unkept> {
            let later = |why: &str| Unkept::Later(why.to_owned());
            fog::ensure!(!self.is_away.load(Ordering::Relaxed), later("the backup is away"));
            let kept = self.kept.lock().expect("nobody panics").clone();
            if let Some(known) = kept.iter().find(|known| known.key() == entry.key()) {
                return if known == entry { Ok(()) } else { Err(Unkept::Taken("another stands there".to_owned())) };
            }
            let is_ply = |entry: &&Entry| matches!(entry, Entry::Ply(_));
            let plies = kept.iter().filter(is_ply).count();
            let follows = !is_ply(&entry) || usize::from(entry.ply()) == plies;
            fog::ensure!(follows, later("plies before it are missing"));
            self.kept.lock().expect("nobody panics").push(entry.clone());
            Ok(())
        }
    }

    /// A disk that never answers, until it is there again.
    #[derive(Default)]
    struct DeadDisk {
        is_there: Mutex<bool>,
        comes_back: Condvar,
        kept: Backup,
    }

    impl Store for DeadDisk {
        fn kept(&self) -> Result<Vec<Entry>, String> {
            self.kept.kept()
        }

        fn keep(&self, entry: &Entry) -> Result<(), Unkept> {
            let is_there = self.is_there.lock().expect("nobody panics");
            drop(self.comes_back.wait_while(is_there, |is_there| !*is_there).expect("nobody panics"));
            self.kept.keep(entry)
        }
    }

    #[tokio::test]
    async fn a_backup_that_hangs_stops_nothing_but_what_leaves() {
        let dir = tempfile::tempdir().expect("a folder");
        let game = GameRef { chain_id: 1, contract: Address::ZERO, game_id: B256::ZERO };
        let (journal, _) = Journal::open(dir.path(), Address::ZERO, &game, B256::ZERO).expect("a journal");
        let (notices, mut told) = mpsc::unbounded_channel();
        let disk = Arc::new(DeadDisk::default());
        let mut keeper = Keeper::open(journal, &mut Vec::new(), vec![disk.clone()], notices).await.expect("open");
        let wakes = [0, 1, 2].map(|ply| Entry::Wake { ply, claim: None });
        for wake in &wakes {
            keeper.write(wake.clone()).await.expect("the journal has it");
            assert!(keeper.is_behind());
        }
        *disk.is_there.lock().expect("nobody panics") = true;
        disk.comes_back.notify_all();
        while keeper.is_behind() {
            keeper.retry().await.expect("it is tried again");
            tokio::task::yield_now().await;
        }
        assert_eq!(disk.kept().expect("it is there"), wakes, "in their order");
        drop(keeper);
        let Some(Notice::JournalNote { text }) = told.recv().await else { panic!("it is told") };
        assert!(text.contains(SILENT), "{text}");
        let Some(Notice::JournalNote { text }) = told.recv().await else { panic!("it is told") };
        assert!(text.contains("has all of the game again"), "{text}");
        assert_eq!(told.recv().await, None);
    }

    fn ply(ply: u16) -> Entry {
        let signed = game::SignedPly {
            fields: game::MoveFields {
                ply,
                next_commitment: Default::default(),
                next_request_root: Default::default(),
                answer_root: Default::default(),
                capture: None,
                king_fell: false,
                offer_draw: false,
            },
            clock: 0,
            signature: [0; 64],
            points: Box::new([0; game::message::POINTS_BYTES]),
            proof: Vec::new(),
        };
        Entry::Ply(Box::new(crate::journal::KeptPly { own: ply.is_multiple_of(2), at: 0, signed }))
    }

    /// A backup takes no ply before those before it are there.
    #[tokio::test]
    async fn a_ply_that_was_missing_is_given_to_the_backup_before_those_after_it() {
        let dir = tempfile::tempdir().expect("a folder");
        let game = GameRef { chain_id: 1, contract: Address::ZERO, game_id: B256::ZERO };
        let (journal, _) = Journal::open(dir.path(), Address::ZERO, &game, B256::ZERO).expect("a journal");
        let backup = Arc::new(Backup::default());
        let (notices, _told) = mpsc::unbounded_channel();
        let mut entries = vec![ply(0), ply(2)];
        let mut keeper = Keeper::open(journal, &mut entries, vec![backup.clone()], notices).await.expect("open");
        assert!(keeper.is_behind());
        keeper.write(ply(1)).await.expect("the journal has it");
        while keeper.is_behind() {
            keeper.retry().await.expect("it is tried again");
            tokio::task::yield_now().await;
        }
        assert_eq!(backup.kept().expect("it is there"), [0, 1, 2].map(ply));
    }

    /// Nothing of a second machine leaves, by the link or by the chain: whatever it would go on with is another game.
    #[tokio::test]
    async fn where_another_machine_has_played_this_one_stops() {
        let dir = tempfile::tempdir().expect("a folder");
        let game = GameRef { chain_id: 1, contract: Address::ZERO, game_id: B256::ZERO };
        let open = || Journal::open(dir.path(), Address::ZERO, &game, B256::ZERO).expect("a journal");
        let backup = Arc::new(Backup::default());
        let (notices, _told) = mpsc::unbounded_channel();
        let (journal, _) = open();
        let stores: Vec<Arc<dyn Store>> = vec![backup.clone()];
        let mut keeper = Keeper::open(journal, &mut vec![ply(0)], stores.clone(), notices.clone()).await.expect("open");
        let Entry::Ply(mut other) = ply(1) else { unreachable!() };
        other.signed.clock = 7;
        backup.keep(&Entry::Ply(other)).expect("the other machine's");
        let stopped = keeper.write(ply(1)).await.expect_err("another stands there").to_string();
        assert!(stopped.contains("another stands there. Go on with that machine"), "{stopped}");
        assert!(stopped.ends_with(".redb away: then this one goes on from the backup"), "{stopped}");
        drop(keeper);
        let (journal, contents) = open();
        let again = Keeper::open(journal, &mut contents.entries.clone(), stores, notices).await.map(drop);
        assert!(matches!(again, Err(RuntimeError::Elsewhere { .. })), "{again:?}");
    }

    /// A disk that isn't mounted is an empty folder.
    #[tokio::test]
    async fn a_backup_that_has_nothing_of_a_game_under_way_is_told() {
        let dir = tempfile::tempdir().expect("a folder");
        let game = GameRef { chain_id: 1, contract: Address::ZERO, game_id: B256::ZERO };
        let (journal, _) = Journal::open(dir.path(), Address::ZERO, &game, B256::ZERO).expect("a journal");
        let (notices, mut told) = mpsc::unbounded_channel();
        let backup = Arc::new(Backup::default());
        drop(Keeper::open(journal, &mut vec![ply(0)], vec![backup.clone()], notices).await.expect("open"));
        let Some(Notice::JournalNote { text }) = told.recv().await else { panic!("it is told") };
        assert!(text.contains("is the right disk there?"), "{text}");
        assert_eq!(backup.kept().expect("it is there").len(), 1);
    }

    /// Nobody knows how much a damaged journal lacks that has more than its backup: that one was named again, say, after another.
    #[tokio::test]
    async fn a_backup_that_is_an_old_copy_makes_up_for_no_damaged_journal() {
        for (kept, is_whole) in [(vec![], false), (vec![ply(0)], false), (vec![ply(0), ply(1)], true)] {
            let dir = tempfile::tempdir().expect("a folder");
            let game = GameRef { chain_id: 1, contract: Address::ZERO, game_id: B256::ZERO };
            let (journal, _) = Journal::open(dir.path(), Address::ZERO, &game, B256::ZERO).expect("a journal");
            let backup = Arc::new(Backup { kept: Mutex::new(kept), ..Backup::default() });
            let (notices, _told) = mpsc::unbounded_channel();
            let keeper = Keeper::open(journal, &mut vec![ply(0), ply(1)], vec![backup], notices).await.expect("open");
            assert_eq!(keeper.has_backup, is_whole);
        }
    }

    /// What the backup doesn't have keeps everything back that hangs on it, and is given to it again in its order; what isn't of a game between the
    /// machines is not its business.
    #[tokio::test]
    async fn nothing_is_settled_before_the_backup_has_it() {
        let dir = tempfile::tempdir().expect("a folder");
        let game = GameRef { chain_id: 1, contract: Address::ZERO, game_id: B256::ZERO };
        let (journal, _) = Journal::open(dir.path(), Address::ZERO, &game, B256::ZERO).expect("a journal");
        let (notices, mut told) = mpsc::unbounded_channel();
        let backup = Arc::new(Backup::default());
        let wakes = [0, 1, 2, 3].map(|ply| Entry::Wake { ply, claim: None });
        let mut entries = wakes[..1].to_vec();
        let mut keeper =
            Keeper::open(journal, &mut entries, vec![backup.clone()], notices).await.expect("what the journal had");
        keeper.write(Entry::Withdrawn { ply: 1 }).await.expect("written");
        keeper.write(wakes[1].clone()).await.expect("written");
        assert!(!keeper.is_behind());
        backup.is_away.store(true, Ordering::Relaxed);
        for wake in &wakes[2..] {
            keeper.write(wake.clone()).await.expect("the journal has it");
            assert!(keeper.is_behind());
        }
        keeper.retry().await.expect("it is tried again");
        assert!(keeper.is_behind());
        backup.is_away.store(false, Ordering::Relaxed);
        while keeper.is_behind() {
            keeper.retry().await.expect("it is tried again");
            tokio::task::yield_now().await;
        }
        assert_eq!(*backup.kept.lock().expect("nobody panics"), wakes);
        drop(keeper);
        let mut words = Vec::new();
        while let Some(Notice::JournalNote { text }) = told.recv().await {
            words.push(text);
        }
        assert_eq!(words.len(), 2, "{words:?}");
        assert!(words[0].contains("the backup is away") && words[1].contains("has all of the game again"));
    }

    /// On a machine without a journal, or with an old copy of it, what the backup has is taken into the journal.
    #[tokio::test]
    async fn what_the_journal_lacks_comes_from_the_backup() {
        let dir = tempfile::tempdir().expect("a folder");
        let game = GameRef { chain_id: 1, contract: Address::ZERO, game_id: B256::ZERO };
        let open = || Journal::open(dir.path(), Address::ZERO, &game, B256::ZERO).expect("a journal");
        let wakes = [0, 1, 2].map(|ply| Entry::Wake { ply, claim: None });
        let backup = Arc::new(Backup::default());
        *backup.kept.lock().expect("nobody panics") = wakes[1..].to_vec();
        let (notices, mut told) = mpsc::unbounded_channel();
        let (journal, _) = open();
        let mut entries = wakes[..2].to_vec();
        entries.iter().for_each(|entry| journal.write(entry).expect("written"));
        drop(Keeper::open(journal, &mut entries, vec![backup.clone()], notices).await.expect("open"));
        assert_eq!((entries, open().1.entries), (wakes.to_vec(), wakes.to_vec()));
        let Some(Notice::JournalNote { text }) = told.recv().await else { panic!("it is told") };
        assert!(text.contains("from White's move 2"), "{text}");
    }
}
