//! Who stands by a result, and by the plies before it. What only the loser says nobody has to believe.

use super::*;

/// What a lying node tells of a result that was signed, or never was.
#[test]
fn a_result_stands_by_the_signatures_of_who_doesn_t_win_by_it() {
    let played = Played::new(Mode::Channel);
    let closed = played.records.len();
    let heard = |records: &[Record]| {
        let audit = audited(records, &played.transcript).0;
        (audit.findings.iter().map(ToString::to_string).collect::<Vec<_>>(), audit.unknown_after(true), audit.end())
    };
    let by = |sender: Option<usize>, change: &dyn Fn(&mut Vec<Record>)| {
        let mut records = played.won();
        // The winner takes the loser's signature to the chain, and none of its own.
        records[closed].sender = sender.map(|color| played.address(color)).or(Some(Address::repeat_byte(9)));
        change(&mut records);
        heard(&records)
    };
    let won = "White has won: king captured, which the loser has signed".to_owned();
    assert_eq!(by(Some(0), &|_| ()), (Vec::new(), None, won.clone()));
    assert_eq!(by(None, &|_| ()).0, [""; 0], "anybody may send it");
    // The loser's own signature needs not be there where it is the sender.
    let unsigned = |records: &mut Vec<Record>| records[closed].carried.as_mut().expect("signatures")[64..128].fill(0);
    assert_eq!(by(Some(1), &unsigned).0, [""; 0]);
    for sender in [Some(0), None] {
        assert_eq!(by(sender, &unsigned).0, ["black has not signed the result that the chain tells"]);
    }
    // Another winner than the signatures have, and another reason.
    let other = "the transaction of the result says another than the chain tells";
    for (winner, outcome) in [(1, Outcome::KingCaptured), (0, Outcome::Resigned)] {
        let swap = |records: &mut Vec<Record>| {
            records[closed + 1].event = ChainEvent::Ended { winner: Some(played.address(winner)), outcome };
        };
        for sender in [Some(0), Some(1), None] {
            assert!(by(sender, &swap).0.contains(&other.to_owned()), "{winner} {sender:?}");
        }
        let forged = |records: &mut Vec<Record>| {
            swap(records);
            let said = played.closed(5, Some(winner), outcome)[closed].carried.clone().expect("a result");
            records[closed].carried.as_mut().expect("a result")[128..].copy_from_slice(&said[128..]);
        };
        let loser = Color::ALL[1 - winner];
        let found = format!("{loser} has not signed the result that the chain tells");
        assert!(by(Some(winner), &forged).0.contains(&found), "{winner}");
    }
    // Of what isn't shown nobody can say so.
    let hidden = |records: &mut Vec<Record>| (records[closed].carried, records[closed].sender) = (None, None);
    let word = "White has won: king captured, by a result whose signatures the node doesn't show".to_owned();
    let (found, unknown, end) = by(None, &hidden);
    assert_eq!((found, end), (Vec::new(), word.clone()));
    assert!(matches!(unknown, Some(Unknown::Signatures(_))), "{unknown:?}");
    let invented = |records: &mut Vec<Record>| {
        unsigned(records);
        records[closed].sender = None;
    };
    let (found, unknown, end) = by(Some(0), &invented);
    assert_eq!((found, end), (Vec::new(), word));
    assert!(matches!(unknown, Some(Unknown::Signatures(_))), "{unknown:?}");
    let start = |sender| {
        let mut records = played.closed(0, Some(1), Outcome::Resigned);
        (records[closed].carried, records[closed].sender) = (None, sender);
        let audit = Whole::of(played.game, records, None).expect("records").audit(verify);
        (audit.unknown_after(false), audit.findings)
    };
    assert_eq!(start(None), (Some(Unknown::End), Vec::new()));
}

