//! A seat with real parts: chain, link, prover, journal, clock and user, each a source of events and a place for effects
//! (protocol, sections 6 and 9).
//!
//! One task owns the seat and carries out its effects in their order; what takes time (proofs, transactions, polling) runs
//! beside it and comes back as events. Nothing is decided here: a process that is killed at any point and started again
//! with the same wallet and journal goes on, because [`Side::recover`] does. Printing belongs to `cli`.

mod addresses;
mod doubts;
mod executor;
mod jobs;
mod keeper;
mod link;
mod outlive;
mod proof_times;
mod prover;
mod rematch;
mod start;
mod transactions;
mod watch;
mod work;

pub use engines::{EngineKind, replay::Accountable};
pub use executor::{event_of_link, event_of_log};
pub use prover::{KeyProver, Parameters, ProverError};
pub use transactions::event_of_failure;
pub use watch::{ChainUpdate, watch};

use crate::chain::{Chain, ChainError, Receipt, Watcher};
use crate::channel::{self, Side};
use crate::journal::{Contents, Entry, Journal, JournalError, Store, Unkept};
use crate::link::{AddressRecord, Frames, Identity, LinkConfig, LinkError};
use crate::seat::{Config, Event};
use crate::wallet::Wallet;
use ::prover::{SetKeys, StepKeys};
use alloy::primitives::Address;
use executor::{Addresses, Outlook, Runtime};
use game::{ChainEvent, GameRef, Given, Mode, Notice, Transaction};
use jobs::Jobs;
use keeper::Keeper;
use libp2p::Multiaddr;
use link::Links;
use proof_times::ProofTimes;
use start::{Start, opening_of, until_both_are_there};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::{self, Receiver, UnboundedReceiver, UnboundedSender};
use tokio::task::JoinHandle;
use transactions::Transactions;
use work::Work;

/// How often a seat is told the time.
const TICK: Duration = Duration::from_secs(1);
/// Without a new block for this part of the window a wake might be seen too late to be contested.
const WINDOW_PARTS: u32 = 4;

/// An engine that games are played with, and its keys if it proves anything: sight-lines with another prover, or an engine of a test, can't be one.
///
/// ```compile_fail
/// fn play(engine: impl fog::engine::Engine + 'static) -> client::runtime::PlayedEngine {
///     engine
/// }
/// ```
pub type PlayedEngine = EngineKind<Arc<KeyProver>, SetKeys, StepKeys>;

/// What a runtime is made of.
pub struct Parts {
    /// The wallet of the player.
    pub wallet: Wallet,
    /// A connection with that wallet.
    pub chain: Chain,
    pub game: GameRef,
    /// What sees and proves.
    pub engine: PlayedEngine,
    /// The folder of the journals.
    pub journals: PathBuf,
    /// Who else keeps what a game between the machines is recovered from.
    pub stores: Vec<Arc<dyn Store>>,
    /// Where to listen for the opponent, e.g. `/ip4/127.0.0.1/tcp/0`.
    pub listen: Multiaddr,
    /// Where the opponent may be; empty if it is the one that dials.
    pub dial: Vec<Multiaddr>,
    /// Relays at which the opponent can reach this machine.
    pub relays: Vec<Multiaddr>,
    /// The number of the opponent's last record of addresses.
    pub heard: u64,
    /// Hears what the link found out about addresses, to be remembered.
    pub addresses: Option<UnboundedSender<AddressNews>>,
    /// How patient the seat is.
    pub seat: Config,
    /// The ply before which the link is cut for good, to show that the chain is enough.
    pub cut_link: Option<u16>,
}

/// What is worth remembering of the link's addresses, once it has worked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AddressNews {
    /// The link listens at these, relays' too.
    Listening(Vec<Multiaddr>),
    /// The opponent was reached here, at one of the addresses that were given.
    Reached(Multiaddr),
    /// A record of the opponent's addresses with this number was taken.
    Heard(u64),
}

/// Why a runtime stopped.
#[derive(Debug, thiserror::Error)]
pub enum RuntimeError {
    /// The journal can't be opened: another process plays this side, or the disk lets nobody write there.
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
    /// The first event that was read isn't the game's opening.
    #[error(
        "the game was opened before the block from which the deployment's file has its events read: set its `block` back, or take another's file"
    )]
    NoOpening,
    /// Another machine has played this side, and put something else into the backup than this one has.
    #[error(
        "{reason}. Go on with that machine; if it is gone, move {} away: then this one goes on from the backup", journal.display()
    )]
    Elsewhere { reason: Unkept, journal: PathBuf },
    /// A task of this program failed; a defect.
    #[error("a part of the program stopped: {0}")]
    Stopped(String),
}

/// A running seat. Dropping it stops the seat; nothing is lost by that.
#[derive(Debug)]
pub struct Handle {
    commands: UnboundedSender<Given>,
    records: UnboundedSender<AddressRecord>,
    notices: UnboundedReceiver<Notice>,
    work: Work,
    task: JoinHandle<Result<(), RuntimeError>>,
}

