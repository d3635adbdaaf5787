//! Two disclosures held against each other: what one leaves out or changes hides no lie of its player, and makes nobody else the liar.

use super::disclosures::{Played, cut, play, play_with, sight};
use super::liar::Lie;
use client::disclosure::{Account, Disclosure, DisclosureError, Evidence, Finding, Gap};
use game::{Phase, SessionId};
use rules::Color;

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
/// Black discloses a question of White's that is none.
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
    let is_said = |finding: &Finding| {
        matches!(finding, Finding::Said { by: Color::White, session: of, message: 1, evidence: Evidence::Nothing, .. }
            if *of == session)
    };
    assert!(matches!(&found[..], [said] if is_said(said)), "{found:?}");
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
