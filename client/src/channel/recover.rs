//! A side of a game from wallet, chain and journal (protocol, sections 8 and 9). Of a game between the machines the chain has the beginning and, once it is
//! woken, where it stands; the plies are in the journal alone, and in the backups that it is restored from. A machine that was there when the game
//! began has written so; one that finds nothing of a game that has begun doesn't know how far it has come, and is [`behind`](super::behind).

use super::behind::Behind;
use super::results::SignedResult;
use super::{Channel, Line, Parts, Side, Stage, note};
use crate::journal::Entry;
use crate::seat::{Config, Effect, Seat};
use fog::engine::Phase;
use game::{ChainEvent, Command, Message, Mode, Notice, Outcome, Position, Table, Waking};
use halo2curves::bn256::Fr;

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

    /// Where it stands, and what came after.
    fn since_the_wake(&self) -> Vec<ChainEvent> {
        let woken = self.woken.map(|(position, until)| ChainEvent::Woken { position: Box::new(*position), until });
        woken.into_iter().chain(self.after.iter().cloned()).collect()
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
        let (opening, line) = (chain.opening.to_vec(), Line::begin(&table, me));
        let mut channel = Channel { me, sign, config, opening, line, ..Channel::default() };
        let mut out = Vec::new();
        let seat =
            |config, events: &[ChainEvent], entries| Seat::recover(me, secrets, engine, game, config, events, entries);
        let seat = channel.recover(&chain, &entries, seat, &mut out);
        channel.remember(&out);
        (Self { seat, channel: Some(Box::new(channel)) }, out)
    }
}

impl Channel {
    /// Colors are drawn. The opponent may have spoken before that was final here, and says it again. A machine that was started again before
    /// has plies by now, or has lost them.
    pub(super) fn begin(&mut self, seat: &mut Seat, effects: Vec<Effect>, out: &mut Vec<Effect>) {
        self.since = self.date;
        let mut written = self.entries.values().filter(|entry| entry.is_of_a_channel());
        if !written.next().is_some_and(|first| *first == Entry::Begun) || written.next().is_some() {
            let (opening, entries) = (self.opening.clone(), self.entries.values().cloned().collect::<Vec<_>>());
            let before = &*seat;
            let anew = |config, events: &[ChainEvent], entries| before.again(config, events, entries);
            *seat = self.recover(&Chain::of(&opening), &entries, anew, out);
        } else {
            self.pass(seat, effects, out);
        }
        match (self.woken_early.take(), &self.stage) {
            (Some((ply, until)), Stage::Asleep) => self.woken(ply, until, None, out),
            _ => self.say_where(out),
        }
    }

    /// Goes on from what was written; `seat` makes the seat as patient as it is to be, with these events and entries.
    fn recover(
        &mut self,
        chain: &Chain<'_>,
        entries: &[Entry],
        seat: impl FnOnce(Config, &[ChainEvent], Vec<Entry>) -> (Seat, Vec<Effect>),
        out: &mut Vec<Effect>,
    ) -> Seat {
        let is_broken = self.take_up(entries, out);
        // A claim that woke the game belongs to the first turn after that.
        let is_past = |event: &ChainEvent| {
            matches!(event, ChainEvent::Moved { .. } | ChainEvent::FiftyClaimed { .. } | ChainEvent::FiftyFailed { .. })
        };
        self.then = self.then.take().filter(|_| !chain.after.iter().any(is_past));
        if self.line.is_none() && self.is_early(chain) && !entries.contains(&Entry::Begun) {
            out.push(Effect::Journal(Entry::Begun));
        }
        let remembers = entries.iter().any(Entry::is_of_a_channel);
        self.stage = self.stage_after(chain, remembers, is_broken);
        let config = if matches!(self.stage, Stage::OnChain) { self.config } else { asleep(self.config) };
        let (events, dead) = (self.events_of(chain), self.dead_sights(chain));
        let is_alive = |entry: &&Entry| !matches!(entry, Entry::Released { ctx, .. } if dead.contains(ctx));
        let entries = self.entries.values().filter(is_alive).cloned().collect();
        let (mut seat, effects) = seat(config, &events, entries);
        self.pass(&mut seat, effects, out);
        self.go_on(chain, remembers, out);
        seat
    }

    /// Whether this player can have no ply yet. Of one that has revealed its share a machine was there, and what is new here may have been forgotten.
    fn is_early(&self, chain: &Chain<'_>) -> bool {
        let is_own = |event: &ChainEvent| matches!(event, ChainEvent::Created(opening) if opening.creator == self.me);
        let is_revealed = |event: &ChainEvent| matches!(event, ChainEvent::TossRevealed { .. });
        !(chain.opening.iter().any(is_own) && chain.opening.iter().any(is_revealed))
    }

