//! What the chain's events do to a seat. Everything that is released hangs on *final* events (protocol, section 6, step
//! 4); what is merely in a block is shown, and if it is the own move, remembered, so that no second move is signed for its ply.

use super::Seat;
use super::effects::Effects;
use super::set_up::Keys;
use ff::Field;
use game::{ChainEvent, Hold, MoveFields, Notice, Past, PeerFault, Phase, move_name, transcript};
use halo2curves::bn256::Fr;
use rules::{Color, Move, PieceType, Square};

impl Seat {
    /// An event of the chain that will stay.
    pub(super) fn on_final(&mut self, event: &ChainEvent, fx: &mut Effects) {
        if self.table().knows(event) {
            return;
        }
        if self.set_up.is_pending() {
            match event {
                // What came before belongs to it.
                ChainEvent::Ended { .. } => {
                    for waiting in self.set_up.abandon() {
                        self.on_final(&waiting, fx);
                    }
                }
                _ => {
                    if let Err(error) = self.set_up.wait(self.facts.table(), event) {
                        fx.notify(Notice::ChainRefused { reason: error.to_string() });
                    }
                    return;
                }
            }
        }
        let was_over = self.table().ending().is_some();
        let pending = self.table().begun().and_then(|play| play.pending);
        let demand = match event {
            ChainEvent::SightAnswered { ctx, .. } => self.table().begun().and_then(|play| play.demand_for(*ctx)),
            _ => None,
        };
        let demand = demand.map(|demand| demand.demanded);
        let captured = match event {
            ChainEvent::Moved { player, fields, .. } if *player == self.facts.me => {
                fields.capture.and_then(|square| self.captured(square))
            }
            _ => None,
        };
        let back = self.bond_back(event);
        if let Err(error) = self.facts.apply(event) {
            return fx.notify(Notice::ChainRefused { reason: error.to_string() });
        }
        match event {
            ChainEvent::Started { .. } => self.on_started(fx),
            ChainEvent::Moved { player, fields, .. } if *player == self.facts.me => {
                self.on_own_move(fields, pending, captured, fx)
            }
            ChainEvent::Moved { fields, proof, .. } if self.color().is_some() => {
                self.on_opponent_move(fields, proof.as_deref(), fx);
            }
            ChainEvent::SightDemanded { .. } => self.disputes.on_demand(&self.facts, event, fx),
            ChainEvent::SightAnswered { ctx, answer_root, elements, .. } => {
                self.disputes.on_answer(*ctx);
                self.receiving.published(*ctx, *answer_root, elements);
                if let Some(demand) = demand {
                    let own = self.color() == Some(demand.receiver);
                    fx.notify(Notice::SightAnswered { ply: demand.ply, phase: demand.phase, own });
                }
            }
            ChainEvent::FiftyClaimed { .. } => self.claims.on_claim(&self.facts, event, fx),
            ChainEvent::FiftyFailed { claims_from, .. } => {
                fx.notify(Notice::FiftyFailed { own: self.facts.my_turn().is_some(), claims_from: *claims_from });
            }
            ChainEvent::ViewKeyPublished { player, .. } => {
                let own = *player == self.facts.me;
                fx.notify(Notice::ViewKey { own });
                if !own {
                    self.tell_replay(fx);
                }
            }
            ChainEvent::AnswerFilled { answer_root, .. } if self.facts.my_turn().is_some() => {
                self.receiving.filled(*answer_root);
            }
            _ => {}
        }
        if let Some(wei) = back {
            fx.notify(Notice::BondBack { wei });
        }
        if let Some(ending) = self.table().ending().filter(|_| !was_over) {
            self.turn.clear();
            self.giving.clear();
            self.disputes.clear();
            self.receiving.forget_early();
            self.show_board(fx);
            self.tell_history(fx);
            fx.notify(Notice::Over(ending));
            self.tell_replay(fx);
        }
    }

