//! The one line that says what the game waits for, in a player's words.

use crate::clocks::time_left;
use crate::model::{Model, Wake};
use game::{LinkState, Notice, ProofJob, What, Who};
use std::time::{Duration, Instant};

impl Model {
    /// What the game waits for.
    pub(crate) fn status(&self, now: Instant) -> String {
        if self.ending.is_some() {
            return self.result();
        }
        if let Some(wake) = self.wake {
            return self.woken(wake, now);
        }
        let Some(awaiting) = self.awaiting else {
            return if self.views.is_empty() { "Looking for the game on the chain.".to_owned() } else { String::new() };
        };
        let chosen = || self.chosen_in_words().unwrap_or_else(|| "your move".to_owned());
        let within = || awaiting.until.and_then(|until| self.until(until, now)).map(time_left);
        let until = || within().map_or_else(String::new, |time| format!(" {time} left."));
        let you = awaiting.who == Who::You;
        match (awaiting.what, awaiting.who) {
            (What::Reveal, Who::Opponent) => {
                "Colours are being drawn: the opponent's machine has to do its part.".to_owned()
            }
            (What::Reveal, _) => "Colours are being drawn.".to_owned(),
            (What::SetUp, _) => "The two machines prepare the game.".to_owned(),
            (What::Move, _) if you && self.draw_offered => "Your move, or take the draw: Ctrl-Y.".to_owned(),
            (What::Move, _) if you && self.is_away => "Your move; the opponent is away.".to_owned(),
            (What::Move, _) if you => "Your move.".to_owned(),
            (What::Move, _) if self.is_away => {
                "The opponent is away. With its clock at 0:00 this machine turns to the chain.".to_owned()
            }
            (What::Move, _) if self.has_offered => "The opponent is to move; your draw is on offer.".to_owned(),
            (What::Move, _) => "The opponent is to move.".to_owned(),
            (What::Request, _) => format!("{} waits for the opponent's machine; `go` doesn't wait.", chosen()),
            (What::Sight, _) if self.is_away && !self.has_proofs() => {
                "The opponent is away and owes you a sight: its machine is called again.".to_owned()
            }
            (What::Sight, _) if self.is_away => {
                "The opponent is away and owes you a sight: this machine soon asks the chain.".to_owned()
            }
            (What::Sight, _) => "The opponent has moved; its machine tells what you see now.".to_owned(),
            (What::Check, _) => "What the opponent's machine has sent is being checked.".to_owned(),
            (What::Proof, _) if !self.has_proofs() => format!("{} is being sent.", chosen()),
            (What::Proof, _) => format!("Proving {}{}", chosen(), self.progress(now)),
            (What::Block, _) => format!("{} is on its way to the chain.", chosen()),
            (What::Finality, _) if self.chosen.is_some() => format!("{} is on the chain and becomes final.", chosen()),
            (What::Finality, _) => "The opponent has moved; its move becomes final.".to_owned(),
            (What::Loss, _) => "You have captured the king: the opponent's machine has to sign that.".to_owned(),
            (What::Demand, Who::Opponent) => {
                format!("The opponent is silent: it gives your sight, or you win.{}", until())
            }
            (What::Demand, _) => {
                format!("This machine gives a sight that is demanded.{}", until())
            }
            (What::Claim, Who::Opponent) => {
                format!("You claim fifty moves.{}", until())
            }
            (What::Claim, _) => format!("The opponent claims fifty moves.{}", until()),
        }
    }

    /// What a woken game waits for.
    fn woken(&self, wake: Wake, now: Instant) -> String {
        let left = |until| self.until(until, now).filter(|left| !left.is_zero());
        match wake {
            Wake::Sent => "The game is being brought to the chain, where it goes on.".to_owned(),
            Wake::Contested { until } => match left(until) {
                Some(left) => format!("The game was woken: it goes on on the chain in {}.", time_left(left)),
                None => "The game was woken: it goes on on the chain now.".to_owned(),
            },
        }
    }

    /// How the opponent's machine is reached.
    pub(crate) fn link(&self) -> String {
        match self.link {
            Some((LinkState::Direct, _)) => "link ● direct".to_owned(),
            Some((LinkState::Relayed, _)) => "link ● by a relay".to_owned(),
            Some((LinkState::Off, _)) => "link ○ chain only".to_owned(),
            Some((LinkState::Dialling, tries @ 2..)) => format!("link ○ dialled {tries} times"),
            Some((LinkState::Dialling, _)) | None => "link ○ waiting".to_owned(),
        }
    }

    /// How far the proof of the own move is.
    fn progress(&self, now: Instant) -> String {
        let Some((Notice::Proof { job: ProofJob::Move, stage, stages, elapsed_ms, expected_ms, .. }, since)) =
            self.proof
        else {
            return " …".to_owned();
        };
        let elapsed = Duration::from_millis(elapsed_ms) + now.saturating_duration_since(since);
        let expected = expected_ms.map(Duration::from_millis);
        let done = match expected.filter(|time| !time.is_zero()) {
            Some(time) => elapsed.as_secs_f64() / time.as_secs_f64(),
            None => f64::from(stage) / f64::from(stages.max(1)),
        };
        let filled = ((done * 12.0) as usize).min(12);
        let about = expected.map_or_else(String::new, |time| format!(" of about {} s", time.as_secs().max(1)));
        format!("  {}{}  {} s{about}", "█".repeat(filled), "░".repeat(12 - filled), elapsed.as_secs())
    }
}
