//! Two disclosures held against each other: what one leaves out or changes hides no lie of its player, and makes nobody else the liar.

use super::bent_key::fitting;
use super::disclosures::{Played, cut, play, play_with, sight};
use super::liar::Lie;
use client::disclosure::{Account, Disclosure, DisclosureError, Evidence, Finding, Gap};
use fog::engine::Branch;
use game::{Phase, SessionId};
use rules::Color;
use simulate::world::shipped;

impl Played {
    /// A player's disclosure becomes another one, which it has signed.
    fn change(&mut self, color: Color, change: impl FnOnce(&mut Disclosure)) {
        self.disclosures[color.index()] = self.changed(color, change);
    }

    /// A player leaves a session out of its disclosure.
    fn leave_out(&mut self, color: Color, session: SessionId) {
        self.change(color, |other| {
            other.heard.remove(&session).expect("messages");
        });
    }

    /// What is found if both lay their parts open.
    fn both(&self) -> Account {
        let account = self.check(&self.disclosures).expect("of this game");
        account.findings.iter().for_each(|finding| println!("{finding}"));
        account
    }
}

/// Black withholds the end of White's sight, so White's next transcript rightly leaves it out, and says nothing of what was said in it. Then
/// Black discloses a question of White's that is none, and so none that Black can have taken.
#[test]
fn a_transcript_that_leaves_a_sight_out_is_no_evidence_of_what_was_said_in_it() {
    let session = sight(0, Phase::Post);
    let mut played = play_with(433, "dh-psi-plain", None, cut(Color::Black, 2, None));
    assert_eq!(played.both().findings, []);
    played.change(Color::Black, |other| {
        let question = other.heard.get_mut(&session).expect("White's").get_mut(&1).expect("its question");
        question[..32].fill(0xff);
    });
    let found = played.both().findings;
    let is_refused = |finding: &Finding| matches!(finding, Finding::Refused { by: Color::Black, session: of, message: 1, .. } if *of == session);
    assert!(matches!(&found[..], [refused] if is_refused(refused)), "{found:?}");
}

/// Black shows another board in White's sight, withholds its end, and leaves the sight out of its disclosure. White's transcript leaves it out
/// too, and so says nothing against White's disclosure.
#[test]
fn a_liar_that_leaves_a_sight_out_of_its_disclosure_does_not_make_the_other_one_the_liar() {
    let session = sight(0, Phase::Post);
    let lie = Lie::Hides { ply: 0, phase: Phase::Post };
    let mut played = play_with(434, "dh-psi-plain", Some((Color::Black, lie)), cut(Color::Black, 2, None));
    let is_said = |found: &[Finding]| {
        matches!(found, [Finding::Said { by: Color::Black, session: of, message: 0, evidence: Evidence::Nothing, .. }]
            if *of == session)
    };
    let found = played.both().findings;
    assert!(is_said(&found), "{found:?}");
    played.leave_out(Color::Black, session);
    let found = played.both().findings;
    assert!(is_said(&found), "{found:?}");
}

/// White looks along lines that it hasn't after its move, and leaves that sight out of its next transcript and of its disclosure.
#[test]
fn a_question_that_the_asker_leaves_out_of_its_disclosure_is_told() {
    let session = sight(0, Phase::Post);
    let lie = Lie::Looks { ply: 0, phase: Phase::Post };
    let mut played = play(435, "dh-psi-plain", Some((Color::White, lie)));
    assert!(played.disclosures[1].heard[&session].contains_key(&1), "Black has heard it");
    let sessions = played.both().sessions;
    played.leave_out(Color::White, session);
    let account = played.both();
    let is_said = |finding: &Finding| {
        matches!(finding, Finding::Said { by: Color::White, session: of, message: 1, evidence: Evidence::Nothing, .. }
            if *of == session)
    };
    assert!(matches!(&account.findings[..], [said] if is_said(said)), "{account:?}");
    assert_eq!(account.gaps, [Gap::Answered { of: Color::White, session, message: 0 }]);
    assert!(account.sessions <= sessions && account.sessions + account.unfinished == 7, "{account:?}");
}

