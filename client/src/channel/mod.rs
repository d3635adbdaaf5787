//! A game between the players' machines (protocol, section 8), as a pure machine beside the seat: what the seat would send to the chain as a move goes
//! to the opponent as a signed ply, and what the opponent has signed and proven comes to the seat as if the chain had told it. No I/O, no clock, no
//! randomness.
//!
//! A game is *asleep* until somebody wakes it, which this machine does when the opponent is silent or refuses. From the first sight of a wake nothing is
//! played here any more. Once the contest is over the seat is made anew at the position that stands on the chain, and goes on there by itself: where the own
//! line is one ply longer, it makes that move again, with the same proof.
//!
//! [`Side`] is what a runtime holds: a seat, and beside it this machine in a game of mode `channel`. [`line`] has the plies with both signatures,
//! [`plies`] makes and takes them, [`results`] says how a game ends, [`contest`] what happens once it is woken, [`measure`] how long somebody takes,
//! [`recover`] is a restart, and [`behind`] what a machine does that has lost some of its game.

mod behind;
mod contest;
mod line;
mod measure;
mod plies;
mod recover;
mod results;

use crate::journal::{Entry, transcript};
use crate::seat::{Config, Done, Effect, Event, JobId, Seat};
use alloy::primitives::{Address, B256};
use behind::Behind;
use contest::Contest;
use fog::engine::Engine;
use game::channel_transcript::MOST_POSTED;
use game::secrets::GameSecrets;
use game::{
    Awaiting, ChainEvent, Command, CommandError, GameRef, Message, Notice, Outcome, PlyFault, SignedPly, Transaction,
    Waking, What, Who,
};
use line::Line;
use results::SignedResult;
use std::collections::BTreeMap;
use std::sync::Arc;

type Signing = dyn Fn(&B256) -> Option<[u8; 64]> + Send + Sync;

/// Signs a digest with the player's key; none if the key can't.
pub struct Sign(pub Arc<Signing>);

/// Signs nothing: for a channel whose own [`Sign`] is still to be put in.
impl Default for Sign {
    fn default() -> Self {
        Self(Arc::new(|_| None))
    }
}

/// Messages of so many plies are remembered; the journal keeps no older ones either.
const KEPT_PLIES: u16 = 4;

/// What a side of a game is made of.
pub struct Parts {
    /// The address of the wallet that the secrets come from.
    pub me: Address,
    pub secrets: GameSecrets,
    pub engine: Arc<dyn Engine>,
    pub game: GameRef,
    pub config: Config,
    pub sign: Sign,
}

/// One player's side of one game, wherever it is played.
pub struct Side {
    seat: Seat,
    channel: Option<Box<Channel>>,
}

fog::redacted!(Side);

impl Side {
    /// Takes an event; gives what is to be done, in this order.
    #[must_use]
    pub fn apply(&mut self, event: Event) -> Vec<Effect> {
        match &mut self.channel {
            Some(channel) => channel.apply(&mut self.seat, event),
            None => self.seat.apply(event),
        }
    }

    pub fn seat(&self) -> &Seat {
        &self.seat
    }

    /// Whether the result of a job is waited for.
    pub fn awaits(&self, job: JobId) -> bool {
        self.seat.awaits(job) || self.channel.as_ref().is_some_and(|channel| channel.is_verifying(job))
    }

    /// Whether a game is played between the machines. Then nothing may leave before all is kept that it belongs to, by everybody who keeps it. After the
    /// first sight of a wake, or with a game of which some was lost, nothing is said there that rests on anything.
    pub fn is_asleep(&self) -> bool {
        self.channel.as_ref().is_some_and(|channel| matches!(channel.stage, Stage::Asleep))
    }
}

/// Where a game between the machines is played.
#[derive(Default)]
enum Stage {
    /// Between the machines, or before it has begun.
    #[default]
    Asleep,
    /// It was woken or is being woken, and nothing can be done but to show a later position, or to close it.
    Contested(Box<Contest>),
    /// On the chain, or it is over.
    OnChain,
    /// This machine doesn't know how far the game has come: it signs nothing and gives nothing.
    Behind(Box<Behind>),
}

