//! Valid draws of *shown* and *asked*: both colors and phases, in positions of random games.

use crate::{
    Unmet,
    psi::{
        catalogue::{Extent, SetKind},
        statement::{
            SetPrivate,
            asked::{self, AskedPrivate, AskedPublic},
            shown::{self, ShownPrivate, ShownPublic},
        },
        weight::{Weight, weights},
    },
};
use ff::Field;
use fog::testing::Walk;
use fog::{F, curve::Scalar, engine::Phase, exponent::Exponent};
use rand::{Rng, SeedableRng, rngs::StdRng, seq::SliceRandom};
use rules::Square;

/// What a draw is made of.
struct Drawn {
    pending: Option<Square>,
    phase: Phase,
    set: SetPrivate,
    weights: Vec<Weight>,
}

/// An endless, seeded row of valid statements of a sender. The players' turns alternate, so the colors do, and the phases after every two.
pub fn shown_sets(extent: Extent, seed: u64) -> impl Iterator<Item = (ShownPublic, ShownPrivate)> {
    sets(SetKind::Shown, extent, seed).filter_map(move |(Drawn { pending, phase, set, weights }, mut rng)| {
        let mut places: Vec<usize> = (0..weights.len()).collect();
        places.shuffle(&mut rng);
        let private = ShownPrivate { set, exponent: Exponent::new(rng.r#gen()), places };
        fitting(shown::gather(extent, pending, phase, weights, private))
    })
}

/// An endless, seeded row of sets that receivers ask for.
pub fn asked_sets(extent: Extent, seed: u64) -> impl Iterator<Item = (AskedPublic, AskedPrivate)> {
    sets(SetKind::Asked, extent, seed).filter_map(move |(Drawn { pending, phase, set, weights }, mut rng)| {
        let private = AskedPrivate { set, blinding: Scalar::random(&mut rng) };
        fitting(asked::gather(extent, pending, phase, weights, private))
    })
}

/// A draw whose set isn't outgrown, which happens to small ones.
fn fitting<T>(gathered: Result<T, Unmet>) -> Option<T> {
    match gathered {
        Err(Unmet::Outgrown) => None,
        other => Some(other.expect("a side of a game fits its encoding")),
    }
}

fn sets(kind: SetKind, extent: Extent, seed: u64) -> impl Iterator<Item = (Drawn, StdRng)> {
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
        let is_to_move = (phase == Phase::Pre) == (kind == SetKind::Asked);
        let side = if is_to_move { walk.mover() } else { walk.other() }.clone();
        let pending = walk.pending.filter(|_| is_to_move);
        let [salt, digest_salt] = [(); 2].map(|()| F::random(&mut rng));
        let weights = weights(&rng.r#gen(), extent.entries(kind));
        let drawn = Drawn { pending, phase, set: SetPrivate { side, salt, digest_salt }, weights };
        Some((drawn, StdRng::seed_from_u64(rng.r#gen())))
    })
}
