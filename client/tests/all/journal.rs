//! The journal on a real disk (protocol, section 9): what is written is read again, and whatever happens to the file, the
//! reader says so and goes on with what is left.

use alloy::primitives::{Address, B256, hex};
use client::chain::BlockRef;
use client::journal::{Entry, Journal, JournalError, KeptPly, last_common};
use fogmate_test::{golden, golden_line, seed};
use game::message::{ELEMENTS, POINTS_BYTES, SIGNATURE_BYTES};
use game::{ChainEvent, GameRef, GameResult, MoveFields, Outcome};
use game::{Message, Phase, SessionId, SignedPly};
use halo2curves::bn256::Fr;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use redb::{Database, ReadableDatabase, ReadableTable, TableDefinition};
use std::path::Path;

const ME: Address = Address::repeat_byte(7);
const GENESIS: B256 = B256::repeat_byte(8);

fn game() -> GameRef {
    GameRef { chain_id: 31337, contract: Address::repeat_byte(1), game_id: B256::repeat_byte(2) }
}

fn entries(ply: u16) -> Vec<Entry> {
    let fields = MoveFields {
        ply,
        next_commitment: Fr::from(1),
        next_request_root: -Fr::from(2),
        answer_root: Fr::from(3),
        capture: rules::Square::new(63),
        king_fell: true,
        offer_draw: false,
    };
    let answer = |phase| Message::Answer { ply, phase, elements: vec![Fr::from(9); ELEMENTS], proof: vec![1, 2, 3] };
    vec![
        Entry::Received(Message::Request { ply, points: Box::new([5; POINTS_BYTES]) }),
        Entry::Received(answer(Phase::Pre)),
        Entry::Received(answer(Phase::Post)),
        Entry::Chosen {
            ply,
            mv: "e7e8q".parse().expect("UCI"),
            offer_draw: true,
            captured: Some(rules::PieceType::Knight),
        },
        Entry::Signed { mv: "e2e4".parse().expect("UCI"), fields, basis: B256::repeat_byte(4), proof: vec![6; 2000] },
        Entry::Released { ply, phase: Phase::Post, ctx: Fr::from(8) },
    ]
}

/// What is kept of a game between the machines.
fn of_a_channel(ply: u16) -> Vec<Entry> {
    let Entry::Signed { fields, proof, .. } = entries(ply).remove(4) else { panic!("a signed move") };
    let (signature, points) = ([0x5a; SIGNATURE_BYTES], Box::new([0xcd; POINTS_BYTES]));
    let signed = SignedPly { fields, clock: 65_537, signature, points, proof };
    let result = |creator_won| GameResult { creator_won, outcome: Outcome::Resigned, last: B256::repeat_byte(9) };
    vec![
        Entry::Ply(Box::new(KeptPly { own: true, at: 1_700_000_000, signed: signed.clone() })),
        Entry::Evidence(Box::new(signed)),
        Entry::Countersigned { ply, signature },
        Entry::Result { own: true, result: result(Some(true)), signature },
        Entry::Result { own: false, result: result(None), signature },
        Entry::Wake { ply, claim: None },
        Entry::Begun,
        Entry::Behind,
    ]
}

/// They are all that there is of such a game, so none is ever forgotten.
#[test]
fn what_is_signed_between_machines_is_kept_for_good() {
    let dir = tempfile::tempdir().expect("a folder");
    let (journal, _) = Journal::open(dir.path(), ME, &game(), GENESIS).expect("a journal");
    let written = of_a_channel(3);
    written.iter().for_each(|entry| journal.write(entry).expect("written"));
    journal.write(&entries(90)[0]).expect("written");
    drop(journal);
    let (_, contents) = Journal::open(dir.path(), ME, &game(), GENESIS).expect("a journal");
    assert!(contents.notes.is_empty(), "{:?}", contents.notes);
    assert!(written.iter().all(|entry| contents.entries.contains(entry)), "{:?}", contents.entries);
    assert!(written.iter().all(Entry::is_of_a_channel) && !entries(3).iter().any(Entry::is_of_a_channel));
}

fn fill(dir: &Path) -> Vec<Entry> {
    let (journal, contents) = Journal::open(dir, ME, &game(), GENESIS).expect("a journal");
    assert!(contents.entries.is_empty() && contents.is_new && contents.notes.is_empty() && !contents.is_damaged);
    for entry in entries(3) {
        journal.write(&entry).expect("written");
    }
    entries(3)
}

