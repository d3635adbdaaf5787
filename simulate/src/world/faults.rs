//! What goes wrong by the weather: each draws whether it does, and is counted.

use super::{Choice, World};
use client::link;
use client::seat::{Done, Event};
use game::Message;
use rand::Rng;

impl World {
    /// Whether something of so many percent happens. Nothing is drawn for what never does.
    pub(super) fn percent(&mut self, chance: u32) -> bool {
        chance > 0 && self.rng.gen_range(0..100) < chance
    }

    pub(super) fn per_mille(&mut self, chance: u32) -> bool {
        chance > 0 && self.rng.gen_range(0..1000) < chance
    }

    /// A message arrives, gets lost, is damaged, or comes again later.
    pub(super) fn deliver(&mut self, k: usize) {
        if k > 0 {
            self.faults.add("messages reordered");
        }
        let (to, message) = self.network.remove(k);
        if self.percent(self.weather.drop) {
            self.faults.add("messages dropped");
            return;
        }
        if self.percent(self.weather.duplicate) {
            self.faults.add("messages duplicated");
            self.network.push((to, message.clone()));
        }
        let event = match self.percent(self.weather.corrupt) {
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
        match self.rng.gen_range(0..6) {
            0 => bytes.truncate(self.rng.gen_range(0..bytes.len())),
            1 => bytes.push(self.rng.r#gen()),
            // The header is short, and a bit of it changes what the message is.
            2 => flip(&mut bytes[..40.min(message.wire_len())], &mut self.rng),
            _ => flip(&mut bytes, &mut self.rng),
        }
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
        let fails = self.percent(self.weather.fail_job);
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
        let dies = self.per_mille(self.weather.crash);
        dies.then(|| {
            let who = self.rng.gen_range(0..2);
            Choice::Crash { who, journal: !self.percent(self.weather.lose_journal) }
        })
    }

    /// After how many of these effects a player is killed, if it is.
    pub(super) fn draw_torn(&mut self, effects: usize) -> Option<usize> {
        let is_torn = effects > 0 && self.per_mille(self.weather.torn);
        is_torn.then(|| {
            self.faults.add("effects cut off");
            self.rng.gen_range(0..=effects)
        })
    }
}

fn flip(bytes: &mut [u8], rng: &mut impl Rng) {
    if !bytes.is_empty() {
        let at = rng.gen_range(0..bytes.len());
        bytes[at] ^= 1 << rng.gen_range(0..8);
    }
}
