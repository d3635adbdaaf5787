//! Blocks of a deep world: made as time passes, taken back and replaced, and final once they lie deep enough.

use super::super::World;
use rand::Rng;
use std::sync::Arc;

impl World {
    /// The blocks that are due by now.
    pub(in super::super) fn make_blocks(&mut self) {
        let now = self.chain.now;
        while self.below().next_block <= now {
            self.make_block();
        }
    }

    fn make_block(&mut self) {
        let Self { below, oracle, rng, faults, .. } = self;
        let below = below.as_mut().expect("a deep world");
        let (time, sky) = (below.next_block, below.sky);
        let depth = (sky.confirmations + sky.deeper).min(below.node.head().header.block.number);
        let is_fork = depth > 0 && sky.fork > 0 && rng.gen_range(0..100) < sky.fork;
        let before = Arc::clone(&below.node.head().state);
        if is_fork {
            faults.add("forks");
            let depth = rng.gen_range(1..=depth) as usize;
            below.node.fork(oracle, depth, time, sky.making, rng);
        } else {
            below.node.mine(oracle, time, sky.making, rng);
        }
        below.next_block = time + rng.gen_range(1..=sky.interval.max(1));
        below.desks.iter_mut().for_each(|desk| desk.is_current = false);
        let head_state = Arc::clone(&self.below().node.head().state);
        if !Arc::ptr_eq(&head_state, &before) {
            let now = self.chain.now;
            self.chain = (*head_state).clone();
            (self.chain.now, self.idle) = (now, 0);
        }
        self.check_block();
        if self.verbose {
            let head = self.below().node.head();
            crate::tell!("    block {}{}", head.header.block.number, if is_fork { " on a fork" } else { "" });
        }
        let below = self.below();
        let number = below.node.head().header.block.number.checked_sub(below.sky.confirmations);
        let place = number.and_then(|number| below.node.at(below.node.view(0), number));
        if let Some(end) = place.map(|place| below.node.log_end(place)).filter(|end| *end > self.finals) {
            self.make_final(end);
        }
    }
}
