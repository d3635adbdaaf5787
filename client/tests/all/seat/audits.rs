//! Audits and replays of games that were tampered with: every change is found.

use alloy::primitives::B256;
use ff::Field;
use fogmate_test::seed;
use game::audit::{Audit, Record, Unknown, audit};
use game::replay::{ReplayError, replay};
use game::statement::Statement;
use game::{ChainEvent, Outcome};
use halo2curves::bn256::Fr;
use simulate::world::{Weather, World, short};

fn played() -> (World, Vec<Record>) {
    let mut world = World::new(seed(91), short(), Weather::default());
    world.run();
    let records = world.publish();
    (world, records)
}

fn report(world: &World, records: &[Record]) -> Audit {
    audit(world.chain.game, records, |statement: &Statement, proof: &[u8]| statement.verify(&world.oracle, proof))
}

#[test]
fn tampering_is_found() {
    let (world, records) = played();
    assert!(report(&world, &records).ok);
    // After the opening, the join, and both reveals of the toss.
    let at = |ply: usize| 4 + ply;
    let found = |change: &dyn Fn(&mut Vec<Record>)| {
        let mut records = records.clone();
        change(&mut records);
        let report = report(&world, &records);
        assert!(!report.ok);
        report.findings.iter().map(|finding| format!("{finding}\n")).collect::<String>()
    };
    let fields = |record: &mut Record, change: &dyn Fn(&mut game::MoveFields)| {
        let ChainEvent::Moved { fields, .. } = &mut record.event else { panic!("a move") };
        change(fields);
    };
    assert!(
        found(&|records| fields(&mut records[at(1)], &|fields| fields.next_commitment += Fr::ONE))
            .contains("Black's move 1")
    );
    assert!(
        found(&|records| fields(&mut records[at(1)], &|fields| fields.capture = rules::Square::new(7)))
            .contains("Black's move 1")
    );
    assert!(
        found(&|records| fields(&mut records[at(4)], &|fields| fields.king_fell = false)).contains("White's move 3")
    );
    // The proof doesn't bind the answer's root: the next one does.
    assert!(
        found(&|records| fields(&mut records[at(1)], &|fields| fields.answer_root += Fr::ONE))
            .contains("White's move 2")
    );
    assert!(
        found(&|records| {
            records.remove(at(2));
        })
        .contains("White's move 2")
    );
    assert!(found(&|records| records.swap(at(2), at(3))).contains("White's move 2"));
    let proof_of = |records: &[Record], ply: usize| match &records[at(ply)].event {
        ChainEvent::Moved { proof, .. } => proof.clone(),
        _ => panic!("a move"),
    };
    let with_proof = |records: &mut Vec<Record>, value: Option<Vec<u8>>| {
        let ChainEvent::Moved { proof, .. } = &mut records[at(2)].event else { panic!("a move") };
        *proof = value;
    };
    let unread = |change: &dyn Fn(&mut Vec<Record>)| {
        let mut records = records.clone();
        change(&mut records);
        let report = report(&world, &records);
        assert_eq!((report.ok, report.unknown_after(true)), (true, Some(Unknown::Acts(1))));
    };
    unread(&|records| with_proof(records, None));
    let wrong = found(&|records| with_proof(records, proof_of(records, 1)));
    assert!(wrong.contains("White's move 2: the turn proof is wrong"));
    let rests_on = |records: &mut Vec<Record>, value: Option<B256>| {
        let ChainEvent::Moved { basis, .. } = &mut records[at(3)].event else { panic!("a move") };
        *basis = value;
    };
    unread(&|records| rests_on(records, None));
    assert!(
        found(&|records| rests_on(records, Some(B256::ZERO))).contains("Black's move 2 was made in another position")
    );
    assert!(
        found(&|records| {
            let ChainEvent::Ended { winner, .. } = &mut records[at(5)].event else { panic!("the end") };
            *winner = Some(world.players[world.seat_of(rules::Color::Black)].me);
        })
        .contains("ended like that")
    );
    assert!(
        found(&|records| {
            let ChainEvent::Ended { outcome, .. } = &mut records[at(5)].event else { panic!("the end") };
            *outcome = Outcome::Resigned;
        })
        .contains("ended like that")
    );
    assert!(found(&|records| records.clear()).contains("no such game"));
}

#[test]
fn a_false_view_key_opens_nothing() {
    let (world, mut records) = played();
    let key = records.iter_mut().find_map(|record| match &mut record.event {
        ChainEvent::ViewKeyPublished { key, .. } => Some(key),
        _ => None,
    });
    key.expect("a key")[0] ^= 1;
    let error = replay(world.chain.game, &records).expect_err("one key");
    let ReplayError::WrongViewKey(color) = error else { panic!("{error}") };
    for record in &mut records {
        if let ChainEvent::Moved { player, .. } = record.event {
            record.sender = Some(player);
        }
    }
    let audit = report(&world, &records);
    assert_eq!((audit.ok, &audit.false_keys[..], audit.unknown_after(true)), (true, &[color][..], None));
    assert_eq!(audit.unknown_after(false), Some(Unknown::ViewKey(color)));
}

#[test]
fn a_replay_shows_the_whole_game() {
    let (world, records) = played();
    let replayed = replay(world.chain.game, &records).expect("two keys");
    assert!(replayed.ok());
    let pgn = replayed.pgn();
    assert!(pgn.contains("[Variant \"Fog of War\"]") && pgn.contains("[Result \"1-0\"]"), "{pgn}");
    let (_, text) = pgn.rsplit_once("\n\n").expect("tags and moves");
    let is_move = |word: &&str| !word.starts_with('{') && !word.ends_with('}') && !word.ends_with("...");
    let moves: Vec<&str> = text.split_whitespace().filter(is_move).collect();
    assert_eq!(moves, ["1.", "e4", "d5", "2.", "Bb5", "dxe4", "3.", "Bxe8", "1-0"], "{pgn}");
    assert_eq!(text.matches("{[%clk ").count(), 5, "{pgn}");
}