/// White's transcript and disclosure are of a wrong answer. Whatever Black's disclosure leaves out or changes of what White said before, it is told.
#[test]
fn a_wrong_answer_is_told_whatever_the_liar_discloses() {
    for (number, session, message, ply) in [(436, sight(0, Phase::Post), 128, 2), (437, sight(2, Phase::Pre), 142, 2)] {
        let SessionId::Exchange { ply: of, phase } = session else { panic!("a sight") };
        let lie = Lie::Answers { ply: of.into(), phase, message, byte: 0 };
        let mut played = play(number, "andos", Some((Color::Black, lie)));
        let honest = played.disclosures.clone();
        let evidence = Evidence::HearersWord(ply);
        let said = Finding::Said { by: Color::Black, session, message, byte: 0, evidence };
        assert_eq!(played.both().findings, std::slice::from_ref(&said));
        played.leave_out(Color::Black, session);
        assert_eq!(played.both().findings, std::slice::from_ref(&said));
        // The set-up, without which none of Black's part can be run on its own disclosure.
        played.disclosures = honest.clone();
        played.leave_out(Color::Black, SessionId::SetUp);
        let account = played.both();
        assert!(account.findings.contains(&said), "{account:?}");
        assert!(account.gaps.contains(&Gap::Message { of: Color::Black, session: SessionId::SetUp, message: 0 }));
        // Another question of White's, which White swore to otherwise.
        played.disclosures = honest.clone();
        played.change(Color::Black, |other| {
            other.heard.get_mut(&session).expect("White's").get_mut(&1).expect("its first question")[5] ^= 1;
        });
        let evidence = Evidence::SpeakersWordAgainst(ply);
        let changed = Finding::Said { by: Color::White, session, message: 1, byte: 5, evidence };
        let found = played.both().findings;
        assert!(found.contains(&said) && found.contains(&changed), "{found:?}");
    }
}

/// Whoever has a player's disclosure could change what it heard, and hand it on in the player's name.
#[test]
fn a_file_that_its_player_did_not_write_is_none_of_its_disclosures() {
    let played = play(438, "dh-psi-plain", None);
    let [white, black] = &played.disclosures;
    let mut forged = white.clone();
    forged.heard.get_mut(&sight(2, Phase::Pre)).expect("a sight").get_mut(&2).expect("Black's reply")[5] ^= 1;
    let read = Disclosure::from_json(forged.to_json().as_bytes()).expect("its form is right");
    assert_eq!(played.check(&[read, black.clone()]), Err(DisclosureError::NotSigned(white.player)));
}

/// Proofs are in no transcript. White changes one in its own file: White's part refuses the message, so White can't have moved on it.
#[test]
fn a_message_that_its_hearer_must_have_refused_is_no_fault_of_its_speaker() {
    let session = sight(2, Phase::Pre);
    for (engine, message) in [("dh-psi-plain", 2), ("emanant", 2), ("andos", 0), ("bfv", 2)] {
        let mut played = play(439, engine, None);
        played.change(Color::White, |other| {
            let heard = other.heard.get_mut(&session).expect("a sight").get_mut(&message).expect("Black's");
            *heard.last_mut().expect("a proof") ^= 1;
        });
        for files in [&played.disclosures[..], &played.disclosures[..1]] {
            let found = played.check(files).expect("of this game").findings;
            let is_refused = |finding: &Finding| {
                matches!(finding, Finding::Refused { by: Color::White, session: of, message: number, .. }
                    if (*of, *number) == (session, message.into()))
            };
            let word = Finding::Word { of: Color::White, ply: 2 };
            assert!(
                matches!(&found[..], [refused, other] if is_refused(refused) && *other == word),
                "{engine}: {found:?}"
            );
        }
    }
}

/// The same where no move was made on it: of the sight after White's first move, which White breaks off and leaves out of its transcript.
#[test]
fn a_refused_message_of_a_sight_that_nobody_needed_speaks_against_its_own_file() {
    let session = sight(0, Phase::Post);
    let mut played = play_with(442, "emanant", None, cut(Color::White, 5, None));
    assert_eq!(played.both().findings, []);
    played.change(Color::White, |other| {
        let heard = other.heard.get_mut(&session).expect("a sight").get_mut(&2).expect("Black's");
        *heard.last_mut().expect("a proof") ^= 1;
    });
    for files in [&played.disclosures[..], &played.disclosures[..1]] {
        let found = played.check(files).expect("of this game").findings;
        let is_refused = |finding: &Finding| matches!(finding, Finding::Refused { by: Color::White, session: of, message: 2, .. } if *of == session);
        assert!(matches!(&found[..], [refused] if is_refused(refused)), "{found:?}");
    }
}

