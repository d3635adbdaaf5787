//! Carries out a seat's effects, in their order, and turns what happens around it into its events. Deciding is the seat's.

use super::jobs::Jobs;
use super::keeper::Keeper;
use super::link;
use super::rematch::tell_of_rematch;
use super::transactions::{Transactions, event_of_failure, is_nothing_owed};
use super::watch::ChainUpdate;
use super::work::Work;
use super::{AddressNews, Completion, RuntimeError, notify};
use crate::chain::{BlockRef, ChainClock, ChainTime, LogUpdate, Update, unix};
use crate::channel::Side;
use crate::link::{LinkEvent, LinkHandle, Offence};
use crate::seat::{Effect, Event};
use alloy::primitives::Address;
use game::{ChainEvent, CommandError, GameRef, LinkState, Message, MessageId, Notice, Transaction};
use libp2p::Multiaddr;
use rules::Move;
use std::time::Instant;
use tokio::sync::mpsc::UnboundedSender;

/// What is needed to judge a record of addresses, and who remembers.
pub(super) struct Addresses {
    pub game: GameRef,
    pub opponent: Option<Address>,
    /// The number of the opponent's last record.
    pub heard: u64,
    /// Where it was said to be since the link was set up: one that is opened again is told.
    pub places: Vec<Multiaddr>,
    pub news: Option<UnboundedSender<AddressNews>>,
}

/// The player's side and where its effects go.
pub(super) struct Runtime {
    pub side: Side,
    pub journal: Keeper,
    pub link: Option<LinkHandle>,
    /// Messages of a game between the machines that wait until all is kept that they belong to.
    pub held: Vec<Message>,
    /// Since when the opponent is connected, by the chain's time.
    pub connected_since: Option<u64>,
    pub addresses: Addresses,
    /// The ply before which the link is cut.
    pub cut_link: Option<u16>,
    pub jobs: Jobs,
    pub transactions: Transactions,
    /// Transactions that are being sent: a repeat of one is not.
    pub under_way: Vec<Transaction>,
    /// Where what was done beside this task is told.
    pub done: UnboundedSender<Completion>,
    pub work: Work,
    /// What the player was asked for last: the ply, and the move that it had given.
    pub asked: Option<(u16, Move)>,
    pub notices: UnboundedSender<Notice>,
    pub time: ChainTime,
    /// The last final block that the journal has.
    pub last_final: Option<BlockRef>,
    pub outlook: Outlook,
}

/// How fresh the view of the chain must be. A wake that isn't seen in time isn't contested: what a node tells that has fallen asleep, or before this
/// machine has, is no reason to go on.
#[derive(Debug)]
pub(super) struct Outlook {
    /// How many seconds old the last block may be before nothing is said between the machines; none where blocks don't come by themselves.
    pub most: Option<u64>,
    /// Whether the user knows that it is older.
    pub is_told: bool,
}

impl Outlook {
    fn is_blind(&self, chain: &ChainClock, now: Instant, date: u64) -> bool {
        self.most.is_some_and(|most| chain.is_old(most, now, date) || chain.has_slept(now, date))
    }
}

impl Runtime {
    pub(super) fn notify(&self, item: Notice) {
        notify(&self.notices, item);
    }

    /// Cuts the link if that is due, and says whether it was.
    pub fn is_cut(&mut self) -> bool {
        let ply = self.side.seat().table().begun().map(|play| play.ply);
        let due = self.cut_link.is_some_and(|cut| ply.is_some_and(|ply| ply >= cut));
        let is_cut = due && self.link.take().is_some();
        if is_cut {
            self.tell_link(LinkState::Off, 0);
        }
        is_cut
    }

    /// Tells how the link is.
    fn tell_link(&self, state: LinkState, tries: u32) {
        self.notify(Notice::Link { state, tries, since: self.connected_since });
    }

    /// An event for the seat; what it wants done is done.
    pub async fn tell(&mut self, event: Event) -> Result<(), RuntimeError> {
        let was_asleep = self.side.is_asleep();
        let effects = self.side.apply(event);
        if let Some(link) = self.link.as_ref().filter(|_| was_asleep && !self.side.is_asleep()) {
            // What was to be said before a wake is said no more, nor again. Where there is no link nothing is said at all.
            let _ = link.forget().await;
        }
        self.carry_out(effects).await
    }