/// The position that a result is of is the loser's word: whoever wins takes it as it is.
#[test]
fn what_only_the_loser_says_of_the_plies_is_not_known() {
    let played = Played::new(Mode::Channel);
    let mut invented = played.transcript.clone();
    invented.plies.iter_mut().for_each(|ply| ply.signatures[0] = None);
    let closed = played.records.len();
    let mut records = played.won();
    records[closed].sender = Some(played.address(0));
    for ply in [0, 1] {
        let (audit, _) = audited(&records, &invented);
        assert_eq!(audit.unknown_after(true), Some(Unknown::Signatures(5 - ply)));
        assert_eq!((audit.findings, audit.signed, audit.unknown), (Vec::new(), ply, None));
        invented.plies[0].signatures[0] = Some(played.sign(0, &played.positions()[1]));
    }
    // The loser posts it, and then the winner.
    let last = records.len() - 1;
    for (poster, signed) in [(1, 1), (0, 5)] {
        (records[last].carried, records[last].sender) = (Some(invented.to_posted()), Some(played.address(poster)));
        assert_eq!(audited(&records, &invented).0.signed, signed);
    }
    // The loser names a position that there never was, or an older one: the winner's game is none the worse for it.
    let said = |records: &[Record], transcript: &Transcript| {
        let audit = audited(records, transcript).0;
        (audit.findings, audit.plies, audit.unknown)
    };
    let (last, winner) = (B256::ZERO, Some(played.address(0)));
    let ended = ChainEvent::Ended { winner, outcome: Outcome::KingCaptured };
    let other = played.chain([ChainEvent::Closed { last }, ended]);
    let elsewhere = |plies| (Vec::new(), plies, Some(Unknown::Elsewhere(Color::Black)));
    assert_eq!(said(&other, &played.transcript), elsewhere(5));
    assert_eq!(said(&other, &played.first(3)), elsewhere(3));
    assert_eq!(said(&other, &invented), elsewhere(5));
    let older = played.closed(2, Some(0), Outcome::Resigned);
    let beyond = Unknown::Beyond { ply: 2, loser: Color::Black };
    assert_eq!(said(&older, &played.transcript), (Vec::new(), 2, Some(beyond)));
    assert_eq!(said(&older, &played.first(2)), (Vec::new(), 2, None));
}

#[test]
fn a_result_that_the_start_belies_is_found_without_a_transcript() {
    let played = Played::new(Mode::Channel);
    let at_start = |winner, outcome| {
        let whole = Whole::of(played.game, played.closed(0, winner, outcome), None).expect("records");
        let audit = whole.audit(verify);
        (audit.findings.first().map(ToString::to_string).unwrap_or_default(), audit.end(), audit.unknown)
    };
    let (found, end, unknown) = at_start(Some(0), Outcome::KingCaptured);
    assert_eq!((found, unknown), (String::new(), Some(Unknown::Reason(Color::Black))));
    assert_eq!(end, "White has won: king captured, which the loser has signed");
    assert!(at_start(None, Outcome::FiftyMoves).0.contains("fifty moves, and there were fewer"));
    assert!(at_start(None, Outcome::NoMove).0.contains("nobody has made one yet"));
    let drawn = "Drawn by agreement, which both have signed".to_owned();
    assert_eq!(at_start(None, Outcome::DrawAgreed), (String::new(), drawn, None));
    assert_eq!(at_start(Some(1), Outcome::Resigned).0, "");
}

/// With both published keys anybody writes a legal game; only the audit sees that it isn't this one.
#[test]
fn what_replays_is_not_yet_the_game() {
    let played = Played::new(Mode::Channel);
    let mut invented = played.first(2);
    for (ply, mv) in ["a2a3", "h7h6"].iter().enumerate() {
        let color = Color::ALL[ply];
        let own = OwnState::start(color).after(played.secrets[ply].view_key(), None, &mv.parse().expect("UCI"));
        invented.plies[ply].fields.next_commitment = own.commitment;
        (invented.plies[ply].proof, invented.plies[ply].signatures) = (None, [None; 2]);
    }
    let whole = Whole::of(played.game, played.closed(5, Some(0), Outcome::Resigned), Some(&invented)).expect("a form");
    let replayed = replay(played.game, &whole.records);
    assert_eq!(replayed.as_ref().map(|replay| replay.uci()), Ok(vec!["a2a3".to_owned(), "h7h6".to_owned()]));
    let audit = whole.audit(verify);
    assert_eq!(unknown(&audit, replayed.as_ref()), Some(Unknown::Elsewhere(Color::Black)));
}

