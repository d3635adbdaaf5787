//! A game that was woken: its first part is the transcript's, the rest the chain's.

use super::*;

#[test]
fn a_woken_game_takes_its_first_part_from_the_transcript_and_the_rest_from_the_chain() {
    let played = Played::new(Mode::Channel);
    let ended = ChainEvent::Ended { winner: Some(played.address(0)), outcome: Outcome::KingCaptured };
    let rest = || [played.on_chain(3), played.on_chain(4), ended.clone()];
    // An old position was put there first, and a later one in its place.
    let records = played.chain([played.woken(1), played.woken(3)].into_iter().chain(rest()));
    for plies in 3..=5 {
        let (audit, _) = audited(&records, &played.first(plies));
        assert_eq!(audit.findings, [], "{plies}");
        let counts = (audit.plies, audit.signed, audit.by_chain, audit.proofs);
        assert_eq!((counts, audit.unknown), ((5, 3, 2, 5), None), "{plies}");
    }
    let (audit, _) = audited(&records, &played.first(2));
    assert_eq!((audit.findings, audit.unknown), (Vec::new(), Some(Unknown::Short(2))));
    // Whoever invents its first plies has no signatures for them.
    let mut invented = played.first(2);
    invented.plies.iter_mut().for_each(|ply| ply.signatures = [None; 2]);
    let (audit, _) = audited(&records, &invented);
    assert!(audit.findings[0].to_string().contains("not both have signed it"), "{:?}", audit.findings);
    let mut foreign = played.transcript.clone();
    foreign.plies[0].clock -= 1;
    let said = Said::of(&audited(&records, &foreign).0, Err(&ReplayError::NoTranscript));
    assert_eq!(said.verdict, "Not in order with this transcript");
    assert!(said.summary.ends_with("What the chain has of the game is in order."), "{}", said.summary);
    let other = findings(&played, &records, |transcript| transcript.plies[0].clock -= 1);
    assert!(other.contains("woken in another position"), "{other}");
    // Whoever makes another move on the chain than it has signed.
    let ChainEvent::Moved { player, mut fields, .. } = played.on_chain(3) else { panic!("a move") };
    fields.next_commitment += Fr::ONE;
    let changed = ChainEvent::Moved { player, fields, basis: None, proof: None };
    let records = played.chain([played.woken(3), changed]);
    let found = findings(&played, &records, |_| ());
    assert!(found.contains("Black's move 2: black has signed one move and made another on the chain"), "{found}");
}

