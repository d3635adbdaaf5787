//! One disclosure or both, held against the chain and against each other.

use super::part::{Fit, Part};
use super::{Course, Disclosure, DisclosureError, Evidence, Finding};
use engines::replay::Accountable;
use fog::ensure;
use game::{Phase, SessionId};
use rules::Color;

/// What a check has looked at, and what it has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// Whose parts were run again.
    pub players: Vec<Color>,
    /// Sessions that were run again to their end, by one part or by both.
    pub sessions: usize,
    /// Sessions that had begun and not come to their end, as at the end of a game.
    pub unfinished: usize,
    /// Moves whose transcript on chain is that of the parts.
    pub transcripts: usize,
    /// All that isn't as the protocol wants it.
    pub findings: Vec<Finding>,
}

impl Account {
    /// Whether nothing was found.
    pub fn ok(&self) -> bool {
        self.findings.is_empty()
    }
}

/// Runs the parts of one player or of both again. Slow: it makes every message of the game.
///
/// # Errors
///
/// A disclosure that isn't of this game, isn't signed by its player, or is malformed; a defect of this machine. A lie is no error but a [`Finding`].
pub fn check(
    course: &Course,
    engine: &dyn Accountable,
    disclosures: &[Disclosure],
) -> Result<Account, DisclosureError> {
    let name = engine.about().name;
    for (number, disclosure) in disclosures.iter().enumerate() {
        ensure!(disclosure.game == course.game, DisclosureError::OtherGame);
        let other = || DisclosureError::OtherEngine(disclosure.engine.clone(), name.to_owned());
        ensure!(disclosure.engine == name, other());
        let twice = disclosures[..number].iter().any(|known| known.player == disclosure.player);
        ensure!(!twice, DisclosureError::SamePlayer(disclosure.player));
        ensure!(course.color_of(disclosure.player).is_some(), DisclosureError::NotAPlayer(disclosure.player));
        ensure!(disclosure.signer() == Some(disclosure.player), DisclosureError::NotSigned(disclosure.player));
    }
    let parts = disclosures.iter().map(|disclosure| Part::run(course, engine, disclosure));
    let parts = parts.collect::<Result<Vec<_>, _>>()?;
    let mut findings: Vec<Finding> = parts.iter().flat_map(|part| part.findings.iter().cloned()).collect();
    let transcripts = words(course, &parts, &mut findings);
    if let [one, other] = &parts[..] {
        let said = compare(course, one, other)?;
        // The byte says more than the refusal, and what was answered to a lie is no lie.
        findings.retain(|finding| !said.iter().any(|said| explains(said, finding)));
        findings.extend(said);
    }
    let is_whole = |part: &Part<'_>, id: &SessionId| {
        part.sessions.get(id).is_some_and(|run| run.again.messages().len() == run.again.length())
    };
    let mut known: Vec<SessionId> = parts.iter().flat_map(|part| part.sessions.keys().copied()).collect();
    known.sort_unstable();
    known.dedup();
    known.retain(|id| parts.iter().any(|part| part.sessions.get(id).is_some_and(|run| run.again.length() > 0)));
    let sessions = known.iter().filter(|id| parts.iter().any(|part| is_whole(part, id))).count();
    let players = parts.iter().map(|part| part.color).collect();
    Ok(Account { players, sessions, unfinished: known.len() - sessions, transcripts, findings })
}

