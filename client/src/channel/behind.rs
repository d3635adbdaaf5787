//! A machine that doesn't know how far its game has come (protocol, section 8): it has nothing of a game that has begun, or the opponent has plies that it
//! lacks. It signs nothing and gives nothing, for it might sign a second, different move. It takes the plies that the opponent shows, if those who made
//! them have signed them, and once no more come it has the chain go on after them.
//!
//! The opponent may have chosen the point, by hiding the plies after it. So a machine that has nothing at all waits for its player's word.

use super::{Channel, Line, Stage, refused};
use crate::seat::{Done, Effect, Event, Seat};
use game::{ChainEvent, Command, CommandError, Message, Notice, Position, Waking};

/// What a machine that is behind waits for.
#[derive(Default)]
pub(super) struct Behind {
    /// When the opponent was last asked for what this machine lacks, or a ply came; none while it isn't asked.
    asked: Option<u64>,
    /// Where the game stands on the chain, and until when that is contested.
    woken: Option<(Box<Position>, u64)>,
}

impl Behind {
    /// With where the game stands on the chain, if it was woken.
    pub fn of(woken: Option<(&Position, u64)>) -> Self {
        Self { asked: None, woken: woken.map(|(position, until)| (Box::new(*position), until)) }
    }
}

impl Channel {
    /// The opponent says that it has more plies than can follow on those here.
    pub(super) fn fall_behind(&mut self, plies: u16, out: &mut Vec<Effect>) {
        let here = self.line.as_ref().map_or(0, Line::len);
        out.push(Effect::Notify(Notice::JournalNote {
            text: format!(
                "the opponent says that {plies} plies were played, and this machine knows {here}: is its memory an old copy? It signs nothing more \
                 between the machines, takes what the opponent can show, and has the chain go on from there"
            ),
        }));
        self.stage = Stage::Behind(Box::default());
        self.ask(out);
    }

    /// Asks the opponent for what this machine lacks.
    fn ask(&mut self, out: &mut Vec<Effect>) {
        if let Stage::Behind(behind) = &mut self.stage {
            (behind.asked, self.arriving) = (Some(self.now), None);
            self.say_where(out);
        }
    }

    /// A ply was taken: the opponent is asked for the next.
    pub(super) fn caught_up(&mut self, out: &mut Vec<Effect>) {
        if let Stage::Behind(behind) = &mut self.stage {
            behind.asked = Some(self.now);
            self.say_where(out);
        }
    }

    /// This machine doesn't know how far the game has come.
    pub(super) fn behind(&mut self, seat: &mut Seat, event: Event, out: &mut Vec<Effect>) {
        let Stage::Behind(behind) = &mut self.stage else { return };
        match event {
            Event::Final(ChainEvent::Woken { position, until }) => behind.woken = Some((position, until)),
            Event::Final(event @ (ChainEvent::Ended { .. } | ChainEvent::Closed { .. })) => {
                self.on_final(seat, event, out);
            }
            Event::Received(Message::Result { result, signature }) => self.on_result(result, signature, out),
            Event::Command(Command::Show) => out.extend(seat.apply(Event::Command(Command::Show))),
            Event::Command(Command::Resign) => self.resign_at_once(out),
            Event::Command(Command::AskOpponent) => self.ask(out),
            Event::Command(_) => out.push(refused(CommandError::Forgotten)),
            event => {
                if let Some(since) = behind.asked {
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
            Event::LinkCut => self.leave_it_to_the_chain(seat, out),
            Event::Tick { .. } => {
                self.verify_again(seat, out);
                if self.gone_on(since) > self.config.grace && self.arriving.is_none() {
                    self.leave_it_to_the_chain(seat, out);
                }
            }
            _ => {}
        }
    }

    /// The opponent shows no more.
    fn leave_it_to_the_chain(&mut self, seat: &mut Seat, out: &mut Vec<Effect>) {
        let Stage::Behind(behind) = &mut self.stage else { return };
        match behind.woken.take() {
            Some((position, until)) => self.on_final(seat, ChainEvent::Woken { position, until }, out),
            None => self.wake(Waking::Behind, out),
        }
    }
}
