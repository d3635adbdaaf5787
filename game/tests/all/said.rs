//! What an audit says to people: a gap once, and moves by the numbers that players give them.

use crate::table::{JOINER, beginning, ended, game, moved};
use game::audit::{Audit, Record, audit};
use game::chronicle::Chronicle;
use game::replay::ReplayError;
use game::report::Said;
use game::statement::Statement;
use game::{ChainEvent, Mode, Outcome, Position};

/// A game that begins at 1,000, with more events.
fn records(mode: Mode, events: impl IntoIterator<Item = (ChainEvent, u64)>) -> Vec<Record> {
    let begun = beginning(mode).into_iter().map(|event| Record::of_chain(event, Some(1_000)));
    let after = events.into_iter().map(|(event, time)| Record::of_chain(event, Some(time)));
    begun.chain(after).collect()
}

fn said(mode: Mode, records: &[Record], replay: &ReplayError) -> Said {
    let found: Audit = audit(game(mode), records, |_: &Statement, _: &[u8]| Ok::<_, &str>(()));
    Said::of(&found, Err(replay))
}

#[test]
fn a_game_that_was_woken_is_told_without_its_gap_and_the_gap_once() {
    let mode = Mode::Channel;
    let mut position = Position::start(600);
    for ply in 0..3 {
        let ChainEvent::Moved { fields, .. } = moved(ply, ply.into()) else { panic!("a move") };
        position = position.after(&game(mode), &fields, 600);
    }
    let woken = ChainEvent::Woken { position: Box::new(position), until: 4_660 };
    let records = records(mode, [(woken, 1_060), (ended(Some(JOINER), Outcome::Resigned), 4_661)]);
    let said = said(mode, &records, &ReplayError::NoTranscript);
    assert_eq!(said.verdict, "In order, as far as can be known");
    assert!(said.summary.starts_with("No move is shown. Black has won: "), "{}", said.summary);
    let gap = "its moves before Black's move 2 went from machine to machine: without a transcript nobody can say whether they were legal";
    assert_eq!(said.unknown.as_deref(), Some(gap));
    // Of what is long over it isn't said what may come of it.
    let mut chronicle = Chronicle::new(game(mode));
    let told: Vec<String> = records.iter().map(|record| chronicle.tell(record)).map(|entry| entry.what).collect();
    assert_eq!(told[4], "the game was woken at Black's move 2");
}

#[test]
fn findings_name_moves_as_players_do() {
    let (mode, no_key) = (Mode::Verified, ReplayError::NoViewKey(rules::Color::White));
    let played = records(mode, [(moved(0, 0), 1_030), (moved(1, 1), 1_060)]);
    let right = said(mode, &played, &no_key);
    let summary = "2 moves of the two players, none of them verified here. The game goes on; 6 events stand by the node's word alone, ";
    assert!(right.summary.starts_with(summary) && right.findings.is_empty(), "{right:?}");
    let wrong = records(mode, [(moved(0, 0), 1_030), (moved(1, 1), 1_060), (moved(4, 4), 1_090)]);
    let wrong = said(mode, &wrong, &no_key);
    assert_eq!(wrong.verdict, "Not in order");
    assert_eq!(wrong.findings, ["White's move 2: White's move 2 is due, and not White's move 3"]);
}
