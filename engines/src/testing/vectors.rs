//! Valid draws of named vectors: both colors and phases, in positions of random games.

use super::named::{VectorPrivate, VectorPublic, gather};
use crate::bfv::vector::Kind;
use ff::Field;
use fog::testing::Walk;
use fog::{F, engine::Phase};
use rand::{Rng, SeedableRng, rngs::StdRng};

/// An endless, seeded row of valid statements of one kind. The players' turns alternate, so the colors do, and the phases after every two.
pub fn vectors(kind: Kind, seed: u64) -> impl Iterator<Item = (VectorPublic, VectorPrivate)> {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut walk = Walk::start();
    let mut number = 0;
    std::iter::from_fn(move || {
        for _ in 0..2 * rng.gen_range(0..8) + 1 {
            walk.advance(&mut rng);
        }
        let phase = if number % 4 < 2 { Phase::Pre } else { Phase::Post };
        number += 1;
        // The receiver is to move before its move, the sender after it; of the one to move a piece was captured.
        let is_to_move = (phase == Phase::Pre) == (kind == Kind::View);
        let side = if is_to_move { walk.mover() } else { walk.other() }.clone();
        let pending = walk.pending.filter(|_| is_to_move);
        let [salt, vector_salt] = [(); 2].map(|()| F::random(&mut rng));
        let private = VectorPrivate { side, salt, vector_salt };
        Some(gather(kind, pending, phase, private).expect("a side of a game fits its encoding"))
    })
}
