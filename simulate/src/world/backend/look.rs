//! A player's follower looks at the chain, and its seat hears what it brings; also from nothing, when the player's process is started again.

use super::super::World;
use super::sim_node::{Answer, Question};
use super::{Connection, Told};
use alloy::eips::BlockId;
use client::chain::{ChainError, LogUpdate, Update};
use client::runtime::event_of_log;
use client::seat::{Event, Seat};
use game::ChainEvent;
use rand::Rng;

/// How often a process that was started again looks for its game.
const TRIES: u32 = 2_000;
/// How often a machine looks, in seconds.
const POLL: u64 = 2;
/// The longest pause after a look that has failed, in seconds.
const LONGEST_PAUSE: u64 = 15;

impl World {
    /// Whether a player's follower has anything to ask.
    pub(in super::super) fn may_look(&self, i: usize) -> bool {
        self.backend.as_ref().is_some_and(|backend| {
            let connection = &backend.connections[i];
            let is_due = connection.pause == 0 || self.chain.now >= connection.looks_from;
            is_due && (connection.watching.is_polling() || !connection.is_current)
        })
    }

    /// A player whose follower has waited too long for its turn: a machine that runs asks every two seconds, whatever else it has to do. Without
    /// this, time would pass the faster for a follower the more there is for others to do.
    pub(in super::super) fn overdue_look(&self) -> Option<usize> {
        let now = self.chain.now;
        let is_overdue = |i: &usize| {
            let due = |connection: &Connection| connection.looks_from.max(connection.looked_at) + POLL;
            self.may_look(*i) && self.backend.as_ref().is_some_and(|backend| now >= due(&backend.connections[*i]))
        };
        (0..2).find(is_overdue)
    }

    /// A poll begins or goes on: some questions; the world may go on before the next.
    pub(in super::super) fn look_at_chain(&mut self, i: usize) {
        self.connection(i).looked_at = self.chain.now;
        if let Some(update) = self.converse(i, true) {
            self.hear_update(i, update);
        }
    }

    fn converse(&mut self, i: usize, may_stop: bool) -> Option<Update> {
        if !self.connection(i).watching.is_polling() {
            self.connection(i).views.clear();
        }
        loop {
            // The machines' dates are right: the simulated machine doesn't sleep.
            let now = self.chain.now;
            let instant = self.backend().instant(now);
            let watching = &mut self.connection(i).watching;
            watching.node.desk().now = (instant, now);
            let polled = watching.poll();
            let is_held = watching.node.desk().is_held;
            self.connection(i).sending.sender.hold(is_held);
            if let Some((polled, has_advanced)) = polled {
                return self.polled(i, polled, has_advanced);
            }
            if may_stop && self.rng.gen_range(0..6) == 0 {
                return None;
            }
            let node = self.connection(i).watching.node.clone();
            let (number, question) = node.next_question().expect("a poll waits for an answer");
            let asks_latest = question == Question::Block(BlockId::latest());
            let answer = self.answer(i, question);
            if let (Ok(Answer::Block(Some(found))), true) = (&answer, asks_latest) {
                self.connection(i).is_current = found.block == self.backend().node.head().header.block;
            }
            node.desk().answers.insert(number, answer);
        }
    }

    /// As the runtime: after a poll that has failed the next one waits, longer and longer.
    fn polled(&mut self, i: usize, polled: Result<Option<Update>, ChainError>, has_advanced: bool) -> Option<Update> {
        let error = match polled {
            Ok(update) => {
                self.connection(i).pause = 0;
                return update;
            }
            Err(error) => error,
        };
        if self.verbose {
            crate::tell!("    player {i}: a poll fails: {error}");
        }
        self.check_error(i, &error);
        let now = self.chain.now;
        let connection = self.connection(i);
        connection.is_current = false;
        connection.pause = if has_advanced { 1 } else { (2 * connection.pause).clamp(1, LONGEST_PAUSE) };
        connection.looks_from = now + connection.pause;
        None
    }

    /// Forks are never deeper than final blocks here, and all nodes are of one chain: only a machine that has answered on a fork that is left by now
    /// can have told another block.
    fn check_error(&mut self, i: usize, error: &ChainError) {
        self.faults.add("polls that failed");
        self.checks.add("weather is no reorganisation");
        let backend = self.backend();
        let (node, head) = (&backend.node, backend.node.view(0));
        let is_left = |view: &usize| node.at(head, node.block(*view).header.block.number) != Some(*view);
        let has_met_a_fork = backend.connections[i].views.iter().any(is_left);
        let is_weather = match error {
            ChainError::Node(_) | ChainError::Behind | ChainError::FarBehind { .. } => true,
            ChainError::NodesDisagree(_) if backend.node_weather.lie > 0 => true,
            ChainError::Reorganised(_) | ChainError::NodesDisagree(_) => has_met_a_fork,
            _ => false,
        };
        assert!(is_weather, "the follower of player {i} takes weather for {error:?}");
    }