/// A ply of the opponent whose proof is being verified.
struct Arriving {
    signed: Box<SignedPly>,
    /// When it came, by the clock of this machine.
    at: u64,
    /// How many seconds of what the opponent is trusted with its clock takes.
    trusted: u64,
    /// None if it could not be verified on this side; it is tried again at the next tick.
    job: Option<JobId>,
    /// Since when that has failed.
    failing: Option<u64>,
}

/// The machine beside a seat.
#[derive(Default)]
struct Channel {
    me: Address,
    sign: Sign,
    config: Config,
    /// The chain's final events up to the beginning of the game.
    opening: Vec<ChainEvent>,
    /// All that was written, by key: what a seat that is made anew remembers.
    entries: BTreeMap<Vec<u8>, Entry>,
    /// The plies, once colors are drawn.
    line: Option<Line>,
    stage: Stage,
    /// The last wake that was seen before the beginning was final here: at which ply, and until when it is contested.
    woken_early: Option<(u16, u64)>,
    arriving: Option<Arriving>,
    /// The chain's time, by which a contest ends.
    now: u64,
    /// This machine's date, by which it measures how long something takes: a node could tell a false time.
    date: u64,
    /// When this machine was started, or its clock last jumped: nothing is measured from before.
    since: u64,
    /// The own ply that is due, and since when it could be made.
    ready: Option<(u16, u64)>,
    /// How many seconds the opponent's clock was better than by this machine's measure, in all.
    trusted: u64,
    own_result: Option<SignedResult>,
    their_result: Option<SignedResult>,
    /// When a transaction was last sent that may have to be sent again.
    sent_at: u64,
    /// The ply that was due at the start, if its sight was there: its mover could have made it before.
    sighted: Option<u16>,
    /// What is to be done once the game goes on on the chain.
    then: Option<Command>,
    /// Whether the clocks were told since the start.
    is_timed: bool,
    /// Whether there is no link any more: a seat that is made anew is told so.
    is_cut: bool,
    /// Whether the opponent was heard of since the start.
    is_heard: bool,
    /// Plies that were refused, and why, told once each.
    refused: Vec<(u16, PlyFault)>,
}

impl Channel {
    fn apply(&mut self, seat: &mut Seat, event: Event) -> Vec<Effect> {
        if let Event::Tick { now, date, .. } = event {
            self.pass_to(date);
            self.now = now;
        }
        self.is_cut |= matches!(event, Event::LinkCut);
        self.is_heard |= matches!(event, Event::Connected | Event::Received(_));
        let mut out = Vec::new();
        let is_tick = matches!(event, Event::Tick { .. });
        if is_tick && matches!(self.stage, Stage::OnChain) && self.is_taking_the_draw(seat) && self.resend_due() {
            (self.then, self.sent_at) = (Some(Command::AcceptDraw), self.date);
        }
        match self.stage {
            Stage::Asleep => self.asleep(seat, event, &mut out),
            Stage::Contested(_) => self.contested(seat, event, &mut out),
            Stage::OnChain => self.on_chain(seat, event, &mut out),
            Stage::Behind(_) => self.behind(seat, event, &mut out),
        }
        if is_tick && !matches!(self.stage, Stage::Asleep) && seat.table().ending().is_none() && self.resend_due() {
            self.close(&mut out);
        }
        self.remember(&out);
        self.post(&mut out);
        out
    }

    /// Puts the plies of the game behind the view key that is published, if they are to be posted.
    fn post(&self, effects: &mut Vec<Effect>) {
        let mut too_long = false;
        let Some(line) = self.line.as_ref().filter(|_| self.config.posts_transcript) else { return };
        for effect in effects.iter_mut() {
            let Effect::SendTransaction(Transaction::PublishViewKey { transcript: posted, .. }) = effect else {
                continue;
            };
            let transcript = transcript(line.game, self.entries.values(), line.terms.base);
            if transcript.plies.len() <= MOST_POSTED {
                *posted = transcript.to_posted();
            } else {
                too_long = true;
            }
        }
        if too_long {
            effects.push(note(format!(
                "a game of more than {} moves isn't posted: `fogmate transcript` writes it to a file",
                MOST_POSTED / 2
            )));
        }
    }

    /// Keeps what is being written, as the journal does.
    fn remember(&mut self, effects: &[Effect]) {
        for effect in effects {
            if let Effect::Journal(entry) = effect {
                self.keep(entry.clone());
            }
        }
    }

