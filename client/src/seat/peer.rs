//! The opponent's messages (protocol, section 6). Each is either of use or refused by name; none can make the seat forget
//! what it has, stop it, or make it send what it must not.

use super::Seat;
use super::effects::Effects;
use fog::ensure;
use game::{Message, MessageId, MessageKind, PeerFault, Phase, SessionId};
use rules::Color;

impl Seat {
    pub(super) fn on_message(&mut self, message: Message, fx: &mut Effects) {
        let id = message.id();
        let result = match message {
            Message::Request { ply, points } => self.giving.receive(&self.facts, ply, &points[..], fx),
            answer @ Message::Answer { .. } => {
                let bytes = answer.engine_bytes();
                self.receiving.receive(&self.facts, id, bytes, fx)
            }
            Message::Want { ply, phase } => self.on_want(ply, phase, fx),
            Message::Session { session: SessionId::SetUp, bytes, .. } => self.set_up.receive(id, &bytes),
            Message::Session { session: SessionId::Exchange { ply, .. }, bytes, .. } => match self.is_own(ply) {
                true => self.receiving.receive(&self.facts, id, bytes, fx),
                false => self.giving.hear(&self.facts, id, &bytes),
            },
            Message::WantSession { session, index } => self.on_want_session(session, index, fx),
            // Of a game between the machines, and taken before it comes here; on the chain there is nothing for it.
            Message::Ply(_) | Message::Countersigned { .. } | Message::Result { .. } | Message::Have { .. } => {
                Err(PeerFault::Stale(id))
            }
        };
        if let Err(wrong) = result {
            fx.fault(wrong);
        }
    }

    /// The opponent asks for something (again).
    fn on_want(&mut self, ply: u16, phase: Phase, fx: &mut Effects) -> Result<(), PeerFault> {
        let id = MessageId::new(MessageKind::Want, ply, phase);
        let Some((player, ..)) = self.facts.in_play() else {
            return Err(PeerFault::NotToBeHad(id));
        };
        if Color::of_ply(ply.into()) != player.color() {
            // Nothing is given for a move whose proof may be false.
            ensure!(self.verifying.is_done(), PeerFault::NotToBeHad(id));
            if let Some((ctx, message)) = self.giving.message(id)?
                && self.released.may_leave((ply, phase), ctx, fx)
            {
                fx.send([message]);
            }
            return Ok(());
        }
        ensure!(phase != Phase::Post, PeerFault::WrongPly(id));
        let request = self.asking.message(ply).or_else(|| self.turn.request(ply));
        let request = request.ok_or(PeerFault::NotToBeHad(id))?;
        fx.send(Some(request));
        Ok(())
    }

    /// The opponent asks for a message of a session (again).
    fn on_want_session(&mut self, session: SessionId, index: u16, fx: &mut Effects) -> Result<(), PeerFault> {
        let id = session.message(index, true);
        let message = match session {
            SessionId::SetUp => self.set_up.message(id)?,
            _ if self.facts.in_play().is_none() => return Err(PeerFault::NotToBeHad(id)),
            SessionId::Exchange { ply, .. } if self.is_own(ply) => self.receiving.message(id)?,
            SessionId::Exchange { ply, phase } => {
                let message = self.giving.message(id)?;
                let leaves = message.filter(|(ctx, _)| self.released.may_leave((ply, phase), *ctx, fx));
                leaves.map(|(_, message)| message)
            }
        };
        fx.send(message);
        Ok(())
    }

    /// Whether a ply is this player's.
    fn is_own(&self, ply: u16) -> bool {
        self.color() == Some(Color::of_ply(ply.into()))
    }

    /// Wishes for what the opponent should have sent and hasn't.
    pub(super) fn missing(&self) -> Vec<MessageId> {
        if self.facts.in_play().is_none() {
            return self.set_up.missing().into_iter().collect();
        }
        let request = self.facts.opponent_ply();
        let request = request.filter(|ply| self.giving.is_missing(*ply));
        let request = request.map(|ply| MessageId::new(MessageKind::Want, ply, Phase::Pre));
        request.into_iter().chain(self.receiving.missing()).chain(self.giving.missing()).collect()
    }

    /// Asks for everything that is missing: the link is up again.
    pub(super) fn want_now(&mut self, fx: &mut Effects) {
        let missing = self.missing();
        let wants = self.clock.want_now(&missing);
        fx.send(wants);
    }
}