/// What was played after the wake only the two machines know: the signed result says where that ended.
#[test]
fn a_woken_game_that_was_closed_later_is_told_up_to_there() {
    let played = Played::new(Mode::Channel);
    let closed = |woken: usize, moves: &[usize], plies: usize, outcome| {
        let last = played.positions()[plies].digest(&played.game);
        let end = [ChainEvent::Closed { last }, ChainEvent::Ended { winner: Some(played.address(0)), outcome }];
        let moves = moves.iter().map(|ply| played.on_chain(*ply));
        played.chain([played.woken(woken)].into_iter().chain(moves).chain(end))
    };
    for woken in [0, 1, 4] {
        let records = closed(woken, &[], 5, Outcome::KingCaptured);
        let (audit, told) = audited(&records, &played.transcript);
        assert_eq!((audit.findings, audit.plies, audit.signed, audit.unknown), (Vec::new(), 5, 4, None));
        assert_eq!(told.iter().filter(|record| !record.is_of_chain()).count(), 5);
        let ply = u16::try_from(woken).expect("a ply");
        let (audit, _) = audited(&records, &played.first(4));
        assert_eq!((audit.findings, audit.plies, audit.unknown), (Vec::new(), ply, Some(Unknown::Result(ply))));
        let audit = Whole::of(played.game, records, None).expect("records").audit(verify);
        let unknown = if woken == 0 { Unknown::Result(0) } else { Unknown::PliesBefore(ply) };
        assert_eq!((audit.ok, audit.plies, audit.unknown), (true, 0, Some(unknown)));
    }
    // The loser has signed before it saw the last plies, or after moves on the chain.
    let beyond = Unknown::Beyond { ply: 3, loser: Color::Black };
    for (moves, plies, of, unknown) in [(&[][..], 3, 1, Some(beyond)), (&[3], 4, 2, None)] {
        let (audit, _) = audited(&closed(3, moves, of, Outcome::Resigned), &played.transcript);
        assert_eq!((audit.findings, audit.plies, audit.unknown), (Vec::new(), plies, unknown));
        let (audit, _) = audited(&closed(3, moves, of, Outcome::Resigned), &played.first(3));
        assert_eq!((audit.findings, audit.plies, audit.unknown), (Vec::new(), plies, None));
    }
    // No king has fallen on the chain, or the game would have ended there.
    let mut belied = closed(3, &[3], 2, Outcome::KingCaptured);
    let place = belied.len() - 2;
    belied[place].event = ChainEvent::Closed { last: B256::ZERO };
    let (audit, _) = audited(&belied, &played.transcript);
    assert_eq!(audit.unknown, Some(Unknown::Result(3)));
    // Where the game has gone on on the chain, if only by a demand, what was played beside it is not known.
    let mut held = closed(2, &[], 5, Outcome::KingCaptured);
    let time = held[held.len() - 2].time.expect("a time");
    held.insert(held.len() - 2, Record::of_chain(played.demand(2, time + WINDOW), Some(time)));
    let (audit, _) = audited(&held, &played.transcript);
    assert_eq!((audit.findings, audit.plies, audit.unknown), (Vec::new(), 2, Some(Unknown::Result(2))));
    // Of posted transcripts the one that leads there is taken, whoever was first.
    let mut records = closed(1, &[], 5, Outcome::KingCaptured);
    for (plies, color) in [(1, 1), (5, 0)] {
        let key = played.secrets[color].view_key().to_bytes();
        let published = ChainEvent::ViewKeyPublished { player: played.address(color), key };
        let (carried, sender) = (Some(played.first(plies).to_posted()), Some(played.address(color)));
        records.push(Record { carried, sender, ..Record::of_chain(published, Some(9_000)) });
    }
    let audit = Whole::of(played.game, records, None).expect("records").audit(verify);
    assert_eq!((audit.findings, audit.plies, audit.unknown), (Vec::new(), 5, Some(Unknown::Proofs(5))));
}

