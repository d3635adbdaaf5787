//! Results of jobs are matched by their number alone: one that comes late, for something that isn't wanted any more, is
//! attached to nothing.

use client::journal::Entry;
use client::seat::{Done, Event, Job, JobId, JobKind};
use fog::engine::Fault;
use fogmate_test::seed;
use game::{ChainEvent, Command, Message, MessageKind, MoveFields, Notice, Phase};
use rules::Color;
use simulate::world::{Weather, World, before_whites_second_move, short};

fn choose(world: &mut World, who: usize, mv: &str) {
    let mv = mv.parse().expect("UCI");
    let offer_draw = false;
    world.tell(who, Event::Command(Command::Move { mv, offer_draw }));
}

/// White may choose its second move, has the request that its answer needs, and nobody moves by itself.
fn ready_for_whites_second_move() -> (World, usize) {
    let (mut world, white) = before_whites_second_move(seed(91));
    // White gets Black's request, so that its move carries an answer.
    while let Some(place) = world.network.iter().position(|(to, _)| *to == white) {
        let (_, message) = world.network.remove(place);
        world.tell(white, Event::Received(message));
    }
    world.settle(white);
    world.autoplay = false;
    (world, white)
}

#[test]
fn the_late_answer_of_an_abandoned_choice_is_given_to_no_other() {
    let (mut world, white) = ready_for_whites_second_move();
    choose(&mut world, white, "f1b5");
    let (mut proof, mut answer) = (None, None);
    for (id, job) in world.players[white].take_jobs() {
        match job.kind {
            JobKind::ProveMove(_) => proof = Some(id),
            JobKind::Give(_) => answer = Some((id, job)),
            _ => {}
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

#[test]
fn the_late_proof_of_an_abandoned_choice_signs_no_other() {
    let (mut world, white) = ready_for_whites_second_move();
    choose(&mut world, white, "f1b5");
    let mut jobs = world.players[white].take_jobs().into_iter();
    let (late, job) = jobs.find(|(_, job)| matches!(job.kind, JobKind::ProveMove(_))).expect("a proof under way");
    let proof = job.run();
    world.tell(white, Event::Done(late, Done::ProveMove(Err(Fault::internal("out of memory")))));
    choose(&mut world, white, "d2d4");
    world.tell(white, Event::Done(late, proof));
    let is_signed = |entry: &Entry| matches!(entry, Entry::Signed { fields, .. } if fields.ply == 2);
    assert!(!world.players[white].journal.values().any(is_signed));
    assert_eq!(world.players[white].seat.chosen().map(|mv| mv.to_string()).as_deref(), Some("d2d4"));
}

/// Whether White is shown anything when the sight after its first move is proven once that holds.
fn is_shown_late(is_late: impl Fn(&World, usize) -> bool) -> bool {
    let mut world = World::new(seed(91), short(), Weather::default());
    let white = world.seat_of(Color::White);
    let is_wanted = |message: &Message| {
        let id = message.id();
        (id.kind, id.ply, id.phase) == (MessageKind::Answer, 0, Phase::Post)
    };
    let place = loop {
        match world.network.iter().position(|(to, message)| *to == white && is_wanted(message)) {
            Some(place) => break place,
            None => world.step(),
        }
    };
    let (_, answer) = world.network.remove(place);
    world.settle(white);
    world.tell(white, Event::Received(answer));
    let mut jobs = world.players[white].take_jobs().into_iter();
    let (late, job) = jobs.find(|(_, job)| matches!(job.kind, JobKind::Receive(_))).expect("a sight under way");
    while !is_late(&world, white) {
        world.step();
    }
    let before = world.players[white].shown.len();
    world.tell(white, Event::Done(late, job.run()));
    world.players[white].shown[before..].iter().any(|notice| matches!(notice, Notice::View(_)))
}

#[test]
fn a_late_sight_after_a_move_is_shown_on_no_later_board() {
    let moved = |notice: &Notice| matches!(notice, Notice::Moved { ply: 2, .. });
    assert!(!is_shown_late(|world, white| world.players[white].shown.iter().any(moved)), "the next move is made");
    let chooses = |notice: &Notice| matches!(notice, Notice::View(view) if view.ply == 2 && !view.legal.is_empty());
    assert!(!is_shown_late(|world, white| world.players[white].shown.iter().any(chooses)), "the next move is chosen");
    let has_moved = |notice: &Notice| matches!(notice, Notice::OpponentMoved { ply: 1, .. });
    assert!(is_shown_late(|world, white| world.players[white].shown.iter().any(has_moved)), "there is nothing newer");
}

/// Black when White's second move is signed but in no block yet: the request that goes with it has come.
fn before_whites_second_move_is_seen() -> (World, usize, MoveFields) {
    let (mut world, white) = ready_for_whites_second_move();
    let black = 1 - white;
    choose(&mut world, white, "f1b5");
    world.settle(white);
    let entry = world.players[white].journal.values().find_map(|entry| match entry {
        Entry::Signed { fields, .. } if fields.ply == 2 => Some(*fields),
        _ => None,
    });
    let fields = entry.expect("White has signed its move");
    world.players[black].take_jobs();
    let is_request = |message: &Message| (message.id().kind, message.id().ply) == (MessageKind::Request, 2);
    let place = world.network.iter().position(|(to, message)| *to == black && is_request(message));
    let (_, request) = world.network.remove(place.expect("the request goes with the move"));
    world.network.clear();
    world.tell(black, Event::Received(request));
    (world, black, fields)
}

/// The job that makes an answer, if there is one.
fn giving(world: &mut World, who: usize) -> Option<(JobId, Job)> {
    world.players[who].take_jobs().into_iter().find(|(_, job)| matches!(job.kind, JobKind::Give(_)))
}

fn has_answered(world: &World, who: usize) -> bool {
    world.network.iter().any(|(to, message)| *to != who && message.id().kind == MessageKind::Answer)
}

#[test]
fn an_answer_is_made_when_the_move_is_in_a_block_and_leaves_when_it_is_final() {
    let (mut world, black, fields) = before_whites_second_move_is_seen();
    assert!(giving(&mut world, black).is_none(), "nothing is answered before the move is in a block");
    world.tell(black, Event::Seen(fields));
    let (id, job) = giving(&mut world, black).expect("the answer is made at once");
    assert!(world.players[black].seat.awaits(id));
    world.tell(black, Event::Done(id, job.run()));
    assert!(!has_answered(&world, black), "the move may yet be another");
    world.mine_for_good();
    world.hear(black);
    assert!(has_answered(&world, black));
    assert!(giving(&mut world, black).is_none(), "it isn't made again");
}

#[test]
fn an_answer_to_a_move_that_another_replaced_never_leaves() {
    let (mut world, black, fields) = before_whites_second_move_is_seen();
    world.tell(black, Event::Seen(fields));
    let (id, job) = giving(&mut world, black).expect("the answer is made at once");
    world.tell(black, Event::Dropped { ply: fields.ply });
    assert!(!world.players[black].seat.awaits(id), "nobody waits for it any more");
    world.tell(black, Event::Done(id, job.run()));
    let player = world.players[1 - black].me;
    let replaced = MoveFields { next_commitment: fields.next_commitment.double(), ..fields };
    world.tell(black, Event::Final(ChainEvent::Moved { player, fields: replaced, basis: None, proof: None }));
    assert!(!has_answered(&world, black));
    let (other, _) = giving(&mut world, black).expect("the answer to the move that is final is made");
    assert!(other != id && world.players[black].seat.awaits(other));
}

#[test]
fn an_answer_to_a_move_that_gives_way_unseen_never_leaves() {
    let (mut world, black, fields) = before_whites_second_move_is_seen();
    world.tell(black, Event::Seen(fields));
    let (id, job) = giving(&mut world, black).expect("the answer is made at once");
    let player = world.players[1 - black].me;
    let replaced = MoveFields { next_commitment: fields.next_commitment.double(), ..fields };
    world.tell(black, Event::Final(ChainEvent::Moved { player, fields: replaced, basis: None, proof: None }));
    assert!(!world.players[black].seat.awaits(id));
    world.tell(black, Event::Done(id, job.run()));
    assert!(!has_answered(&world, black));
}

#[test]
fn a_request_with_another_root_than_the_move_is_not_answered_early() {
    let (mut world, black, fields) = before_whites_second_move_is_seen();
    let other = MoveFields { next_request_root: fields.next_request_root.double(), ..fields };
    world.tell(black, Event::Seen(other));
    assert!(giving(&mut world, black).is_none());
}

fn answers(world: &World, who: usize) -> usize {
    world.network.iter().filter(|(to, message)| *to != who && message.id().kind == MessageKind::Answer).count()
}

#[test]
fn no_answer_is_made_to_the_move_that_takes_the_king() {
    let (mut world, black, fields) = before_whites_second_move_is_seen();
    let last = MoveFields { king_fell: true, capture: Some("e8".parse().unwrap()), ..fields };
    world.tell(black, Event::Seen(last));
    assert!(giving(&mut world, black).is_none(), "the game is over with this move: nobody is owed a sight");
}

#[test]
fn a_want_gets_no_answer_before_the_move_is_final() {
    let (mut world, black, fields) = before_whites_second_move_is_seen();
    world.tell(black, Event::Seen(fields));
    let (id, job) = giving(&mut world, black).expect("made at once");
    world.tell(black, Event::Received(Message::Want { ply: 2, phase: Phase::Post }));
    assert!(!has_answered(&world, black));
    world.tell(black, Event::Done(id, job.run()));
    for _ in 0..3 {
        world.tell(black, Event::Received(Message::Want { ply: 2, phase: Phase::Post }));
        world.tell(black, Event::Connected);
        world.tick(5);
    }
    assert!(!has_answered(&world, black));
}

#[test]
fn seen_again_and_again() {
    let (mut world, black, fields) = before_whites_second_move_is_seen();
    let other = MoveFields { next_commitment: fields.next_commitment.double(), ..fields };
    let captures = MoveFields { capture: Some("d7".parse().unwrap()), ..fields };
    let mut made = Vec::new();
    for seen in [fields, fields, other, other, captures, fields, MoveFields { ply: 4, ..fields }] {
        world.tell(black, Event::Seen(seen));
        made.extend(giving(&mut world, black));
    }
    world.tell(black, Event::Dropped { ply: 4 });
    world.tell(black, Event::Dropped { ply: 0 });
    let awaited: Vec<bool> = made.iter().map(|(id, _)| world.players[black].seat.awaits(*id)).collect();
    assert_eq!(awaited.iter().filter(|awaited| **awaited).count(), 1, "{awaited:?}");
    assert!(awaited.last().unwrap());
    for (id, job) in made {
        world.tell(black, Event::Done(id, job.run()));
    }
    assert!(!has_answered(&world, black));
    world.mine_for_good();
    world.hear(black);
    assert_eq!(answers(&world, black), 1);
}

#[test]
fn another_early_request_after_the_answer_was_made() {
    let (mut world, black, fields) = before_whites_second_move_is_seen();
    let white = 1 - black;
    world.tell(black, Event::Seen(fields));
    let (id, job) = giving(&mut world, black).expect("made at once");
    world.tell(black, Event::Done(id, job.run()));
    // Some other request of White, for another state.
    let own = game::OwnState::start(Color::White);
    let _ = own;
    let standing = world.players[black].journal.values().find_map(|entry| match entry {
        Entry::Received(Message::Request { points, .. }) => Some(points.clone()),
        _ => None,
    });
    let wrong = Message::Request { ply: 2, points: standing.expect("the request of ply 0") };
    world.tell(black, Event::Received(wrong.clone()));
    assert!(giving(&mut world, black).is_none());
    world.mine_for_good();
    world.hear(black);
    assert_eq!(answers(&world, black), 1, "the answer to the request on chain leaves");
    world.network.clear();
    // The right request is still wanted, and comes.
    world.tell(white, Event::Received(Message::Want { ply: 2, phase: Phase::Pre }));
    let place = world.network.iter().position(|(to, m)| *to == black && m.id().kind == MessageKind::Request);
    let (_, request) = world.network.remove(place.expect("White has it"));
    world.tell(black, Event::Received(request));
    assert_eq!(answers(&world, black), 0);
    assert!(giving(&mut world, black).is_none(), "it isn't made again");
}

/// Black, killed when its early answer is made, owes it again.
#[test]
fn the_same_move_in_another_block() {
    let (mut world, black, fields) = before_whites_second_move_is_seen();
    world.tell(black, Event::Seen(fields));
    let (first, job) = giving(&mut world, black).expect("made at once");
    world.tell(black, Event::Done(first, job.run()));
    world.tell(black, Event::Dropped { ply: 2 });
    world.mine_for_good();
    world.hear(black);
    // Final without having been seen again at this side's pace.
    let again = giving(&mut world, black);
    assert!(again.is_some() || answers(&world, black) == 1);
    if let Some((id, job)) = again {
        assert!(world.players[black].seat.awaits(id));
        world.tell(black, Event::Done(id, job.run()));
    }
    assert_eq!(answers(&world, black), 1);
}