    /// How much of an own bond an event that comes now gives back.
    fn bond_back(&self, event: &ChainEvent) -> Option<u128> {
        let (play, own) = (self.table().begun()?, self.color());
        let back = match event {
            ChainEvent::SightAnswered { ctx, paid, .. } => {
                let demand = play.demand_for(*ctx).filter(|demand| Some(demand.demanded.receiver) == own)?;
                demand.bond.saturating_sub(*paid)
            }
            ChainEvent::FiftyFailed { paid, .. } => match play.hold {
                Some(Hold::FiftyMoves { claimant, bond, .. }) if Some(claimant) == own => bond.saturating_sub(*paid),
                _ => return None,
            },
            ChainEvent::BondReclaimed { player, bond, .. } if *player == self.facts.me => *bond,
            _ => return None,
        };
        Some(back).filter(|wei| *wei > 0)
    }

    fn on_started(&mut self, fx: &mut Effects) {
        match self.facts.begin() {
            Ok(Some((color, set_up))) => {
                self.introduce(fx);
                fx.notify(Notice::Playing { color, ply: 0 });
                if let Some((party, id)) = set_up {
                    return self.set_up.begin(party, color == Color::White, id);
                }
                self.show_board(fx);
            }
            Ok(None) => {}
            Err(error) => fx.failed(&error),
        }
    }

    /// The engine is set up: the game goes on, or begins.
    pub(super) fn on_set_up(&mut self, keys: Keys, fx: &mut Effects) {
        if let Err(error) = self.facts.equip(keys) {
            return fx.failed(&error);
        }
        let before = fx.list.len();
        for event in std::mem::take(&mut self.set_up.waiting) {
            self.on_final(&event, fx);
        }
        if let Some(entries) = self.set_up.unrestored.take() {
            self.keep_alarming(before, fx);
            self.tell_history(fx);
            self.restore(entries, fx);
        }
        self.show_board(fx);
        self.want_now(fx);
    }

    /// Whether a move says of the sights before it what this side has of them.
    fn check_transcript(&self, fields: &MoveFields, fx: &mut Effects) {
        let (Some(before), Some((player, ..))) = (self.facts.before(fields.ply), self.facts.in_play()) else {
            return;
        };
        if player.has_requests() {
            return;
        }
        let known = before.request_roots[before.turn().index()];
        let said = |first, second| transcript::next(known, first, second) == fields.next_request_root;
        let is_right = match fields.ply.checked_sub(2) {
            None => said(self.set_up.transcript(), None),
            Some(last) => {
                // A side that has lost its memory can't say.
                let Some(seen) = self.giving.transcript(fields.ply, Phase::Pre) else { return };
                let first = self.giving.transcript(last, Phase::Post);
                // It may have moved before it had seen what its last move showed; and if this side gives that sight again, having
                // lost its memory, it doesn't know what was said.
                first.is_none() || said(first, Some(seen)) || said(None, Some(seen))
            }
        };
        if !is_right {
            fx.fault(PeerFault::Transcript(fields.ply));
        }
    }

    /// The own move is final: the answer for the opponent may leave, and the sight after the move is awaited.
    fn on_own_move(
        &mut self,
        fields: &MoveFields,
        pending: Option<Square>,
        captured: Option<PieceType>,
        fx: &mut Effects,
    ) {
        let &MoveFields { ply, capture, offer_draw: draw_offered, .. } = fields;
        let prepared = self.turn.finalize(fields.next_commitment);
        let is_known = prepared.is_some();
        let (state, request) = match prepared {
            Some(prepared) => (Some(prepared.next), Some(prepared.request)),
            None => (self.facts.find(pending, fields.next_commitment), None),
        };
        let mv = state.as_ref().and_then(|state| state.mv);
        let piece = mv.and_then(|mv| self.facts.own()?.side.piece(mv.from));
        let captured = captured.or_else(|| capture.and(self.facts.captured_before(ply, mv?)));
        self.facts.past.push(Past { ply, own: true, mv, piece, capture, captured, draw_offered });
        let Some(state) = state else {
            self.facts.lost = true;
            return fx.notify(Notice::NotThisWallet { ply });
        };
        if let Some(mv) = mv {
            fx.notify(Notice::Moved { ply, mv, capture, captured, draw_offered });
            if !is_known {
                self.tell_of_unknown(ply, mv, fx);
            }
        }
        self.asking.moved(ply, request);
        self.facts.moved(state);
        if self.facts.in_play().is_none() {
            return;
        }
        self.receiving.own_move(&self.facts);
        self.giving.own_move(&self.facts);
        self.receiving.take_early(&self.facts, fx);
    }

