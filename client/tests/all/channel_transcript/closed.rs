//! What an audit says of a game that was closed by a signed result, by its transcript, by what was posted, and without either.

use super::*;

#[test]
fn a_closed_game_is_audited_and_replayed_from_its_transcript() {
    let played = Played::new(Mode::Channel);
    let (audit, records) = audited(&played.won(), &played.transcript);
    assert_eq!(audit.findings, []);
    assert_eq!((audit.plies, audit.proofs, audit.by_chain, audit.by_nobody), (5, 5, 0, 0));
    // The winner has signed nothing after its last move, and the loser the result.
    assert_eq!((audit.signed, audit.unknown), (4, None));
    let replayed = replay(played.game, &records).expect("both keys");
    assert!(replayed.ok(), "{:?}", replayed.findings);
    assert_eq!(replayed.uci(), MOVES.map(|(mv, _)| mv));
    let clocks: Vec<Option<u64>> = replayed.moves.iter().map(|played| played.clock).collect();
    assert_eq!(clocks, [600, 590, 580, 570, 560].map(Some));
    assert!(replayed.pgn().contains("1-0"));
    // Resigned after two plies: what was on its way to the other side then is no part of the game.
    let resigned = played.closed(2, Some(1), Outcome::Resigned);
    let mut transcript = played.first(3);
    transcript.plies[2].signatures[1] = None;
    let (audit, records) = audited(&resigned, &transcript);
    assert_eq!((audit.findings, audit.plies, audit.signed, audit.unknown), (Vec::new(), 2, 2, None));
    assert_eq!(replay(played.game, &records).expect("both keys").uci(), ["e2e4", "f7f6"]);
    // Before the first ply.
    let (audit, records) = audited(&played.closed(0, Some(1), Outcome::Resigned), &played.first(0));
    assert_eq!((audit.findings, audit.plies, audit.unknown), (Vec::new(), 0, None));
    assert!(replay(played.game, &records).is_ok());
}

#[test]
fn without_its_transcript_nobody_can_say_what_was_played() {
    let played = Played::new(Mode::Channel);
    let without = |records: Vec<Record>| Whole::of(played.game, records, None).expect("records").audit(verify);
    let audit = without(played.won());
    assert_eq!((audit.ok, audit.plies, audit.unknown), (true, 0, Some(Unknown::Plies)));
    assert!(audit.unknown.expect("unknown").to_string().contains("without a transcript nobody can say"));
    assert_eq!(replay(played.game, &played.won()).err(), Some(ReplayError::NoTranscript));
    // From where it was woken on, all is on the chain.
    let audit = without(played.chain([played.woken(2), played.on_chain(2), played.on_chain(3)]));
    assert_eq!((audit.findings, audit.plies, audit.by_chain, audit.proofs), (Vec::new(), 2, 2, 2));
    assert_eq!(audit.unknown, Some(Unknown::PliesBefore(2)));
    let audit = without(played.chain([played.woken(0), played.on_chain(0)]));
    assert_eq!((audit.findings, audit.plies, audit.unknown), (Vec::new(), 1, None));
    // Nobody can move while it is asleep.
    let audit = without(played.chain([played.on_chain(0)]));
    assert!(audit.findings[0].to_string().contains("was not woken"), "{:?}", audit.findings);
    // A game that goes on is bound by signatures alone.
    let (audit, _) = audited(&played.chain([]), &played.first(3));
    assert_eq!((audit.findings, audit.signed, audit.unknown), (Vec::new(), 3, Some(Unknown::Unbound)));
}