#[test]
fn who_spoils_its_own_file_is_held_to_its_word_all_the_same() {
    let lie = Lie::Asks { ply: 2, phase: Phase::Pre, message: 141, byte: 5 };
    let mut played = play(422, "andos", Some((Color::White, lie)));
    played.change(Color::White, |other| {
        let opening = other.heard.get_mut(&sight(2, Phase::Pre)).expect("a sight").get_mut(&0).expect("an opening");
        *opening.last_mut().expect("a digest") ^= 1;
    });
    let found = played.check(&played.disclosures[..1]).expect("of this game").findings;
    assert!(found.contains(&Finding::Word { of: Color::White, ply: 2 }), "{found:?}");
}

/// White sets up with another share of the key than its branch's, and tells of a set-up in which it didn't. Under that key the sights that Black
/// promised aren't what Black's part says; but Black's part says them under the key that there was, and Black swore to that set-up.
#[test]
fn what_was_promised_under_another_key_is_no_lie() {
    let mut played = play(441, "bfv", Some((Color::White, Lie::SetsUpOtherwise)));
    let branches = played.disclosures.each_ref().map(|disclosure| Branch::from_bytes(*disclosure.branch));
    let fitting = fitting(&*shipped("bfv"), &played.game(), branches);
    played.change(Color::White, |other| {
        let real = other.heard.insert(SessionId::SetUp, fitting.clone()).expect("Black's messages");
        assert!(real.keys().eq(fitting.keys()) && real.iter().all(|(index, bytes)| fitting[index] != *bytes));
    });
    let word = Finding::Word { of: Color::White, ply: 0 };
    let found = played.both().findings;
    let is_white = |finding: &Finding| {
        use Finding::{HeardOtherwise, Promise, Refused, Said, Word};
        matches!(
            finding,
            HeardOtherwise { by: Color::White, .. }
                | Promise { of: Color::White, .. }
                | Refused { by: Color::White, .. }
                | Said { by: Color::White, .. }
                | Word { of: Color::White, .. }
        )
    };
    assert!(found.contains(&word) && found.iter().all(is_white), "{found:?}");
    // Black has lost what it heard in the set-up, and so can't show that its messages were right: nothing is told of Black as certain.
    played.leave_out(Color::Black, SessionId::SetUp);
    let found = played.both().findings;
    let is_certain = |finding: &Finding| {
        matches!(finding, Finding::Said { by: Color::Black, evidence: Evidence::OwnWord(_) | Evidence::Promise(_), .. })
    };
    assert!(found.contains(&word) && !found.iter().any(is_certain), "{found:?}");
}

/// White stops asking, and puts an answer into its file that Black never gave to a question that White never asked.
#[test]
fn an_answer_that_was_invented_makes_no_file_incomplete_by_itself() {
    let session = sight(0, Phase::Post);
    let mut played = play_with(440, "andos", None, cut(Color::White, 9, None));
    played.change(Color::White, |other| {
        other.heard.get_mut(&session).expect("Black's").insert(10, vec![0]);
    });
    let account = played.both();
    let gap = Gap::Answered { of: Color::Black, session, message: 9 };
    // And unless White has guessed what Black would have said, that is told, as of no certain origin.
    let is_open = |finding: &Finding| {
        let Finding::Said { by: Color::Black, session: of, message: 10, evidence, .. } = finding else { return false };
        (*of, *evidence) == (session, Evidence::Nothing)
    };
    assert!(account.findings.iter().all(is_open), "{account:?}");
    assert_eq!(account.gaps, [gap]);
    assert!(gap.to_string().ends_with("black leaves it out, or white never sent it and never had the answer"), "{gap}");
}

/// White may break off asking and move all the same, so a sight that Black has no end of doesn't show that Black leaves it out.
#[test]
fn the_end_of_a_sight_may_be_missing_without_its_giver_s_fault() {
    let session = sight(2, Phase::Pre);
    let mut played = play(443, "andos", None);
    played.change(Color::Black, |other| {
        other.heard.get_mut(&session).expect("White's").retain(|message, _| *message < 9);
    });
    let account = played.check(&played.disclosures[1..]).expect("of this game");
    let gap = Gap::Message { of: Color::Black, session, message: 9 };
    assert_eq!((&account.findings[..], &account.gaps[..]), (&[][..], &[gap][..]));
    assert!(gap.to_string().ends_with("black leaves it out, or white moved without having sent it"), "{gap}");
}
