//! What a user may say, and when: mistakes send nothing, a draw is offered and accepted.

use client::seat::{Effect, Event, Seat};
use fogmate_test::seed;
use game::secrets::GameSecrets;
use game::{Action, ChainEvent, Command, CommandError, MoveFields, Notice, Outcome, Transaction};
use halo2curves::bn256::Fr;
use rules::Color;
use simulate::world::{CONFIG, Weather, World, before_whites_second_move, engine, finish, short};

#[test]
fn a_user_s_mistakes_send_nothing() {
    let mut world = World::new(seed(81), short(), Weather::default());
    let white = world.seat_of(Color::White);
    world.autoplay = false;
    assert!(world.players[white].seat.can_move());
    let mut refuse = |who: usize, command, error: CommandError| {
        let effects = world.players[who].seat.apply(Event::Command(command));
        assert!(matches!(&effects[..], [Effect::Notify(Notice::Refused { error: said, .. })] if *said == error));
    };
    let play = |mv: &str| Command::Move { mv: mv.parse().expect("UCI"), offer_draw: false };
    let illegal = |mv: &str| CommandError::Illegal { mv: mv.parse().expect("UCI") };
    for mv in ["e2e5", "e1e2", "e7e5", "a1a5", "e2e4q"] {
        refuse(white, play(mv), illegal(mv));
    }
    refuse(1 - white, play("e7e5"), CommandError::NotYourTurn);
    refuse(white, Command::AcceptDraw, CommandError::NoDrawOffered);
    refuse(1 - white, Command::ClaimTimeout, CommandError::NotTimedOut);
    refuse(white, Command::PublishViewKey, CommandError::NotOver);
    refuse(white, Command::Withdraw, CommandError::NotOver);
    world.tell(white, Event::Command(play("e2e4")));
    world.tell(white, Event::Command(play("d2d4")));
    let mv = "e2e4".parse().expect("UCI");
    assert_eq!(
        world.players[white].shown.last(),
        Some(&Notice::Refused { id: None, error: CommandError::AlreadyChosen { mv } })
    );
    world.autoplay = true;
    finish(&mut world);
}

#[test]
fn a_draw_is_offered_and_accepted() {
    let mut world = World::new(seed(81), short(), Weather::default());
    let white = world.seat_of(Color::White);
    world.autoplay = false;
    assert!(world.players[white].seat.can_move());
    let mv = "e2e4".parse().expect("UCI");
    world.tell(white, Event::Command(Command::Move { mv, offer_draw: true }));
    while world.players[1 - white].seat.table().begun().expect("in play").ply < 1 {
        world.step();
    }
    // Its proof is verified first.
    world.tell(1 - white, Event::Command(Command::AcceptDraw));
    assert_eq!(
        world.players[1 - white].shown.last(),
        Some(&Notice::Refused { id: None, error: CommandError::NotVerified })
    );
    world.settle(1 - white);
    // Who starts again is told that it stands.
    world.crash(1 - white, true);
    world.settle(1 - white);
    let is_offer =
        |notice: &Notice| matches!(notice, Notice::OpponentMoved { ply: 0, capture: None, draw_offered: true, .. });
    assert_eq!(world.players[1 - white].shown.iter().filter(|notice| is_offer(notice)).count(), 2);
    world.tell(1 - white, Event::Command(Command::AcceptDraw));
    world.run();
    let ending = world.players[white].seat.table().ending().expect("over");
    assert_eq!((ending.winner, ending.outcome), (None, Outcome::DrawAgreed));
}

#[test]
fn a_seat_that_lost_its_state_acts_on_no_stale_sight() {
    let (mut world, white) = before_whites_second_move(seed(81));
    let seat = &mut world.players[white].seat;
    let [me, other] = seat.table().begun().expect("in play").players;
    let moved = |player, ply| {
        let [next_commitment, next_request_root, answer_root] = [7, 8, 9].map(Fr::from);
        let fields = MoveFields {
            ply,
            next_commitment,
            next_request_root,
            answer_root,
            capture: None,
            king_fell: false,
            offer_draw: true,
        };
        Event::Final(ChainEvent::Moved { player, fields, basis: None, proof: None })
    };
    // A move that no secret of this wallet leads to, and the opponent's next.
    let _ = seat.apply(moved(me, 2));
    let _ = seat.apply(moved(other, 3));
    assert!(!seat.can_move());
    assert_eq!(seat.view().expect("a board").sight, None);
    let effects = seat.apply(Event::Command(Command::AcceptDraw));
    assert!(
        matches!(&effects[..], [Effect::Notify(Notice::Refused { id: None, error: CommandError::SightNotProven })]),
        "{effects:?}"
    );
    let effects = seat.apply(Event::Command(Command::DontWait));
    assert!(
        matches!(&effects[..], [Effect::Notify(Notice::Refused { id: None, error: CommandError::NothingToSkip })]),
        "{effects:?}"
    );
    // To resign hangs on nothing that could be unproven: the contract allows it at any time, and so does the seat.
    let effects = seat.apply(Event::Command(Command::Resign));
    assert!(matches!(&effects[..], [Effect::SendTransaction(Transaction::Resign)]), "{effects:?}");
}

/// The secrets that its wallet gives may not be those that the game was registered with.
#[test]
fn a_seat_that_can_t_be_set_up_takes_no_move() {
    let world = World::new(seed(81), short(), Weather::default());
    let white = &world.players[world.seat_of(Color::White)];
    let (me, game) = (white.me, *white.seat.table().game());
    let foreign = GameSecrets::derive(&[7; 32], &game.game_id);
    let mut seat = Seat::new(me, foreign, engine(&world.oracle), game, CONFIG);
    let mut told: Vec<Effect> =
        world.chain.log.iter().flat_map(|logged| seat.apply(Event::Final(logged.event.clone()))).collect();
    // Whoever it is, it has revealed a share that the contract refuses.
    told.retain(|effect| !matches!(effect, Effect::SendTransaction(tx) if tx.action() == Action::Reveal));
    assert!(matches!(&told[..], [Effect::Notify(Notice::Failed { .. })]), "{told:?}");
    assert!(!seat.can_move());
    let mv = "e2e4".parse().expect("UCI");
    let effects = seat.apply(Event::Command(Command::Move { mv, offer_draw: false }));
    assert!(
        matches!(&effects[..], [Effect::Notify(Notice::Refused { id: None, error: CommandError::NotSetUp })]),
        "{effects:?}"
    );
}
