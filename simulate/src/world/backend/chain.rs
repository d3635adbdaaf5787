//! Blocks of a deep world: made as time passes, taken back and replaced, and final once they lie deep enough.

use super::super::World;
use rand::Rng;
use std::sync::Arc;

impl World {
    /// The blocks that are due by now.
    pub(in super::super) fn make_blocks(&mut self) {
        let now = self.chain.now;
        while self.backend().next_block <= now {
            self.make_block();
        }
    }

    fn make_block(&mut self) {
        let Self { backend, rng, faults, .. } = self;
        let backend = backend.as_mut().expect("a deep world");
        let (time, node_weather) = (backend.next_block, backend.node_weather);
        let depth = (node_weather.confirmations + node_weather.deeper).min(backend.node.head().header.block.number);
        let is_fork = depth > 0 && node_weather.fork > 0 && rng.gen_range(0..100) < node_weather.fork;
        let before = Arc::clone(&backend.node.head().state);
        if is_fork {
            faults.add("forks");
            let depth = rng.gen_range(1..=depth) as usize;
            backend.node.fork(depth, time, node_weather.making, rng);
        } else {
            backend.node.mine(time, node_weather.making, rng);
        }
        backend.next_block = time + rng.gen_range(1..=node_weather.interval.max(1));
        backend.connections.iter_mut().for_each(|connection| connection.is_current = false);
        let head_state = Arc::clone(&self.backend().node.head().state);
        if !Arc::ptr_eq(&head_state, &before) {
            let now = self.chain.now;
            self.chain = (*head_state).clone();
            (self.chain.now, self.idle) = (now, 0);
        }
        self.check_block();
        if self.verbose {
            let head = self.backend().node.head();
            crate::tell!("    block {}{}", head.header.block.number, if is_fork { " on a fork" } else { "" });
        }
        let backend = self.backend();
        let number = backend.node.head().header.block.number.checked_sub(backend.node_weather.confirmations);
        let place = number.and_then(|number| backend.node.at(backend.node.view(0), number));
        if let Some(end) = place.map(|place| backend.node.block(place).state.log.len()).filter(|end| *end > self.finals)
        {
            self.make_final(end);
        }
    }
}