/// Holds the transcript of each move against the parts. Says how many fit one part at least and contradict none.
fn words(course: &Course, parts: &[Part<'_>], findings: &mut Vec<Finding>) -> usize {
    let mut fitting = 0;
    for fields in &course.moves {
        let (ply, of) = (fields.ply, Color::of_ply(fields.ply.into()));
        let fits: Vec<Fit> = parts.iter().map(|part| part.fit(course, ply)).collect();
        let mut is_right = fits.iter().any(|fit| matches!(fit, Fit::Whole | Fit::WithoutFirst));
        for (part, _) in parts.iter().zip(&fits).filter(|(_, fit)| **fit == Fit::Not) {
            is_right = false;
            match (part.color == of, parts.len()) {
                (true, _) => findings.push(Finding::Word { of, ply }),
                (false, 1) => findings.push(Finding::OtherWord { of, ply }),
                // Where both are disclosed the messages themselves are compared.
                (false, _) => {}
            }
        }
        fitting += usize::from(is_right);
    }
    fitting
}

/// The first message of each session that the two parts have differently.
fn compare(course: &Course, one: &Part<'_>, other: &Part<'_>) -> Result<Vec<Finding>, DisclosureError> {
    let mut found = Vec::new();
    for (session, run) in &one.sessions {
        let of_one = one.completed(course, *session, other)?;
        let of_other = other.completed(course, *session, one)?;
        for index in 0..run.again.length() {
            let (speaker, hearer, more) = match index.is_multiple_of(2) == run.opens {
                true => (one, other, &of_one),
                false => (other, one, &of_other),
            };
            let Some(heard) = hearer.message(*session, index) else { continue };
            let disclosed = speaker.sessions.get(session).map(|run| &run.again);
            let [disclosed, more] =
                [disclosed, more.as_ref()].map(|again| again.and_then(|again| again.first_other_byte(index, heard)));
            if let Some(byte) = disclosed {
                found.push(judge(course, *session, index, byte, speaker, hearer));
                break;
            }
            if let Some(byte) = more {
                found.push(judge_left_out(course, *session, index, byte, speaker, hearer));
                break;
            }
        }
    }
    Ok(found)
}

/// Whether the transcript that a move carries is of a part's messages of this session.
fn is_of(course: &Course, session: SessionId, ply: u16, part: &Part<'_>) -> bool {
    match part.fit(course, ply) {
        // A sight that came to no end is in no transcript.
        Fit::Whole => part.has_ended(session),
        Fit::WithoutFirst => matches!(session, SessionId::Exchange { phase: Phase::Pre, .. }),
        Fit::Not | Fit::Unknown => false,
    }
}

/// The move of a player whose transcript is of a part's messages of this session.
fn told(course: &Course, session: SessionId, color: Color, part: &Part<'_>) -> Option<u16> {
    let mut words = course.words_of(session).into_iter();
    words.find(|ply| Color::of_ply((*ply).into()) == color && is_of(course, session, *ply, part))
}

/// What can be told of a message whose speaker discloses nothing of what it was told before, and which isn't what would follow if that was right.
fn judge_left_out(
    course: &Course,
    session: SessionId,
    message: usize,
    byte: usize,
    speaker: &Part<'_>,
    hearer: &Part<'_>,
) -> Finding {
    let by = speaker.color;
    match told(course, session, hearer.color, hearer) {
        Some(ply) => Finding::Said { by, session, message, byte, evidence: Evidence::HearersWord(ply) },
        None => Finding::LeftOut { by, session, message, byte },
    }
}

/// What can be told of a message that was heard otherwise than its speaker's part makes it.
fn judge(
    course: &Course,
    session: SessionId,
    message: usize,
    byte: usize,
    speaker: &Part<'_>,
    hearer: &Part<'_>,
) -> Finding {
    let by = speaker.color;
    let told = |color: Color, part: &Part<'_>| told(course, session, color, part);
    let was_taken = hearer.sessions.get(&session).is_some_and(|run| run.again.messages().len() > message);
    let promise = match session {
        // The hearer's part takes no other opening than the promised one.
        SessionId::Exchange { ply, phase: Phase::Pre } if message == 0 && was_taken => ply.checked_sub(1),
        _ => None,
    };
    let evidence = if let Some(ply) = told(by, hearer) {
        Evidence::OwnWord(ply)
    } else if let Some(ply) = promise {
        Evidence::Promise(ply)
    } else if let Some(ply) = told(!by, speaker) {
        return Finding::HeardOtherwise { by: !by, session, message, byte, ply };
    } else if let Some(ply) = told(!by, hearer) {
        Evidence::HearersWord(ply)
    } else if let Some(ply) = told(by, speaker) {
        Evidence::SpeakersWordAgainst(ply)
    } else {
        Evidence::Nothing
    };
    Finding::Said { by, session, message, byte, evidence }
}

/// Whether a refusal is of the message that is found to be another, or of one after it.
fn explains(said: &Finding, refusal: &Finding) -> bool {
    let (place, first) = match said {
        Finding::Said { session, message, .. }
        | Finding::HeardOtherwise { session, message, .. }
        | Finding::LeftOut { session, message, .. } => (session, message),
        _ => return false,
    };
    matches!(refusal, Finding::Refused { session, message, .. } if session == place && message >= first)
}
