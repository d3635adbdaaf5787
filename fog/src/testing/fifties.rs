//! Valid draws of *fifty*: states of random games, with counters on both sides of fifty.

use super::walk::Walk;
use crate::{
    F,
    statement::fifty::{FIFTY, FiftyPrivate, FiftyPublic, gather},
};
use ff::Field;
use rand::{Rng, SeedableRng, rngs::StdRng};
use rules::side::SINCE_PAWN_MAX;

/// An endless, seeded row of valid statements.
pub fn fifties(seed: u64) -> impl Iterator<Item = (FiftyPublic, FiftyPrivate)> {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut walk = Walk::start();
    std::iter::from_fn(move || {
        for _ in 0..rng.gen_range(1..20) {
            walk.advance(&mut rng);
        }
        let mut side = walk.mover().clone();
        side.since_pawn = if rng.r#gen() { rng.gen_range(0..FIFTY) } else { rng.gen_range(FIFTY..=SINCE_PAWN_MAX) };
        Some(gather(&side, F::random(&mut rng)).expect("a side of a game fits its encoding"))
    })
}