#[test]
fn what_is_written_is_read_again() {
    let dir = tempfile::tempdir().expect("a folder");
    let written = fill(dir.path());
    let (journal, contents) = Journal::open(dir.path(), ME, &game(), GENESIS).expect("a journal");
    assert!(contents.notes.is_empty());
    assert_eq!(contents.entries, written);
    assert!(matches!(Journal::open(dir.path(), ME, &game(), GENESIS), Err(JournalError::InUse(_))));
    assert!(matches!(Journal::check_free(dir.path(), ME, &game()), Err(JournalError::InUse(_))));
    journal.write(&Entry::Withdrawn { ply: 3 }).expect("written");
    // Messages of plies long gone are let go; signed moves never are, nor what was given.
    journal.write(&entries(9)[0]).expect("written");
    drop(journal);
    Journal::check_free(dir.path(), ME, &game()).expect("nobody has it");
    let (_, contents) = Journal::open(dir.path(), ME, &game(), GENESIS).expect("a journal");
    assert_eq!(contents.entries.len(), 4);
    let kept = [&Entry::Withdrawn { ply: 3 }, &written[4], &written[5]];
    assert!(kept.iter().all(|entry| contents.entries.contains(entry)), "{:?}", contents.entries);
}

/// Version 2 as it lies on disk: an entry of each kind, and what is known of blocks.
#[test]
fn the_bytes_on_disk_are_golden() {
    let dir = tempfile::tempdir().expect("a folder");
    fill(dir.path());
    let (journal, _) = Journal::open(dir.path(), ME, &game(), GENESIS).expect("a journal");
    let message = |session| Entry::Received(Message::Session { session, index: 258, bytes: vec![9; 70_000] });
    let exchange = SessionId::Exchange { ply: 3, phase: Phase::Post };
    let others = [Entry::Withdrawn { ply: 1 }, message(SessionId::SetUp), message(exchange)];
    for entry in others.into_iter().chain(of_a_channel(5)) {
        journal.write(&entry).expect("written");
    }
    journal.set_born(7).expect("written");
    journal.set_checkpoint(&BlockRef { number: 8, hash: B256::repeat_byte(9) }).expect("written");
    drop(journal);
    let database = Database::open(Journal::path(dir.path(), ME, &game())).expect("a database");
    let read = database.begin_read().expect("it can be read");
    let meta = read.open_table(TableDefinition::<&str, &[u8]>::new("meta")).expect("a table");
    let entries = read.open_table(TableDefinition::<&[u8], &[u8]>::new("entries")).expect("a table");
    let mut lines = String::new();
    for row in meta.iter().expect("rows") {
        let (name, value) = row.expect("a row");
        lines += &golden_line(&format!("meta {}", name.value()), value.value());
    }
    for row in entries.iter().expect("rows") {
        let (key, value) = row.expect("a row");
        lines += &golden_line(&format!("entry {}", hex::encode(key.value())), value.value());
    }
    golden("journal.txt", &lines);
}

#[test]
fn messages_of_sessions_are_read_again_and_kept_for_good() {
    let dir = tempfile::tempdir().expect("a folder");
    let exchange = |ply, phase, index| {
        let session = SessionId::Exchange { ply, phase };
        Entry::Received(Message::Session { session, index, bytes: vec![index as u8; 70_000] })
    };
    // In the order of their keys.
    let set_up = |index| Entry::Received(Message::Session { session: SessionId::SetUp, index, bytes: vec![1, 2] });
    let written =
        [set_up(1), set_up(300), exchange(2, Phase::Pre, 0), exchange(2, Phase::Pre, 2), exchange(2, Phase::Post, 0)];
    let (journal, _) = Journal::open(dir.path(), ME, &game(), GENESIS).expect("a journal");
    for entry in written.iter().rev() {
        journal.write(entry).expect("written");
    }
    journal.write(&exchange(90, Phase::Pre, 0)).expect("written");
    drop(journal);
    let (_, contents) = Journal::open(dir.path(), ME, &game(), GENESIS).expect("a journal");
    assert!(contents.notes.is_empty(), "{:?}", contents.notes);
    assert_eq!(contents.entries.len(), written.len() + 1);
    assert_eq!(contents.entries[..written.len()], written);
}

#[test]
fn another_wallet_s_or_game_s_file_is_put_aside() {
    let dir = tempfile::tempdir().expect("a folder");
    fill(dir.path());
    let other = GameRef { game_id: B256::repeat_byte(3), ..game() };
    std::fs::rename(Journal::path(dir.path(), ME, &game()), Journal::path(dir.path(), ME, &other)).expect("renamed");
    let (_, contents) = Journal::open(dir.path(), ME, &other, GENESIS).expect("a journal");
    assert!(contents.entries.is_empty());
    assert!(contents.notes[0].contains("another wallet, game or chain"), "{:?}", contents.notes);
}

/// A local chain that is started anew has the same contract at the same address, and even the same games.
#[test]
fn another_chain_s_file_is_put_aside() {
    let dir = tempfile::tempdir().expect("a folder");
    fill(dir.path());
    let (_, contents) = Journal::open(dir.path(), ME, &game(), B256::repeat_byte(9)).expect("a journal");
    assert!(contents.entries.is_empty());
    assert!(contents.notes[0].contains("another wallet, game or chain"), "{:?}", contents.notes);
}

