//! A machine that doesn't know how far its game has come (protocol, section 8): it has nothing of a game that has begun, some of it is damaged, the opponent
//! has plies that it lacks, or the chain stands at a position that it doesn't know. It signs nothing and gives nothing, for it might sign a second,
//! different move. It takes the plies that the opponent shows, if those who made them have signed them, and once no more come it has the chain go on
//! after them. That it is so it writes first: no restart plays on.
//!
//! The opponent may have chosen the point, by hiding the plies after it. So a machine that has nothing at all waits for its player's word.

use super::{Channel, Line, Stage, note, refused};
use crate::journal::Entry;
use crate::seat::{Done, Effect, Event, Seat};
use game::{ChainEvent, Command, CommandError, Message, Notice, Table, Transaction, Waking, moves_known};
use rules::Color;

/// What a machine that is behind waits for.
#[derive(Default)]
pub(super) struct Behind {
    /// When the opponent was last asked for what this machine lacks, or a ply came; none while it isn't asked.
    asked: Option<u64>,
    /// What the chain has told since the game was last woken, the wake first; nothing if it wasn't.
    chain: Vec<ChainEvent>,
}

impl Behind {
    /// With what the chain has told since it was last woken.
    pub fn of(chain: Vec<ChainEvent>) -> Self {
        Self { asked: None, chain }
    }

    /// Whether the game can go on from where the chain has it: this line has that position, or a later one to show in the contest.
    fn can_go_on(&self, line: &Line) -> bool {
        match &self.chain[..] {
            [ChainEvent::Woken { position, .. }, after @ ..] => {
                line.has(position) || after.is_empty() && position.ply < line.held()
            }
            _ => false,
        }
    }

    /// Whether a deadline that has passed decides the woken game for this player, whose table lacks what the chain has told since.
    fn is_won(&self, deadline: u64, mut table: Table, own: Color) -> bool {
        let is_known = !self.chain.is_empty() && self.chain.iter().all(|event| table.apply(event).is_ok());
        is_known && table.playing().is_some_and(|play| play.decided_by(deadline) == Some(own))
    }
}

impl Channel {
    /// The opponent says that it has more plies than can follow on those here.
    pub(super) fn lags_behind(&mut self, plies: u16, out: &mut Vec<Effect>) {
        let (there, here) = (moves_known(plies), moves_known(self.line.as_ref().map_or(0, Line::len)));
        let text = format!(
            "the opponent says that it has {there}, and this machine has {here}: is its memory an old copy? It signs nothing more \
             between the machines, takes what the opponent can show, and has the chain go on from there"
        );
        self.fall_behind(text, Vec::new(), out);
    }

    /// The chain has the game at a position that this machine doesn't know.
    pub(super) fn is_woken_beyond(&mut self, chain: Vec<ChainEvent>, out: &mut Vec<Effect>) {
        let here = moves_known(self.line.as_ref().map_or(0, Line::len));
        let text = format!(
            "the game goes on on the chain from a position that both players have signed, and this machine, which has {here}, doesn't know it: is \
             its memory an old copy? Bring back its journal or its backup (`play --backup DIR`). Until then it asks the opponent"
        );
        self.fall_behind(text, chain, out);
    }

    /// This machine lacks some of the game, and asks the opponent.
    pub(super) fn fall_behind(&mut self, text: String, chain: Vec<ChainEvent>, out: &mut Vec<Effect>) {
        out.push(note(text));
        self.stage = Stage::Behind(Box::new(Behind::of(chain)));
        self.ask(out);
    }

    /// Asks the opponent for what this machine lacks, which is written first.
    fn ask(&mut self, out: &mut Vec<Effect>) {
        if let Stage::Behind(behind) = &mut self.stage {
            (behind.asked, self.arriving) = (Some(self.date), None);
            out.push(Effect::Journal(Entry::Behind));
            self.say_where(out);
        }
    }

    /// A ply was taken: the game goes on where the chain has it, or the opponent is asked for the next.
    pub(super) fn caught_up(&mut self, seat: &mut Seat, out: &mut Vec<Effect>) {
        self.go_on_with_the_chain(seat, out);
        if let Stage::Behind(behind) = &mut self.stage {
            behind.asked = Some(self.date);
            self.say_where(out);
        }
    }

