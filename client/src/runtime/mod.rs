//! A seat with real parts: chain, link, prover, journal, clock and user, each a source of events and a place for effects
//! (architecture, "A `Seat`"; protocol, sections 6 and 9).
//!
//! One task owns the seat and carries out its effects in their order; what takes time (proofs, transactions, polling) runs
//! beside it and comes back as events. Nothing is decided here: a process that is killed at any point and started again
//! with the same wallet and journal goes on, because [`Seat::recover`] does. Printing belongs to `cli`.

mod jobs;
mod prover;
mod report;
mod transactions;
mod watch;

pub use prover::{KeyProver, Parameters, Prover, ProverError};
pub use report::{Action, Measurement, Report};

use crate::chain::{Chain, ChainError, Clocks, News};
use crate::journal::{Contents, Journal, JournalError};
use crate::link::{Identity, LinkConfig, LinkError, LinkEvent, LinkHandle, Offence, Scope};
use crate::seat::{ChainEvent, Command, Config, Effect, Event, GameRef, Seat, Transaction, Update};
use crate::wallet::Wallet;
use alloy::primitives::Address;
use jobs::Jobs;
use libp2p::Multiaddr;
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tokio::task::JoinHandle;
use watch::Sighting;

/// How often a seat is told the time.
const TICK: Duration = Duration::from_secs(1);

/// What a runtime is made of.
pub struct Parts {
    /// Whose seat it is.
    pub wallet: Wallet,
    /// A connection with that wallet.
    pub chain: Chain,
    /// Which game.
    pub game: GameRef,
    /// What proves and verifies.
    pub prover: Arc<dyn Prover>,
    /// The folder of the journals.
    pub journals: PathBuf,
    /// Where to listen for the opponent, e.g. `/ip4/127.0.0.1/tcp/0`.
    pub listen: Multiaddr,
    /// Where the opponent may be; empty if it is the one that dials.
    pub dial: Vec<Multiaddr>,
    /// How patient the seat is.
    pub seat: Config,
}

