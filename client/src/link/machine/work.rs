//! What the opponent can make this machine do in a minute, by kind of message.
//!
//! A frame costs its reading and a hash; a message that is handed on costs what the seat does for it: a request 64 points
//! to be checked, an answer a proof to be verified, a wish an answer to be sent again. Honest players use a few of each in
//! a ply. Of sessions each piece is counted: the busiest engine, andos, sends some 5 MB and 150 messages a sight, in about a second of
//! computing. What is beyond the allowance of its kind is refused as [`Refusal::Busy`](crate::link::Refusal), which an honest peer
//! sends again later; a peer that goes on beyond that of all frames is disconnected. Pure: the time is given.

use std::time::{Duration, Instant};

use game::MessageKind;

use crate::link::frame::Frames;
use crate::link::meter::{Meter, Rate};

/// All frames of the opponent, repeats and refused ones too: 240 a minute.
pub(super) const FRAMES: Rate = Rate { burst: 256, every: Duration::from_millis(250) };
/// All frames of the opponent in games of engines with sessions: 100 a second.
pub(super) const FRAMES_OF_SESSIONS: Rate = Rate { burst: 4096, every: Duration::from_millis(10) };
/// Pieces of messages taken: 50 a second, 3.2 MB.
pub(super) const PIECES: Rate = Rate { burst: 2048, every: Duration::from_millis(20) };
/// Requests handed on: 30 a minute.
pub(super) const REQUESTS: Rate = Rate { burst: 32, every: Duration::from_secs(2) };
/// Answers handed on: 30 a minute.
pub(super) const ANSWERS: Rate = Rate { burst: 32, every: Duration::from_secs(2) };
/// Wishes handed on: 60 a minute.
pub(super) const WANTS: Rate = Rate { burst: 64, every: Duration::from_secs(1) };
/// Frames that a peer may send before it has said who it is: its hello, and a few messages that it may have taken to be
/// welcome after a reconnection.
pub(super) const FRAMES_OF_STRANGER: u32 = 8;

/// What the opponent has used. It is the opponent's and not a connection's: connecting anew gives nothing back.
#[derive(Debug)]
pub(super) struct Work {
    frames: Meter,
    requests: Meter,
    answers: Meter,
    wants: Meter,
    pieces: Meter,
}

impl Work {
    /// Nothing so far, in a game with these frames.
    pub(super) fn new(frames: Frames) -> Self {
        let all = match frames {
            Frames::Answers | Frames::Channel => FRAMES,
            Frames::Sessions { .. } => FRAMES_OF_SESSIONS,
        };
        let [frames, requests, answers, wants, pieces] = [all, REQUESTS, ANSWERS, WANTS, PIECES].map(Meter::new);
        Self { frames, requests, answers, wants, pieces }
    }

    /// Whether one more frame may come.
    pub(super) fn frame(&mut self, now: Instant) -> bool {
        self.frames.take(now)
    }

    /// Whether one more message, or of a session's one more piece, of a kind may be handed on.
    pub(super) fn message(&mut self, kind: MessageKind, now: Instant) -> bool {
        let meter = match kind {
            // Each has the points of a request.
            MessageKind::Request | MessageKind::Ply => &mut self.requests,
            MessageKind::Answer => &mut self.answers,
            MessageKind::Want | MessageKind::WantSetUp | MessageKind::WantExchange => &mut self.wants,
            MessageKind::Countersigned | MessageKind::Result | MessageKind::Have => &mut self.wants,
            MessageKind::SetUp | MessageKind::Exchange => &mut self.pieces,
        };
        meter.take(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_its_own_allowance() {
        let now = Instant::now();
        let mut work = Work::new(Frames::Answers);
        for (kind, rate) in [
            (MessageKind::Request, REQUESTS),
            (MessageKind::Answer, ANSWERS),
            (MessageKind::Want, WANTS),
            (MessageKind::SetUp, PIECES),
        ] {
            let free = (0..10_000).filter(|_| work.message(kind, now)).count();
            assert_eq!(free, rate.burst as usize, "{kind:?}");
            let minute = Duration::from_secs(60);
            let later: usize = (1..=60_000).filter(|ms| work.message(kind, now + Duration::from_millis(*ms))).count();
            assert_eq!(later as u128, minute.as_millis() / rate.every.as_millis(), "{kind:?}, in a minute");
        }
        let frames = (0..1000).filter(|_| work.frame(now)).count();
        assert_eq!(frames, FRAMES.burst as usize);
        let mut sessions = Work::new(Frames::Sessions { max_message: 1 });
        let frames = (0..10_000).filter(|_| sessions.frame(now)).count();
        assert_eq!(frames, FRAMES_OF_SESSIONS.burst as usize);
    }
}