#[test]
fn a_win_that_is_taken_is_no_word_for_the_loser_s_other_move() {
    let played = Played::new(Mode::Channel);
    let table = played.before(3);
    let play = table.playing().expect("it goes on");
    let view = played.secrets[1].view_key();
    let after = |own: OwnState, mv: &str| own.after(view, None, &mv.parse().expect("UCI"));
    let own = after(after(OwnState::start(Color::Black), "f7f6"), "h7h6");
    let Ply { fields, clock, .. } = played.transcript.plies[3].clone();
    let fields = MoveFields { next_commitment: own.commitment, ..fields };
    let proof = Some(proof_of(&Statement::Turn(play.turn_public(&played.game, &fields).expect("fog keys"))));
    let position = played.positions()[3].after(&played.game, &fields, clock);
    let mut other = played.first(3);
    other.plies.push(Ply { fields, clock, proof, signatures: [None, Some(played.sign(1, &position))] });
    let closed = ChainEvent::Closed { last: position.digest(&played.game) };
    let mut records = played.chain([closed, won(&played, Outcome::Resigned)]);
    records[played.records.len()].sender = Some(played.address(0));
    let (audit, _) = audited(&records, &other);
    assert_eq!(audit.findings, []);
    // White has signed another move of Black.
    assert_eq!(audit.unknown_after(true), Some(Unknown::Signatures(1)));
}

#[test]
fn a_line_that_the_loser_has_named_and_posted_is_no_finding() {
    let played = Played::new(Mode::Channel);
    // A capture on White's first move, and on a square where nothing stood.
    for (plies, ply, square) in [(1, 0, 28), (3, 2, 39)] {
        let mut invented = played.first(plies);
        invented.plies[ply].fields.capture = Square::new(square);
        let closed = ChainEvent::Closed { last: invented.last(BASE) };
        let keys = |color: usize| ChainEvent::ViewKeyPublished {
            player: played.address(color),
            key: played.secrets[color].view_key().to_bytes(),
        };
        let mut records = played.chain([closed, won(&played, Outcome::Resigned), keys(0), keys(1)]);
        let post = records.last_mut().expect("the loser's key");
        (post.carried, post.sender) = (Some(invented.to_posted()), Some(played.address(1)));
        let whole = Whole::of(played.game, records, None).expect("records");
        let (audit, replayed) = (whole.audit(verify), replay(played.game, &whole.records));
        assert_eq!(audit.findings, []);
        assert!(replayed.is_ok_and(|replay| replay.ok()) || audit.unknown_after(false).is_some());
    }
}

#[test]
fn a_king_that_falls_in_the_loser_s_words_only_makes_no_game_false() {
    let played = Played::new(Mode::Channel);
    for plies in [0, 2, 4] {
        let records = played.closed(plies, Some(0), Outcome::KingCaptured);
        let (audit, _) = audited(&records, &played.transcript);
        assert_eq!(audit.findings, [], "{plies}");
        assert!(audit.unknown_after(true).is_some(), "{plies}");
    }
    let start = Whole::of(played.game, played.closed(0, Some(0), Outcome::KingCaptured), None).expect("records");
    assert_eq!(start.audit(verify).findings, []);
}

