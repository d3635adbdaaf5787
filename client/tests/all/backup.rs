//! The backup of a game between the machines: an entry is taken once and is on disk, wherever a write is cut off; a second machine is found out.

use alloy::primitives::{Address, B256};
use alloy::signers::SignerSync as _;
use client::backup::{Backup, BackupError, Contents, Owner};
use client::journal::{Entry, KeptPly};
use client::wallet::Wallet;
use fogmate_test::is_long;
use game::channel_transcript::Signature;
use game::{GameRef, GameResult, MoveFields, Outcome, Position, SignedPly};
use halo2curves::bn256::Fr;
use std::path::{Path, PathBuf};

const BASE: u32 = 600;

fn wallets() -> [Wallet; 2] {
    [1, 2].map(|byte| Wallet::from_secret(&[byte; 32]).expect("a key"))
}

fn owner() -> Owner {
    let game = GameRef { chain_id: 31337, contract: Address::repeat_byte(3), game_id: B256::repeat_byte(4) };
    Owner { account: wallets()[0].address(), game, genesis: B256::repeat_byte(5) }
}

fn signature(wallet: &Wallet, position: &Position) -> [u8; 64] {
    wallet.signer().sign_hash_sync(&position.digest(&owner().game)).expect("a signature").as_erc2098()
}

fn fields(ply: u16, line: u64) -> MoveFields {
    MoveFields {
        ply,
        next_commitment: Fr::from(1_000 * line + u64::from(ply)),
        next_request_root: Fr::from(7),
        answer_root: Fr::from(u64::from(ply)),
        capture: (ply == 2).then(|| "d5".parse().expect("a square")),
        king_fell: false,
        offer_draw: ply == 1,
    }
}

fn ply_of(fields: MoveFields, clock: u32, signature: [u8; 64]) -> Entry {
    // Zeros after it must not make it whole.
    let proof = vec![fields.ply as u8 + 1; 40];
    let signed = SignedPly { fields, clock, signature, proof, points: Box::new([5; 4_096]) };
    Entry::Ply(Box::new(KeptPly { own: fields.ply.is_multiple_of(2), at: 1_000 + u64::from(fields.ply), signed }))
}

/// The entries of a game of so many plies, each countersigned but the last, and the position after each.
fn entries(plies: u16, line: u64) -> (Vec<Entry>, Vec<Position>) {
    let (wallets, mut position) = (wallets(), Position::start(BASE));
    let (mut entries, mut positions) = (Vec::new(), Vec::new());
    for ply in 0..plies {
        let (fields, clock) = (fields(ply, line), BASE - u32::from(ply));
        position = position.after(&owner().game, &fields, clock);
        positions.push(position);
        let [mover, other] = [0, 1].map(|turn| &wallets[usize::from((ply + turn) % 2)]);
        entries.push(ply_of(fields, clock, signature(mover, &position)));
        if ply + 1 < plies {
            entries.push(Entry::Countersigned { ply, signature: signature(other, &position) });
        }
    }
    (entries, positions)
}

fn open(dir: &Path) -> (Backup, Contents) {
    Backup::open(dir, owner()).expect("a backup")
}

fn file(dir: &Path) -> PathBuf {
    let mut files = std::fs::read_dir(dir).expect("a folder").map(|entry| entry.expect("an entry").path());
    let file = files.next().expect("a file");
    assert_eq!(files.next(), None, "one file a game");
    file
}

/// What a backup has after these entries.
fn contents(entries: &[Entry]) -> Contents {
    let dir = tempfile::tempdir().expect("a folder");
    let (backup, _) = open(dir.path());
    entries.iter().for_each(|entry| backup.keep(entry).expect("kept"));
    open(dir.path()).1
}

#[test]
fn what_is_kept_is_there_again_and_makes_a_transcript() {
    let (entries, positions) = entries(5, 1);
    let found = contents(&entries);
    assert_eq!(found.plies(), 5);
    let transcript = found.transcript(BASE);
    assert_eq!(transcript.positions(BASE)[1..], positions);
    let (position, signatures) = transcript.last_signed_by_both(BASE).expect("signed by both");
    assert_eq!(position, positions[3], "the last ply has one signature");
    let by_color = wallets();
    assert_eq!(signatures, [0, 1].map(|color| Signature::new(signature(&by_color[color], &position))));
    let text = transcript.to_json().expect("JSON");
    assert_eq!(game::channel_transcript::Transcript::from_json(text.as_bytes()), Ok(transcript.clone()));
    // A damaged journal has gaps: what is behind one is left out.
    let rest = entries.iter().filter(|entry| !matches!(entry, Entry::Ply(kept) if kept.signed.fields.ply == 2));
    assert_eq!(client::journal::transcript(transcript.game, rest, BASE).plies, transcript.plies[..2]);
}

