//! Plays drawn games one after the other.

use crate::channel::opponent;
use crate::draw::Plan;
use crate::world::{Tally, World};
use game::Outcome;

pub use crate::counts::{Counts, Failure, watched};

/// A game in so many is one between the machines, against an opponent that does anything.
const BETWEEN_MACHINES: u64 = 16;
/// A game in so many ends with the audit and the replay of its records.
const AUDITED: u64 = 16;

/// Plays game `number` of a seed.
///
/// # Errors
/// The first broken promise.
pub fn play(seed: u64, number: u64, is_verbose: bool) -> Result<Counts, Failure> {
    if number % BETWEEN_MACHINES == BETWEEN_MACHINES - 1 {
        return opponent::play(seed, number, is_verbose);
    }
    let plan = Plan::draw(seed, number);
    let mut world = plan.begin();
    world.verbose = is_verbose;
    if is_verbose {
        crate::tell!(
            "{:?}, {:?}, {:?}, {:?}\ncheat {:?}, link cut at {:?}",
            plan.course.terms,
            plan.course.weather,
            plan.course.node_weather,
            plan.course.link_weather,
            plan.cheat,
            plan.cut_link
        );
    }
    let is_audited = number.is_multiple_of(AUDITED);
    let mut endings = Tally::default();
    let played = watched(|| {
        while !world.is_over_for_honest() {
            plan.interfere(&mut world);
            world.step();
        }
        let i = world.honest()[0];
        let ending = world.players[i].seat.table().ending().expect("the game is over");
        endings.add(Outcome::NAMES[ending.outcome as usize].1);
        world.check_ending();
        if plan.is_fair {
            world.check_cost();
        }
        if is_audited && world.honest().len() == 2 {
            world.check_records();
        }
        world.check_senders();
        world.check_settlement();
        world.check_link();
    });
    played.map_err(|what| Failure { seed, number, step: world.steps, what })?;
    let World { truth, steps, faults, checks, .. } = world;
    let (plies, steps) = (truth.len() as u64 - 1, steps as u64);
    Ok(Counts { games: 1, plies, steps, faults, checks, endings })
}