    /// What is told as final is on the chain: no fork goes so deep.
    fn check_final(&mut self, i: usize, update: &Update) {
        let Some(last) = update.last_final else { return };
        self.checks.add("told as final is final");
        let node = &self.backend().node;
        let there = node.at(node.view(0), last.number).map(|place| node.block(place).header.block);
        // The latest block may be gone by now, and be none of those that the look has met.
        let is_final = there == Some(last);
        assert!(
            is_final,
            "the follower of player {i} tells block {} as final, which is on a fork that was left",
            last.number
        );
    }

    /// What a look brings is on its way to the seat.
    fn hear_update(&mut self, i: usize, update: Update) {
        if self.verbose {
            let logs = update.logs.len();
            crate::tell!("    player {i}: a poll brings {logs} logs, final block {:?}", update.last_final);
        }
        self.check_final(i, &update);
        let pieces = pieces(&update);
        if !update.logs.is_empty() {
            self.idle = 0;
        }
        let events = update.logs.into_iter().filter_map(event_of_log);
        let events = events.map(|event| Told::Event(Box::new(event)));
        self.connection(i).updates.extend(pieces.into_iter().chain(events));
    }

    /// The next piece that a player's machine was told.
    pub(in super::super) fn hear_told(&mut self, i: usize) {
        match self.connection(i).updates.pop_front() {
            Some(Told::Event(event)) => self.tell(i, *event),
            Some(told) => self.take(i, told),
            None => {}
        }
    }

    fn take(&mut self, i: usize, told: Told) {
        let connection = self.connection(i);
        match told {
            Told::Time(clock, deadline) => (connection.clock, connection.deadline) = (Some(*clock), deadline),
            Told::Born(block) => connection.born = Some(block),
            Told::Checkpoint(block) => connection.checkpoint = Some(block),
            Told::Event(_) => {}
        }
    }

    /// A player's process is started again: seat, follower and the sender's memory are gone. The seat begins once the chain has told of both
    /// players, as in the client's runtime; time passes meanwhile.
    pub(in super::super) fn start_again(&mut self, i: usize) {
        self.backend().forget(i);
        let (mut events, mut coming) = (Vec::new(), Vec::new());
        let is_joined = |event: &ChainEvent| matches!(event, ChainEvent::Joined { .. });
        let mut tries = 0;
        while !events.iter().any(is_joined) {
            tries += 1;
            assert!(tries < TRIES, "a follower that was started again never finds its game");
            if tries > 1 && self.rng.gen_range(0..3) == 0 {
                self.chain.now += 1;
                self.make_blocks();
            }
            let Some(update) = self.converse(i, false) else { continue };
            self.check_final(i, &update);
            for told in pieces(&update) {
                self.take(i, told);
            }
            coming.clear();
            for log in update.logs {
                match (event_of_log(log), &mut events) {
                    (Some(Event::Final(event)), events) => events.push(event),
                    (event, _) => coming.extend(event),
                }
            }
        }
        let player = &self.players[i];
        let entries = player.journal.values().cloned().collect();
        let (me, secrets, engine) = (player.me, player.secrets.clone(), self.engine.with(&self.oracle));
        let (seat, effects) = Seat::recover(me, secrets, engine, self.chain.game, self.config, &events, entries);
        self.players[i].seat = seat;
        self.carry(i, effects);
        for event in coming {
            self.tell(i, event);
        }
    }
}

/// All of an update but its events, in the order in which the runtime carries it out.
fn pieces(update: &Update) -> Vec<Told> {
    let clock = update.time.chain;
    let deadline = update.time.clocks.map(|clocks| clocks.deadline);
    let mut pieces = vec![Told::Time(Box::new(clock), deadline)];
    pieces.extend(update.last_final.map(Told::Checkpoint));
    for log in &update.logs {
        if let LogUpdate::Final(logged) = log
            && let ChainEvent::Created(_) = logged.event
        {
            pieces.push(Told::Born(logged.block.number));
        }
    }
    pieces
}