#[test]
fn an_entry_is_taken_once_and_in_its_order() {
    let dir = tempfile::tempdir().expect("a folder");
    let ((one, _), (other, _)) = (entries(4, 1), entries(4, 2));
    let (backup, _) = open(dir.path());
    let gap = |entry: &Entry, has| {
        let refused = backup.keep(entry).expect_err("too early");
        assert!(matches!(refused, BackupError::Gap { has: found, .. } if found == has), "{refused}");
    };
    gap(&one[1], 0);
    gap(&one[2], 0);
    for entry in &one {
        backup.keep(entry).expect("kept");
        let length = std::fs::metadata(file(dir.path())).expect("a file").len();
        backup.keep(entry).expect("the same again");
        assert_eq!(std::fs::metadata(file(dir.path())).expect("a file").len(), length);
    }
    gap(&Entry::Countersigned { ply: 9, signature: [1; 64] }, 4);
    for entry in &other {
        let refused = backup.keep(entry).expect_err("another");
        // The last ply was never countersigned, so a signature for it is new.
        assert!(matches!(refused, BackupError::Taken(_)), "{entry:?}: {refused}");
    }
    assert_eq!(open(dir.path()).1, contents(&one));
}

#[test]
fn results_wakes_and_second_plies_are_kept_too() {
    let ((mut entries, positions), (other, _)) = (entries(3, 1), entries(3, 2));
    let result = |outcome| GameResult { creator_won: Some(true), outcome, last: positions[2].digest(&owner().game) };
    let resigned = |own| Entry::Result { own, result: result(Outcome::Resigned), signature: [6; 64] };
    let drawn = GameResult { creator_won: None, ..result(Outcome::DrawAgreed) };
    let Entry::Ply(second) = other[2].clone() else { panic!("a ply") };
    let second = second.signed;
    let of_opponent = Entry::Result { own: false, result: drawn, signature: [7; 64] };
    let evidence = Entry::Evidence(Box::new(second.clone()));
    let more = [Entry::Begun, resigned(true), of_opponent, Entry::Wake { ply: 2, claim: None }, evidence];
    entries.extend(more.clone());
    let dir = tempfile::tempdir().expect("a folder");
    let (backup, _) = open(dir.path());
    for _ in 0..2 {
        entries.iter().for_each(|entry| backup.keep(entry).expect("kept"));
    }
    let found = open(dir.path()).1;
    assert_eq!(found, contents(&entries));
    assert!(more.iter().all(|entry| found.entries().any(|kept| kept == entry)));
    let other = Entry::Result { own: true, result: drawn, signature: [6; 64] };
    assert!(matches!(backup.keep(&other), Err(BackupError::Taken(what)) if what == "result"), "one result is signed");
    // Of two plies that the opponent has signed the second is evidence.
    let others = found.transcript(BASE).others;
    assert_eq!(others.len(), 1);
    assert_eq!(others[0].position, positions[0].after(&owner().game, &second.fields, second.clock));
}

#[test]
fn a_second_machine_of_the_wallet_is_refused() {
    let dir = tempfile::tempdir().expect("a folder");
    let ((one, _), (other, _)) = (entries(4, 1), entries(4, 2));
    let [(first, _), (second, _)] = [(); 2].map(|()| open(dir.path()));
    for entry in &one[..4] {
        first.keep(entry).expect("kept");
    }
    // It has opened the backup when there was nothing in it yet, and learns what the first has written all the same.
    assert!(matches!(second.keep(&other[0]), Err(BackupError::Taken(what)) if what == "ply 0"));
    for entry in &one[..4] {
        second.keep(entry).expect("the same game");
    }
    second.keep(&one[4]).expect("whoever comes first");
    assert!(matches!(first.keep(&other[4]), Err(BackupError::Taken(what)) if what == "ply 2"));
    // Both at the same moment: of two moves of a ply one is kept.
    for ply in 3..20u16 {
        let kept: Vec<bool> = std::thread::scope(|scope| {
            let keep = |backup: &Backup, line: u64| {
                backup.keep(&ply_of(fields(ply, line), 1 + line as u32, [line as u8; 64])).is_ok()
            };
            let (first, second) = (first.clone(), second.clone());
            let threads = [scope.spawn(move || keep(&first, 1)), scope.spawn(move || keep(&second, 2))];
            threads.map(|thread| thread.join().expect("no panic")).into()
        });
        assert_eq!(kept.iter().filter(|kept| **kept).count(), 1, "ply {ply}");
    }
    assert_eq!(open(dir.path()).1.plies(), 20);
}

