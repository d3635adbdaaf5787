//! The transcripts that moves carry, held against the parts.

use super::part::Part;
use super::{Course, Finding, Gap};
use game::transcript::next;
use game::{Phase, SessionId};
use rules::Color;

/// How the transcript of a move fits a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    /// It is of all the sessions that it can be of.
    Whole,
    /// It leaves out the sight after the last move, which had not come to its end where the transcript was made.
    WithoutFirst,
    /// It may be of more of that sight than the part has.
    Longer,
    /// It is of other messages.
    Not,
    /// The part hasn't got so far.
    Unknown,
}

/// How the transcript that the move of a ply carries fits a part.
fn fit(course: &Course, ply: u16, part: &Part<'_>) -> Fit {
    let place = usize::from(ply);
    let (Some(play), Some(fields)) = (course.positions.get(place), course.moves.get(place)) else {
        return Fit::Unknown;
    };
    let [first, second] = Course::told_by(ply);
    let run = |session: Option<SessionId>| part.sessions.get(&session?);
    let transcript = |session| run(session).and_then(|run| run.transcript);
    let (one, two) = (transcript(first), transcript(second));
    if run(first).is_none() || (second.is_some() && two.is_none()) {
        // Nobody moves after a sight that its own part refuses: what it swore to isn't what it discloses.
        let is_refused = run(second).is_some_and(|run| run.again.refused.is_some());
        return if is_refused && play.turn() == part.color { Fit::Not } else { Fit::Unknown };
    }
    let before = play.request_roots[play.turn().index()];
    let is_said = |one| next(before, one, two) == fields.next_request_root;
    let is_short = run(first).is_some_and(|run| !run.is_whole());
    // A part that was refused is at its end, and the player's own transcript leaves it out.
    let is_cut = is_short && run(first).is_some_and(|run| run.again.refused.is_none());
    if !is_short && is_said(one) {
        Fit::Whole
    } else if second.is_some() && is_said(None) {
        Fit::WithoutFirst
    } else if is_cut || (is_short && play.turn() != part.color) {
        Fit::Longer
    } else {
        Fit::Not
    }
}

/// The move of a player whose transcript is of a part's messages of a session.
pub(super) fn sworn(course: &Course, session: SessionId, color: Color, part: &Part<'_>) -> Option<u16> {
    let is_of = |ply| match fit(course, ply, part) {
        Fit::Whole => true,
        Fit::WithoutFirst => matches!(session, SessionId::Exchange { phase: Phase::Pre, .. }),
        Fit::Longer | Fit::Not | Fit::Unknown => false,
    };
    course.words_of(session).into_iter().find(|ply| Color::of_ply((*ply).into()) == color && is_of(*ply))
}

/// Holds the transcript of each move against the parts. Says how many fit one part at least and contradict none.
pub(super) fn check(course: &Course, parts: &[Part<'_>], findings: &mut Vec<Finding>, gaps: &mut Vec<Gap>) -> usize {
    let mut fitting = 0;
    for fields in &course.moves {
        let (ply, of) = (fields.ply, Color::of_ply(fields.ply.into()));
        let fits = |is_own: bool| {
            let part = parts.iter().find(|part| (part.color == of) == is_own);
            part.map_or(Fit::Unknown, |part| fit(course, ply, part))
        };
        let (own, others) = (fits(true), fits(false));
        if own == Fit::Longer {
            gaps.push(Gap::Transcript { of, ply });
        }
        match (own, others) {
            (Fit::Not, _) => findings.push(Finding::Word { of, ply }),
            (Fit::Longer | Fit::Unknown, Fit::Not) => findings.push(Finding::OtherWord { of, ply }),
            // Where both fit their own part the messages themselves are compared.
            (Fit::Whole | Fit::WithoutFirst, Fit::Not) => {}
            _ => fitting += usize::from([own, others].iter().any(|fit| matches!(fit, Fit::Whole | Fit::WithoutFirst))),
        }
    }
    fitting
}
