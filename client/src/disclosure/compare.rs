//! Two disclosures held against each other. Each tells a game of its own: what its player said follows, and what its opponent said stands
//! there. So in each the opponent's part is run on what this player says, and the first message of a session that isn't what comes of
//! that is looked at by what both have sworn to on chain.

use super::part::{Part, Run};
use super::transcripts::sworn;
use super::{Course, DisclosureError, Evidence, Finding, Gap};
use engines::replay::{Accountable, Again};
use game::{Phase, SessionId};

/// Adds to `findings` and `gaps` what two disclosures show beyond what each shows by itself.
pub(super) fn compare(
    course: &Course,
    engine: &dyn Accountable,
    parts: [&Part<'_>; 2],
    findings: &mut Vec<Finding>,
    gaps: &mut Vec<Gap>,
) -> Result<(), DisclosureError> {
    let [one, other] = parts;
    for (teller, speaker) in [(one, other), (other, one)] {
        if agrees(teller, speaker) {
            continue;
        }
        let due = speaker.told_by(course, engine, teller)?;
        for (session, run) in &teller.sessions {
            let session = *session;
            gaps.extend(left_out(session, run, speaker));
            let Some(due) = due.get(&session) else { continue };
            let Some(first) = first_other(session, teller, &due.again) else { continue };
            findings.extend(judge(course, session, first, teller, speaker));
        }
    }
    Ok(())
}

/// Whether the speaker's part, as it was run, says all that the teller heard. Running it again would show nothing.
fn agrees(teller: &Part<'_>, speaker: &Part<'_>) -> bool {
    teller.sessions.iter().all(|(session, run)| {
        let messages = run.again.messages();
        let heard = (0..messages.len()).rev().find(|index| !run.is_own(*index)).map_or(0, |last| last + 1);
        let same = |other: &Run| other.again.messages().get(..heard) == Some(&messages[..heard]);
        run.again.refused.is_none() && speaker.sessions.get(session).is_some_and(same)
    })
}

/// What a player's disclosure leaves out of what it must have heard if the other one's is right, which has what the player said to it.
fn left_out(session: SessionId, heard: &Run, speaker: &Part<'_>) -> Option<Gap> {
    let run = speaker.sessions.get(&session).filter(|run| run.again.refused.is_none())?;
    let (of, message) = (speaker.color, run.again.messages().len());
    let is_answered = (message..heard.again.messages().len()).any(|index| run.is_own(index));
    let is_known = speaker.gaps.contains(&Gap::Message { of, session, message });
    (is_answered && !is_known).then_some(Gap::Answered { of, session, message })
}

/// The first message that a player says it heard and that isn't the opponent's in `part`, and its first other byte.
fn first_other(session: SessionId, teller: &Part<'_>, part: &Again) -> Option<(usize, usize)> {
    let other = |index| Some((index, part.first_other_byte(index, teller.heard(session, index)?)?));
    (0..part.length()).find_map(other)
}

/// What can be told of a message that the teller heard otherwise than it follows from what the teller says.
fn judge(
    course: &Course,
    session: SessionId,
    (message, byte): (usize, usize),
    teller: &Part<'_>,
    speaker: &Part<'_>,
) -> Option<Finding> {
    let by = speaker.color;
    let said = |evidence| Some(Finding::Said { by, session, message, byte, evidence });
    let told = &teller.sessions.get(&session)?.again;
    let speakers = speaker.sessions.get(&session).map(|run| &run.again);
    if let Some(ply) = sworn(course, session, teller.color, speaker) {
        // The teller swore to what the speaker discloses. Where they differ in the teller's own messages, the speaker's disclosure names them.
        let (message, byte) = first_other(session, teller, speakers?)?;
        return Some(Finding::HeardOtherwise { by: teller.color, session, message, byte, ply });
    }
    // Both have this message, and differ in one before it, of this session or of the set-up, which is told.
    let is_common = |again: &Again| {
        let heard = teller.heard(session, message).filter(|_| again.messages().len() > message);
        heard.is_some_and(|heard| again.first_other_byte(message, heard).is_none())
    };
    if speakers.is_some_and(is_common) {
        return None;
    }
    // A word binds the messages, but not the keys that they were made with: what the speaker should have said follows from those of the set-up
    // as the teller tells it, so only who swore to that set-up is held to its word.
    if sworn(course, SessionId::SetUp, by, teller).is_some() {
        if let Some(ply) = sworn(course, session, by, teller) {
            return said(Evidence::OwnWord(ply));
        }
        // The teller's part takes no other opening than the promised one.
        if let SessionId::Exchange { ply, phase: Phase::Pre } = session
            && message == 0
            && told.messages().len() > message
        {
            return said(Evidence::Promise(ply.saturating_sub(1)));
        }
    }
    // From here on the teller's disclosure stands for itself, which it can't where its own part refuses it.
    if told.refused.is_some() {
        return None;
    }
    said(match (sworn(course, session, teller.color, teller), sworn(course, session, by, speaker)) {
        (Some(ply), _) => Evidence::HearersWord(ply),
        (None, Some(ply)) => Evidence::SpeakersWordAgainst(ply),
        (None, None) => Evidence::Nothing,
    })
}