#[test]
fn a_write_that_is_cut_off_at_any_byte_loses_its_own_entry_and_no_other() {
    let (entries, _) = entries(4, 1);
    let dir = tempfile::tempdir().expect("a folder");
    let (backup, _) = open(dir.path());
    let path = file(dir.path());
    let mut ends = vec![std::fs::metadata(&path).expect("a file").len() as usize];
    for entry in &entries {
        backup.keep(entry).expect("kept");
        ends.push(std::fs::metadata(&path).expect("a file").len() as usize);
    }
    let whole = std::fs::read(&path).expect("a file");
    let expected: Vec<Contents> = (0..=entries.len()).map(|count| contents(&entries[..count])).collect();
    for cut in 0..=whole.len() {
        let is_near_an_end = ends.iter().any(|end| end.abs_diff(cut) < 2);
        if !is_long() && !is_near_an_end && !cut.is_multiple_of(4) {
            continue;
        }
        let kept = ends.iter().filter(|end| **end <= cut).count().saturating_sub(1);
        // The file may end there, or have grown already.
        let rests: &[usize] = if cut.is_multiple_of(8) { &[0, 700] } else { &[0] };
        for &rest in rests {
            std::fs::write(&path, [&whole[..cut], &vec![0; rest][..]].concat()).expect("a file");
            assert_eq!(open(dir.path()).1, expected[kept], "cut at {cut}, {rest} zeros");
            // A machine goes on from there; each entry waits for the disk, so not from everywhere.
            if !cut.is_multiple_of(97) && !is_near_an_end {
                continue;
            }
            for entry in &entries[kept..] {
                backup.keep(entry).unwrap_or_else(|error| panic!("cut at {cut}: {error}"));
            }
            let found = std::fs::read(&path).expect("a file");
            let differs = found.iter().zip(&whole).position(|(one, other)| one != other);
            let length = if kept == entries.len() { cut + rest } else { whole.len() };
            assert_eq!((found.len(), differs), (length, None), "cut at {cut}, {rest} zeros");
        }
    }
}

#[test]
fn what_was_changed_is_told_and_nothing_is_written_over_it() {
    let (entries, _) = entries(3, 1);
    let dir = tempfile::tempdir().expect("a folder");
    let (backup, _) = open(dir.path());
    entries[..4].iter().for_each(|entry| backup.keep(entry).expect("kept"));
    let path = file(dir.path());
    let last = std::fs::read(&path).expect("a file").len();
    backup.keep(&entries[4]).expect("kept");
    let whole = std::fs::read(&path).expect("a file");
    // Of the last entry it can't be told from one that was cut off.
    for at in (0..last).step_by(7) {
        let mut changed = whole.clone();
        changed[at] ^= 0x10;
        std::fs::write(&path, &changed).expect("a file");
        let refused = backup.keep(entries.last().expect("entries")).expect_err("a changed file").to_string();
        assert!(refused.contains("is damaged from byte") || refused.contains("belongs to another"), "{at}: {refused}");
        assert_eq!(std::fs::read(&path).expect("a file"), changed, "{at}");
    }
    std::fs::remove_file(&path).expect("a file");
    assert!(matches!(backup.keep(&entries[4]), Err(BackupError::Gap { has: 0, .. })), "somebody took it away");
}

#[test]
fn a_backup_belongs_to_one_wallet_game_and_chain() {
    let dir = tempfile::tempdir().expect("a folder");
    open(dir.path());
    let path = file(dir.path());
    let anew = Owner { genesis: B256::ZERO, ..owner() };
    assert!(matches!(Backup::open(dir.path(), anew), Err(BackupError::Foreign(_))), "a chain that was started anew");
    let other = Owner { account: wallets()[1].address(), ..owner() };
    Backup::open(dir.path(), other).expect("of another wallet");
    std::fs::write(dir.path().join("notes.txt"), "mine").expect("a file");
    std::fs::write(dir.path().join("foreign.backup"), "e2e4").expect("a file");
    let listed = Backup::list(dir.path()).expect("a folder");
    let owners: Vec<Option<Owner>> = listed.iter().map(|(_, read)| read.as_ref().ok().map(|read| read.owner)).collect();
    assert_eq!(listed.len(), 3);
    assert!([Some(owner()), Some(other), None].iter().all(|wanted| owners.contains(wanted)), "{owners:?}");
    assert!(listed.iter().any(|(found, _)| *found == path));
}

/// A machine whose journal is ahead gives the backup what it lacks, from the beginning.
#[test]
fn a_backup_that_lags_catches_up() {
    let (entries, _) = entries(6, 1);
    let dir = tempfile::tempdir().expect("a folder");
    let (backup, _) = open(dir.path());
    entries[..5].iter().for_each(|entry| backup.keep(entry).expect("kept"));
    assert!(matches!(backup.keep(&entries[8]), Err(BackupError::Gap { has: 3, .. })));
    entries.iter().for_each(|entry| backup.keep(entry).expect("caught up"));
    assert_eq!(open(dir.path()).1, contents(&entries));
}

#[test]
fn a_folder_is_tried_before_anything_is_staked_on_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let good = folder.path().join("new").join("backups");
    Backup::try_out(&good).expect("it is made");
    assert_eq!(Backup::list(&good).expect("it is there").len(), 0);
    assert_eq!(std::fs::read_dir(&good).expect("it is there").count(), 0, "nothing of the trial is left");
    let file = folder.path().join("file");
    std::fs::write(&file, "no folder").expect("a file");
    assert!(Backup::try_out(&file).is_err());
}