    fn keep(&mut self, entry: Entry) {
        let oldest = entry.ply().saturating_sub(KEPT_PLIES);
        let is_old = |entry: &Entry| matches!(entry, Entry::Received(_)) && entry.ply() < oldest;
        self.entries.retain(|_, entry| !is_old(entry));
        self.entries.insert(entry.key(), entry);
    }

    /// The game is played between the machines, or hasn't begun.
    fn asleep(&mut self, seat: &mut Seat, event: Event, out: &mut Vec<Effect>) {
        match event {
            Event::Final(event) => self.on_final(seat, event, out),
            Event::WakeSeen { ply, until } if self.line.is_some() => self.woken(ply, until, None, out),
            Event::WakeSeen { ply, until } => self.woken_early = Some((ply, until)),
            Event::WakeDropped if self.line.is_none() => self.woken_early = None,
            Event::LinkCut if self.line.is_some() => self.wake(Waking::NoLink, out),
            Event::Connected => {
                self.feed(seat, Event::Connected, out);
                self.say_where(out);
            }
            Event::Received(message) => self.on_message(seat, message, out),
            Event::Done(job, Done::VerifyMove(result)) if self.is_verifying(job) => {
                self.verified(seat, result, out);
            }
            Event::Command(command) => self.on_command(seat, command, out),
            Event::Tick { now, date, deadline } => {
                // While it is asleep the chain has no deadline for it.
                let deadline = deadline.filter(|_| self.line.is_none());
                self.feed(seat, Event::Tick { now, date, deadline }, out);
                self.verify_again(seat, out);
                self.measure(seat, out);
                if !self.is_timed && !self.has_result() && matches!(self.stage, Stage::Asleep) {
                    self.tell_clocks(out);
                }
            }
            event => self.feed(seat, event, out),
        }
        self.note_ready(seat);
    }

    fn on_message(&mut self, seat: &mut Seat, message: Message, out: &mut Vec<Effect>) {
        match message {
            Message::Ply(signed) => self.on_ply(seat, signed, out),
            Message::Countersigned { ply, signature } => self.on_countersigned(ply, signature, out),
            Message::Result { result, signature } => self.on_result(result, signature, out),
            Message::Have { plies } => self.on_have(plies, out),
            message => self.feed(seat, Event::Received(message), out),
        }
    }

    fn on_command(&mut self, seat: &mut Seat, command: Command, out: &mut Vec<Effect>) {
        match self.has_result() && acts(&command) {
            true => out.push(refused(CommandError::ResultSigned)),
            false => self.feed(seat, Event::Command(command), out),
        }
    }

    /// An event of the chain that will stay, while the game is asleep or contested.
    fn on_final(&mut self, seat: &mut Seat, event: ChainEvent, out: &mut Vec<Effect>) {
        match event {
            ChainEvent::Woken { position, until } if self.line.is_some() => {
                let line = self.line.as_ref().filter(|line| line.has(&position) || position.ply < line.held());
                let Some(line) = line else {
                    return self.is_woken_beyond(vec![ChainEvent::Woken { position, until }], out);
                };
                // The seat is told where its game may end on the chain.
                if line.has(&position) {
                    let woken = ChainEvent::Woken { position: position.clone(), until };
                    self.feed(seat, Event::Final(woken), out);
                }
                self.woken(position.ply, until, Some(position), out);
            }
            event @ ChainEvent::Ended { outcome, .. } => {
                let fallen = self.line.as_ref().and_then(Line::fallen);
                if let Some(fallen) = fallen.filter(|_| outcome == Outcome::KingCaptured) {
                    self.feed(seat, Event::Final(fallen), out);
                }
                self.stage = Stage::OnChain;
                self.feed(seat, Event::Final(event), out);
            }
            event @ ChainEvent::Closed { .. } => self.feed(seat, Event::Final(event), out),
            event if self.line.is_some() => {
                // On the chain it goes on: the contest must be over.
                self.conclude(seat, out);
                if let Stage::OnChain = self.stage {
                    self.on_chain(seat, Event::Final(event), out);
                }
            }
            event => {
                self.opening.push(event.clone());
                let effects = seat.apply(Event::Final(event));
                self.line = Line::begin(seat.table(), self.me);
                if self.line.is_some() {
                    self.begin(seat, effects, out);
                } else {
                    self.pass(seat, effects, out);
                }
            }
        }
    }

