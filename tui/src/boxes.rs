//! What is told in a box beside the board, because something follows from it: a demand, a claim, an offer, the end. Nothing typed is lost to
//! one; Esc closes it.

use crate::clocks::time_left;
use crate::model::Model;
use crate::text::in_ether;
use game::{EXCHANGE_GAS, Notice, What, Who, grouped};
use std::time::Instant;

/// What a claim of fifty moves risks.
pub const FIFTY: &str = "\
You know your own moves, not the opponent's pawns. If it shows that it has made fewer than fifty such moves, the game goes
on, and your bond pays for its transaction, about 460,000 gas; else the game is drawn when its time to answer is over. `fifty
yes` claims.";

/// What a box is about. One that was closed stays closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    End {
        has_lifted: bool,
        rematch: Option<bool>,
    },
    Demand(Who),
    Claim(Who),
    /// The draw that the last of so many plies has offered.
    Draw(usize),
}

impl Model {
    /// What there is to tell.
    pub(crate) fn subject(&self) -> Option<Subject> {
        if self.ending.is_some() {
            return Some(Subject::End { has_lifted: !self.opened.is_empty(), rematch: self.rematch });
        }
        // What a woken game waited for before is no more.
        let awaiting = self.awaiting.filter(|_| self.wake.is_none())?;
        match awaiting.what {
            What::Demand => Some(Subject::Demand(awaiting.who)),
            What::Claim => Some(Subject::Claim(awaiting.who)),
            What::Move if self.draw_offered && awaiting.who == Who::You => Some(Subject::Draw(self.plies.len())),
            _ => None,
        }
    }

    /// The title and the text of a box, on a screen with or without small boards.
    pub(crate) fn told(&self, subject: Subject, has_small: bool, now: Instant) -> (String, String) {
        let left = self.awaiting.and_then(|awaiting| self.until(awaiting.until?, now));
        let left = left.map_or_else(|| "its time".to_owned(), time_left);
        let stakes = if self.stake() > 0 { "both stakes" } else { "the game" };
        match subject {
            Subject::End { .. } => match self.rematch {
                None => (self.result(), self.what_next(has_small)),
                Some(stands) => {
                    let title =
                        if stands { "The opponent wants another game" } else { "The opponent wants no other game now" };
                    (title.to_owned(), format!("{}\n{}", self.result(), self.what_next(has_small)))
                }
            },
            Subject::Draw(_) => {
                let back = if self.stake() > 0 { " and each has its stake back" } else { "" };
                let text = format!("Ctrl-Y or `accept` takes it: the game ends drawn{back}. Any move declines it.");
                ("A draw is offered".to_owned(), text)
            }
            Subject::Demand(Who::Opponent) => (
                "The opponent is silent".to_owned(),
                format!(
                    "Your sight{} is demanded through the chain. It has {left} to give it.\nIt gives it: the game goes on; that costs each of you \
                     about {} gas.\nIt doesn't: you win {stakes}.\nNothing is to be done; the clocks stand.",
                    self.demanded_sight(),
                    grouped(EXCHANGE_GAS.into())
                ),
            ),
            Subject::Demand(_) => (
                "A sight is demanded of you".to_owned(),
                format!(
                    "The opponent's sight{} hasn't reached it, it says. This machine proves it and gives it through the chain, by itself, for about \
                     {} gas.\nTime for it: {left}. Who lets it pass loses {stakes}: leave this program running, and ether in the wallet.\nThe clocks \
                     stand.",
                    self.demanded_sight(),
                    grouped(EXCHANGE_GAS.into())
                ),
            ),
            Subject::Claim(Who::Opponent) => (
                "You claim a draw by fifty moves".to_owned(),
                format!(
                    "The opponent has {left} to show that it has made fewer.\nIt does: the game goes on, your bond pays for it, and you can't claim \
                     for 10 moves.\nIt doesn't: the game is drawn.\nNothing is to be done; the clocks stand."
                ),
            ),
            Subject::Claim(_) if self.disputes => (
                "The opponent claims a draw".to_owned(),
                format!(
                    "It says that each of you has made fifty moves without a capture or a pawn's move. You have made fewer: this machine shows it \
                     by itself and is paid for it; the game goes on.\nTime for it: {left}. Leave this program running; the clocks stand."
                ),
            ),
            Subject::Claim(_) => (
                "The opponent claims a draw".to_owned(),
                format!(
                    "Each of you has made fifty moves without a capture or a pawn's move: by your own moves that is right. The game is drawn in {left}."
                ),
            ),
        }
    }

    fn demanded_sight(&self) -> String {
        self.demanded.map_or_else(String::new, |(ply, phase)| format!(" {phase} move {}", ply / 2 + 1))
    }

    /// How the game ended, for this player.
    pub(crate) fn result(&self) -> String {
        let you = self.color().filter(|_| !self.is_watched());
        self.ending.map_or_else(String::new, |ending| format!("{}.", ending.told(you)))
    }

    /// The commands after the end, and what they do.
    fn offers(&self) -> Vec<(&'static str, String)> {
        if self.is_watched() {
            return vec![("F", "turns the board".to_owned()), ("quit", "leaves".to_owned())];
        }
        let owed = if let Some(Notice::Money { owed_wei, .. }) = self.money { owed_wei } else { 0 };
        let rematch =
            if self.rematch == Some(true) { "joins the game that the opponent has opened" } else { "plays once more" };
        let publish = match self.opened.is_empty() {
            true => "opens your side to everybody",
            false => "opens your side, as the opponent has opened its own",
        };
        let all = [
            (!self.is_solo, "rematch", format!("{rematch}, on the same terms")),
            (!self.has_published, "publish", publish.to_owned()),
            (owed > 0, "withdraw", format!("fetches {}, which the contract owes you", in_ether(owed))),
            (true, "quit", "ends".to_owned()),
        ];
        all.into_iter().filter(|(is_there, ..)| *is_there).map(|(_, name, does)| (name, does)).collect()
    }

    /// What can be done after the end, on one line.
    pub(crate) fn keys_at_end(&self) -> String {
        let names = self.offers().into_iter().map(|(name, _)| name);
        ["← → Home End"].into_iter().chain(names).collect::<Vec<_>>().join("   ")
    }

    /// What can be done after the end.
    fn what_next(&self, has_small: bool) -> String {
        let mut lines = vec!["← → Home End  go through the game".to_owned()];
        lines.extend(self.offers().into_iter().map(|(name, does)| format!("{name:13} {does}")));
        lines.push(match self.opened.is_empty() {
            true if self.is_watched() => {
                "Only one view key is known: of the other side one sees where it captured.".to_owned()
            }
            true => "The fog lifts once the opponent has published its view key.".to_owned(),
            false if has_small => {
                "The fog has lifted: the large board is the truth, the small ones are what each side saw.".to_owned()
            }
            false => "The fog has lifted: the board is the truth.".to_owned(),
        });
        lines.join("\n")
    }
}
