//! One command of a player outside the board: a seat starts, gives it, waits until what it has done is final, and ends.

use std::time::Duration;

use client::chain::Status;
use client::lobby::in_ether;
use client::runtime::{Handle, spawn};
use eyre::{Result, bail};
use game::report::result;
use game::{Action, Command, CommandError, Ending, Given, Mode, Notice};
use serde_json::json;
use tokio::time::{Instant, MissedTickBehavior, interval};

use crate::cmd::play::{Seat, SeatArgs};
use crate::failure::bad_input;
use crate::hint::hint;
use crate::output::{note, say};
use crate::process::uninterrupted;
use crate::words;

/// The number of the only command that is given here.
const ID: u64 = 1;
/// How long the seat may take to see and verify what the command hangs on.
const READY: Duration = Duration::from_secs(60);
/// How long it takes to learn the chain's time.
const READ: Duration = Duration::from_secs(5);
/// Longest that a chain takes from a transaction to finality in ordinary weather, and some more.
const PATIENCE: Duration = Duration::from_secs(30 * 60);
const SECOND: Duration = Duration::from_secs(1);

/// What is done, in words of a sentence.
const fn named(command: Command) -> (&'static str, Action) {
    match command {
        Command::AcceptDraw => ("draw", Action::AcceptDraw),
        Command::ClaimTimeout => ("claim", Action::ClaimTimeout),
        Command::PublishViewKey => ("publish", Action::PublishViewKey),
        _ => ("resign", Action::Resign),
    }
}

/// A transaction that is in a block.
struct Done {
    transaction: String,
    gas: u64,
    fee: u128,
}

struct Errand {
    command: Command,
    /// Whether the moves of the game are posted with the view key.
    posts: bool,
    json: bool,
    /// Whether the seat has taken the command.
    is_accepted: bool,
    /// Whether the user knows that something is waited for.
    is_told: bool,
    /// Whether the result of a game between the machines has this player's signature.
    is_signed: bool,
    /// Whether what the command is to bring about is final.
    is_final: bool,
    done: Option<Done>,
    ending: Option<Ending>,
    /// When the command has to be given again, if it was refused for now.
    refused: Option<CommandError>,
    /// For how many seconds nothing has been under way.
    idle: u8,
}

/// Has a seat carry a command out.
pub async fn run(args: &SeatArgs, seat: Seat, command: Command) -> Result<()> {
    let game = seat.parts.game.game_id;
    let is_asleep = seat.state.terms.mode == Mode::Channel && seat.state.status == Status::Asleep;
    if is_asleep && command == Command::ClaimTimeout {
        return Err(bad_input(format!(
            "a game between the players' machines has its clocks there: {} claims by itself once the opponent's time has run out",
            hint(&format!("play {game}"))
        )));
    }
    let posts = seat.parts.seat.posts_transcript;
    let handle = spawn(seat.parts);
    let errand = Errand {
        command,
        posts,
        json: args.side.json,
        is_accepted: false,
        is_told: false,
        is_signed: false,
        is_final: false,
        done: None,
        ending: None,
        refused: None,
        idle: 0,
    };
    uninterrupted(errand.run(handle, &game.to_string())).await
}

