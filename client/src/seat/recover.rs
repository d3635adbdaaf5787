//! A seat from wallet, chain and journal (protocol, section 9). The chain's events are taken again, own states being found
//! from their commitments; then what the journal remembers is checked like anything that comes from outside, and used. A
//! lost or damaged journal costs time, never the game: the opponent is asked again for what it had sent.

use super::effects::Effects;
use super::event::Effect;
use super::{Config, Seat};
use crate::journal::Entry;
use alloy::primitives::Address;
use fog::engine::Engine;
use game::secrets::GameSecrets;
use game::{ChainEvent, GameRef};
use game::{MessageKind, Notice};
use std::sync::Arc;

impl Seat {
    /// The seat as it was, and what is to be done to go on. `events` are all final events of the game in order;
    /// `entries` are what the journal has, in any order. Moves that are in a block but not final are told afterwards by
    /// [`super::Event::Seen`], before the user can choose: without its journal a seat knows its signed move from there only.
    #[must_use]
    pub fn recover(
        me: Address,
        secrets: GameSecrets,
        engine: Arc<dyn Engine>,
        game: GameRef,
        config: Config,
        events: &[ChainEvent],
        entries: Vec<Entry>,
    ) -> (Self, Vec<Effect>) {
        Self::new(me, secrets, engine, game, config).recovered(Effects::after(0), events, entries)
    }

    /// A seat that has heard nothing yet, after these events and with these entries.
    pub(super) fn recovered(
        mut self,
        mut fx: Effects,
        events: &[ChainEvent],
        entries: Vec<Entry>,
    ) -> (Self, Vec<Effect>) {
        let seat = &mut self;
        let captured = |entry: &Entry| match *entry {
            Entry::Chosen { ply, mv, captured, .. } => Some((ply, mv, captured?)),
            _ => None,
        };
        seat.facts.captured = entries.iter().filter_map(captured).collect();
        for event in events {
            seat.on_final(event, &mut fx);
        }
        seat.keep_alarming(0, &mut fx);
        seat.introduce(&mut fx);
        if let Some((play, color)) = seat.table().playing().zip(seat.color()) {
            fx.notify(Notice::Playing { color, ply: play.ply });
            seat.tell_history(&mut fx);
        }
        // A draw that is offered still stands.
        if let Some(play) = seat.facts.my_turn().filter(|play| play.draw_offered) {
            let (ply, capture) = (play.ply.saturating_sub(1), play.pending);
            let lost = seat.facts.past.last().and_then(|last| last.captured);
            fx.notify(Notice::OpponentMoved { ply, capture, lost, draw_offered: true });
        }
        if seat.set_up.is_pending() {
            let is_set_up =
                |entry: &Entry| matches!(entry, Entry::Received(message) if message.id().kind == MessageKind::SetUp);
            let (of_set_up, others) = entries.into_iter().partition(is_set_up);
            seat.set_up.unrestored = Some(others);
            seat.restore_messages(of_set_up, &mut fx);
        } else {
            seat.restore(entries, &mut fx);
        }
        seat.show_board(&mut fx);
        seat.advance(&mut fx);
        seat.want_now(&mut fx);
        seat.last_job = fx.last_job;
        (self, fx.list)
    }

    /// What has long been carried out isn't again; what should alarm the user still is. Looks at the effects from the number `from` on.
    pub(super) fn keep_alarming(&mut self, from: usize, fx: &mut Effects) {
        // Every own move of the past looks unknown, before the journal is read.
        self.told_of_unknown = false;
        for effect in fx.list.split_off(from) {
            if matches!(&effect, Effect::Notify(notice) if is_alarming(notice)) {
                fx.list.push(effect);
            }
        }
    }

    /// Takes up what the journal has.
    pub(super) fn restore(&mut self, entries: Vec<Entry>, fx: &mut Effects) {
        self.remembered = self.restore_messages(entries, fx);
        self.receiving.restored();
        self.recall_move(true, fx);
    }

    /// Takes up the opponent's messages, and which sights were given; gives the other entries back.
    fn restore_messages(&mut self, entries: Vec<Entry>, fx: &mut Effects) -> Vec<Entry> {
        let mut own = Vec::new();
        for entry in entries {
            let message = match entry {
                Entry::Received(message) => message,
                Entry::Released { ply, phase, ctx } => {
                    self.released.restore(ply, phase, ctx);
                    continue;
                }
                entry => {
                    own.push(entry);
                    continue;
                }
            };
            let before = fx.list.len();
            self.on_message(message, fx);
            for effect in fx.list.split_off(before) {
                match effect {
                    // Faults of finished plies don't matter; the others are shown as notes.
                    Effect::Notify(Notice::Fault { fault }) if fault.may_be_honest() => {}
                    Effect::Notify(Notice::Fault { fault }) => fx.note(fault),
                    Effect::Journal(_) => {}
                    effect => fx.list.push(effect),
                }
            }
        }
        own
    }
}

/// Whether the user should hear of it again after a restart.
fn is_alarming(notice: &Notice) -> bool {
    use Notice::{ChainRefused, Failed, History, NotThisWallet, Over, Replay, ViewKey};
    let is_fault = matches!(notice, NotThisWallet { .. } | ChainRefused { .. } | Failed { .. });
    is_fault || matches!(notice, History { .. } | Over(_) | ViewKey { .. } | Replay { .. })
}
