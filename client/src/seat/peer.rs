//! The opponent's messages (protocol, section 6). Each is either of use or refused by name; none can make the seat forget
//! what it has, stop it, or make it send what it must not.

use super::event::{Effect, Update};
use super::incoming::Candidate;
use super::{Board, PeerFault, Seat, View, fault, request_id, request_message, show};
use crate::journal::Entry;
use crate::link::{Kind, Message, MessageId, Phase};
use ff::Field;
use fog::engine::sight_lines::answer::Answer;
use fog::engine::sight_lines::context::SightContext;
use fog::engine::sight_lines::request::{Request, RequestError};
use halo2curves::bn256::Fr;
use rules::{Color, Sight};

impl Seat {
    pub(super) fn on_message(&mut self, message: Message, fx: &mut Vec<Effect>) {
        let result = match message {
            Message::Request { ply, points } => self.on_points(ply, &points[..], fx),
            Message::Answer {
                ply,
                phase,
                elements,
                proof,
            } => self.on_answer(ply, phase, Candidate { elements, proof }, fx),
            Message::Want { ply, phase } => self.on_want(ply, phase, fx),
        };
        if let Err(wrong) = result {
            fault(wrong, fx);
        }
    }

    /// Before the game and after it there is nothing to exchange.
    fn in_play(&self, id: MessageId) -> Result<(&Board, Color), PeerFault> {
        match self.table.playing().zip(self.color()) {
            Some(found) => Ok(found),
            None if self.table.outcome().is_some() => Err(PeerFault::Stale(id)),
            None => Err(PeerFault::TooEarly(id)),
        }
    }

    fn on_points(
        &mut self,
        ply: u16,
        points: &[u8],
        fx: &mut Vec<Effect>,
    ) -> Result<(), PeerFault> {
        let id = request_id(ply);
        let (_, color) = self.in_play(id)?;
        if Color::of_ply(ply.into()) == color {
            return Err(PeerFault::WrongPly(id));
        }
        let last = self.opponent_ply();
        let next = last.map_or((!color).index() as u16, |last| last.saturating_add(2));
        if ply != next && Some(ply) != last {
            return Err(if ply > next {
                PeerFault::TooEarly(id)
            } else {
                PeerFault::Stale(id)
            });
        }
        let request = Request::from_bytes(points).map_err(|error| match error {
            RequestError::Point { source, .. } => PeerFault::BadPoint { id, source },
            // The link has counted the bytes, and scalars aren't sent.
            RequestError::Length(_) | RequestError::ZeroScalar(_) => PeerFault::Malformed(id),
        })?;
        if ply == next {
            return self.keep_early_points(ply, request);
        }
        match &self.points {
            _ if self.unanswerable == Some(ply) => Err(PeerFault::Malformed(id)),
            Some(known) if *known == request => Err(PeerFault::Duplicate(id)),
            Some(_) => Err(PeerFault::Contradiction(id)),
            None => self.accept_points(ply, request, fx),
        }
    }

    /// Their root will be compared when the move is final. The latest wins: the earlier may have been the wrong ones.
    fn keep_early_points(&mut self, ply: u16, request: Request) -> Result<(), PeerFault> {
        let early = Some((ply, request));
        if self.early_points == early {
            return Err(PeerFault::Duplicate(request_id(ply)));
        }
        self.early_points = early;
        Ok(())
    }

    fn on_answer(
        &mut self,
        ply: u16,
        phase: Phase,
        candidate: Candidate,
        fx: &mut Vec<Effect>,
    ) -> Result<(), PeerFault> {
        let id = MessageId {
            ply,
            phase,
            kind: Kind::Answer,
        };
        let (board, color) = self.in_play(id)?;
        if Color::of_ply(ply.into()) != color || (phase == Phase::Pre && ply < 2) {
            return Err(PeerFault::WrongPly(id));
        }
        let slots = [&self.pre, &self.post];
        if slots
            .iter()
            .any(|slot| slot.as_ref().is_some_and(|slot| slot.id() == id))
        {
            return self.offer(id, candidate, fx);
        }
        let mine = board.turn() == color;
        let next = if mine {
            board.ply
        } else {
            board.ply.saturating_add(1)
        };
        // Of one's own next move: before it once the opponent has moved, after it once one has moved oneself.
        let soon = ply == next && mine == (phase == Phase::Post);
        if !soon {
            return Err(if ply >= next {
                PeerFault::TooEarly(id)
            } else {
                PeerFault::Stale(id)
            });
        }
        let early = (id, candidate);
        if self.early.contains(&early) {
            return Err(PeerFault::Duplicate(id));
        }
        self.early.retain(|(known, _)| *known != id);
        self.early.push(early);
        Ok(())
    }

    /// Answers that came early and are due now.
    pub(super) fn take_early(&mut self, fx: &mut Vec<Effect>) {
        for (id, candidate) in std::mem::take(&mut self.early) {
            match self.on_answer(id.ply, id.phase, candidate, fx) {
                Ok(()) | Err(PeerFault::Stale(_)) => {}
                Err(wrong) => fault(wrong, fx),
            }
        }
    }

