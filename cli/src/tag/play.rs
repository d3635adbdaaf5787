//! A game of tag at the keyboard. The chain is looked at again and again; what leaves no choice (replies, captures, claims) is done without being
//! asked for. A node that fails is asked again for a while.

use client::tag::{Done, Player, TagError, What};
use eyre::Result;
use game::clock_time;
use serde_json::{Value, json};
use tag::{Duty, Ending, Fault, Outcome, Phase, Role, Square, Status, Step};
use tokio::signal::unix::{SignalKind, signal};

use super::grid::{grid, rows};
use super::tell::{as_json, cost, in_words, mined};
use super::typed::{Typed, help, parse};
use crate::contest::{Patience, stake_warning, tell_nodes, tell_withdraw};
use crate::failure::Interrupted;
use crate::hint::hint;
use crate::input::{Lines, Unattended};
use crate::output::{Screen, note};
use crate::words;

#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub json: bool,
    /// End with standard input.
    pub stay: bool,
    /// What giving up costs, in wei.
    pub stake: u128,
}

/// Plays until the game or the user ends it.
pub async fn play(player: Player, options: Options) -> Result<()> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let (patience, acting) = (Patience::default(), Patience::default());
    let screen = Screen::default();
    let mut session = Session { player, options, screen, seen: None, told: None, wanted: None, patience, acting };
    tokio::select! {
        ended = session.run() => ended,
        _ = interrupt.recv() => Err(Interrupted.into()),
        _ = terminate.recv() => Err(Interrupted.into()),
    }
}

/// What a player waits for, as it was last told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Waiting {
    Open,
    /// For its own step at a ply.
    Own(u16),
    /// For the opponent's at a ply.
    Other(u16, Phase),
    /// Its own time is over.
    Late(u16),
}

struct Session {
    player: Player,
    options: Options,
    screen: Screen,
    /// Where the opponent's king was last seen, if it still is.
    seen: Option<Square>,
    told: Option<Waiting>,
    /// A step that was typed and could not be sent so far.
    wanted: Option<Square>,
    patience: Patience,
    /// How long what the machine does by itself is tried again.
    acting: Patience,
}