/// Which piece was captured no digest says, and the loser says that it was the king.
#[test]
fn a_capture_that_the_loser_calls_a_king_s_makes_no_posted_game_false() {
    let mut played = Played::new(Mode::Channel);
    let (mut table, mut own) = (played.table(), Color::ALL.map(OwnState::start));
    played.transcript.plies.clear();
    for (mv, capture) in [("e2e4", None), ("d7d5", None), ("e4d5", Some("d5"))] {
        let play = table.playing().expect("it goes on");
        let (ply, mover) = (play.ply, play.turn().index());
        let next = own[mover].after(played.secrets[mover].view_key(), play.pending, &mv.parse().expect("UCI"));
        let fields = MoveFields {
            ply,
            next_commitment: next.commitment,
            next_request_root: Fr::from(200 + u64::from(ply)),
            answer_root: Fr::from(u64::from(ply)),
            capture: capture.map(|square: &str| square.parse().expect("a square")),
            king_fell: false,
            offer_draw: false,
        };
        let player = played.address(mover);
        table.apply(&ChainEvent::Moved { player, fields, basis: None, proof: None }).expect("a move");
        own[mover] = next;
        played.transcript.plies.push(Ply { fields, clock: BASE, proof: None, signatures: [None; 2] });
    }
    let mut records = played.closed(3, Some(0), Outcome::KingCaptured);
    let white = records.len() - 2;
    (records[white].carried, records[white].sender) = (Some(played.transcript.to_posted()), Some(played.address(0)));
    let whole = Whole::of(played.game, records, None).expect("records");
    let (audit, replayed) = (whole.audit(verify), replay(played.game, &whole.records));
    assert_eq!((&audit.findings, audit.plies), (&Vec::new(), 3));
    assert_eq!(replayed.as_ref().map(|replay| replay.findings.clone()), Ok(Vec::new()));
    assert_eq!(unknown(&audit, replayed.as_ref()), Some(Unknown::Reason(Color::Black)));
}

#[test]
fn two_positions_of_one_ply_are_told() {
    let played = Played::new(Mode::Channel);
    // White has won: what it has signed counts.
    let records = played.won();
    let positions = played.positions();
    let mut second = positions[3];
    second.states[0] += Fr::ONE;
    let evidence = |color: usize, position: Position| Other { position, signature: played.sign(color, &position) };
    let found = |others: Vec<Other>| findings(&played, &records, |transcript| transcript.others = others);
    assert_eq!(found(vec![evidence(0, positions[3]), evidence(1, positions[2])]), "", "the line itself");
    assert_eq!(found(vec![evidence(0, second)]), "White's move 2: white has signed two positions after it\n");
    // A signature under a later position binds its player to all before.
    let unsigned = |color: usize| {
        findings(&played, &records, |transcript| {
            transcript.plies[2].signatures[color] = None;
            transcript.others = vec![evidence(color, second)];
        })
    };
    assert_eq!(unsigned(0), "White's move 2: white has signed two positions after it\n");
    assert_eq!(unsigned(1), "", "by another position of its own whoever has lost makes no game false");
    let far = Position { ply: 9, ..second };
    let further = Position { quiet_plies: 5, ..far };
    assert_eq!(found(vec![evidence(0, far)]), "");
    assert_eq!(found(vec![evidence(0, far), evidence(1, further)]), "");
    assert_eq!(found(vec![evidence(1, far), evidence(1, further)]), "");
    assert_eq!(
        found(vec![evidence(0, far), evidence(0, further)]),
        "White's move 5: white has signed two positions after it\n"
    );
    let forged = Other { position: second, signature: Signature::new([3; 64]) };
    assert!(found(vec![forged]).contains("number 0 of the transcript's other positions is signed by no player"));
    // Where the line itself isn't signed, nothing says which of the two is the game's.
    let open = findings(&played, &played.chain([]), |transcript| {
        transcript.plies.truncate(3);
        transcript.plies[2].signatures[0] = None;
        transcript.others = vec![evidence(0, second)];
    });
    assert_eq!(open, "White's move 2: white has signed another position after it than the transcript leads to\n");
}
