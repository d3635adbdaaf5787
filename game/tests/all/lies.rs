//! What a node says that no contract tells: each is a finding of the audit. Its proofs hold here, whatever they are.

use crate::table::{CREATOR, JOINER, answered, beginning, claim, demand, demanded, ended, game, moved};
use alloy_primitives::{Address, B256};
use fog::word::to_word;
use game::audit::{Audit, Record, Unknown, audit};
use game::chronicle::Chronicle;
use game::statement::Statement;
use game::{ChainEvent, GameRef, Mode, Outcome, Phase, Slot};
use halo2curves::bn256::Fr;
use rules::Color;

const MODE: Mode = Mode::Verified;

fn at(event: ChainEvent, time: u64) -> Record {
    Record::of_chain(event, Some(time))
}

/// A game that begins at 1,000, with more events.
fn records(events: impl IntoIterator<Item = (ChainEvent, u64)>) -> Vec<Record> {
    let begun = beginning(MODE).into_iter().map(|event| (event, 1_000));
    begun.chain(events).map(|(event, time)| at(event, time)).collect()
}

fn audited(records: &[Record]) -> Audit {
    audit(game(MODE), records, |_: &Statement, _: &[u8]| Ok::<_, &str>(()))
}

fn found(records: &[Record]) -> Vec<String> {
    audited(records).findings.into_iter().map(|finding| finding.to_string()).collect()
}

/// A minute a ply, from 1,000 on.
fn quiet(plies: u16) -> impl Iterator<Item = (ChainEvent, u64)> {
    (0..plies).map(|ply| (moved(ply, ply.into()), 1_000 + 60 * (u64::from(ply) + 1)))
}

#[test]
fn a_result_by_time_comes_after_its_time_and_nothing_else_does() {
    // White has 600 s and a delay of 60 s.
    let forfeit = |time| found(&records([(ended(Some(JOINER), Outcome::TimedOut), time)]));
    assert_eq!(forfeit(1_661), [""; 0]);
    for time in [1_001, 1_660] {
        assert_eq!(forfeit(time), ["White's move 1: by the clocks the game can't have ended like that: time forfeit"]);
    }
    for (event, what) in [(moved(0, 0), "a move"), (ended(Some(JOINER), Outcome::Resigned), "the end of the game")] {
        assert_eq!(found(&records([(event.clone(), 1_660)])), [""; 0]);
        assert_eq!(found(&records([(event, 1_661)])), [format!("White's move 1: {what} can't come at this time")]);
    }
    // Without the times of blocks nobody can say so.
    let mut untimed = records([(ended(Some(JOINER), Outcome::TimedOut), 1_001)]);
    untimed.iter_mut().for_each(|record| record.time = None);
    assert_eq!(found(&untimed), [""; 0]);
    // The toss: 120 s for the creator, and as many again for the joiner.
    let [created, joined, revealed, started] = beginning(MODE);
    let unrevealed = |winner, time, events: &[ChainEvent]| {
        let begun = events.iter().cloned().map(|event| at(event, 1_000));
        found(&begun.chain([at(ended(winner, Outcome::Unrevealed), time)]).collect::<Vec<_>>())
    };
    let early = ["by the clocks the game can't have ended like that: coin toss not revealed in time"];
    let (one, both) = ([created.clone(), joined.clone()], [created, joined, revealed]);
    assert_eq!(
        (unrevealed(None, 1_121, &one), unrevealed(None, 1_120, &one)),
        (Vec::new(), early.map(String::from).to_vec())
    );
    assert_eq!(unrevealed(Some(CREATOR), 1_241, &both), [""; 0]);
    assert_eq!(unrevealed(Some(CREATOR), 1_240, &both), early);
    let late = both.into_iter().map(|event| at(event, 1_000)).chain([at(started, 1_241)]).collect::<Vec<_>>();
    assert_eq!(found(&late), ["the joiner's share of the coin toss can't come at this time"]);
}

