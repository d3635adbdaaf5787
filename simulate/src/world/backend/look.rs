//! A player's follower looks at the chain, and its seat hears what it brings; also from nothing, when the player's process is started again.

use super::super::World;
use super::{Connection, Told};
use client::chain::ChainClock;
use client::follow::{News, Patience, Question, Report, Step, Trouble};
use client::runtime::event_of_news;
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
            is_due && (connection.question.is_some() || !connection.is_current)
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

    /// A look begins or goes on: some questions; the world may go on before the next.
    pub(in super::super) fn look_at_chain(&mut self, i: usize) {
        self.connection(i).looked_at = self.chain.now;
        let question = self.next_question(i);
        if let Some(report) = self.converse(i, question, true) {
            self.hear_report(i, report);
        }
    }

    fn next_question(&mut self, i: usize) -> Question {
        let now = self.chain.now;
        let backend = self.backend();
        let instant = backend.instant(now);
        let connection = &mut backend.connections[i];
        // The machines' dates are right: the simulated machine doesn't sleep.
        let wants_clocks = connection.watching.is_none_or(|clock| clock.has_slept(instant, now));
        connection.question.take().unwrap_or_else(|| {
            connection.views.clear();
            connection.watcher.look(wants_clocks)
        })
    }

    fn converse(&mut self, i: usize, first: Question, may_stop: bool) -> Option<Report> {
        let (mut question, mut patience) = (first, Patience::default());
        loop {
            if question == Question::Clocks {
                self.connection(i).asked = self.chain.now;
            }
            let answer = self.answer(i, question);
            if patience.asks_again(&question, &answer) {
                continue;
            }
            let verbose = self.verbose;
            match self.connection(i).watcher.answer(answer) {
                Ok(Step::Ask(next)) if may_stop && self.rng.gen_range(0..6) == 0 => {
                    self.connection(i).question = Some(next);
                    return None;
                }
                Ok(Step::Ask(next)) => question = next,
                Ok(Step::Done(report)) => {
                    self.connection(i).pause = 0;
                    return report;
                }
                Err(trouble) => {
                    self.connection(i).is_current = false;
                    if verbose {
                        crate::tell!("    player {i}: a look fails: {trouble:?} at {question:?}");
                    }
                    self.check_trouble(i, trouble);
                    return self.pause(i);
                }
            }
        }
    }

    /// As the runtime: after a look that has failed the next one waits, longer and longer.
    fn pause(&mut self, i: usize) -> Option<Report> {
        let now = self.chain.now;
        let connection = self.connection(i);
        connection.pause =
            if connection.watcher.has_advanced() { 1 } else { (2 * connection.pause).clamp(1, LONGEST_PAUSE) };
        connection.looks_from = now + connection.pause;
        None
    }

    /// Forks are never deeper than final blocks here, and all nodes are of one chain: only a machine that has answered on a fork that is left by now
    /// can have told another block.
    fn check_trouble(&mut self, i: usize, trouble: Trouble) {
        self.faults.add("looks that failed");
        self.checks.add("weather is no reorganisation");
        let backend = self.backend();
        let (node, head) = (&backend.node, backend.node.view(0));
        let is_left = |view: &usize| node.at(head, node.block(*view).header.block.number) != Some(*view);
        let has_met_a_fork = backend.connections[i].views.iter().any(is_left);
        let is_weather = match trouble {
            Trouble::Unanswered | Trouble::Behind | Trouble::FarBehind { .. } => true,
            Trouble::Reorganised(_) | Trouble::NodesDisagree(_) => has_met_a_fork,
            Trouble::Nonsense(_) => false,
        };
        assert!(is_weather, "the follower of player {i} takes weather for {trouble:?}");
    }

    /// What is told as final is on the chain: no fork goes so deep.
    fn check_final(&mut self, i: usize, report: &Report) {
        let Some(last) = report.last_final else { return };
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
    fn hear_report(&mut self, i: usize, report: Report) {
        if self.verbose {
            let news = report.news.len();
            crate::tell!("    player {i}: a look brings {news} news, final block {:?}", report.last_final);
        }
        self.check_final(i, &report);
        let pieces = self.pieces(i, &report);
        if !report.news.is_empty() {
            self.idle = 0;
        }
        let events = report.news.into_iter().filter_map(event_of_news);
        let events = events.map(|event| Told::Event(Box::new(event)));
        self.connection(i).updates.extend(pieces.into_iter().chain(events));
    }

    /// All of a report but its news, in the order in which the runtime carries it out.
    fn pieces(&mut self, i: usize, report: &Report) -> Vec<Told> {
        let backend = self.backend();
        let (asked, date) = (backend.instant(backend.connections[i].asked), backend.connections[i].asked);
        let connection = &mut backend.connections[i];
        let clock = ChainClock::heard(connection.watching, report.block_time, asked, date);
        connection.watching = Some(clock);
        let deadline = report.clocks.map(|clocks| clocks.deadline);
        let mut pieces = vec![Told::Time(Box::new(clock), deadline)];
        pieces.extend(report.last_final.map(Told::Checkpoint));
        for news in &report.news {
            if let News::Final(logged) = news
                && let ChainEvent::Created(_) = logged.event
            {
                pieces.push(Told::Born(logged.block));
            }
        }
        pieces
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
        let rules = self.backend().follow_rules(i);
        self.connection(i).forget(rules);
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
            let question = self.next_question(i);
            let Some(report) = self.converse(i, question, false) else { continue };
            self.check_final(i, &report);
            for told in self.pieces(i, &report) {
                self.take(i, told);
            }
            coming.clear();
            for news in report.news {
                match (event_of_news(news), &mut events) {
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
