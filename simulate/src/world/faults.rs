//! What goes wrong by the weather: each draws whether it does, and is counted.

use super::chance::Chance as _;
use super::{Choice, World};
use client::link;
use client::seat::{Done, Event};
use game::Message;
use rand::Rng;

impl World {
    /// A message arrives, gets lost, is damaged, or comes again later.
    pub(super) fn deliver(&mut self, k: usize) {
        if k > 0 {
            self.faults.add("messages reordered");
        }
        let (to, message) = self.network.remove(k);
        if self.rng.percent(self.weather.drop) {
            self.faults.add("messages dropped");
            return;
        }
        if self.rng.percent(self.weather.duplicate) {
            self.faults.add("messages duplicated");
            self.network.push((to, message.clone()));
        }
        let event = match self.rng.percent(self.weather.corrupt) {
            true => self.damage(&message),
            false => Event::Received(message),
        };
        self.tell(to, event);
    }

    /// The message as it is read after some of its bytes were changed, lost or added.
    fn damage(&mut self, message: &Message) -> Event {
        self.faults.add("messages corrupted");
        let game = self.chain.game.game_id;
        let mut bytes = link::to_wire(message, game);
        self.rng.damage(&mut bytes);
        match link::from_wire(&bytes, game, self.engine.frames()) {
            Ok(message) => Event::Received(message),
            Err(error) => Event::Unreadable(error),
        }
    }

    /// A job of a player ends, or fails on its side.
    pub(super) fn finish_job(&mut self, i: usize, k: usize) {
        if k > 0 {
            self.faults.add("jobs late");
        }
        let (id, job) = self.players[i].jobs.remove(k);
        let fails = self.rng.percent(self.weather.fail_job);
        if fails {
            self.faults.add("jobs failed");
            self.oracle.set_failing(true);
        }
        let mut done = job.run();
        if let (Done::VerifyMove(result), true) = (&mut done, self.players[i].defect.believes_moves) {
            *result = Ok(());
        }
        self.oracle.set_failing(false);
        self.tell(i, Event::Done(id, done));
    }

    /// A player to be killed now, if one is.
    pub(super) fn draw_crash(&mut self) -> Option<Choice> {
        let dies = self.rng.per_mille(self.weather.crash);
        dies.then(|| {
            let who = self.rng.gen_range(0..2);
            Choice::Crash { who, journal: !self.rng.percent(self.weather.lose_journal) }
        })
    }

    /// After how many of these effects a player is killed, if it is.
    pub(super) fn draw_torn(&mut self, effects: usize) -> Option<usize> {
        let is_torn = effects > 0 && self.rng.per_mille(self.weather.torn);
        is_torn.then(|| {
            self.faults.add("effects cut off");
            self.rng.gen_range(0..=effects)
        })
    }
}