#[test]
fn the_game_s_block_and_the_last_final_one_are_remembered() {
    let dir = tempfile::tempdir().expect("a folder");
    let (journal, contents) = Journal::open(dir.path(), ME, &game(), GENESIS).expect("a journal");
    assert_eq!((contents.born, contents.checkpoint), (None, None));
    journal.set_born(7).expect("written");
    for number in [8, 9] {
        journal.set_checkpoint(&BlockRef { number, hash: B256::with_last_byte(number as u8) }).expect("written");
    }
    drop(journal);
    let (_, contents) = Journal::open(dir.path(), ME, &game(), GENESIS).expect("a journal");
    let last = BlockRef { number: 9, hash: B256::with_last_byte(9) };
    assert_eq!((contents.born, contents.checkpoint), (Some(7), Some(last)));
}

#[test]
fn damaged_files_are_noted_and_never_stop_anything() {
    let mut rng = ChaCha8Rng::seed_from_u64(seed(5));
    let dir = tempfile::tempdir().expect("a folder");
    let written = fill(dir.path());
    let path = Journal::path(dir.path(), ME, &game());
    let whole = std::fs::read(&path).expect("the file");
    let (mut lost, mut intact) = (0, 0);
    for round in 0..200 {
        let mut bytes = whole.clone();
        match round % 4 {
            0 => bytes.truncate(rng.gen_range(0..whole.len())),
            1 => bytes.fill_with(|| rng.r#gen()),
            2 => {
                let start = rng.gen_range(0..whole.len() - 64);
                bytes[start..start + 64].fill(0xee);
            }
            _ => {
                for _ in 0..40 {
                    let at = rng.gen_range(0..whole.len());
                    bytes[at] ^= 1 << rng.gen_range(0..8);
                }
            }
        }
        std::fs::write(&path, &bytes).expect("written");
        let (journal, contents) =
            Journal::open(dir.path(), ME, &game(), GENESIS).expect("a damaged journal is no error");
        // What is read is what was written, never something else.
        assert!(contents.entries.iter().all(|entry| written.contains(entry)));
        if contents.entries.len() == written.len() {
            intact += 1;
        } else {
            assert!(!contents.notes.is_empty() && contents.is_damaged, "round {round}: a loss without a word");
            lost += 1;
        }
        assert!(contents.notes.iter().all(|note| !note.is_empty()));
        journal.write(&written[0]).expect("a usable journal");
    }
    println!("{lost} damaged, {intact} not hit");
    assert!(lost > 60);
}

/// Messages of sights are forgotten from where a chain that was taken back differs from what was signed here.
#[test]
fn messages_of_another_fork_are_forgotten() {
    let dir = tempfile::tempdir().expect("a folder");
    let sight = |ply, phase| {
        let session = SessionId::Exchange { ply, phase };
        Entry::Received(Message::Session { session, index: 2, bytes: vec![ply as u8] })
    };
    let set_up = Entry::Received(Message::Session { session: SessionId::SetUp, index: 1, bytes: vec![1] });
    let signed = |ply| entries(ply).remove(4);
    let kept = [set_up, signed(2), signed(4), sight(2, Phase::Pre), sight(2, Phase::Post), sight(3, Phase::Pre)];
    let lost = [sight(3, Phase::Post), sight(4, Phase::Pre), sight(300, Phase::Pre)];
    let (journal, _) = Journal::open(dir.path(), ME, &game(), GENESIS).expect("a journal");
    let written = [&kept[..], &lost[..]].concat();
    written.iter().for_each(|entry| journal.write(entry).expect("written"));
    // Ply 2 is there as it was signed; the opponent's move after it is another, so that ply 4 rests on something else.
    let moved = |ply, change: bool| {
        let Entry::Signed { fields, basis, proof, .. } = signed(ply) else { panic!("a signed move") };
        let basis = Some(if change { !basis } else { basis });
        ChainEvent::Moved { player: ME, fields, basis, proof: Some(proof) }
    };
    let ended = ChainEvent::Ended { winner: None, outcome: Outcome::Resigned };
    assert_eq!(last_common(&written, &[moved(2, true), ended.clone()]), None);
    let common = last_common(&written, &[moved(2, false), moved(4, true), ended]);
    assert_eq!(common, Some(2));
    journal.take_back(&written, common).expect("written");
    drop(journal);
    let (journal, contents) = Journal::open(dir.path(), ME, &game(), GENESIS).expect("a journal");
    assert_eq!(contents.entries.len(), kept.len(), "{:?}", contents.entries);
    assert!(kept.iter().all(|entry| contents.entries.contains(entry)), "{:?}", contents.entries);
    journal.take_back(&contents.entries, None).expect("written");
    drop(journal);
    let (_, contents) = Journal::open(dir.path(), ME, &game(), GENESIS).expect("a journal");
    assert_eq!(contents.entries.len(), 3, "the set-up and what was signed: {:?}", contents.entries);
}