#[test]
fn every_change_of_a_transcript_is_found() {
    let played = Played::new(Mode::Channel);
    let records = played.won();
    let found = |change: &dyn Fn(&mut Transcript)| findings(&played, &records, change);
    assert_eq!(found(&|_| ()), "");
    let leads_elsewhere =
        "unknown: the transcript doesn't lead to the position that the result is of, which black alone has signed";
    let changes: [&dyn Fn(&mut Ply); 8] = [
        &|ply| ply.fields.next_commitment += Fr::ONE,
        &|ply| ply.fields.next_request_root += Fr::ONE,
        &|ply| ply.fields.answer_root += Fr::ONE,
        &|ply| ply.fields.capture = Square::new(20),
        &|ply| ply.fields.offer_draw ^= true,
        &|ply| ply.clock += 1,
        &|ply| ply.clock = 0,
        &|ply| ply.fields.next_commitment = Fr::ZERO,
    ];
    for (number, change) in changes.iter().enumerate() {
        for place in 0..5 {
            let found = found(&|transcript| change(&mut transcript.plies[place]));
            assert!(found.contains(leads_elsewhere), "{number} at {place}: {found}");
            // And by both signatures of that ply.
            let is_said =
                found.contains(&format!("{}: what stands there as white's signature is not", move_name(place as u16)));
            assert_eq!(is_said, place < 4, "{number} at {place}: {found}");
        }
    }
    for place in 0..4 {
        for color in 0..2 {
            let broken = found(&|transcript| {
                let signature = transcript.plies[place].signatures[color].as_mut().expect("signed");
                signature.0[40] ^= 1;
            });
            assert_eq!(broken.lines().count(), 1, "{broken}");
            assert!(
                broken.contains(&format!("{}: what stands there as {}", move_name(place as u16), Color::ALL[color])),
                "{broken}"
            );
        }
        let swapped = found(&|transcript| transcript.plies[place].signatures.reverse());
        assert_eq!(swapped.lines().count(), 2, "{swapped}");
    }
    for place in 0..5 {
        let wrong = found(&|transcript| transcript.plies[place].proof.as_mut().expect("a proof")[3] ^= 1);
        assert_eq!(wrong, format!("{}: the turn proof is wrong: it proves something else\n", move_name(place as u16)));
    }
    for plies in 0..5 {
        assert!(found(&|transcript| transcript.plies.truncate(plies)).contains(leads_elsewhere), "{plies}");
    }
    assert!(found(&|transcript| drop(transcript.plies.remove(1))).contains(leads_elsewhere));
    // No king falls in words only.
    let said = played.closed(4, Some(0), Outcome::KingCaptured);
    assert!(findings(&played, &said, |transcript| transcript.plies.truncate(4)).contains("captures none"));
    // Whoever signs a result signs nothing after it.
    let drawn = played.closed(3, None, Outcome::DrawAgreed);
    assert!(findings(&played, &drawn, |_| ()).contains("Black's move 2: both have signed it, though the result is of"));
    let cut = findings(&played, &drawn, |transcript| transcript.plies.truncate(2));
    assert!(
        cut.contains("unknown: the transcript ends after 2 moves of the two players, before the position"),
        "{cut}"
    );
    let unsigned = findings(&played, &drawn, |transcript| {
        transcript.plies.truncate(2);
        transcript.plies[1].signatures[0] = None;
    });
    assert!(unsigned.contains("the result was signed of: it is false, or not whole"), "{unsigned}");
}

