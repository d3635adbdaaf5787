//! What the machine asks of a seat that plays a game between the machines beside it (protocol, section 8).

use super::effects::Effects;
use super::event::{Effect, Job, JobId, MoveProof};
use super::{Config, Seat};
use crate::journal::Entry;
use game::{ChainEvent, MoveFields};
use halo2curves::bn256::Fr;

impl Seat {
    /// The same player's seat in the same game, with other events and as patient as this; its jobs go on being counted, so that none of the earlier ones
    /// is taken for one of it.
    #[must_use]
    pub(crate) fn again(&self, config: Config, events: &[ChainEvent], entries: Vec<Entry>) -> (Self, Vec<Effect>) {
        let (me, secrets, engine) = (self.facts.me, self.facts.secrets.clone(), self.facts.engine());
        let seat = Self::new(me, secrets, engine, *self.facts.table().game(), config);
        seat.recovered(Effects::after(self.last_job), events, entries)
    }

    /// Has the proof of the opponent's next move verified; nothing while nothing is played.
    pub(crate) fn verify(&mut self, fields: &MoveFields, proof: &[u8]) -> Option<(JobId, Job)> {
        let (player, play, _) = self.facts.in_play()?;
        let public = play.turn_public(self.facts.table().game(), fields)?;
        let job = Job::verify_move(player.keys(), &MoveProof::new(fields.ply, &public, proof));
        self.last_job += 1;
        Some((JobId(self.last_job), job))
    }

    /// Whether these are the points of a request with this root.
    pub(crate) fn is_request(&self, points: &[u8], root: Fr) -> bool {
        let found = self.facts.in_play().map(|(player, ..)| player.request_root(points));
        found.is_some_and(|found| found.ok() == Some(root))
    }

    /// Whether the sight that the own move needs is proven.
    pub(crate) fn has_sight(&self) -> bool {
        self.proven_sight().is_some()
    }
}