    fn offer(
        &mut self,
        id: MessageId,
        candidate: Candidate,
        fx: &mut Vec<Effect>,
    ) -> Result<(), PeerFault> {
        self.make_request();
        let Some(request) = self.asked.as_ref().map(|asked| &asked.request) else {
            return Err(PeerFault::TooEarly(id));
        };
        let slots = [self.pre.as_mut(), self.post.as_mut()];
        let Some(slot) = slots.into_iter().flatten().find(|slot| slot.id() == id) else {
            return Err(PeerFault::Stale(id));
        };
        self.checks += 1;
        if let Some(effect) = slot.offer(candidate, request, self.checks)? {
            fx.push(effect);
            show(
                Update::CheckingSight {
                    ply: id.ply,
                    phase: id.phase,
                },
                fx,
            );
        }
        Ok(())
    }

    /// The proof of an answer has been checked.
    pub(super) fn on_answer_checked(&mut self, check: u64, valid: bool, fx: &mut Vec<Effect>) {
        let (secrets, own) = (self.secrets.clone(), self.own.last().cloned());
        let slots = [self.pre.as_mut(), self.post.as_mut()];
        let Some(slot) = slots
            .into_iter()
            .flatten()
            .find(|slot| slot.is_checking(check))
        else {
            return;
        };
        let id = slot.id();
        if !valid {
            fault(PeerFault::Proof(id), fx);
            if let Some(next) = slot.reject()
                && let Err(wrong) = self.offer(id, next, fx)
            {
                fault(wrong, fx);
            }
            return;
        }
        let open = |answer: &Answer, context: &SightContext| -> Option<Sight> {
            let own = own?;
            let scalars = secrets.request_scalars(own.commitment, &context.fog_key);
            fog::engine::sight_lines::open::open(
                &own.side,
                &scalars,
                &context.fog_key,
                &context.terms(),
                answer,
            )
            .ok()
        };
        match slot.accept(open) {
            Ok(Candidate { elements, proof }) => {
                let message = Message::Answer {
                    ply: id.ply,
                    phase: id.phase,
                    elements,
                    proof,
                };
                fx.push(Effect::Journal(Entry::Received(message)));
                self.show_sight(id, fx);
            }
            Err(wrong) => fault(wrong, fx),
        }
    }

    /// Shows a sight that has just been proven. One after one's own move may come when the opponent has moved already.
    fn show_sight(&self, id: MessageId, fx: &mut Vec<Effect>) {
        if id.phase == Phase::Pre {
            return self.show_board(fx);
        }
        let sight = self
            .post
            .as_ref()
            .and_then(|post| post.proven())
            .map(|proven| proven.sight.clone());
        if let Some(own) = self.own.last() {
            let view = View {
                ply: id.ply,
                phase: id.phase,
                side: own.side.clone(),
                sight,
                legal: Vec::new(),
            };
            show(Update::View(Box::new(view)), fx);
        }
    }

    /// The opponent asks for something (again).
    fn on_want(&mut self, ply: u16, phase: Phase, fx: &mut Vec<Effect>) -> Result<(), PeerFault> {
        let id = MessageId {
            ply,
            phase,
            kind: Kind::Want,
        };
        let Some(color) = self.color().filter(|_| self.table.playing().is_some()) else {
            return Err(PeerFault::NotToBeHad(id));
        };
        let message = if Color::of_ply(ply.into()) == color {
            if phase == Phase::Post {
                return Err(PeerFault::WrongPly(id));
            }
            let signed = self.turn.as_ref().and_then(|turn| turn.signed_request());
            let asked = self.asked.as_ref().map(|asked| (asked.ply, &asked.request));
            let known = [asked, signed]
                .into_iter()
                .flatten()
                .find(|(known, _)| *known == ply);
            known.and_then(|(ply, request)| request_message(ply, request))
        } else {
            let giving = self
                .giving
                .iter()
                .find(|giving| giving.id().ply == ply && giving.id().phase == phase);
            if giving.is_some_and(|giving| giving.is_under_way()) {
                return Ok(());
            }
            giving.and_then(|giving| giving.message())
        };
        fx.push(Effect::SendMessage(
            message.ok_or(PeerFault::NotToBeHad(id))?,
        ));
        Ok(())
    }

    /// What the opponent should have sent and hasn't.
    fn missing(&self) -> Vec<(u16, Phase)> {
        let Some(board) = self.table.playing() else {
            return Vec::new();
        };
        let points = self
            .opponent_ply()
            .filter(|ply| self.points.is_none() && self.unanswerable != Some(*ply));
        let mut missing: Vec<_> = points.map(|ply| (ply, Phase::Pre)).into_iter().collect();
        let pre = self.pre.as_ref().filter(|_| board.answer_root != Fr::ZERO);
        let waiting = [pre, self.post.as_ref()]
            .into_iter()
            .flatten()
            .filter(|slot| slot.is_waiting());
        missing.extend(waiting.map(|slot| (slot.id().ply, slot.id().phase)));
        missing
    }

    /// Asks for what has been missing for a while.
    pub(super) fn want(&mut self, fx: &mut Vec<Effect>) {
        let missing = self.missing();
        let (now, every) = (self.clock.now, self.config.want_every);
        self.clock.wishes.retain(|key, _| missing.contains(key));
        for (ply, phase) in missing {
            let since = self.clock.wishes.entry((ply, phase)).or_insert(now);
            if now >= since.saturating_add(every) {
                *since = now;
                fx.push(Effect::SendMessage(Message::Want { ply, phase }));
            }
        }
    }

    /// Asks for everything that is missing: the link is up again.
    pub(super) fn ask_again(&mut self, fx: &mut Vec<Effect>) {
        for (ply, phase) in self.missing() {
            self.clock.wishes.insert((ply, phase), self.clock.now);
            fx.push(Effect::SendMessage(Message::Want { ply, phase }));
        }
    }
}
