//! A side of a game from wallet, chain and journal (protocol, sections 8 and 9). Of a game between the machines the chain has the beginning and, once it is
//! woken, where it stands; the plies are in the journal alone, and in the backups that it is restored from. A machine that was there when the game
//! began has written so; one that finds nothing of a game that has begun doesn't know how far it has come, and is [`behind`](super::behind).

use super::behind::Behind;
use super::results::SignedResult;
use super::{Channel, Line, Parts, Side, Stage};
use crate::journal::Entry;
use crate::seat::{Config, Effect, Seat};
use game::{ChainEvent, Command, Message, Mode, Notice, Outcome, Position, Table, Waking};

/// The chain's events of a game between the machines.
struct Chain<'a> {
    /// Up to the beginning.
    opening: &'a [ChainEvent],
    /// Where it stands, and until when that is contested.
    woken: Option<(&'a Position, u64)>,
    /// What came after that, or after the beginning.
    after: &'a [ChainEvent],
}

impl<'a> Chain<'a> {
    fn of(events: &'a [ChainEvent]) -> Self {
        let begins = |event: &ChainEvent| matches!(event, ChainEvent::Started { .. });
        let begun = events.iter().position(begins).map_or(events.len(), |at| at + 1);
        let (opening, rest) = events.split_at(begun);
        let woken = |event: &'a ChainEvent| match event {
            ChainEvent::Woken { position, until } => Some((&**position, *until)),
            _ => None,
        };
        let last = rest.iter().rposition(|event| woken(event).is_some());
        let woken = last.and_then(|at| woken(&rest[at]));
        Self { opening, woken, after: &rest[last.map_or(0, |at| at + 1)..] }
    }

    fn is_over(&self) -> bool {
        self.after.iter().any(|event| matches!(event, ChainEvent::Ended { .. }))
    }
}

/// While a game is asleep nothing is demanded, and no move goes without an answer.
fn asleep(config: Config) -> Config {
    Config { grace: u64::MAX, await_request: u64::MAX, demand_post: false, ..config }
}

impl Side {
    /// The side as it was, and what is to be done to go on: see [`Seat::recover`].
    #[must_use]
    pub fn recover(parts: Parts, events: &[ChainEvent], entries: Vec<Entry>) -> (Self, Vec<Effect>) {
        let of_a_channel =
            |event: &ChainEvent| matches!(event, ChainEvent::Created(opening) if opening.terms.mode == Mode::Channel);
        let Parts { me, secrets, engine, game, config, sign } = parts;
        if !events.iter().any(of_a_channel) {
            let (seat, effects) = Seat::recover(me, secrets, engine, game, config, events, entries);
            return (Self { seat, channel: None }, effects);
        }
        let chain = Chain::of(events);
        let mut table = Table::new(game);
        for event in chain.opening {
            // What can't follow is told by the seat.
            let _ = table.apply(event);
        }
        let (mut channel, mut out) = (Channel::new(me, sign, config), Vec::new());
        channel.opening = chain.opening.to_vec();
        channel.line = Line::begin(&table, me);
        channel.take_up(&entries, &mut out);
        if channel.line.is_none() && !entries.contains(&Entry::Begun) {
            out.push(Effect::Journal(Entry::Begun));
        }
        channel.stage = channel.stage_after(&chain, entries.iter().any(Entry::is_of_a_channel));
        let config = if matches!(channel.stage, Stage::OnChain) { config } else { asleep(config) };
        let events = channel.events_of(&chain);
        let entries = channel.entries.values().cloned().collect();
        let (mut seat, effects) = Seat::recover(me, secrets, engine, game, config, &events, entries);
        channel.pass(&mut seat, effects, &mut out);
        channel.go_on(&chain, &mut out);
        channel.remember(&out);
        (Self { seat, channel: Some(Box::new(channel)) }, out)
    }
}