    /// On the chain the seat does everything.
    fn on_chain(&mut self, seat: &mut Seat, event: Event, out: &mut Vec<Effect>) {
        match event {
            // A later position than the one that was gone on from: this side had not seen it in time.
            Event::Final(event @ ChainEvent::Woken { .. }) => {
                self.stage = Stage::Contested(Box::default());
                return self.on_final(seat, event, out);
            }
            Event::Received(Message::Result { result, signature }) if seat.table().ending().is_none() => {
                self.on_result(result, signature, out);
            }
            Event::Received(Message::Have { plies }) => self.remind(seat, plies, out),
            Event::Received(Message::Ply(_) | Message::Countersigned { .. }) => {}
            // Who has signed the draw makes no other move than to take it.
            Event::Command(command) if self.is_taking_the_draw(seat) && plays_on(&command) => {
                out.push(refused(CommandError::ResultSigned));
            }
            event => out.extend(seat.apply(event)),
        }
        if let Some(command) = self.then.take_if(|_| seat.can_move()) {
            self.sent_at = self.date;
            out.extend(seat.apply(Event::Command(command)));
        }
    }

    /// An event for the seat; what it wants done goes the way of a game between the machines.
    fn feed(&mut self, seat: &mut Seat, event: Event, out: &mut Vec<Effect>) {
        let effects = seat.apply(event);
        self.pass(seat, effects, out);
    }

    /// What the seat wants done: before the game has begun and on the chain as it is; while it is asleep what would go to the chain goes to the
    /// opponent; else it is only told.
    fn pass(&mut self, seat: &mut Seat, effects: Vec<Effect>, out: &mut Vec<Effect>) {
        if self.line.is_none() || matches!(self.stage, Stage::OnChain) {
            return out.extend(effects);
        }
        let points = effects.iter().find_map(|effect| match effect {
            Effect::SendMessage(Message::Request { ply, points }) => Some((*ply, points.clone())),
            _ => None,
        });
        let makes = |effect: &Effect| matches!(effect, Effect::SendTransaction(Transaction::Move { .. }));
        let is_made = effects.iter().any(makes);
        for effect in effects {
            let is_open = matches!(self.stage, Stage::Asleep) && !self.has_result();
            match effect {
                Effect::Notify(Notice::Sent { .. }) => {}
                // No block holds a ply up, and what comes after it was told before. A king that falls counts once the loser has signed that.
                Effect::Notify(Notice::Awaiting(Awaiting { what: What::Block | What::Finality, since, .. })) => {
                    if self.line.as_ref().is_some_and(Line::is_over) {
                        let (who, what) = (Who::Opponent, What::Loss);
                        out.push(Effect::Notify(Notice::Awaiting(Awaiting { who, what, since, until: None })));
                    }
                }
                // What the game waits for it knows when it has caught up.
                Effect::Notify(Notice::Awaiting(_)) if matches!(self.stage, Stage::Behind(_)) => {}
                Effect::SendTransaction(transaction @ (Transaction::PublishViewKey { .. } | Transaction::Withdraw)) => {
                    out.push(Effect::SendTransaction(transaction));
                }
                Effect::SendTransaction(transaction) if is_open => {
                    self.on_transaction(seat, transaction, points.as_ref(), out);
                }
                // The points go with the ply, and who asks for them gets it again.
                Effect::SendMessage(Message::Request { ply, .. }) if is_open && !is_made => self.say_again(ply, out),
                Effect::SendTransaction(_) | Effect::SendMessage(Message::Request { .. }) => {}
                Effect::SendMessage(message) if is_open => out.push(Effect::SendMessage(message)),
                Effect::SendMessage(_) => {}
                effect => out.push(effect),
            }
        }
    }
}

/// Whether a command does something to the game, or may.
fn acts(command: &Command) -> bool {
    !matches!(command, Command::Show | Command::PublishViewKey | Command::Withdraw)
}

fn plays_on(command: &Command) -> bool {
    acts(command) && !matches!(command, Command::AcceptDraw | Command::Resign)
}

fn note(text: String) -> Effect {
    Effect::Notify(Notice::JournalNote { text })
}

fn refused(error: CommandError) -> Effect {
    Effect::Notify(Notice::Refused { id: None, error })
}
