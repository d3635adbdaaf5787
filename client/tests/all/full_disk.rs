//! A disk without room: what can't be written is kept, used, and written once there is room again. One test, for the room is the whole
//! process's.

#![cfg(target_os = "linux")]

use alloy::primitives::{Address, B256};
use client::backup::{Backup, BackupError, Owner};
use client::chain::BlockRef;
use client::journal::{Entry, Journal, JournalError, KeptPly};
use game::{GameRef, Message, MoveFields, Phase, SignedPly};
use halo2curves::bn256::Fr;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::signal::unix::{SignalKind, signal};

const ME: Address = Address::repeat_byte(7);
const GENESIS: B256 = B256::repeat_byte(8);
const GAME: GameRef = GameRef { chain_id: 31337, contract: Address::ZERO, game_id: B256::ZERO };
/// The signal that a process gets for a write beyond its limit, and dies of unless it listens.
const SIGXFSZ: i32 = 25;

/// No file of this process can be written from here on, or all can again.
fn set_room(room: bool) {
    let maximum = getrlimit(Resource::Fsize).maximum;
    setrlimit(Resource::Fsize, Rlimit { current: if room { maximum } else { Some(0) }, maximum }).expect("a limit");
}

fn released(ply: u16) -> Entry {
    Entry::Released { ply, phase: Phase::Post, ctx: Fr::from(u64::from(ply)) }
}

fn request(ply: u16) -> Entry {
    Entry::Received(Message::Request { ply, points: Box::new([ply as u8; game::message::POINTS_BYTES]) })
}

#[tokio::test]
async fn a_full_disk_loses_nothing() {
    let _listener = signal(SignalKind::from_raw(SIGXFSZ)).expect("a listener");
    let dir = tempfile::tempdir().expect("a folder");
    let open = || Journal::open(dir.path(), ME, &GAME, GENESIS);
    let full =
        |result: Result<(), JournalError>| assert!(matches!(result, Err(JournalError::Disk { .. })), "{result:?}");

    // While it is used.
    let (journal, _) = open().expect("a journal");
    journal.write(&released(1)).expect("written");
    set_room(false);
    for ply in 2..5 {
        full(journal.write(&released(ply)));
        full(journal.write(&request(ply)));
    }
    full(journal.set_checkpoint(&BlockRef { number: 9, hash: B256::ZERO }));
    full(journal.retry());
    assert!(matches!(open(), Err(JournalError::InUse(_))), "nobody else may take the file meanwhile");
    set_room(true);
    journal.retry().expect("room");
    journal.retry().expect("nothing to do");
    drop(journal);
    let (journal, contents) = open().expect("a journal");
    assert_eq!((contents.entries.len(), contents.checkpoint.map(|block| block.number)), (7, Some(9)));
    assert!((1..5).all(|ply| contents.entries.contains(&released(ply))), "{:?}", contents.entries);
    drop(journal);

    // From the beginning: what the file has is read all the same, if only that takes no room.
    set_room(false);
    let (journal, contents) = open().expect("a game can be played without room");
    assert!(contents.notes.iter().any(|note| note.contains("make room")), "{:?}", contents.notes);
    assert!((1..5).all(|ply| contents.entries.contains(&released(ply))), "{:?}", contents.entries);
    full(journal.write(&released(6)));
    set_room(true);
    journal.write(&released(7)).expect("room");
    drop(journal);
    let (journal, contents) = open().expect("a journal");
    assert!([1, 6, 7].iter().all(|ply| contents.entries.contains(&released(*ply))), "{:?}", contents.entries);
    drop(journal);

    // And with no file at all.
    std::fs::remove_file(Journal::path(dir.path(), ME, &GAME)).expect("the file");
    set_room(false);
    let (journal, _) = open().expect("a game can be played without room");
    full(journal.write(&released(8)));
    (0..5).for_each(|_| full(journal.retry()));
    let left = std::fs::read_dir(Journal::path(dir.path(), ME, &GAME).parent().expect("a folder")).expect("a folder");
    assert_eq!(left.count(), 1, "the lock alone");
    set_room(true);
    journal.retry().expect("room");
    drop(journal);
    let (_, contents) = open().expect("a journal");
    assert_eq!(contents.entries, [released(8)]);

    a_backup_without_room_says_so_before_anything_leaves();
}

/// What isn't in the backup is on no disk, so that is an error; and what it has stays whole.
fn a_backup_without_room_says_so_before_anything_leaves() {
    let dir = tempfile::tempdir().expect("a folder");
    let open = || Backup::open(dir.path(), Owner { account: ME, game: GAME, genesis: GENESIS });
    let entry = |ply| {
        let (number, capture) = (Fr::from(u64::from(ply)), None);
        let (king_fell, offer_draw) = (false, false);
        let fields = MoveFields {
            ply,
            next_commitment: number,
            next_request_root: number,
            answer_root: number,
            capture,
            king_fell,
            offer_draw,
        };
        let (signature, proof, points) = ([8; 64], vec![7; 3_000], Box::new([0; 4_096]));
        let signed = SignedPly { fields, clock: 9, signature, proof, points };
        Entry::Ply(Box::new(KeptPly { own: true, at: 0, signed }))
    };
    set_room(false);
    assert!(matches!(open(), Err(BackupError::Full { .. })), "a game doesn't begin without room");
    set_room(true);
    let (backup, _) = open().expect("a backup");
    backup.keep(&entry(0)).expect("kept");
    set_room(false);
    for ply in [1, 1] {
        let refused = backup.keep(&entry(ply)).expect_err("no room");
        assert!(matches!(refused, BackupError::Full { .. }) && refused.to_string().contains("the game waits"));
    }
    backup.keep(&entry(0)).expect("what is there is safe");
    assert_eq!(open().expect("a backup").1.plies(), 1);
    set_room(true);
    backup.keep(&entry(1)).expect("room");
    assert_eq!(open().expect("a backup").1.plies(), 2);
}