#[test]
fn a_demand_s_time_is_the_window_and_its_end_comes_after_it() {
    let opening = || [(moved(0, 0), 1_010), (moved(1, 7), 1_020)];
    let asked = |deadline| (demand(demanded(Phase::Post, 0, Color::White, 1), deadline), 1_030);
    let after = |events: Vec<(ChainEvent, u64)>| {
        let found = found(&records(opening().into_iter().chain(events)));
        found
            .into_iter()
            .filter(|found| !found.contains("of another position") && !found.contains("no proof is of"))
            .collect::<Vec<_>>()
    };
    let unanswered = |winner| ended(Some(winner), Outcome::Unanswered);
    // Longer than White's clock runs, which loses first.
    assert_eq!(after(vec![asked(4_630), (unanswered(CREATOR), 4_631)]).len(), 1);
    assert_eq!(after(vec![asked(4_630), (ended(Some(JOINER), Outcome::TimedOut), 1_700)]), [""; 0]);
    assert_eq!(after(vec![asked(1_100)]), ["White's move 2: a demand for a sight can't come at this time"]);
    let held = |deadline| (demand(demanded(Phase::Pre, 2, Color::White, 1), deadline), 1_030);
    assert_eq!(after(vec![held(4_630), (unanswered(CREATOR), 4_631)]), [""; 0]);
    let early = ["White's move 2: by the clocks the game can't have ended like that: demanded sight not given"];
    assert_eq!(after(vec![held(4_630), (unanswered(CREATOR), 4_630)]), early);
    assert_eq!(after(vec![held(4_630), (answered(1, 7), 4_630)]), [""; 0]);
    assert_eq!(
        after(vec![held(4_630), (answered(1, 7), 4_631)]),
        ["White's move 2: a demanded sight can't come at this time"]
    );
    // With its sight left out, the game can't go on.
    let going_on = after(vec![held(4_630), (moved(2, 8), 1_040)]);
    assert_eq!(going_on, ["White's move 2: a move can't come while a demand or a claim is open"]);
}

#[test]
fn fifty_moves_and_no_move_end_a_game_by_a_proof_or_for_want_of_an_answer() {
    let claimed = || quiet(100).chain([(claim(100, 7_010 + 3_600), 7_010)]);
    let by = |sender, time, carried: Option<Vec<u8>>| {
        let mut records = records(claimed().chain([(ended(None, Outcome::FiftyMoves), time)]));
        let end = records.last_mut().expect("its end");
        (end.carried, end.sender) = (carried, sender);
        found(&records)
    };
    let drawn = |time, carried| by(Some(JOINER), time, carried);
    assert_eq!(by(None, 7_020, None), [""; 0], "it may have been granted where nobody shows");
    assert_eq!(drawn(7_020, Some(vec![1])), [""; 0]);
    assert_eq!(drawn(10_611, None), [""; 0]);
    assert_eq!(drawn(7_020, None), ["White's move 51: by the clocks the game can't have ended like that: fifty moves"]);
    let early = quiet(4).chain([(claim(4, 1_250 + 3_600), 1_250)]);
    assert_eq!(found(&records(early)), ["White's move 3: fifty moves can't be claimed at White's move 3"]);
    let mut unmoved = records(quiet(2).chain([(ended(None, Outcome::NoMove), 1_130)]));
    let audit = audited(&unmoved);
    assert_eq!((audit.ok, audit.is_end_shown, audit.unknown_after(true)), (true, false, Some(Unknown::Acts(7))));
    unmoved.last_mut().expect("its end").carried = Some(vec![1]);
    assert_eq!((audited(&unmoved).is_end_shown, audited(&unmoved).claims), (true, 1));
}

#[test]
fn whoever_did_it_has_sent_it() {
    let sent = |event: ChainEvent, sender: Address| {
        let mut records = records([(moved(0, 0), 1_010), (event, 1_020)]);
        records.last_mut().expect("an event").sender = Some(sender);
        found(&records)
    };
    for (event, who) in [
        (moved(1, 7), JOINER),
        (ended(Some(CREATOR), Outcome::Resigned), JOINER),
        (ended(Some(JOINER), Outcome::Resigned), CREATOR),
    ] {
        assert_eq!(sent(event.clone(), who), [""; 0]);
        let other = if who == JOINER { CREATOR } else { JOINER };
        assert_eq!(
            sent(event.clone(), other),
            [format!("Black's move 1: {other:#x} has sent {}, which only {who:#x} can", event.name())]
        );
    }
}

