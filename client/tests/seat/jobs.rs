//! Results of jobs are matched by their number alone: one that comes late, for something that isn't wanted any more, is
//! attached to nothing.

use crate::world::{Weather, World, short};
use client::seat::{Done, Event, Job};
use fog::engine::Fault;
use fogmate_test::seed;
use game::{Command, Notice};
use rules::Color;

fn choose(world: &mut World, who: usize, mv: &str) {
    let mv = mv.parse().expect("UCI");
    let offer_draw = false;
    world.tell(who, Event::Command(Command::Move { mv, offer_draw }));
}

#[test]
fn the_late_answer_of_an_abandoned_choice_is_given_to_no_other() {
    let mut world = World::new(seed(91), short(), Weather::default());
    let white = world.seat_of(Color::White);
    let is_due = |world: &World| {
        let seat = &world.players[white].seat;
        seat.can_move() && seat.table().board().is_some_and(|board| board.ply == 2)
    };
    while !is_due(&world) {
        world.step();
    }
    // White gets Black's request, so that its move carries an answer.
    while let Some(place) = world.network.iter().position(|(to, _)| *to == white) {
        let (_, message) = world.network.remove(place);
        world.tell(white, Event::Received(message));
    }
    world.settle(white);
    world.autoplay = false;
    choose(&mut world, white, "f1b5");
    let (mut proof, mut answer) = (None, None);
    for (id, job) in world.players[white].take_jobs() {
        match job {
            Job::ProveMove { .. } => proof = Some(id),
            Job::Give(..) => answer = Some((id, job)),
            Job::Receive(..) => {}
        }
    }
    let (late, job) = answer.expect("an answer under way");
    let failed = Done::ProveMove(Err(Fault::internal("out of memory")));
    world.tell(white, Event::Done(proof.expect("a proof under way"), failed));
    choose(&mut world, white, "d2d4");
    world.tell(white, Event::Done(late, job.run()));

    let black = 1 - white;
    let mut left = 500;
    while !world.players[black].seat.can_move() {
        left -= 1;
        assert!(left > 0, "Black never gets its sight");
        world.step();
    }
    assert!(world.accusations(black).is_empty(), "{:?}", world.accusations(black));
    let moved = |notice: &Notice| matches!(notice, Notice::Moved { ply: 2, mv, .. } if mv.to_string() == "d2d4");
    assert!(world.players[white].shown.iter().any(moved));
}