/// Why a runtime stopped.
#[derive(Debug, thiserror::Error)]
pub enum RuntimeError {
    /// The journal can't be used: without it nothing may be signed.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The link can't be set up.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// The wallet can't sign its network identity.
    #[error("the network identity can't be signed: {0}")]
    Identity(#[from] alloy::signers::Error),
    /// The chain breaks its own promises.
    #[error(transparent)]
    Chain(#[from] ChainError),
    /// The wallet's owner doesn't play this game.
    #[error("{0:#x} is not a player of this game")]
    NotAPlayer(Address),
    /// A task of this program failed; a defect.
    #[error("a part of the program stopped: {0}")]
    Stopped(String),
}

/// A running seat. Dropping it stops the seat; nothing is lost by that.
#[derive(Debug)]
pub struct Handle {
    commands: UnboundedSender<Command>,
    reports: UnboundedReceiver<Report>,
    task: JoinHandle<Result<(), RuntimeError>>,
}

impl Handle {
    /// Tells the seat what its player wants. What comes of it is reported.
    pub fn command(&self, command: Command) {
        // A runtime that has stopped says so through `next` and `finish`.
        let _ = self.commands.send(command);
    }

    /// The next report; none once the runtime has stopped.
    pub async fn next(&mut self) -> Option<Report> {
        self.reports.recv().await
    }

    /// Stops the runtime, and says why if it had stopped by itself.
    pub async fn finish(self) -> Result<(), RuntimeError> {
        drop(self.commands);
        self.task
            .await
            .map_err(|error| RuntimeError::Stopped(error.to_string()))?
    }
}

/// Starts a seat on the current tokio runtime.
pub fn spawn(parts: Parts) -> Handle {
    let (command_sender, commands) = mpsc::unbounded_channel();
    let (reports, report_receiver) = mpsc::unbounded_channel();
    let task = tokio::spawn(run(parts, commands, reports));
    Handle {
        commands: command_sender,
        reports: report_receiver,
        task,
    }
}

/// Something that was done beside the seat's task.
enum Done {
    /// A proof was made, checked, or failed.
    Job(Event, Option<Measurement>),
    /// A transaction is in a block, or failed.
    Transaction(Transaction, Box<Result<crate::chain::Receipt, ChainError>>),
}

async fn run(
    parts: Parts,
    commands: UnboundedReceiver<Command>,
    reports: UnboundedSender<Report>,
) -> Result<(), RuntimeError> {
    let (sender, mut sightings) = mpsc::channel(8);
    let watcher = tokio::spawn(watch::watch(
        parts.chain.clone(),
        parts.game.game_id,
        sender,
    ));
    let result = play(parts, commands, reports, &mut sightings).await;
    watcher.abort();
    result
}

async fn play(
    parts: Parts,
    mut commands: UnboundedReceiver<Command>,
    reports: UnboundedSender<Report>,
    sightings: &mut mpsc::Receiver<Sighting>,
) -> Result<(), RuntimeError> {
    let me = parts.wallet.address();
    let Some(start) = until_both_are_there(me, &mut commands, &reports, sightings).await? else {
        return Ok(());
    };
    let (journal, Contents { entries, notes }) = Journal::open(&parts.journals, me, &parts.game)?;
    // Before the first move a journal has nothing that could be missed.
    let begun = |event: &ChainEvent| matches!(event, ChainEvent::Moved { .. });
    for note in notes.into_iter().filter(|_| start.events.iter().any(begun)) {
        report(&reports, Report::Seat(Update::JournalNote(note)));
    }
    let (link, mut link_events) = match start.opponent {
        Some(opponent) => {
            let (link, events) = open_link(&parts, opponent).await?;
            report(&reports, Report::Listening(link.addresses()));
            (Some(link), Some(events))
        }
        None => (None, None),
    };
    let (done, mut results) = mpsc::unbounded_channel();
    let secrets = parts.wallet.game_secrets(parts.game.game_id);
    let (seat, effects) =
        Seat::recover(me, secrets, parts.game, parts.seat, &start.events, entries);
    let mut runtime = Runtime {
        seat,
        journal: Arc::new(journal),
        link,
        jobs: Jobs::new(parts.prover, done.clone()),
        transactions: transactions::start(parts.chain, parts.game.game_id, done),
        under_way: Vec::new(),
        reports,
        clocks: start.clocks,
        ahead: start.ahead,
    };
    runtime.tick_clock();
    runtime.perform(effects).await?;
    for news in start.coming {
        runtime.on_news(news).await?;
    }
    let mut tick = tokio::time::interval(TICK);
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            command = commands.recv() => match command {
                Some(command) => runtime.tell(Event::Command(command)).await?,
                None => return Ok(()),
            },
            sighting = sightings.recv() => match sighting {
                Some(sighting) => runtime.on_sighting(sighting).await?,
                None => return Err(RuntimeError::Stopped("nobody follows the chain any more".into())),
            },
            event = next_of(&mut link_events) => runtime.on_link(event).await?,
            Some(done) = results.recv() => runtime.on_done(done).await?,
            _ = tick.tick() => runtime.on_tick().await?,
        }
    }
}

/// Without a link nothing ever comes.
async fn next_of(events: &mut Option<mpsc::Receiver<LinkEvent>>) -> LinkEvent {
    if let Some(receiver) = events {
        if let Some(event) = receiver.recv().await {
            return event;
        }
        *events = None;
    }
    std::future::pending().await
}

async fn open_link(
    parts: &Parts,
    opponent: Address,
) -> Result<(LinkHandle, mpsc::Receiver<LinkEvent>), RuntimeError> {
    let scope = Scope {
        chain_id: parts.game.chain_id,
        contract: parts.game.contract,
        game: parts.game.game_id,
    };
    let config = LinkConfig {
        identity: Identity::new(&parts.wallet, scope)?,
        opponent,
        listen: parts.listen.clone(),
        dial: parts.dial.clone(),
    };
    Ok(crate::link::spawn(config).await?)
}

/// What is known when both players are there, or the game has ended without.
struct Start {
    events: Vec<ChainEvent>,
    coming: Vec<News>,
    /// None if there is nobody to talk to any more.
    opponent: Option<Address>,
    clocks: Option<Clocks>,
    ahead: u64,
}