/// Until the expiry only the creator cancels, then anybody.
#[test]
fn a_game_that_nobody_has_joined_is_cancelled_by_anybody_after_its_expiry() {
    let [created, ..] = beginning(MODE);
    let ChainEvent::Created(opening) = &created else { unreachable!() };
    let expiry = opening.terms.expiry;
    let cancelled = |sender, time| {
        let end = Record { sender: Some(sender), ..at(ended(None, Outcome::Cancelled), time) };
        found(&[at(created.clone(), expiry.saturating_sub(10)), end])
    };
    assert_eq!(cancelled(CREATOR, expiry), [""; 0]);
    assert_eq!(cancelled(JOINER, expiry + 1), [""; 0]);
    assert_eq!(cancelled(JOINER, expiry).len(), 1);
}

/// A bond is earned by its deadline, and goes back after it, also once the game is over; that of a claim that was granted went back with that.
#[test]
fn a_bond_goes_back_after_its_deadline_and_is_earned_before_it() {
    let asked = |post| match demand(demanded(Phase::Post, 0, Color::White, 1), 4_630) {
        ChainEvent::SightDemanded { demanded, deadline, points, .. } => {
            (ChainEvent::SightDemanded { demanded, deadline, bond: post, points }, 1_030)
        }
        _ => unreachable!(),
    };
    let reclaimed = |slot| ChainEvent::BondReclaimed { slot, player: CREATOR, bond: 9 };
    let after = |event: ChainEvent, time| {
        let resigned = (ended(Some(CREATOR), Outcome::Resigned), 1_040);
        let found = found(&records([(moved(0, 0), 1_010), asked(9), resigned, (event, time)]));
        let others = ["of another position", "no proof is of"];
        found.into_iter().filter(|found| !others.iter().any(|other| found.contains(other))).collect::<Vec<_>>()
    };
    assert_eq!(after(reclaimed(Slot::WhitePost), 4_631), [""; 0]);
    assert_eq!(
        after(reclaimed(Slot::WhitePost), 4_630),
        ["Black's move 1: a bond that went back can't come at this time"]
    );
    assert_eq!(after(answered(1, 7), 4_630), [""; 0]);
    assert_eq!(after(answered(1, 7), 4_631), ["Black's move 1: a demanded sight can't come at this time"]);
    let claimed = |carried: Option<Vec<u8>>, ended_at| {
        let claim = ChainEvent::FiftyClaimed { ply: 100, deadline: 7_010 + 3_600, bond: 9 };
        let ended = (ended(None, Outcome::FiftyMoves), ended_at);
        let back = (reclaimed(Slot::Hold), 10_700);
        let mut records = records(quiet(100).chain([(claim, 7_010), ended, back]));
        let place = records.len() - 2;
        records[place].carried = carried;
        found(&records)
    };
    assert_eq!(claimed(None, 10_611), [""; 0]);
    assert_eq!(claimed(Some(vec![1]), 7_020), ["White's move 51: a bond is paid out that nobody has put in"]);
}

/// What nobody but the node says is counted, and the verdict says so.
#[test]
fn what_isn_t_shown_and_what_has_no_time_is_counted() {
    let resigned = |change: &dyn Fn(&mut Record)| {
        let mut records = records([(ended(Some(CREATOR), Outcome::Resigned), 1_020)]);
        records.iter_mut().for_each(change);
        let audit = audited(&records);
        assert!(audit.ok);
        (audit.unshown, audit.untimed, audit.unknown_after(false), audit.word_of_node())
    };
    let by = |record: &mut Record| {
        record.sender = Some(match record.event {
            ChainEvent::Created(_) | ChainEvent::TossRevealed { .. } => CREATOR,
            _ => JOINER,
        });
    };
    assert_eq!(resigned(&by), (0, 0, None, String::new()));
    let (unshown, untimed, unknown, words) = resigned(&|_| ());
    assert_eq!((unshown, untimed, unknown), (5, 0, Some(Unknown::Acts(5))));
    assert!(words.starts_with("; 5 events stand by the node's word alone"), "{words}");
    let untimed = resigned(&|record| {
        by(record);
        record.time = None;
    });
    assert_eq!(untimed, (0, 5, Some(Unknown::Untimed(5)), "; 5 have no time".to_owned()));
    // Time alone ends a game, whoever says so, but not one that nobody is shown to have begun.
    let forfeit = audited(&records([(ended(Some(JOINER), Outcome::TimedOut), 1_661)]));
    assert_eq!((forfeit.unshown, forfeit.unknown_after(false)), (5, Some(Unknown::Acts(4))));
    let mut begun = records([(ended(Some(JOINER), Outcome::TimedOut), 1_661)]);
    begun[..4].iter_mut().for_each(by);
    assert_eq!(audited(&begun).unknown_after(false), None);
    // A demand, and taking the game back, are acts of a player.
    let asked = (demand(demanded(Phase::Post, 0, Color::White, 1), 1_030 + 3_600), 1_030);
    begun = records([(moved(0, 0), 1_010), asked, (ended(Some(CREATOR), Outcome::Unanswered), 4_631)]);
    begun[..4].iter_mut().for_each(by);
    assert_eq!(audited(&begun).unread, 2);
    let [created, ..] = beginning(MODE);
    let mut cancelled = [at(created, 10), at(ended(None, Outcome::Cancelled), 11)];
    by(&mut cancelled[0]);
    assert_eq!(audited(&cancelled).unknown_after(false), Some(Unknown::Acts(1)));
}

