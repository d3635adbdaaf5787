//! What the contract or the node refuses, above all for want of ether, holds nothing up and is tried again.

use super::{begin, run_for};
use client::seat::Event;
use fogmate_test::seed;
use game::{Action, Command, Message, MessageKind, Notice, Outcome, Phase};
use rules::Color;
use simulate::world::{World, finish};

/// Takes the answers before moves for a player off the network.
fn catch(world: &mut World, to: usize) -> Vec<(usize, Message)> {
    let is_it = |(receiver, message): &(usize, Message)| {
        *receiver == to && (message.id().kind, message.id().phase) == (MessageKind::Answer, Phase::Pre)
    };
    let (caught, rest) = std::mem::take(&mut world.network).into_iter().partition(is_it);
    world.network = rest;
    caught
}

/// White can't pay for the bond of a demand, and its opponent lets it wait until it tries. Then the sight comes after all: White
/// moves at once, though it has wanted to demand it, and not only when the demand would be sent again.
#[test]
fn a_demand_that_was_not_sent_holds_no_move() {
    let seed = seed(411);
    let mut course = super::course(seed, simulate::world::short());
    course.config.resend_every = 100_000;
    let mut world = course.begin();
    world.longest_tick = 64;
    let white = world.seat_of(Color::White);
    let mut late = Vec::new();
    while world.players[white].count(Action::DemandSight) == 0 {
        world.step();
        late.extend(catch(&mut world, white));
    }
    while !world.is_over() {
        world.network.append(&mut late);
        world.refuse(white, Action::DemandSight);
        world.step();
    }
    finish(&mut world);
}

/// And where the sight doesn't come it is demanded again.
#[test]
fn a_demand_that_was_refused_is_made_again() {
    let seed = seed(421);
    let mut world = begin(seed);
    let white = world.seat_of(Color::White);
    while world.players[white].count(Action::DemandSight) < 3 {
        world.step();
        catch(&mut world, white);
        if world.players[white].count(Action::DemandSight) < 3 {
            world.refuse(white, Action::DemandSight);
        }
    }
    while !world.is_over() {
        world.step();
        catch(&mut world, white);
    }
    finish(&mut world);
}

/// The chain's time can be behind the machine's: then a bond is asked back too early, and has to be asked back again.
#[test]
fn a_bond_that_was_not_given_back_is_asked_back_again() {
    let seed = seed(431);
    let mut world = begin(seed);
    let (white, black) = (world.seat_of(Color::White), world.seat_of(Color::Black));
    let is_asked = |notice: &Notice| matches!(notice, Notice::SightDemanded { own: false, .. });
    while !world.players[black].shown.iter().any(is_asked) {
        world.step();
        catch(&mut world, white);
    }
    world.players[black].mischief = Some(simulate::world::Mischief::withhold(super::is_answer));
    world.tell(black, Event::Command(Command::Resign));
    run_for(&mut world, white);
    super::wins(&world, white, Outcome::Resigned);
    while world.players[white].count(Action::Reclaim) < 2 {
        world.step();
        if world.players[white].count(Action::Reclaim) < 2 {
            world.refuse(white, Action::Reclaim);
        }
    }
    let bond = |world: &World| world.players[white].count(Action::Reclaim);
    assert!(bond(&world) >= 2);
}