impl Session {
    async fn run(&mut self) -> Result<()> {
        let mut lines = Lines::read();
        loop {
            self.look().await?;
            if self.player.is_over() {
                return Ok(());
            }
            let pause = tokio::time::sleep(self.player.chain().poll());
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
        let Some(news) = self.bear(news)? else { return Ok(()) };
        let me = self.player.side().role();
        for news in &news {
            if let Some(sees) = news.sees {
                self.seen = sees;
            }
            if news.what == What::TakenBack {
                (self.seen, self.told) = (None, None);
            }
            let plies = self.player.side().table().terms().plies;
            self.line(&as_json(news, me), &in_words(news, me, self.seen, plies));
            if let What::Over(ending) = news.what
                && self.options.stake > 0
                && !self.options.json
                && is_owed(ending, me)
            {
                tell_withdraw("tag");
            }
        }
        // What fails, a proof made for it perhaps, isn't tried again at each look.
        if self.acting.is_over() {
            let done = self.player.act().await;
            if let Some(Some(done)) = self.acting.bear(done, may_pass)? {
                self.done(&done);
                // What follows from it is told at once.
                return Ok(());
            }
            if let Some(square) = self.wanted.take()
                && matches!(self.player.duty(), Ok(Some(Duty::Step)))
            {
                return self.go(square).await;
            }
        }
        let duty = self.player.duty();
        if let Some(duty) = self.bear(duty)? {
            self.wait(duty);
        }
        Ok(())
    }

    /// Tells what is waited for, once.
    fn wait(&mut self, duty: Option<Duty>) {
        let table = self.player.side().table();
        let (ply, deadline) = (table.ply(), table.deadline());
        let waiting = match (table.status(), duty) {
            (Status::Open, _) => Waiting::Open,
            (Status::Playing(_), Some(_)) if self.player.is_late() => Waiting::Late(ply),
            (Status::Playing(_), Some(Duty::Step)) => Waiting::Own(ply),
            (Status::Playing(phase), None) => Waiting::Other(ply, phase),
            _ => return,
        };
        if self.told == Some(waiting) {
            return;
        }
        self.told = Some(waiting);
        let left = self.player.now().map_or(0, |now| deadline.saturating_sub(now));
        let left = clock_time(left);
        match waiting {
            Waiting::Open => self.line(&json!({ "event": "waiting" }), "Waiting for an opponent to join."),
            Waiting::Own(ply) => {
                let grid = self.drawn().unwrap_or_default();
                let words = format!(
                    "{grid}\nPly {ply}, your step: a square or a direction ({left} left; `help` lists the commands)."
                );
                self.line(&self.turn(ply, deadline), &words);
            }
            Waiting::Other(ply, phase) => {
                let what = match phase {
                    Phase::Step => "step",
                    Phase::Reply => "reply",
                    Phase::Last => "last word",
                };
                let value = json!({ "event": "waits", "ply": ply, "for": what, "deadline": deadline });
                self.line(&value, &format!("Waiting for the opponent's {what} ({left} left)."));
            }
            Waiting::Late(ply) => {
                let value = json!({ "event": "late", "ply": ply });
                self.line(&value, "Your time is over: the opponent may claim the game.");
            }
        }
    }

    fn turn(&self, ply: u16, deadline: u64) -> Value {
        let size = self.player.side().table().terms().size;
        let square = self.player.side().square();
        let grid = square.map(|square| rows(size, square, self.seen));
        let steps: Vec<String> = self.steps().iter().map(Square::to_string).collect();
        let (square, sees) = (square.map(|square| square.to_string()), self.seen.map(|square| square.to_string()));
        json!({
            "event": "turn", "ply": ply, "deadline": deadline, "square": square, "sees": sees, "steps": steps, "grid": grid,
        })
    }

    /// The grid as the own king sees it.
    fn drawn(&self) -> Option<String> {
        let size = self.player.side().table().terms().size;
        self.player.side().square().map(|square| grid(size, square, self.seen))
    }

    /// The squares that the own king can step to.
    fn steps(&self) -> Vec<Square> {
        let size = self.player.side().table().terms().size;
        let Some(from) = self.player.side().square() else { return Vec::new() };
        Step::all().filter_map(|step| from.after(step)).filter(|square| size.contains(*square)).collect()
    }

    /// Does what a line says; whether that was the end.
    async fn on_line(&mut self, line: Option<&str>) -> Result<bool> {
        let Some(line) = line else {
            let (command, does) = (&hint("tag play"), "replies, captures and claims are made");
            return Ok(Unattended { command, does, plays: false, stay: self.options.stay }.is_to_end());
        };
        match parse(line, self.player.side().square()) {
            Err(why) => note!("{why}"),
            Ok(Typed::Nothing) => {}
            Ok(Typed::Go(square)) => self.go(square).await?,
            Ok(Typed::Grid) => match self.drawn() {
                Some(drawn) => note!("{drawn}"),
                None => note!("Your king isn't placed yet."),
            },
            Ok(Typed::Steps) => {
                let steps: Vec<String> = self.steps().iter().map(Square::to_string).collect();
                note!("{}", steps.join(" "));
            }
            Ok(Typed::Resign) if self.options.stake > 0 => note!("{}", stake_warning(self.options.stake)),
            Ok(Typed::Resign | Typed::ResignSurely) => {
                let done = self.player.resign().await;
                match self.bear(done)? {
                    Some(Some(done)) => self.done(&done),
                    Some(None) => note!("Not sent: that is on its way, or the game has gone on meanwhile."),
                    None => note!("Not sent; type it again."),
                }
            }
            Ok(Typed::Help) => note!("{}", help()),
            Ok(Typed::Quit) => return Ok(true),
        }
        Ok(false)
    }

    async fn go(&mut self, square: Square) -> Result<()> {
        let duty = self.player.duty();
        let Some(duty) = self.bear(duty)? else { return Ok(()) };
        if duty != Some(Duty::Step) {
            note!("It is not your turn to step.");
        } else if !self.steps().contains(&square) {
            let from = self.player.side().square().map(|square| square.to_string()).unwrap_or_default();
            note!("Your king can't step from {from} to {square}; `steps` lists where it can.");
        } else {
            if !self.options.json {
                note!("Proving the step to {square} …");
            }
            let done = self.player.step(square).await;
            match self.acting.bear(done, may_pass)? {
                Some(Some(done)) => self.done(&done),
                Some(None) => note!("Not sent: a step of this ply is on its way, or the game has gone on meanwhile."),
                None => {
                    self.wanted = Some(square);
                    note!("The step to {square} isn't sent yet; it is tried again for as long as it is your turn.");
                }
            }
        }
        Ok(())
    }

    fn done(&mut self, done: &Done) {
        let Done { proven, receipt, .. } = done;
        let paid = words::cost(receipt.gas_used, receipt.fee);
        let cost = cost(proven.proofs.into(), proven.seconds, &paid);
        let words = format!("Sent: {} ({cost}).", super::tell::action(done.kind));
        self.line(&mined(done, self.player.side().role()), &words);
    }

    fn line(&mut self, value: &Value, words: &str) {
        match self.options.json {
            true => self.screen.show(format_args!("{value}")),
            false => self.screen.show(format_args!("{words}")),
        }
    }

    /// What came of something; none of what another try may bring.
    fn bear<T>(&mut self, result: Result<T, TagError>) -> Result<Option<T>> {
        self.patience.bear(result, may_pass)
    }
}

/// Whether a stake, an own one or both, is the player's at the end.
fn is_owed(ending: Ending, me: Option<Role>) -> bool {
    match ending.outcome {
        Outcome::Drawn => true,
        Outcome::Cancelled => me == Some(Role::Creator),
        Outcome::Captured | Outcome::Resigned | Outcome::TimedOut => me.is_some() && ending.winner == me,
    }
}

/// Whether another try may bring it.
fn may_pass(error: &TagError) -> bool {
    error.may_pass() || matches!(error, TagError::Fault(Fault::NotYourTurn | Fault::WrongStatus | Fault::OutOfTime))
}