#[test]
fn a_game_is_too_long_only_at_the_last_ply() {
    let early = records([(moved(0, 0), 1_010), (ended(None, Outcome::TooLong), 1_010)]);
    assert_eq!(found(&early).len(), 1, "{:?}", found(&early));
}

#[test]
fn points_that_are_no_numbers_of_the_field_are_told() {
    let mut asked = demand(demanded(Phase::Post, 0, Color::White, 1), 1_030 + 3_600);
    let ChainEvent::SightDemanded { points, .. } = &mut asked else { unreachable!() };
    *points = vec![0xff; 32];
    let records = records([(moved(0, 0), 1_010), (asked, 1_030)]);
    assert!(
        found(&records).contains(&"Black's move 1: a demand for a sight has what no proof is of".to_owned()),
        "{:?}",
        found(&records)
    );
}

/// Neither clocks nor deadlines go on after the end, and no time is too large.
#[test]
fn clocks_end_with_the_game() {
    let key = ChainEvent::ViewKeyPublished { player: CREATOR, key: [1; 32] };
    let mut chronicle = Chronicle::new(game(MODE));
    let told = records([(moved(0, 0), 1_010), (ended(Some(JOINER), Outcome::Resigned), 1_020), (key, 9_000)]);
    let entries: Vec<_> = told.iter().map(|record| chronicle.tell(record)).collect();
    assert_eq!(
        entries[4..].iter().map(|entry| entry.clocks).collect::<Vec<_>>(),
        [Some([605, 600]), Some([605, 600]), None]
    );
    assert_eq!(entries[4].deadline, Some(1_010 + 60 + 600));
    assert_eq!(entries[6].deadline, None);
    let mut chronicle = Chronicle::new(game(MODE));
    for record in records([]).into_iter().map(|record| Record { time: Some(u64::MAX), ..record }) {
        chronicle.tell(&record);
    }
}

#[test]
fn only_who_was_invited_joins_and_until_the_expiry() {
    let [created, joined, ..] = beginning(MODE);
    let ChainEvent::Created(mut opening) = created else { unreachable!() };
    let expiry = opening.terms.expiry;
    let mut by = |opponent, joiner, time| {
        opening.terms.opponent = opponent;
        let mut joined = joined.clone();
        if let ChainEvent::Joined { joiner: who, .. } = &mut joined {
            *who = joiner;
        }
        let game = GameRef { game_id: opening.game_id(game(MODE).chain_id, game(MODE).contract), ..game(MODE) };
        let records = [at(ChainEvent::Created(opening), 1_000), at(joined, time)];
        let audit = audit(game, &records, |_: &Statement, _: &[u8]| Ok::<_, &str>(()));
        audit.findings.into_iter().map(|finding| finding.to_string()).collect::<Vec<_>>()
    };
    let other = Address::repeat_byte(7);
    assert_eq!((by(None, JOINER, expiry), by(Some(JOINER), JOINER, 1_000)), (Vec::new(), Vec::new()));
    assert_eq!(by(None, JOINER, expiry + 1), ["a second player can't come at this time"]);
    for (invited, who) in [(Some(other), JOINER), (None, CREATOR)] {
        assert_eq!(by(invited, who, 1_000), [format!("{who:#x} can't join the game")]);
    }
}