    /// Carries out what the seat wants after an event, and stops what it doesn't want any more.
    pub async fn carry_out(&mut self, effects: Vec<Effect>) -> Result<(), RuntimeError> {
        self.jobs.keep(|id| self.side.awaits(id));
        self.perform(effects).await
    }

    /// Does what the seat wants done.
    pub async fn perform(&mut self, effects: Vec<Effect>) -> Result<(), RuntimeError> {
        for effect in effects {
            match effect {
                Effect::Journal(entry) => self.journal.write(entry).await?,
                Effect::Run(id, job) => self.jobs.run(id, job),
                Effect::SendTransaction(transaction) => self.send(transaction),
                Effect::SendMessage(message) if self.is_held_up() => self.hold(message),
                Effect::SendMessage(message) => {
                    self.release().await?;
                    self.say(message).await?;
                }
                Effect::Notify(notice) => {
                    if let Notice::Over(_) = notice {
                        let (chain, over) = (self.transactions.chain.clone(), self.transactions.game);
                        tokio::spawn(tell_of_rematch(chain, over, self.notices.clone()));
                    }
                    self.notify(notice);
                }
            }
        }
        Ok(())
    }

    /// Whether what is said between the machines has to wait.
    fn is_held_up(&self) -> bool {
        self.side.is_asleep() && (self.journal.is_behind() || self.is_blind())
    }

    /// Whether the chain may have gone on unseen.
    fn is_blind(&self) -> bool {
        self.outlook.is_blind(&self.time.chain, Instant::now(), unix())
    }

    /// Keeps a message back, once: the opponent may ask for the same again and again.
    fn hold(&mut self, message: Message) {
        if !self.held.contains(&message) {
            self.held.push(message);
        }
    }

    /// Tells the user once that no block comes, and that one has come.
    fn tell_outlook(&mut self) {
        let is_blind = self.side.is_asleep() && self.is_blind();
        if std::mem::replace(&mut self.outlook.is_told, is_blind) == is_blind {
            return;
        }
        let text = match is_blind {
            true => format!(
                "the last block that the node has told of is {} seconds old: nothing is said to the opponent until a new one comes, for the game \
                 may be woken unseen",
                self.time.now().saturating_sub(self.time.chain.of_block())
            ),
            false => "the node tells of new blocks again".to_owned(),
        };
        self.notify(Notice::ChainTrouble { text });
    }

    /// Sends what was kept back, if there is no reason any more; what was to be said before a wake is said no more.
    async fn release(&mut self) -> Result<(), RuntimeError> {
        if self.is_held_up() {
            return Ok(());
        }
        let (held, is_asleep) = (std::mem::take(&mut self.held), self.side.is_asleep());
        for message in held.into_iter().filter(|_| is_asleep) {
            self.say(message).await?;
        }
        Ok(())
    }

    /// Sends a message to the opponent.
    async fn say(&mut self, message: Message) -> Result<(), RuntimeError> {
        let Some(link) = &self.link else { return Ok(()) };
        let (MessageId { ply, phase, kind, .. }, bytes) = (message.id(), message.wire_len());
        match link.send(message).await {
            Ok(()) => self.notify(Notice::MessageSent { kind, ply, phase, bytes }),
            // The chain is enough to go on.
            Err(error) => self.trouble(error.to_string())?,
        }
        Ok(())
    }

    fn send(&mut self, transaction: Transaction) {
        if !self.under_way.contains(&transaction) {
            self.under_way.push(transaction.clone());
            self.work.begin();
            self.transactions.send(transaction);
        }
    }

    /// Something of the chain.
    pub async fn on_chain(&mut self, update: ChainUpdate) -> Result<(), RuntimeError> {
        match update {
            ChainUpdate::Logs(update) => {
                let Update { logs, time, last_final, head, notes } = *update;
                notes.into_iter().for_each(|note| self.notify(Notice::ChainTrouble { text: note }));
                self.time = time;
                if !logs.is_empty() {
                    self.show_clocks();
                    self.transactions.count_money();
                }
                if let Some((head, block)) = head.zip(last_final) {
                    let (now, nodes) = (self.time.now(), self.transactions.chain.node_states());
                    let (head, base_fee_wei, last_final) = (head.block.number, head.base_fee, block.number);
                    self.notify(Notice::Chain { head, last_final, now, base_fee_wei, nodes });
                }
                if let Some(block) = last_final.filter(|_| self.last_final != last_final) {
                    self.last_final = last_final;
                    // Before anything is released that hangs on it.
                    self.journal.keep(move |journal| journal.set_checkpoint(&block)).await?;
                }
                for log in logs {
                    self.on_log(log).await?;
                }
            }
            ChainUpdate::Unreachable(reason) => self.notify(Notice::ChainTrouble { text: reason }),
        }
        Ok(())
    }