impl Errand {
    /// Gives the command, again where it was refused for now, and waits until what it has done is final.
    async fn run(mut self, mut handle: Handle, game: &str) -> Result<()> {
        let given = Given { id: Some(ID), command: self.command };
        handle.command(given);
        note!("Reading the game from the chain.");
        let started = Instant::now();
        let mut second = interval(SECOND);
        second.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                // What has been told comes before what hasn't.
                biased;
                notice = handle.next() => match notice {
                    Some(notice) => self.take(&notice)?,
                    None => {
                        handle.finish().await?;
                        bail!("the seat stopped without a reason");
                    }
                },
                _ = second.tick() => {
                    if let Some(error) = self.refused.take() {
                        let patience = if error == CommandError::NotTimedOut { READ } else { READY };
                        match started.elapsed() < patience {
                            true => handle.command(given),
                            false => return Err(bad_input(error)),
                        }
                    }
                    self.idle = if self.is_accepted && handle.is_done() { self.idle + 1 } else { 0 };
                    // A signed draw may have to be brought to the chain, which takes a window.
                    if started.elapsed() > PATIENCE && !self.is_signed {
                        bail!("it is not final after {} minutes: what was sent stays on its way, and the same command again waits for it", PATIENCE.as_secs() / 60);
                    }
                }
            }
            let is_under_way = self.done.is_some() || self.is_signed;
            if is_under_way && self.is_final || self.idle > 1 && !is_under_way {
                return self.tell(game);
            }
        }
    }

    fn take(&mut self, notice: &Notice) -> Result<()> {
        if self.json {
            say!("{}", notice.to_line()?)?;
        }
        match notice {
            Notice::Accepted { id: ID } => self.is_accepted = true,
            Notice::Refused { id: Some(ID), error } => self.on_refused(error)?,
            Notice::ResultSigned { .. } => self.on_signed(),
            Notice::Mined { action, transaction, gas, fee_wei, .. } if self.is_of(*action) => {
                note!("It is in a block; waiting until that is final.");
                self.done = Some(Done { transaction: transaction.to_string(), gas: *gas, fee: *fee_wei });
            }
            Notice::Over(ending) => {
                self.ending = Some(*ending);
                self.is_final |= self.command != Command::PublishViewKey;
            }
            Notice::ViewKey { own: true } => self.is_final |= self.command == Command::PublishViewKey,
            Notice::Failed { reason } => note!("note: {reason}"),
            Notice::NotThisWallet { .. } | Notice::ChainRefused { .. } => {
                bail!(words::of(notice, None, &ToString::to_string).unwrap_or_default())
            }
            Notice::ChainTrouble { text } => note!("note: {text}"),
            _ => {}
        }
        Ok(())
    }

    /// Whether a transaction brings about what was asked for: of a signed result the chain is told by whoever wins, or by this player.
    fn is_of(&self, action: Action) -> bool {
        action == named(self.command).1 || self.is_signed && action == Action::Close
    }

    fn on_signed(&mut self) {
        if !self.is_signed {
            note!("The result is signed. The opponent's machine tells the chain; if it doesn't, this one does.");
        }
        self.is_signed = true;
    }

    /// A sight, a proof or the chain's time may come yet; all else is the user's to hear at once.
    fn on_refused(&mut self, error: &CommandError) -> Result<()> {
        use CommandError::{NotTimedOut, NotVerified, ResultSigned, SettingUp, SightNotProven};
        if *error == ResultSigned {
            self.on_signed();
            return Ok(());
        }
        if !matches!(error, NotTimedOut | NotVerified | SettingUp | SightNotProven) {
            return Err(bad_input(error));
        }
        if !self.is_told && *error != NotTimedOut {
            note!("Waiting, a minute at most: {error}.");
            self.is_told = true;
        }
        self.refused = Some(error.clone());
        Ok(())
    }

    fn tell(&self, game: &str) -> Result<()> {
        let (name, _) = named(self.command);
        let is_publishing = self.command == Command::PublishViewKey;
        if self.done.is_none() && !self.is_signed && !is_publishing {
            match self.ending {
                Some(ending) => bail!("the game had ended before that: {}", ending.outcome),
                None => bail!("nothing came of it, and nothing is under way"),
            }
        }
        let done = self.done.as_ref();
        if self.json {
            let line = json!({
                "command": name, "game": game, "transaction": done.map(|done| &done.transaction), "gas": done.map(|done| done.gas),
                "fee_wei": done.map(|done| done.fee.to_string()), "result": self.ending.map(result),
            });
            return say!("{line}");
        }
        match (done, self.ending.filter(|_| !is_publishing)) {
            (_, Some(ending)) => say!("{}; final", ending.told(None))?,
            (Some(_), None) if self.posts => say!(
                "Your view key and the moves are on the chain, and final. Moves that only the loser has posted don't count: let the opponent do so too. With \
                 both view keys `fogmate replay` shows the whole game."
            )?,
            (Some(_), None) => say!(
                "Your view key is on the chain, and final: with the opponent's `fogmate replay` shows the whole game."
            )?,
            (None, None) => return say!("Your view key is on the chain already."),
        }
        match done {
            Some(Done { transaction, gas, fee }) => {
                say!("transaction {transaction}, fee {} ETH ({gas} gas)", in_ether(*fee))
            }
            None => say!("The chain has been told; nothing was sent from here for it."),
        }
    }
}