/// For one window only a later position can come, or a result, and it ends when it was said to.
#[test]
fn a_woken_game_waits_for_its_window() {
    let played = Played::new(Mode::Channel);
    let woken = played.records.len();
    let found = |events: &[ChainEvent], change: &dyn Fn(&mut [Record])| {
        let mut records = played.chain(events.iter().cloned());
        change(&mut records[woken..]);
        let audit = audited(&records, &played.transcript).0;
        audit.findings.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let made = [played.woken(1), played.woken(3), played.on_chain(3)];
    assert_eq!(found(&made, &|_| ()), [""; 0]);
    let until = |records: &mut [Record], at: usize, time: u64| {
        let ChainEvent::Woken { until, .. } = &mut records[at].event else { panic!("a waking") };
        *until = time;
    };
    let waking = ["Black's move 2: the waking of a game can't come at this time"];
    assert_eq!(found(&made, &|records| until(records, 0, 1_001 + WINDOW)), waking);
    assert_eq!(found(&made, &|records| until(records, 1, 1_001 + WINDOW)), waking);
    let second = |time: u64| found(&made, &move |records: &mut [Record]| records[1].time = Some(time));
    assert_eq!((second(1_000 + WINDOW), second(1_001 + WINDOW)), (Vec::new(), waking.map(String::from).to_vec()));
    let third = |time: u64| found(&made, &move |records: &mut [Record]| records[2].time = Some(time));
    assert_eq!(third(1_001 + WINDOW), [""; 0]);
    assert_eq!(third(1_000 + WINDOW), ["Black's move 2: a move can't come at this time"]);
    let resigned = ChainEvent::Ended { winner: Some(played.address(0)), outcome: Outcome::Resigned };
    let resigned =
        |time: u64| found(&[played.woken(3), resigned.clone()], &move |r: &mut [Record]| r[1].time = Some(time));
    assert_eq!(resigned(1_001 + WINDOW), [""; 0]);
    assert_eq!(resigned(1_000 + WINDOW), ["Black's move 2: the end of the game can't come at this time"]);
    // The result needs no waiting.
    let last = played.positions()[3].digest(&played.game);
    let ended = ChainEvent::Ended { winner: Some(played.address(0)), outcome: Outcome::Resigned };
    let soon = |records: &mut [Record]| records.iter_mut().for_each(|record| record.time = Some(1_000));
    assert_eq!(found(&[played.woken(3), ChainEvent::Closed { last }, ended], &soon), [""; 0]);
    for ply in [1, 3] {
        let twice = found(&[played.woken(3), played.woken(ply)], &|_| ());
        assert_eq!(
            twice,
            [format!("Black's move 2: the game was woken again at {}, which is no later one", move_name(ply as u16))]
        );
    }
}

#[test]
fn a_woken_position_stands_by_both_signatures() {
    let played = Played::new(Mode::Channel);
    let woken = played.records.len();
    let found = |ply: usize, sender: Option<Address>, change: &dyn Fn(&mut Vec<u8>)| {
        let mut records = played.chain([played.woken(ply)]);
        records[woken].sender = sender;
        change(records[woken].carried.as_mut().expect("signatures"));
        findings(&played, &records, |_| ())
    };
    let (white, stranger) = (Some(played.address(0)), Some(Address::repeat_byte(9)));
    assert_eq!((found(3, stranger, &|_| ()), found(3, None, &|_| ())), (String::new(), String::new()));
    let no_white = |carried: &mut Vec<u8>| carried[..64].fill(0);
    assert_eq!((found(3, white, &no_white), found(3, None, &no_white)), (String::new(), String::new()));
    assert_eq!(
        found(3, stranger, &no_white),
        "Black's move 2: white has not signed the position that the game was woken in\n"
    );
    let swapped = |carried: &mut Vec<u8>| carried.rotate_left(64);
    assert_eq!(found(3, stranger, &swapped).lines().count(), 2);
    assert_eq!(found(0, white, &|carried| carried.clear()), "");
    assert!(found(0, stranger, &|_| ()).contains("which only a player can at its start"));
    // The result of a woken game is held to what leads to its last position, too.
    let closed = |outcome| {
        let last = played.positions()[4].digest(&played.game);
        let ended = ChainEvent::Ended { winner: Some(played.address(0)), outcome };
        findings(&played, &played.chain([played.woken(3), ChainEvent::Closed { last }, ended]), |_| ())
    };
    assert_eq!(closed(Outcome::Resigned), "");
    assert!(closed(Outcome::KingCaptured).contains("a king was captured, and the winner's last move captures none"));
}

#[test]
fn no_king_falls_in_a_position_that_was_woken() {
    let played = Played::new(Mode::Channel);
    let mut line = played.first(3);
    line.plies[2].fields.capture = Square::new(39);
    let position = line.positions(BASE)[3];
    let woken = ChainEvent::Woken { position: Box::new(position), until: 1_000 + WINDOW };
    for last in [B256::ZERO, position.digest(&played.game)] {
        let of = posted(&played, 1, &line);
        let records = of(vec![woken.clone(), ChainEvent::Closed { last }, won(&played, Outcome::KingCaptured)]);
        let audit = Whole::of(played.game, records, None).expect("records").audit(verify);
        assert_eq!((audit.findings, audit.plies), (Vec::new(), 3));
    }
}

#[test]
fn an_older_result_cuts_nothing_off_before_the_wake() {
    let played = Played::new(Mode::Channel);
    let last = played.positions()[1].digest(&played.game);
    let of = posted(&played, 0, &played.transcript);
    let records = of(vec![played.woken(3), ChainEvent::Closed { last }, won(&played, Outcome::Resigned)]);
    let audit = Whole::of(played.game, records, None).expect("records").audit(verify);
    assert_eq!((audit.findings, audit.plies, audit.unknown), (Vec::new(), 3, Some(Unknown::Proofs(3))));
}

#[test]
fn whoever_wakes_an_old_position_and_resigns_hides_no_later_ply() {
    let played = Played::new(Mode::Channel);
    let last = played.positions()[1].digest(&played.game);
    let records = played.chain([played.woken(1), ChainEvent::Closed { last }, won(&played, Outcome::Resigned)]);
    let (audit, _) = audited(&records, &played.transcript);
    assert_eq!(audit.unknown, Some(Unknown::Beyond { ply: 1, loser: Color::Black }));
}