    /// The opponent's move is final: it is owed its sight after the move, and owes the sight before the own one.
    fn on_opponent_move(&mut self, fields: &MoveFields, proof: Option<&[u8]>, fx: &mut Effects) {
        let &MoveFields { ply, capture, offer_draw: draw_offered, .. } = fields;
        let lost = capture.and_then(|square| self.facts.own()?.side.piece(square));
        self.facts.past.push(Past { ply, own: false, mv: None, piece: None, capture, captured: lost, draw_offered });
        fx.notify(Notice::OpponentMoved { ply, capture, lost, draw_offered });
        self.check_transcript(fields, fx);
        let Some((_, play, own)) = self.facts.in_play() else {
            return;
        };
        if let Some(square) = fields.capture.filter(|square| own.side.piece(*square).is_none()) {
            fx.fault(PeerFault::Capture { ply, square });
        }
        self.receiving.opponent_move(&self.facts);
        let (due, opening) = (play.ply, play.opening());
        if !opening && play.answer_root == Fr::ZERO {
            fx.notify(Notice::NoSightPosted { ply: due });
        }
        self.verifying.opponent_move(&self.facts, fields, proof);
        self.giving.opponent_move(&self.facts, ply, fx);
        self.receiving.take_early(&self.facts, fx);
        self.recall_move(false, fx);
        if opening && self.verifying.is_done() {
            self.show_board(fx);
        }
    }

    /// A move in a block that isn't final. An unknown own one was signed before a restart.
    pub(super) fn on_seen(&mut self, fields: &MoveFields, fx: &mut Effects) {
        let ply = fields.ply;
        let Some(play) = self.facts.table().playing().filter(|play| play.ply == ply) else {
            return;
        };
        let pending = play.pending;
        if self.facts.my_turn().is_none() {
            self.facts.seen = Some(ply);
            self.giving.opponent_seen(&self.facts, fields);
            return fx.notify(Notice::OpponentSeen { ply });
        }
        if self.turn.seen(fields.next_commitment) {
            return;
        }
        let found = self.facts.find(pending, fields.next_commitment);
        match found.and_then(|state| state.mv) {
            Some(mv) => {
                self.giving.withdraw();
                self.turn.restore_on_chain(mv, fields.offer_draw);
                self.tell_of_unknown(ply, mv, fx);
            }
            None => fx.notify(Notice::NotThisWallet { ply }),
        }
    }

    /// The chain has a move of this wallet that this machine knows nothing of: told once, for one game is played on one machine at a time.
    fn tell_of_unknown(&mut self, ply: u16, mv: Move, fx: &mut Effects) {
        if !std::mem::replace(&mut self.told_of_unknown, true) {
            fx.note(format!(
                "{mv}, as {}, is on the chain and this machine doesn't remember signing it: if another one plays with this wallet, \
                 stop one of them",
                move_name(ply)
            ));
        }
    }

    /// A move that was in a block is not any more: the own one goes out again, the same.
    pub(super) fn on_dropped(&mut self, ply: u16, fx: &mut Effects) {
        if self.facts.table().playing().is_none_or(|play| play.ply != ply) {
            return;
        }
        fx.notify(Notice::Reorganised { ply });
        self.facts.seen = None;
        if self.facts.my_turn().is_some() {
            self.turn.dropped();
        } else {
            self.giving.opponent_dropped();
        }
    }
}