/// What has ended a game tells its end in the same transaction.
#[test]
fn a_captured_king_ends_the_game_at_once() {
    let mut fallen = moved(2, 8);
    let ChainEvent::Moved { fields, .. } = &mut fallen else { unreachable!() };
    (fields.king_fell, fields.capture) = (true, rules::Square::new(7));
    let after = |events: &[(ChainEvent, u64)]| {
        let opening = [(moved(0, 0), 1_010), (moved(1, 7), 1_020), (fallen.clone(), 1_030)];
        found(&records(opening.into_iter().chain(events.iter().cloned())))
    };
    let (won, key) =
        (ended(Some(CREATOR), Outcome::KingCaptured), |player| ChainEvent::ViewKeyPublished { player, key: [1; 32] });
    assert_eq!(after(&[(won.clone(), 1_030)]), [""; 0]);
    let lacking = "the end of the game doesn't come with what has ended it";
    assert_eq!(after(&[]), [lacking]);
    assert_eq!(after(&[(won.clone(), 1_031)]), [format!("Black's move 2: {lacking}")]);
    assert_eq!(after(&[(key(JOINER), 1_030), (won, 1_030)]), [format!("Black's move 2: {lacking}")]);
}

/// A draw is accepted in one position, and a share is revealed for one opponent.
#[test]
fn what_was_sent_for_another_position_is_found() {
    let mut offered = moved(2, 8);
    let ChainEvent::Moved { fields, .. } = &mut offered else { unreachable!() };
    fields.offer_draw = true;
    let agreed = |ply: u16, commitment: Fr| {
        let opening = [(moved(0, 0), 1_010), (moved(1, 7), 1_020), (offered.clone(), 1_030)];
        let mut records = records(opening.into_iter().chain([(ended(None, Outcome::DrawAgreed), 1_040)]));
        let meant = [&ply.to_be_bytes()[..], &to_word(&commitment)].concat();
        records.last_mut().expect("its end").carried = Some(meant);
        found(&records)
    };
    let other = |name| [format!("Black's move 2: the transaction of {name} was sent for something else")];
    assert_eq!(agreed(3, Fr::from(102)), [""; 0]);
    assert_eq!(agreed(5, Fr::from(102)), other("the end of the game"));
    assert_eq!(agreed(3, Fr::from(100)), other("the end of the game"));
    let revealed = |toss: B256| {
        let mut records = records([]);
        records[2].carried = Some(toss.to_vec());
        found(&records)
    };
    let [_, ChainEvent::Joined { toss, .. }, ..] = beginning(MODE) else { unreachable!() };
    assert_eq!(revealed(toss), [""; 0]);
    let what = "the transaction of the creator's share of the coin toss was sent for something else";
    assert_eq!(revealed(B256::ZERO), [what]);
    // A result that was signed, where nobody tells that one was.
    let mut resigned = records([(ended(Some(CREATOR), Outcome::Resigned), 1_020)]);
    resigned.last_mut().expect("its end").carried = Some(vec![0; 34]);
    assert_eq!(
        found(&resigned),
        ["White's move 1: the transaction of the end of the game was sent for something else"]
    );
}

#[test]
fn a_failed_claim_bars_the_next_for_twenty_plies() {
    let failed = |ply, claims_from| {
        let failed = ChainEvent::FiftyFailed { ply, claims_from, paid: 0 };
        found(&records(quiet(100).chain([(claim(100, 7_010 + 3_600), 7_010), (failed, 7_020)])))
    };
    assert_eq!(failed(100, 120), [""; 0]);
    for (ply, from) in [(100, 119), (100, 121), (101, 121)] {
        assert_eq!(failed(ply, from).len(), 1);
    }
}

#[test]
fn more_moves_than_can_be_counted_are_a_finding() {
    let moves = (0..=u16::MAX).map(|ply| Record::of_chain(moved(ply, ply.into()), None));
    let records: Vec<Record> = beginning(MODE).into_iter().map(|event| at(event, 1_000)).chain(moves).collect();
    assert!(found(&records).last().is_some_and(|last| last.contains("no move can be counted after it")));
}
