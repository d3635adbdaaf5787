//! A game at the keyboard, or by itself (`--auto`). The chain is looked at again and again; what leaves no choice (replies, captures, claims) is done
//! without being asked for. A node that fails is asked again for a while.

use client::contest::{Done, Player, What};
use contest::{Hand as _, Status};
use eyre::Result;
use game::clock_time;
use serde_json::{Value, json};

use super::common::{stake_warning, tell_nodes};
use super::game::Choice;
use super::games::{short, tell_withdraw};
use super::patience::Patience;
use super::tell::{event, is_owed, mined, with};
use super::wanted::{Tried, Wanted};
use super::{Played, Typed, View as _};
use crate::hint::hint;
use crate::input::{Lines, Unattended};
use crate::line::quit;
use crate::output::{Screen, note};
use crate::process::uninterrupted;

/// All that can be typed, for the player.
fn help<G: Played>(goes_on: &str) -> String {
    let (own, quit) = (G::HELP, quit(goes_on));
    format!("{own}\n  resign          give up; for a stake, `resign yes`\n{quit}")
}

#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub json: bool,
    /// Choose without being asked, where the game can.
    pub auto: bool,
    /// End with standard input.
    pub stay: bool,
}

/// Plays until the game or the user ends it.
pub async fn play<G: Played>(player: Player<G>, options: Options) -> Result<()> {
    let mut session = Session {
        player,
        options,
        screen: Screen::default(),
        view: G::View::default(),
        told: None,
        wanted: Wanted::default(),
        patience: Patience::default(),
        acting: Patience::default(),
    };
    uninterrupted(session.run()).await
}

/// What a player waits for, as it was last told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Waiting {
    Open,
    /// For its own choice at a turn.
    Own(u64),
    /// For something of the opponent's at a turn.
    Other(u64, &'static str),
    /// Its own time is over.
    Late(u64),
}

struct Session<G: Played> {
    player: Player<G>,
    options: Options,
    screen: Screen,
    view: G::View,
    told: Option<Waiting>,
    /// A move that was asked for and could not be sent so far.
    wanted: Wanted<Choice<G>>,
    /// How long a node that fails is asked again.
    patience: Patience,
    /// How long what the machine does by itself is tried again.
    acting: Patience,
}