impl Handle {
    /// Tells the seat what its player wants. Notices say what comes of it. What comes before the chain was read is kept until then.
    pub fn command(&self, given: impl Into<Given>) {
        self.work.begin();
        // A runtime that has stopped says so through `next` and `finish`.
        let _ = self.commands.send(given.into());
    }

    /// The opponent has told where it is now.
    pub fn look_at(&self, record: AddressRecord) {
        let _ = self.records.send(record);
    }

    /// Whether all that was asked for is done, and no transaction is on its way to a block.
    pub fn is_done(&self) -> bool {
        self.work.is_done()
    }

    /// The next notice; none once the runtime has stopped.
    pub async fn next(&mut self) -> Option<Notice> {
        self.notices.recv().await
    }

    /// Stops the runtime, and says why if it had stopped by itself.
    pub async fn finish(self) -> Result<(), RuntimeError> {
        drop(self.commands);
        self.task.await.map_err(|error| RuntimeError::Stopped(error.to_string()))?
    }
}

/// Starts a seat on the current tokio runtime.
pub fn spawn(parts: Parts) -> Handle {
    let (command_sender, commands) = mpsc::unbounded_channel();
    let (notices, notice_receiver) = mpsc::unbounded_channel();
    let (record_sender, records) = mpsc::unbounded_channel();
    let work = Work::default();
    let task = tokio::spawn(run(parts, Input { commands, records, work: work.clone() }, notices));
    Handle { commands: command_sender, records: record_sender, notices: notice_receiver, work, task }
}

/// Something that was done beside the seat's task.
enum Completion {
    /// A proof was made, checked, or failed.
    Job(Event),
    /// The proof that was being made is over, whatever came of it: another may begin.
    Ended,
    /// Something to be told came of it.
    Told(Notice),
    /// A transaction is in a block, or failed.
    Transaction(Transaction, Box<Result<Receipt, ChainError>>),
    /// A move was given, and the node was asked whether the wallet may have sent one of its ply.
    Looked { given: Given, ply: u16, is_sent: bool },
}

/// What the user says.
struct Input {
    commands: UnboundedReceiver<Given>,
    records: UnboundedReceiver<AddressRecord>,
    /// Each command counts until it is told to the seat, or refused.
    work: Work,
}

async fn run(parts: Parts, input: Input, notices: UnboundedSender<Notice>) -> Result<(), RuntimeError> {
    let genesis = parts.chain.genesis().await?;
    let (journal, contents) = Journal::open(&parts.journals, parts.wallet.address(), &parts.game, genesis)?;
    let (sender, updates) = mpsc::channel(8);
    let (chain, from) = (parts.chain.clone(), contents.born.unwrap_or_default());
    let poll = chain.config().poll;
    let watcher = Watcher::new(chain, parts.game.game_id, from, contents.checkpoint);
    let watcher = tokio::spawn(watch::watch(watcher, poll, sender));
    let result = play(parts, (journal, contents), input, notices, updates).await;
    watcher.abort();
    result
}

async fn play(
    parts: Parts,
    journal: (Journal, Contents),
    mut input: Input,
    notices: UnboundedSender<Notice>,
    mut updates: Receiver<ChainUpdate>,
) -> Result<(), RuntimeError> {
    let me = parts.wallet.address();
    let is_unwritten = !parts.chain.is_local() && !journal.1.entries.iter().any(Entry::is_of_a_channel);
    let start = until_both_are_there(me, is_unwritten, &mut input, &notices, &mut updates).await?;
    let Some(mut start) = start else {
        return Ok(());
    };
    let Input { mut commands, mut records, work } = input;
    let (done, mut results) = mpsc::unbounded_channel();
    let kept = std::mem::take(&mut start.commands);
    let (mut runtime, mut links) = set_up(parts, journal, start, (notices, work), done).await?;
    // Nothing may be done, and nothing come, before it is known when that is.
    runtime.on_tick().await?;
    for given in kept {
        runtime.on_command(given).await?;
    }
    let mut tick = tokio::time::interval(TICK);
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            given = commands.recv() => match given {
                Some(given) => runtime.on_command(given).await?,
                None => return Ok(()),
            },
            Some(record) = records.recv() => runtime.on_record(&record).await?,
            update = updates.recv() => match update {
                Some(update) => runtime.on_chain(update).await?,
                None => return Err(RuntimeError::Stopped("nobody follows the chain any more".into())),
            },
            news = next_of(&mut links) => runtime.on_links(news).await?,
            Some(done) = results.recv() => runtime.on_done(done).await?,
            _ = tick.tick() => runtime.on_tick().await?,
        }
        if runtime.is_cut() {
            links = None;
            runtime.tell(Event::LinkCut).await?;
        }
    }
}