    /// An event of the game.
    pub async fn on_log(&mut self, log: LogUpdate<ChainEvent>) -> Result<(), RuntimeError> {
        match event_of_log(log) {
            Some(event) => self.tell(event).await,
            None => Ok(()),
        }
    }

    /// Something of the link, or that it has failed, or is there again.
    pub async fn on_links(&mut self, news: link::News) -> Result<(), RuntimeError> {
        match news {
            link::News::Event(event) => self.on_link(event).await,
            link::News::Failed(words) => {
                (self.link, self.connected_since) = (None, None);
                self.tell_link(LinkState::Off, 0);
                self.trouble(words)
            }
            link::News::Again(handle) => {
                let seen = handle.look_at(self.addresses.places.clone()).await;
                self.link = Some(handle);
                self.tell_addresses();
                seen.or_else(|error| self.trouble(error.to_string()))
            }
        }
    }

    /// Something of the link.
    async fn on_link(&mut self, event: LinkEvent) -> Result<(), RuntimeError> {
        match &event {
            LinkEvent::Connected(_) => {
                self.connected_since = Some(self.time.now());
                self.notify(Notice::Connected);
            }
            LinkEvent::Path { relayed } => {
                self.tell_link(if *relayed { LinkState::Relayed } else { LinkState::Direct }, 0);
            }
            LinkEvent::Disconnected => {
                self.connected_since = None;
                self.notify(Notice::Disconnected);
                self.tell_link(LinkState::Dialling, 0);
            }
            LinkEvent::Dialled(tries) => self.tell_link(LinkState::Dialling, *tries),
            LinkEvent::Received(message) => {
                let MessageId { ply, phase, kind, .. } = message.id();
                self.notify(Notice::MessageReceived { kind, ply, phase, bytes: message.wire_len() });
            }
            LinkEvent::Rejected { id, reason } => self.trouble(format!("the opponent refuses the {id}: {reason}"))?,
            LinkEvent::Unwelcome { peer, reason } => {
                self.trouble(format!("the peer {peer} turns us away: {reason}"))?
            }
            // The seat says what it is.
            LinkEvent::Refused { opponent: true, offence: Offence::Malformed(_), .. } => {}
            LinkEvent::Refused { peer, offence, .. } => {
                self.trouble(format!("the peer {peer} was turned away: {offence}"))?;
            }
            LinkEvent::Listening => self.tell_addresses(),
            LinkEvent::Reached(address) => self.addresses.tell(AddressNews::Reached(address.clone())),
            LinkEvent::Delivered(_) => {}
        }
        match event_of_link(event) {
            Some(event) => self.tell(event).await,
            None => Ok(()),
        }
    }

    pub(super) fn trouble(&self, of_link: String) -> Result<(), RuntimeError> {
        self.notify(Notice::LinkTrouble { text: of_link });
        Ok(())
    }

    /// A proof or a transaction.
    pub async fn on_done(&mut self, done: Completion) -> Result<(), RuntimeError> {
        match done {
            Completion::Job(event) => self.tell(event).await,
            Completion::Ended => {
                self.jobs.ended();
                Ok(())
            }
            Completion::Told(notice) => {
                self.notify(notice);
                Ok(())
            }
            Completion::Looked { given, ply, is_sent } => self.on_looked(given, ply, is_sent).await,
            Completion::Transaction(transaction, result) => {
                self.under_way.retain(|known| *known != transaction);
                self.work.end();
                self.transactions.count_money();
                match *result {
                    Ok(receipt) => self.notify(Notice::Mined {
                        action: transaction.action(),
                        ply: transaction.ply(),
                        transaction: receipt.transaction,
                        gas: receipt.gas_used,
                        calldata_bytes: receipt.calldata_bytes,
                        fee_wei: receipt.fee,
                    }),
                    Err(error) => {
                        if is_nothing_owed(&transaction, &error) {
                            self.notify(Notice::Refused { id: None, error: CommandError::NothingOwed });
                        }
                        if let Some(event) = event_of_failure(transaction, &error) {
                            return self.tell(event).await;
                        }
                    }
                }
                Ok(())
            }
        }
    }

