//! A seat from wallet, chain and journal (protocol, section 9). The chain's events are taken again, own states being found
//! from their commitments; then what the journal remembers is checked like anything that comes from outside, and used. A
//! lost or damaged journal costs time, never the game: the opponent is asked again for what it had sent.

use super::event::Effect;
use super::turn::Prepared;
use super::{Config, Seat, notify};
use crate::journal::Entry;
use alloy::primitives::Address;
use fog::engine::Engine;
use game::Notice;
use game::OwnState;
use game::secrets::GameSecrets;
use game::{ChainEvent, GameRef};
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
        let mut seat = Self::new(me, secrets, engine, game, config);
        let mut fx = Vec::new();
        for event in events {
            seat.on_final(event, &mut fx);
        }
        // What has long been carried out isn't again; what should alarm the user still is.
        fx.retain(|effect| {
            matches!(
                effect,
                Effect::Notify(
                    Notice::NotThisWallet { .. } | Notice::ChainRefused(_) | Notice::Failed(_) | Notice::Over(_)
                )
            )
        });
        if let Some((board, color)) = seat.table().playing().zip(seat.color()) {
            notify(Notice::Playing { color, ply: board.ply }, &mut fx);
        }
        seat.restore(entries, &mut fx);
        if seat.table().playing().is_some() {
            seat.show_board(&mut fx);
        }
        seat.advance(&mut fx);
        seat.want_now(&mut fx);
        (seat, fx)
    }

    fn restore(&mut self, entries: Vec<Entry>, fx: &mut Vec<Effect>) {
        let (received, own): (Vec<_>, Vec<_>) =
            entries.into_iter().partition(|entry| matches!(entry, Entry::Received(_)));
        for entry in received {
            let Entry::Received(message) = entry else {
                continue;
            };
            let mut replies = Vec::new();
            self.on_message(message, &mut replies);
            // Faults of finished plies don't matter; the others are shown as notes.
            fx.extend(replies.into_iter().filter_map(|effect| match effect {
                Effect::Notify(Notice::Fault(fault)) if fault.may_be_honest() => None,
                Effect::Notify(Notice::Fault(fault)) => Some(Effect::Notify(Notice::JournalNote(fault.to_string()))),
                Effect::Journal(_) => None,
                effect => Some(effect),
            }));
        }
        self.receiving.restored();
        let Some(ply) = self.facts.my_turn().map(|board| board.ply) else {
            return;
        };
        if self.facts.lost {
            return;
        }
        self.restore_turn(ply, own, fx);
    }

    /// The move chosen or signed for the ply to come.
    fn restore_turn(&mut self, ply: u16, entries: Vec<Entry>, fx: &mut Vec<Effect>) {
        let (mut chosen, mut signed, mut withdrawn) = (None, None, false);
        for entry in entries {
            match entry {
                Entry::Chosen { ply: of, mv, offer_draw } if of == ply => chosen = Some((mv, offer_draw)),
                Entry::Signed { mv, fields, ctx_next, proof } if fields.ply == ply => {
                    signed = Some((mv, fields, ctx_next, proof));
                }
                Entry::Withdrawn { ply: of } if of == ply => withdrawn = true,
                _ => {}
            }
        }
        if let Some((mv, fields, ctx_next, proof)) = signed {
            let Some((next, request)) = self.next_of(&mv) else {
                return;
            };
            let root = self.facts.in_play().map(|(player, ..)| player.request_root(&request));
            let is_own = next.commitment == fields.next_commitment;
            if is_own && matches!(root, Some(Ok(root)) if root == fields.next_request_root) {
                let prepared = Prepared { fields, ctx_next, next, request };
                return self.turn.restore_signed(mv, prepared, proof);
            }
            let note = "the signed move in the journal is not of this wallet";
            notify(Notice::JournalNote(note.into()), fx);
        }
        if let Some((mv, offer_draw)) = chosen.filter(|_| !withdrawn) {
            self.turn.restore_choice(mv, offer_draw);
        }
    }

    /// The own state and request after a move.
    fn next_of(&self, mv: &rules::Move) -> Option<(OwnState, Vec<u8>)> {
        let (player, board, own) = self.facts.in_play()?;
        let next = own.after(self.facts.secrets.view_key(), board.pending, mv);
        let request = player.request(&next).ok()?;
        Some((next, request))
    }
}