/// Opens the link, recovers the seat, and carries out what it wants done first.
async fn set_up(
    parts: Parts,
    (journal, mut contents): (Journal, Contents),
    start: Start,
    (notices, work): (UnboundedSender<Notice>, Work),
    done: UnboundedSender<Completion>,
) -> Result<(Runtime, Option<Links>), RuntimeError> {
    let me = parts.wallet.address();
    let mut journal = Keeper::open(journal, &mut contents.entries, parts.stores.clone(), notices.clone()).await?;
    if let Some(block) = start.born.filter(|_| contents.born != start.born) {
        journal.keep(move |journal| journal.set_born(block)).await?;
    }
    if let Some(block) = start.last_final {
        journal.keep(move |journal| journal.set_checkpoint(&block)).await?;
    }
    let Contents { mut entries, mut notes, is_new, is_damaged, .. } = contents;
    if is_new && !journal.has_backup {
        notes.push("no journal of this game was found: what it had is taken from the chain or asked for".to_owned());
    }
    // Before the first move a journal has nothing that could be missed.
    let is_channel = opening_of(&start.events).is_some_and(|opening| opening.terms.mode == Mode::Channel);
    let begun = |event: &ChainEvent| match event {
        ChainEvent::Started { .. } => is_channel,
        event => matches!(event, ChainEvent::Moved { .. }),
    };
    for note in notes.into_iter().filter(|_| start.events.iter().any(begun)) {
        notify(&notices, Notice::JournalNote { text: note });
    }
    let has_lost = is_damaged && !journal.has_backup && start.events.iter().any(begun);
    if is_channel && (has_lost || start.is_under_way(me) && !entries.contains(&Entry::Begun)) {
        // What is missing may be the last ply, which nothing else would show.
        entries.push(Entry::Behind);
        journal.write(Entry::Behind).await?;
    }
    let (links, link) = match start.opponent {
        Some(opponent) => {
            if let Err(trouble) = crate::link::free(&parts.listen).await {
                notify(&notices, Notice::LinkTrouble { text: trouble.to_string() });
            }
            let (links, link) = Links::open(config(&parts, opponent, is_channel)?).await?;
            (Some(links), Some(link))
        }
        None => (None, None),
    };
    let opening = opening_of(&start.events);
    let opening = opening.ok_or_else(|| RuntimeError::Stopped("the game has no beginning on the chain".into()))?;
    let secrets = parts.wallet.game_secrets(&parts.game, opening.creator, opening.nonce);
    let (engine, wallet) = (parts.engine.engine(), parts.wallet.clone());
    let sign = channel::Sign(Arc::new(move |digest| wallet.sign(digest)));
    let of_side = channel::Parts { me, secrets, engine, game: parts.game, config: parts.seat, sign };
    let (side, effects) = Side::recover(of_side, &start.events, entries);
    let is_live = !parts.chain.is_local();
    let most = u64::from(opening.terms.window / WINDOW_PARTS);
    let outlook = Outlook { most: is_live.then_some(most), is_told: false };
    let mut runtime = Runtime {
        side,
        journal,
        link,
        held: Vec::new(),
        connected_since: None,
        addresses: Addresses {
            game: parts.game,
            opponent: start.opponent,
            heard: parts.heard,
            places: Vec::new(),
            news: parts.addresses,
        },
        cut_link: parts.cut_link,
        jobs: Jobs::new(done.clone(), ProofTimes::open(&parts.journals)),
        transactions: Transactions::new(parts.chain, parts.game.game_id, done.clone(), notices.clone()),
        under_way: Vec::new(),
        done,
        work,
        asked: None,
        notices,
        time: start.time,
        last_final: start.last_final,
        outlook,
    };
    runtime.tell_addresses();
    runtime.show_clocks();
    runtime.perform(effects).await?;
    for log in start.coming {
        runtime.on_log(log).await?;
    }
    Ok((runtime, links))
}

/// Without a link nothing ever comes.
async fn next_of(links: &mut Option<Links>) -> link::News {
    match links {
        Some(links) => links.next().await,
        None => std::future::pending().await,
    }
}

/// How the link to the opponent is set up.
fn config(parts: &Parts, opponent: Address, is_channel: bool) -> Result<LinkConfig, RuntimeError> {
    Ok(LinkConfig {
        identity: Identity::new(&parts.wallet, parts.game)?,
        opponent,
        listen: parts.listen.clone(),
        dial: parts.dial.clone(),
        relays: parts.relays.clone(),
        // The opponent can still be dialled, and the chain is there anyway.
        patient: true,
        frames: frames(&parts.engine, is_channel),
    })
}

/// Which frames a game of this engine has on the link, between the machines or not.
fn frames(engine: &PlayedEngine, is_channel: bool) -> Frames {
    match engine.about() {
        None if is_channel => Frames::Channel,
        None => Frames::Answers,
        Some(about) => Frames::Sessions { max_message: about.max_message },
    }
}

fn notify(notices: &UnboundedSender<Notice>, item: Notice) {
    // Nobody may be listening any more.
    let _ = notices.send(item);
}
