//! Carries out a seat's effects, in their order, and turns what happens around it into its events. Deciding is the seat's.

use super::jobs::Jobs;
use super::watch::{Sighting, unix_time};
use super::{Action, Done, Measurement, Report, RuntimeError, report, transactions};
use crate::chain::{Clocks, News};
use crate::journal::Journal;
use crate::link::{LinkEvent, LinkHandle, Offence};
use crate::seat::{ChainEvent, Effect, Event, Seat, Transaction, Update};
use std::collections::VecDeque;
use std::sync::Arc;
use tokio::sync::mpsc::UnboundedSender;

/// The seat and where its effects go.
pub(super) struct Runtime {
    pub seat: Seat,
    pub journal: Arc<Journal>,
    pub link: Option<LinkHandle>,
    pub jobs: Jobs,
    pub transactions: UnboundedSender<Transaction>,
    /// Transactions that are being sent: a repeat of one is not.
    pub under_way: Vec<Transaction>,
    pub reports: UnboundedSender<Report>,
    pub clocks: Option<Clocks>,
    /// Seconds by which the chain's clock is ahead of this machine's.
    pub ahead: u64,
}

impl Runtime {
    fn report(&self, item: Report) {
        report(&self.reports, item);
    }

    /// An event for the seat; what it wants done is done.
    pub async fn tell(&mut self, event: Event) -> Result<(), RuntimeError> {
        let effects = self.seat.apply(event);
        self.perform(effects).await
    }

    /// Does what the seat wants done.
    pub async fn perform(&mut self, effects: Vec<Effect>) -> Result<(), RuntimeError> {
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

    /// Something of the chain.
    pub async fn on_sighting(&mut self, sighting: Sighting) -> Result<(), RuntimeError> {
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

    /// News of the game.
    pub async fn on_news(&mut self, news: News) -> Result<(), RuntimeError> {
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

    /// Something of the link.
    pub async fn on_link(&mut self, event: LinkEvent) -> Result<(), RuntimeError> {
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

    /// A proof or a transaction.
    pub async fn on_done(&mut self, done: Done) -> Result<(), RuntimeError> {
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

    /// Time passes.
    pub async fn on_tick(&mut self) -> Result<(), RuntimeError> {
        let deadline = self.clocks.map(|clocks| clocks.deadline);
        let now = unix_time().saturating_add(self.ahead);
        self.tell(Event::Tick { now, deadline }).await
    }

    /// Reports the clocks.
    pub fn tick_clock(&self) {
        if let Some(clocks) = self.clocks {
            let now = unix_time().saturating_add(self.ahead);
            self.report(Report::Clocks { clocks, now });
        }
    }
}