impl<G: Played> Session<G> {
    async fn run(&mut self) -> Result<()> {
        let mut lines = Lines::read();
        loop {
            self.look().await?;
            if self.player.is_over() {
                return Ok(());
            }
            let pause = tokio::time::sleep(self.player.chain().config().poll);
            tokio::select! {
                () = pause => {}
                line = lines.next() => {
                    if self.on_line(line.as_deref()).await? {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Looks at the chain, tells what is new, and does what leaves no choice.
    async fn look(&mut self) -> Result<()> {
        let news = self.player.look().await;
        tell_nodes(self.player.chain());
        let Some(news) = self.patience.bear(news)? else { return Ok(()) };
        let (me, stake) = (self.player.side().role(), self.player.side().table().opening().terms.stake);
        for news in &news {
            let (value, words) = if news.what == What::TakenBack {
                // A choice was made by what stood then, the dice for one.
                (self.told, self.wanted, self.view) = (None, Wanted::default(), G::View::default());
                let words = "The chain has taken something back; this is what stands:";
                (json!({ "event": "taken-back" }), words.to_owned())
            } else {
                self.view.tell(news, self.player.side())
            };
            self.line(value, &words);
            if let What::Over(ending) = &news.what
                && stake > 0
                && !self.options.json
                && is_owed(ending, me)
            {
                tell_withdraw(G::NAME);
            }
        }
        // What fails, a proof made for it perhaps, isn't tried again at each look.
        if self.acting.is_over() {
            let done = self.player.act().await;
            if let Some(Some(done)) = self.acting.bear(done)? {
                self.done(&done);
                // What follows from it is told at once.
                return Ok(());
            }
            let turn = self.player.side().table().turn();
            let is_choice = matches!(self.player.duty(), Ok(Some(duty)) if duty == G::Hand::CHOICE);
            let is_own = is_choice && !self.player.is_late();
            let by_itself = || (is_own && self.options.auto).then(|| self.view.by_itself(self.player.side()))?;
            if let Some(choice) = self.wanted.at(is_own.then_some(turn)).or_else(by_itself) {
                return self.choose(choice).await;
            }
        }
        let duty = self.player.duty();
        if let Some(duty) = self.patience.bear(duty)? {
            self.wait(duty.is_some(), duty == Some(G::Hand::CHOICE));
        }
        Ok(())
    }

    /// Tells what is waited for, once.
    fn wait(&mut self, is_due: bool, is_choice: bool) {
        let side = self.player.side();
        let (turn, deadline) = (side.table().turn(), side.table().deadline());
        let waiting = match side.table().status() {
            Status::Open => Waiting::Open,
            Status::Playing if is_due && self.player.is_late() => Waiting::Late(turn),
            Status::Playing if is_choice => Waiting::Own(turn),
            Status::Playing if !is_due => Waiting::Other(turn, self.view.waits_for(side)),
            _ => return,
        };
        if self.told == Some(waiting) {
            return;
        }
        self.told = Some(waiting);
        let left = clock_time(self.player.now().map_or(0, |now| deadline.saturating_sub(now)));
        let (value, words) = match waiting {
            Waiting::Open => (json!({ "event": "waiting" }), "Waiting for an opponent to join.".to_owned()),
            Waiting::Own(turn) => {
                let (more, words) = self.view.ask(side, &left);
                (with(with(event::<G>("turn", turn), json!({ "deadline": deadline })), more), words)
            }
            Waiting::Other(turn, what) => {
                let value = with(event::<G>("waits", turn), json!({ "for": what, "deadline": deadline }));
                (value, format!("Waiting for the opponent's {what} ({left} left)."))
            }
            Waiting::Late(turn) => {
                (event::<G>("late", turn), "Your time is over: the opponent may claim the game.".to_owned())
            }
        };
        self.line(value, &words);
    }

    /// The command that goes on with the game.
    fn goes_on(&self) -> String {
        format!("{} play {}", G::NAME, short(self.player.side().table().game_id()))
    }

    /// Does what a line says; whether that was the end.
    async fn on_line(&mut self, line: Option<&str>) -> Result<bool> {
        let Options { auto, stay, .. } = self.options;
        let Some(line) = line.map(str::trim) else {
            let command = &hint(&self.goes_on());
            return Ok(Unattended { command, does: G::UNATTENDED, plays: auto, stay }.is_to_end());
        };
        let stake = self.player.side().table().opening().terms.stake;
        match line.to_lowercase().as_str() {
            "quit" | "exit" => return Ok(true),
            "help" | "?" => note!("{}", help::<G>(&self.goes_on())),
            "resign" if stake > 0 => note!("{}", stake_warning(stake)),
            "resign" | "resign yes" => {
                let done = self.player.resign().await;
                match self.patience.bear(done)? {
                    Some(Some(done)) => self.done(&done),
                    Some(None) => note!("Not sent: that is on its way, or the game has gone on meanwhile."),
                    None => note!("Not sent; type it again."),
                }
            }
            _ => match self.view.read(line, self.player.side()) {
                Err(why) => note!("{why}"),
                Ok(Typed::Nothing) => {}
                Ok(Typed::Tell(words)) => note!("{words}"),
                Ok(Typed::Choose(choice)) => self.go(choice).await?,
            },
        }
        Ok(false)
    }

    /// Makes a move that the player has asked for.
    async fn go(&mut self, choice: Choice<G>) -> Result<()> {
        let duty = self.player.duty();
        let Some(duty) = self.patience.bear(duty)? else { return Ok(()) };
        if duty != Some(G::Hand::CHOICE) {
            note!("It is not your turn.");
        } else if let Some(why) = self.view.refusal(choice, self.player.side()) {
            note!("{why}");
        } else {
            if let Some(words) = self.view.announce(choice).filter(|_| !self.options.json) {
                note!("{words}");
            }
            self.wanted.ask();
            self.choose(choice).await?;
        }
        Ok(())
    }

    async fn choose(&mut self, choice: Choice<G>) -> Result<()> {
        let turn = self.player.side().table().turn();
        let done = self.player.choose(choice).await;
        let done = self.acting.bear(done)?;
        let came = match done {
            Some(Some(_)) => Tried::Sent,
            Some(None) => Tried::NotNow,
            None => Tried::Failed,
        };
        if let Some(told) = self.wanted.tried(turn, choice, came, G::CHOICE).filter(|_| !self.options.auto) {
            note!("{told}");
        }
        if let Some(Some(done)) = done {
            self.done(&done);
        }
        Ok(())
    }

    fn done(&mut self, done: &Done) {
        let (value, words) = mined::<G>(done, self.player.side().role());
        self.line(value, &words);
    }

    /// Tells something: as a line of JSON, in which the words are `text`, or in words alone.
    fn line(&mut self, value: Value, words: &str) {
        match self.options.json {
            true => self.screen.show(format_args!("{}", with(value, json!({ "text": words })))),
            false => self.screen.show(format_args!("{words}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contest::{dice::Dice, tag::Tag};

    #[test]
    fn every_line_of_the_help_is_indented() {
        for help in [help::<Dice>("dice play 0x1f2e"), help::<Tag>("tag play 0x1f2e")] {
            assert!(help.lines().all(|line| line.starts_with("  ")), "{help}");
        }
    }
}