    /// Takes up what the journal has; whether some of it is missing.
    fn take_up(&mut self, entries: &[Entry], out: &mut Vec<Effect>) -> bool {
        let broken = self.line.as_mut().and_then(|line| line.restore(entries.iter()));
        let is_broken = broken.is_some();
        out.extend(broken.map(note));
        for entry in entries {
            match *entry {
                Entry::Result { own, result, signature } => {
                    let signed = Some(SignedResult { result, signature, at: 0 });
                    if own {
                        self.own_result = signed;
                    } else {
                        self.their_result = signed;
                    }
                }
                Entry::Wake { claim: Some(Outcome::FiftyMoves), .. } => self.then = Some(Command::ClaimFifty),
                Entry::Wake { claim: Some(_), .. } => self.then = Some(Command::ClaimNoMove),
                _ => {}
            }
            // The journal has dropped what is old, and where a contest was missed the last plies are of no use.
            self.entries.insert(entry.key(), entry.clone());
        }
        let due = self.line.as_ref().map(Line::len);
        let is_sight = |entry: &Entry| match entry {
            Entry::Received(Message::Answer { ply, phase: Phase::Pre, .. }) => Some(*ply) == due,
            _ => false,
        };
        self.sighted = due.filter(|ply| *ply < 2 || entries.iter().any(is_sight));
        self.keep_points();
        is_broken
    }

    /// Keeps the points of the opponent's last ply, by which it is to be answered: a backup has them with the ply alone.
    pub(super) fn keep_points(&mut self) {
        let last = self.line.as_ref().and_then(Line::last_of_opponent);
        if let Some(signed) = last.map(|made| &made.kept.signed) {
            let (ply, points) = (signed.fields.ply, signed.points.clone());
            let entry = Entry::Received(Message::Request { ply, points });
            self.entries.entry(entry.key()).or_insert(entry);
        }
    }

    /// Where the game is played.
    fn stage_after(&self, chain: &Chain<'_>, remembers: bool, is_broken: bool) -> Stage {
        let Some(line) = &self.line else { return Stage::Asleep };
        let wrote = |is: fn(&Entry) -> bool| self.entries.values().any(is);
        match chain.woken {
            _ if chain.is_over() => Stage::OnChain,
            Some((position, _)) if line.has(position) && !chain.after.is_empty() => Stage::OnChain,
            Some((position, _)) if line.has(position) || chain.after.is_empty() && position.ply < line.held() => {
                Stage::Contested(Box::default())
            }
            Some(_) => Stage::Behind(Box::new(Behind::of(chain.since_the_wake()))),
            None if wrote(|entry| matches!(entry, Entry::Wake { .. })) => Stage::Contested(Box::default()),
            None if !remembers || is_broken || wrote(|entry| *entry == Entry::Behind) => Stage::Behind(Box::default()),
            None => Stage::Asleep,
        }
    }

    /// What binds the sights of the plies that the game, woken before them, goes on without: what was given of these binds nothing any more.
    fn dead_sights(&self, chain: &Chain<'_>) -> Vec<Fr> {
        let (Stage::OnChain, Some((position, _)), Some(line)) = (&self.stage, chain.woken, &self.line) else {
            return Vec::new();
        };
        let (mut table, mut dead) = (Table::new(line.game), Vec::new());
        for event in chain.opening.iter().cloned().chain(line.told_to(u16::MAX)) {
            let _ = table.apply(&event);
            let Some(play) = table.begun().filter(|play| play.ply > position.ply) else { continue };
            let exchanges = [Phase::Pre, Phase::Post].into_iter().filter_map(|phase| play.exchange(phase));
            dead.extend(exchanges.filter_map(|exchange| play.context(&line.game, &exchange)));
        }
        dead
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
        // Of a game that is over, one that was never known here is taken as it is, for both have signed it.
        let is_taken = |position: &Position| chain.is_over() && position.ply > line.len();
        let woken = chain.woken.filter(|(position, _)| line.has(position) || is_taken(position));
        let woken = woken.map(|(position, until)| ChainEvent::Woken { position: Box::new(*position), until });
        let plies = line.told_to(plies).into_iter().chain(fallen).chain(woken);
        chain.opening.iter().cloned().chain(plies).chain(after.iter().cloned()).collect()
    }

    /// What is to be done where the game stands.
    fn go_on(&mut self, chain: &Chain<'_>, remembers: bool, out: &mut Vec<Effect>) {
        match (&self.stage, chain.woken) {
            (Stage::Contested(_), Some((position, until))) => {
                self.woken(position.ply, until, Some(Box::new(*position)), out);
            }
            (Stage::Contested(_), None) => {
                let ply = self.line.as_ref().map_or(0, |line| line.held());
                out.push(Effect::Notify(Notice::Waking { ply, why: Waking::Again }));
                self.bring(out);
            }
            (Stage::OnChain, Some(_)) if !chain.is_over() => self.accept_what_is_drawn(),
            // The loss of a king is signed as soon as it is written.
            (Stage::Asleep, _) if self.line.as_ref().is_some_and(Line::is_lost) => {
                self.sign_loss(Outcome::KingCaptured, out);
            }
            (Stage::Behind(_), Some(_)) => self.is_woken_beyond(chain.since_the_wake(), out),
            (Stage::Behind(_), None) if remembers => self.fall_behind(
                "this machine has lost some of the game: it signs nothing more between the machines, takes what the opponent can show, and has the \
                 chain go on from there"
                    .to_owned(),
                Vec::new(),
                out,
            ),
            (Stage::Behind(_), None) => out.push(note(
                "this machine has nothing of the game, which has begun and stands in the players' machines: it signs nothing, for it might sign \
                 a second move. Bring back its journal or its backup (`play --backup DIR`). As the last resort `ask` takes the opponent's word for \
                 how far the game has come, and has the chain go on from there; or resign"
                    .to_owned(),
            )),
            _ => {}
        }
    }
}
