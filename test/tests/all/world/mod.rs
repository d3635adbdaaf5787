//! Games of the simulated world with the real engine and real proofs (protocol, sections 6 and 7): the seats, followers and senders of the client
//! in bad weather, with the keys that are shipped, and every proof verified wherever contract or peer verify one.
//!
//! Ten games have the same wallets, terms and moves, and each its own weather. What is shared: a statement with the same public inputs is proven
//! once, and the next game gets that proof once its own witness has passed the statement's native check. So ten games cost little more than the
//! proofs of one. Nothing is shared of what is verified.

mod real;

use fogmate_test::seed;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;
use real::Real;
use simulate::draw::{PATIENT, QUICK, node_weather, weather};
use simulate::oracle::Oracle;
use simulate::world::{Course, Players, Weather};
use std::sync::Arc;

const GAMES: u64 = 10;
/// After so many the mover resigns.
const PLIES: u16 = 4;

#[test]
fn games_with_real_proofs_in_any_weather_keep_every_promise() {
    let seed = seed(131);
    let real = Arc::new(Real::load());
    let oracle = Oracle::proving(real.clone());
    for number in 0..GAMES {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(number);
        // Without its journal a player gives other answers, and a proof that failed is made once more anyway.
        let weather = Weather { lose_journal: 0, ..weather(&mut rng) };
        let course = Course {
            weather,
            terms: QUICK,
            config: PATIENT,
            node_weather: Some(node_weather(&mut rng)),
            oracle: oracle.clone(),
            ..Course::new(seed, Players::Random { plies: PLIES })
        };
        let mut world = course.join();
        (world.rng, world.longest_tick, world.autoplay) = (rng, 64, true);
        while !world.is_over_for_honest() {
            world.step();
        }
        world.check_ending();
        world.check_records();
        world.check_senders();
        world.check_settlement();
        println!(
            "game {number}: {} plies, {} steps, {} faults; {} proofs made so far, {} verified",
            world.truth.len() - 1,
            world.steps,
            world.faults.total(),
            real.proven(),
            real.verified(),
        );
    }
    let (proven, verified) = (real.proven(), real.verified());
    assert!(proven >= u64::from(PLIES), "a proof a move at least");
    assert!(verified >= GAMES * u64::from(PLIES), "each game verifies its moves: {verified}");
}