/// Waits until the chain has a second player; none if the user doesn't want to wait any longer.
async fn until_both_are_there(
    me: Address,
    commands: &mut UnboundedReceiver<Command>,
    reports: &UnboundedSender<Report>,
    sightings: &mut mpsc::Receiver<Sighting>,
) -> Result<Option<Start>, RuntimeError> {
    let (mut events, mut told) = (Vec::new(), false);
    loop {
        let sighting = tokio::select! {
            sighting = sightings.recv() => sighting,
            command = commands.recv() => match command {
                Some(_) => {
                    report(reports, Report::Seat(Update::Refused(crate::seat::CommandError::NotBegun)));
                    continue;
                }
                None => return Ok(None),
            },
        };
        let (news, clocks, ahead) = match sighting {
            Some(Sighting::News {
                news,
                clocks,
                ahead,
            }) => (news, clocks, ahead),
            Some(Sighting::Trouble(reason)) => {
                report(reports, Report::ChainTrouble(reason));
                continue;
            }
            Some(Sighting::Broken(error)) => return Err(error.into()),
            None => return Err(RuntimeError::Stopped("nobody follows the chain".into())),
        };
        let mut coming = Vec::new();
        for item in news {
            match item {
                News::Final(logged) => events.push(logged.event),
                other => coming.push(other),
            }
        }
        let opponent = opponent_of(me, &events)?;
        let over = events
            .iter()
            .any(|event| matches!(event, ChainEvent::Ended { .. }));
        if over || opponent.is_some() {
            let opponent = opponent.filter(|_| !over);
            return Ok(Some(Start {
                events,
                coming,
                opponent,
                clocks,
                ahead,
            }));
        }
        if !told {
            told = true;
            report(reports, Report::Waiting);
        }
    }
}

/// The other player, if there is one yet.
fn opponent_of(me: Address, events: &[ChainEvent]) -> Result<Option<Address>, RuntimeError> {
    let (mut creator, mut joiner) = (None, None);
    for event in events {
        match event {
            ChainEvent::Created {
                creator: account, ..
            } => creator = Some(*account),
            ChainEvent::Joined {
                joiner: account, ..
            } => joiner = Some(*account),
            _ => {}
        }
    }
    match (creator, joiner) {
        (Some(creator), joiner) if creator == me => Ok(joiner),
        (Some(creator), Some(joiner)) if joiner == me => Ok(Some(creator)),
        // One's own joining may not be final yet.
        (_, None) => Ok(None),
        _ => Err(RuntimeError::NotAPlayer(me)),
    }
}

fn report(reports: &UnboundedSender<Report>, item: Report) {
    // Nobody may be listening any more.
    let _ = reports.send(item);
}

/// The seat and where its effects go.
struct Runtime {
    seat: Seat,
    journal: Arc<Journal>,
    link: Option<LinkHandle>,
    jobs: Jobs,
    transactions: UnboundedSender<Transaction>,
    /// Transactions that are being sent: a repeat of one is not.
    under_way: Vec<Transaction>,
    reports: UnboundedSender<Report>,
    clocks: Option<Clocks>,
    /// Seconds by which the chain's clock is ahead of this machine's.
    ahead: u64,
}

impl Runtime {
    fn report(&self, item: Report) {
        report(&self.reports, item);
    }

    /// An event for the seat; what it wants done is done.
    async fn tell(&mut self, event: Event) -> Result<(), RuntimeError> {
        let effects = self.seat.apply(event);
        self.perform(effects).await
    }

    async fn perform(&mut self, effects: Vec<Effect>) -> Result<(), RuntimeError> {
        let mut effects = VecDeque::from(effects);
        while let Some(effect) = effects.pop_front() {
            match effect {
                Effect::Journal(entry) => {
                    let journal = self.journal.clone();
                    let written = tokio::task::spawn_blocking(move || journal.write(&entry)).await;
                    written.map_err(|error| RuntimeError::Stopped(error.to_string()))??;
                }
                Effect::ProveTurn {
                    ply,
                    public,
                    private,
                } => self.jobs.prove_turn(ply, public, private),
                Effect::ProveAnswer {
                    ply,
                    phase,
                    public,
                    private,
                } => {
                    self.jobs.prove_answer(ply, phase, public, private);
                }
                Effect::VerifyAnswer {
                    check,
                    public,
                    proof,
                } => {
                    // The seat says right after it which answer that is.
                    let of = effects.iter().find_map(|effect| match effect {
                        Effect::Show(Update::CheckingSight { ply, phase }) => Some((*ply, *phase)),
                        _ => None,
                    });
                    self.jobs.verify_answer(check, of, public, proof);
                }
                Effect::SendTransaction(transaction) => self.send(transaction),
                Effect::SendMessage(message) => {
                    if let Some(link) = &self.link {
                        let (id, bytes) = (message.id(), message.wire_len());
                        link.send(message).await?;
                        self.report(Report::Measured(Measurement::MessageSent { id, bytes }));
                    }
                }
                Effect::Show(update) => self.report(Report::Seat(update)),
            }
        }
        Ok(())
    }

