//! The own move that the journal remembers (protocol, section 9). A signed move is the one of its ply in the position that it was signed
//! in. If the chain was taken back deeper than its final blocks, another move of the opponent may stand before it: then it must not
//! go out again by itself. So it is held against the chain as it is now, by its basis, which binds all of the position that it was made in,
//! and by its proof; one that doesn't fit is void, the player is told, and chooses anew. That nothing else is signed for
//! the ply while the earlier transaction could still be included is seen to by the wallet's sender.

use super::Seat;
use super::effects::Effects;
use super::event::{Job, MoveProof};
use super::turn::Prepared;
use crate::journal::Entry;
use alloy::primitives::B256;
use fog::engine::Fault;
use game::{MoveFields, Notice, OwnState, SignedPly};
use rules::Move;

impl Seat {
    /// Takes up what the journal remembers of the ply that is due, if it is this player's. A choice is taken up at a restart only: one
    /// that was remembered for a later ply may have been made in another position.
    pub(super) fn recall_move(&mut self, with_choice: bool, fx: &mut Effects) {
        // Before the engine is set up nothing can be said of a move.
        let Some(ply) = self.facts.my_turn().map(|play| play.ply).filter(|_| self.facts.in_play().is_some()) else {
            return;
        };
        let (mut chosen, mut signed, mut made, mut withdrawn, mut before) = (None, None, None, false, None);
        let (due, later) = std::mem::take(&mut self.remembered).into_iter().partition(|entry| entry.ply() <= ply);
        self.remembered = later;
        for entry in Vec::into_iter(due).filter(|entry: &Entry| entry.ply().abs_diff(ply) <= 1) {
            match entry {
                Entry::Ply(kept) if kept.signed.fields.ply.saturating_add(1) == ply => {
                    before = Some(kept.signed.fields)
                }
                entry if entry.ply() != ply => {}
                Entry::Chosen { mv, offer_draw, .. } => chosen = Some((mv, offer_draw)),
                Entry::Signed { mv, fields, basis, proof } => signed = Some((mv, fields, basis, proof)),
                Entry::Withdrawn { .. } => withdrawn = true,
                // It says all but the move itself, and it has left; a backup has nothing else.
                Entry::Ply(kept) if kept.own => made = self.signed_of(&kept.signed),
                _ => {}
            }
        }
        // Of a game between the machines that was woken earlier another move may stand before it.
        let is_elsewhere = before.is_some_and(|fields| !self.facts.is_last(&fields));
        let named = signed.as_ref().or(made.as_ref()).map(|(mv, ..)| *mv);
        // What was signed for the chain says itself in which position that was.
        let known = signed.into_iter().chain(made.filter(|_| !is_elsewhere));
        let mut fitting = known.filter_map(|(mv, fields, basis, proof)| {
            let prepared = self.prepared_before(&mv, &fields, basis)?;
            Some((mv, prepared, proof))
        });
        match (fitting.next(), named, chosen) {
            (Some((mv, prepared, proof)), ..) => self.turn.restore_signed(mv, prepared, proof),
            (None, Some(mv), _) => self.void_signed(mv, ply, fx),
            (None, None, Some((mv, offer_draw))) if with_choice && !withdrawn && !is_elsewhere => {
                self.turn.restore_choice(mv, offer_draw);
            }
            _ => {}
        }
    }

    /// The own move that was signed in a game between the machines, found by its commitment: the move, what it declares, its basis, its proof.
    fn signed_of(&self, signed: &SignedPly) -> Option<(Move, MoveFields, B256, Vec<u8>)> {
        let (_, play, own) = self.facts.in_play()?;
        let fields = signed.fields;
        let mv = own.find(self.facts.secrets.view_key(), play.pending, fields.next_commitment)?.mv?;
        Some((mv, fields, play.basis(self.table().game(), &fields), signed.proof.clone()))
    }

    /// A signed move as it was put together, if it is this wallet's and was made in this position.
    fn prepared_before(&self, mv: &Move, fields: &MoveFields, basis: B256) -> Option<Prepared> {
        let (player, play, _) = self.facts.in_play()?;
        let (next, request) = self.next_of(mv)?;
        let root = player.request_root(&request).ok();
        let is_asked = !player.has_requests() || root == Some(fields.next_request_root);
        let is_own = next.commitment == fields.next_commitment && is_asked;
        let fits = play.basis(self.table().game(), fields) == basis;
        (is_own && fits).then_some(Prepared { fields: *fields, basis, next, request })
    }

    /// The own state and request after a move.
    fn next_of(&self, mv: &Move) -> Option<(OwnState, Vec<u8>)> {
        let (player, play, own) = self.facts.in_play()?;
        let next = own.after(self.facts.secrets.view_key(), play.pending, mv);
        let request = player.request(&next).ok()?;
        Some((next, request))
    }

    /// Has the proof of a remembered move verified, by the position as it is now.
    pub(super) fn verify_signed(&mut self, fx: &mut Effects) {
        let (Some((fields, proof)), Some((player, ..))) = (self.turn.unverified(), self.facts.in_play()) else {
            return;
        };
        let Some(play) = self.facts.my_turn().filter(|play| play.ply == fields.ply) else {
            return;
        };
        // An engine whose statements no contract verifies has no proof to look at.
        let public = play.turn_public(self.table().game(), &fields).filter(|_| player.keys().on_chain().is_some());
        let Some(public) = public else {
            self.turn.verified(Some(true));
            return;
        };
        let proof = MoveProof::new(fields.ply, &public, proof);
        self.turn.verifying(fx.run(Job::verify_move(player.keys(), &proof)));
    }

    /// The proof of a remembered move was looked at.
    pub(super) fn signed_verified(&mut self, result: Result<(), Fault>, fx: &mut Effects) {
        let is_true = match &result {
            Ok(()) => Some(true),
            Err(fault) if fault.is_own() => {
                fx.failed(fault);
                None
            }
            Err(_) => Some(false),
        };
        let void = self.turn.verified(is_true);
        if let (true, Some(mv), Some(ply)) = (void, self.turn.mv(), self.facts.my_turn().map(|play| play.ply)) {
            self.turn.clear();
            self.void_signed(mv, ply, fx);
            self.show_board(fx);
        }
    }

    fn void_signed(&self, mv: Move, ply: u16, fx: &mut Effects) {
        fx.notify(Notice::SignedInAnotherPosition { ply, mv });
    }
}