impl Channel {
    /// Takes up what the journal has.
    fn take_up(&mut self, entries: &[Entry], out: &mut Vec<Effect>) {
        if let Some(text) = self.line.as_mut().and_then(|line| line.restore(entries.iter())) {
            out.push(Effect::Notify(Notice::JournalNote { text }));
        }
        for entry in entries {
            if let Entry::Result { own, result, signature } = *entry {
                let signed = Some(SignedResult { result, signature, at: 0 });
                if own {
                    self.own_result = signed;
                } else {
                    self.their_result = signed;
                }
            }
            self.keep(entry.clone());
        }
        // The points of the opponent's last ply, by which it is to be answered: a backup has them with the ply alone.
        let last = self.line.as_ref().and_then(Line::last_of_opponent);
        if let Some(signed) = last.map(|made| &made.kept.signed) {
            let (ply, points) = (signed.fields.ply, signed.points.clone());
            let entry = Entry::Received(Message::Request { ply, points });
            self.entries.entry(entry.key()).or_insert(entry);
        }
    }

    /// Where the game is played.
    fn stage_after(&self, chain: &Chain<'_>, remembers: bool) -> Stage {
        let Some(line) = &self.line else { return Stage::Asleep };
        match chain.woken {
            _ if chain.is_over() => Stage::OnChain,
            woken if !remembers => Stage::Behind(Box::new(Behind::of(woken))),
            Some((position, until)) if !chain.after.is_empty() => match line.has(position) {
                true => Stage::OnChain,
                false => Stage::Behind(Box::new(Behind::of(Some((position, until))))),
            },
            Some(_) => Stage::Contested(Box::default()),
            None => match self.entries.values().any(|entry| matches!(entry, Entry::Wake { .. })) {
                true => Stage::Contested(Box::default()),
                false => Stage::Asleep,
            },
        }
    }

    /// What the seat is told: the beginning, the plies, and what the chain had to say after them.
    fn events_of(&self, chain: &Chain<'_>) -> Vec<ChainEvent> {
        let Some(line) = &self.line else { return chain.opening.to_vec() };
        let (plies, after) = match (&self.stage, chain.woken) {
            (Stage::OnChain, Some((position, _))) => (position.ply, chain.after),
            (Stage::OnChain, None) => (u16::MAX, chain.after),
            _ => (u16::MAX, &[][..]),
        };
        let captured = |event: &ChainEvent| matches!(event, ChainEvent::Ended { outcome: Outcome::KingCaptured, .. });
        // The chain says that it ended so; the ply is the players' own.
        let fallen = line.fallen().filter(|_| chain.woken.is_none() && after.iter().any(captured));
        let woken = chain.woken.filter(|(position, _)| line.has(position));
        let woken = woken.map(|(position, until)| ChainEvent::Woken { position: Box::new(*position), until });
        let plies = line.told_to(plies).into_iter().chain(fallen).chain(woken);
        chain.opening.iter().cloned().chain(plies).chain(after.iter().cloned()).collect()
    }

    /// What is to be done where the game stands.
    fn go_on(&mut self, chain: &Chain<'_>, out: &mut Vec<Effect>) {
        match (&self.stage, chain.woken) {
            (Stage::Contested(_), Some((position, until))) => {
                self.woken(position.ply, until, Some(Box::new(*position)), out);
            }
            (Stage::Contested(_), None) => {
                let ply = self.line.as_ref().map_or(0, |line| line.held());
                out.push(Effect::Notify(Notice::Waking { ply, why: Waking::Again }));
                self.bring(out);
            }
            (Stage::OnChain, Some(_)) if !chain.is_over() => {
                let is_drawn = self.own_result.as_ref().is_some_and(|own| own.result.creator_won.is_none());
                self.then = is_drawn.then_some(Command::AcceptDraw);
            }
            // The loss of a king is signed as soon as it is written.
            (Stage::Asleep, _) if self.line.as_ref().is_some_and(Line::is_lost) => {
                self.sign_loss(Outcome::KingCaptured, out);
            }
            (Stage::Behind(_), _) => out.push(Effect::Notify(Notice::JournalNote {
                text: "this machine has nothing of the game, which has begun and stands in the players' machines: it signs nothing, for it might sign \
                       a second move. Bring back its journal or its backup (`play --backup DIR`). As the last resort `ask` takes the opponent's word for \
                       how far the game has come, and has the chain go on from there; or resign"
                    .to_owned(),
            })),
            _ => {}
        }
    }
}