    pub async fn on_tick(&mut self) -> Result<(), RuntimeError> {
        self.journal.retry().await?;
        self.tell_outlook();
        if let Some(link) = &self.link {
            let _ = link.hold(self.side.is_asleep() && self.is_blind()).await;
        }
        self.release().await?;
        let deadline = self.time.clocks.map(|clocks| clocks.deadline);
        self.tell(Event::Tick { now: self.time.now(), date: unix(), deadline }).await
    }

    /// Shows the clocks, if any run.
    pub fn show_clocks(&self) {
        if let Some(clocks) = self.time.clocks() {
            self.notify(Notice::clocks(clocks, self.time.now()));
        }
    }
}

/// What something of the link is to the seat; none if it is of no interest to it.
pub fn event_of_link(event: LinkEvent) -> Option<Event> {
    match event {
        LinkEvent::Connected(_) => Some(Event::Connected),
        LinkEvent::Received(message) => Some(Event::Received(message)),
        LinkEvent::Refused { opponent: true, offence: Offence::Malformed(error), .. } => Some(Event::Unreadable(error)),
        _ => None,
    }
}

/// What a seat is told of a game's events: of what isn't final, only moves and wakes.
pub fn event_of_log(log: LogUpdate<ChainEvent>) -> Option<Event> {
    match log {
        LogUpdate::Final(logged) => Some(Event::Final(logged.event)),
        LogUpdate::Included(logged) => match logged.event {
            ChainEvent::Moved { fields, .. } => Some(Event::Seen(fields)),
            ChainEvent::Woken { position, until } => Some(Event::WakeSeen { ply: position.ply, until }),
            _ => None,
        },
        LogUpdate::Reorged(logged) => match logged.event {
            ChainEvent::Moved { fields, .. } => Some(Event::Dropped { ply: fields.ply }),
            ChainEvent::Woken { .. } => Some(Event::WakeDropped),
            _ => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn without_a_new_block_for_a_while_the_outlook_is_blind() {
        let start = Instant::now();
        let is_blind = |most, chain: &ChainClock, seconds, date| {
            Outlook { most, is_told: false }.is_blind(chain, start + Duration::from_secs(seconds), date)
        };
        let most = Some(150);
        let clock = ChainClock::heard(None, 1_000, start, 1_000);
        assert!(!is_blind(most, &clock, 150, 1_150));
        assert!(is_blind(most, &clock, 151, 1_151));
        assert!(!is_blind(None, &clock, 9_999, 10_999), "blocks wait for transactions");
        // The machine was suspended: its steady clock has stood still.
        assert!(is_blind(most, &clock, 10, 4_000));
        // The node goes on telling of a head, and of no later one.
        let old = (1..=20).fold(clock, |clock, tries| {
            ChainClock::heard(Some(clock), 1_000, start + Duration::from_secs(tries * 10), 1_000 + tries * 10)
        });
        assert!(is_blind(most, &old, 200, 1_200));
        let new = ChainClock::heard(Some(old), 1_204, start + Duration::from_secs(205), 1_205);
        assert!(!is_blind(most, &new, 206, 1_206));
        let at = |seconds| start + Duration::from_secs(seconds);
        // A node that catches up, after a start and after this machine was suspended.
        let first = ChainClock::heard(None, 1_000, start, 10_000);
        let synced = (1..=20).fold(first, |clock, tries| {
            let clock = ChainClock::heard(Some(clock), 1_000 + 400 * tries, at(tries * 6), 10_000 + tries * 6);
            assert!(is_blind(most, &clock, tries * 6, 10_000 + tries * 6), "{tries}");
            clock
        });
        let live = ChainClock::heard(Some(synced), 10_125, at(126), 10_126);
        assert!(!is_blind(most, &live, 126, 10_126));
        let slept = ChainClock::heard(Some(clock), 1_000, at(10), 9_000);
        assert!(is_blind(most, &slept, 10, 9_000));
        // A date that is an hour ahead is found out by blocks that come at their pace.
        let wrong = (0..=10).fold(None, |clock, tries| {
            Some(ChainClock::heard(clock, 1_000 + 12 * tries, at(12 * tries), 4_600 + 12 * tries))
        });
        assert!(!is_blind(most, &wrong.expect("a clock"), 121, 4_721));
    }
}