    /// Goes on where the chain has the game, if this machine knows enough of it by now.
    fn go_on_with_the_chain(&mut self, seat: &mut Seat, out: &mut Vec<Effect>) {
        let (Stage::Behind(behind), Some(line)) = (&mut self.stage, &self.line) else { return };
        if !behind.can_go_on(line) {
            return;
        }
        for event in std::mem::take(&mut behind.chain) {
            match self.stage {
                Stage::OnChain => self.on_chain(seat, Event::Final(event), out),
                _ => self.on_final(seat, event, out),
            }
        }
    }

    /// This machine doesn't know how far the game has come.
    pub(super) fn behind(&mut self, seat: &mut Seat, event: Event, out: &mut Vec<Effect>) {
        let (Stage::Behind(behind), Some(line)) = (&mut self.stage, &self.line) else { return };
        match event {
            Event::Final(event @ (ChainEvent::Ended { .. } | ChainEvent::Closed { .. })) => {
                for told in std::mem::take(&mut behind.chain) {
                    self.feed(seat, Event::Final(told), out);
                }
                self.on_final(seat, event, out);
            }
            Event::Final(event) => {
                let is_woken = matches!(event, ChainEvent::Woken { .. });
                if is_woken {
                    behind.chain.clear();
                }
                behind.chain.push(event);
                self.go_on_with_the_chain(seat, out);
                if let Stage::Behind(behind) = &mut self.stage
                    && is_woken
                {
                    let chain = std::mem::take(&mut behind.chain);
                    self.is_woken_beyond(chain, out);
                }
            }
            // What it has is later than that.
            Event::WakeSeen { ply, until } if ply < line.held() => self.woken(ply, until, None, out),
            Event::Received(Message::Result { result, signature }) => self.on_result(result, signature, out),
            Event::Command(Command::Show) => out.extend(seat.apply(Event::Command(Command::Show))),
            Event::Command(Command::Resign) => self.resign_at_once(out),
            Event::Command(Command::AskOpponent) => {
                if !self.is_heard {
                    out.push(note(format!(
                        "the opponent isn't connected: it is asked as soon as it is, and waited for up to {} seconds. `at RECORD` says where it is",
                        self.patience()
                    )));
                }
                self.ask(out);
            }
            Event::Command(_) => out.push(refused(CommandError::Forgotten)),
            event => {
                let since = behind.asked;
                if let Event::Tick { now, deadline: Some(deadline), .. } = event
                    && now > deadline
                    && behind.is_won(deadline, seat.table().clone(), line.own)
                    && self.resend_due()
                {
                    self.sent_at = self.date;
                    out.push(Effect::Notify(Notice::OpponentOutOfTime));
                    out.push(Effect::SendTransaction(Transaction::ClaimTimeout));
                }
                if let Some(since) = since {
                    self.asks(seat, since, event, out);
                }
            }
        }
    }

    /// What comes of asking the opponent.
    fn asks(&mut self, seat: &mut Seat, since: u64, event: Event, out: &mut Vec<Effect>) {
        match event {
            Event::Connected => self.say_where(out),
            Event::Received(Message::Ply(signed)) => self.on_ply(seat, signed, out),
            Event::Received(Message::Countersigned { ply, signature }) => self.on_countersigned(ply, signature, out),
            Event::Done(job, Done::VerifyMove(result)) if self.is_verifying(job) => self.verified(seat, result, out),
            Event::LinkCut => self.leave_it_to_the_chain(out),
            Event::Tick { .. } => {
                self.verify_again(seat, out);
                if self.gone_on(since) > self.patience() && !self.is_arriving() {
                    self.leave_it_to_the_chain(out);
                }
            }
            _ => {}
        }
    }

    /// The opponent shows no more: the game is woken at what is here. Where it is woken beyond that, the opponent is asked again.
    fn leave_it_to_the_chain(&mut self, out: &mut Vec<Effect>) {
        match &self.stage {
            Stage::Behind(behind) if !behind.chain.is_empty() => self.ask(out),
            _ => self.wake(Waking::Behind, out),
        }
    }
}