    fn send(&mut self, transaction: Transaction) {
        if !self.under_way.contains(&transaction) {
            self.under_way.push(transaction.clone());
            // The sender ends only with the runtime.
            let _ = self.transactions.send(transaction);
        }
    }

    async fn on_sighting(&mut self, sighting: Sighting) -> Result<(), RuntimeError> {
        match sighting {
            Sighting::News {
                news,
                clocks,
                ahead,
            } => {
                (self.clocks, self.ahead) = (clocks, ahead);
                self.tick_clock();
                for item in news {
                    self.on_news(item).await?;
                }
            }
            Sighting::Trouble(reason) => self.report(Report::ChainTrouble(reason)),
            Sighting::Broken(error) => return Err(error.into()),
        }
        Ok(())
    }

    async fn on_news(&mut self, news: News) -> Result<(), RuntimeError> {
        let event = match news {
            News::Final(logged) => Event::Final(logged.event),
            News::Seen(logged) => match logged.event {
                ChainEvent::Moved { fields, .. } => Event::Seen(fields),
                _ => return Ok(()),
            },
            News::Dropped(logged) => match logged.event {
                ChainEvent::Moved { fields, .. } => Event::Dropped { ply: fields.ply },
                _ => return Ok(()),
            },
        };
        self.tell(event).await
    }

    async fn on_link(&mut self, event: LinkEvent) -> Result<(), RuntimeError> {
        match event {
            LinkEvent::Connected(_) => {
                self.report(Report::Connected);
                self.tell(Event::Connected).await
            }
            LinkEvent::Received(message) => {
                let (id, bytes) = (message.id(), message.wire_len());
                self.report(Report::Measured(Measurement::MessageReceived { id, bytes }));
                self.tell(Event::Received(message)).await
            }
            LinkEvent::Refused {
                opponent: true,
                offence: Offence::Malformed(error),
                ..
            } => self.tell(Event::Unreadable(error)).await,
            other => {
                self.report_link(other);
                Ok(())
            }
        }
    }

    fn report_link(&self, event: LinkEvent) {
        match event {
            LinkEvent::Disconnected => self.report(Report::Disconnected),
            LinkEvent::Rejected { id, reason } => {
                self.report(Report::LinkTrouble(format!(
                    "the opponent refuses the {id}: {reason}"
                )));
            }
            LinkEvent::Unwelcome { peer, reason } => {
                self.report(Report::LinkTrouble(format!(
                    "the peer {peer} turns us away: {reason}"
                )));
            }
            LinkEvent::Refused { peer, offence, .. } => {
                self.report(Report::LinkTrouble(format!(
                    "the peer {peer} was turned away: {offence}"
                )));
            }
            LinkEvent::Connected(_) | LinkEvent::Received(_) | LinkEvent::Delivered(_) => {}
        }
    }

    async fn on_done(&mut self, done: Done) -> Result<(), RuntimeError> {
        match done {
            Done::Job(event, measurement) => {
                if let Some(measurement) = measurement {
                    self.report(Report::Measured(measurement));
                }
                self.tell(event).await
            }
            Done::Transaction(transaction, result) => {
                self.under_way.retain(|known| *known != transaction);
                let action = Action::of(&transaction);
                match *result {
                    Ok(receipt) => self.report(Report::Mined { action, receipt }),
                    Err(error) if transactions::has_made_it_before(&transaction, &error) => {}
                    Err(error) => {
                        let reason = format!("{action}: {error}");
                        return self.tell(Event::TransactionFailed { reason }).await;
                    }
                }
                Ok(())
            }
        }
    }

    async fn on_tick(&mut self) -> Result<(), RuntimeError> {
        let deadline = self.clocks.map(|clocks| clocks.deadline);
        let now = watch::unix_time().saturating_add(self.ahead);
        self.tell(Event::Tick { now, deadline }).await
    }

    fn tick_clock(&self) {
        if let Some(clocks) = self.clocks {
            let now = watch::unix_time().saturating_add(self.ahead);
            self.report(Report::Clocks { clocks, now });
        }
    }
}