#[test]
fn without_proofs_a_replay_decides() {
    let played = Played::new(Mode::Channel);
    let mut transcript = played.transcript.clone();
    transcript.plies.iter_mut().for_each(|ply| ply.proof = None);
    let (audit, records) = audited(&played.won(), &transcript);
    assert_eq!((audit.findings.len(), audit.proofs, audit.by_nobody), (0, 0, 5));
    assert_eq!(audit.unknown, Some(Unknown::Proofs(5)));
    let replayed = replay(played.game, &records).expect("both keys");
    // Nobody but the loser has said that the last ply was made.
    assert_eq!(audit.unknown_after(false), Some(Unknown::Proofs(5)));
    assert_eq!(audit.unknown_after(replayed.ok()), Some(Unknown::Signatures(1)));
    let closed = played.records.len();
    let mut sent = played.won();
    sent[closed].sender = Some(played.address(0));
    assert_eq!(audited(&sent, &transcript).0.unknown_after(true), None, "the winner has sent the result");
    let mut posted = played.won();
    let last = posted.len() - 1;
    (posted[last - 1].carried, posted[last - 1].sender) = (Some(transcript.to_posted()), Some(played.address(0)));
    let audit = Whole::of(played.game, posted, None).expect("records").audit(verify);
    assert_eq!((audit.signed, audit.unknown_after(true)), (5, None), "the winner has posted the transcript");
    // What is posted behind the last ply is no part of the game.
    let (mut longer, ply) = (sent.clone(), &transcript.to_posted()[20..122]);
    (longer[last - 1].carried, longer[last - 1].sender) =
        (Some([&transcript.to_posted()[..], ply].concat()), Some(played.address(0)));
    let audit = Whole::of(played.game, longer, None).expect("records").audit(verify);
    assert_eq!((audit.findings, audit.plies), (Vec::new(), 5));
    // Which ply has felled a king no digest binds, so it may be posted otherwise.
    let bytes = transcript.to_posted();
    for ply in [1, 5] {
        let (mut posted, mut spoilt) = (sent.clone(), bytes.clone());
        spoilt[bytes.len() - ply * 102 + 1] ^= 1;
        (posted[last - 1].carried, posted[last - 1].sender) = (Some(spoilt), Some(played.address(0)));
        let audit = Whole::of(played.game, posted, None).expect("records").audit(verify);
        assert_eq!((audit.findings, audit.plies), (Vec::new(), 5));
    }
    // What only the loser has posted nobody has to believe.
    let mut alone = sent.clone();
    (alone[last].carried, alone[last].sender) = (Some(bytes.clone()), Some(played.address(1)));
    let mut denied = alone.clone();
    let audit = Whole::of(played.game, alone, None).expect("records").audit(verify);
    let unknown = Unknown::PostedAlone(Color::Black);
    let said = unknown.to_string();
    assert_eq!((audit.findings, audit.plies, audit.unknown), (Vec::new(), 0, Some(unknown)));
    assert!(said.starts_with("the moves that black has posted count only if white stands by them too: "), "{said}");
    // The winner has posted other plies: the loser's end may be invented.
    let mut others = bytes.clone();
    others[bytes.len() - 5 * 102 + 40] ^= 1;
    (denied[last - 1].carried, denied[last - 1].sender) = (Some(others), Some(played.address(0)));
    let audit = Whole::of(played.game, denied, None).expect("records").audit(verify);
    assert_eq!((audit.findings, audit.unknown), (Vec::new(), Some(Unknown::Elsewhere(Color::Black))));
    // A key from a file is held against the transcript's commitments.
    let key = KeyFile::new(played.game, played.address(0), played.secrets[0].view_key());
    let wrong = KeyFile::new(played.game, played.address(0), played.secrets[1].view_key());
    assert!(key.record(played.game, &records).is_ok() && wrong.record(played.game, &records).is_err());
}

#[test]
fn what_the_chain_s_events_say_alone_nobody_stands_by() {
    let played = Played::new(Mode::Channel);
    let mut transcript = played.transcript.clone();
    transcript.plies.iter_mut().for_each(|ply| (ply.proof, ply.signatures) = (None, [None; 2]));
    let woken = || played.chain([played.woken(3)]);
    for (records, plies, signed) in
        [(played.won(), 5, 0), (played.closed(5, None, Outcome::DrawAgreed), 5, 5), (woken(), 3, 3)]
    {
        let (audit, _) = audited(&records, &transcript);
        assert_eq!((audit.findings, audit.signed), (Vec::new(), signed));
        let untold = records.iter().cloned().map(|record| Record { carried: None, ..record }).collect::<Vec<_>>();
        let (audit, _) = audited(&untold, &transcript);
        assert_eq!((audit.signed, audit.unknown_after(true)), (0, Some(Unknown::Signatures(plies))));
    }
    // Signatures of another result are none of this.
    let mut other = played.won();
    let closed = played.records.len();
    other[closed].carried = played.closed(4, Some(0), Outcome::KingCaptured)[closed].carried.clone();
    transcript.plies[4].signatures = [0, 1].map(|color| Some(played.sign(color, &played.positions()[5])));
    assert_eq!(audited(&other, &transcript).0.signed, 5);
    transcript.plies[4].signatures[1] = None;
    assert_eq!(audited(&other, &transcript).0.signed, 0);
}

/// Whoever posts again and again crowds out only its own.
#[test]
fn of_each_player_the_last_eight_posts_are_read() {
    let played = Played::new(Mode::Channel);
    let closed = played.records.len();
    for (color, later, plies) in [(0, 7, 5), (0, 8, 0), (1, 8, 5)] {
        let mut records = played.won();
        records[closed].sender = Some(played.address(0));
        let white = records.len() - 2;
        (records[white].carried, records[white].sender) =
            (Some(played.transcript.to_posted()), Some(played.address(0)));
        let again = Record { carried: None, ..records[white + color].clone() };
        records.extend(std::iter::repeat_n(again, later));
        let audit = Whole::of(played.game, records, None).expect("records").audit(verify);
        assert_eq!(audit.plies, plies, "{later} more of {color}");
    }
}
