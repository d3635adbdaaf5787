//! The transcripts that moves carry, held against the parts.

use super::part::Part;
use super::{Course, Finding, Missing};
use game::transcript::next;
use rules::Color;

/// How the transcript of a move fits a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fit {
    /// It is of all the sessions that it can be of, or leaves out a sight that had not come to its end where the transcript was made.
    Fits,
    /// It may be of more of the sight after the last move than the part has: from this message on.
    Longer(Missing),
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
    let run = |session| part.sessions.get(&session?);
    let transcript = |session| run(session).and_then(|run| run.transcript);
    let (one, two) = (transcript(first), transcript(second));
    let is_own = play.turn() == part.color;
    let (Some(session), Some(last)) = (first, run(first).filter(|_| second.is_none() || two.is_some())) else {
        // Nobody moves after a sight that its own part refuses: what it swore to isn't what it discloses.
        let is_refused = run(second).is_some_and(|run| run.again.refused.is_some());
        return if is_refused && is_own { Fit::Not } else { Fit::Unknown };
    };
    let before = play.request_roots[play.turn().index()];
    let is_said = |one| next(before, one, two) == fields.next_request_root;
    let is_short = !last.is_whole();
    if (!is_short && is_said(one)) || (second.is_some() && is_said(None)) {
        Fit::Fits
    } else if is_short && (!is_own || last.again.refused.is_none()) {
        // A part that was refused is at its end, and the player's own transcript leaves it out.
        Fit::Longer(Missing { of: part.color, session, message: last.again.messages().len() })
    } else {
        Fit::Not
    }
}

/// Holds the transcript of each move against the parts. Gives how many fit one part at least and contradict none.
pub(super) fn check(
    course: &Course,
    parts: &[Part<'_>],
    findings: &mut Vec<Finding>,
    missing: &mut Vec<Missing>,
) -> usize {
    let mut fitting = 0;
    for fields in &course.moves {
        let (ply, of) = (fields.ply, Color::of_ply(fields.ply.into()));
        let of_part = |color| {
            let part = parts.iter().find(|part| part.color == color);
            part.map_or(Fit::Unknown, |part| fit(course, ply, part))
        };
        let (own, others) = (of_part(of), of_part(!of));
        if let Fit::Longer(message) = own {
            missing.push(message);
        }
        match (own, others) {
            (Fit::Not, _) => findings.push(Finding::Transcript { of, ply, file: of }),
            (Fit::Longer(_) | Fit::Unknown, Fit::Not) => findings.push(Finding::Transcript { of, ply, file: !of }),
            // Where it fits its own part, the messages themselves are compared.
            (Fit::Fits, Fit::Not) => {}
            _ => fitting += usize::from([own, others].contains(&Fit::Fits)),
        }
    }
    fitting
}
