//! The simulator isn't blind: each promise is broken on purpose by one player that counts as honest, and the world says which.

use alloy::primitives::U256;
use client::journal::Entry;
use client::seat::Effect;
use game::{Action, Message, Notice, Phase, Transaction};
use halo2curves::bn256::Fr;
use rules::{Color, PieceType, Seen, Square};
use simulate::run::watched;
use simulate::world::{Course, Engines, Mischief, Players, TERMS, Weather, World, short};

fn course() -> Course {
    let course = Course::new(7, short()).open();
    Course { terms: game::Terms { base: 1_000, delay: 300, window: 400, reveal: 300, ..TERMS }, ..course }
}

/// A world in which time passes quickly, with the white player's place.
fn begin(course: &Course) -> (World, usize) {
    let mut world = course.begin();
    world.longest_tick = 64;
    let white = world.seat_of(Color::White);
    (world, white)
}

fn finish(world: &mut World) {
    while !world.is_over_for_honest() {
        world.step();
    }
    world.check_ending();
    world.check_settlement();
}

/// What the world says to a game of white with a defect.
fn found(course: &Course, prepare: impl FnOnce(&mut World, usize)) -> String {
    let (mut world, white) = begin(course);
    let said = watched(|| {
        prepare(&mut world, white);
        finish(&mut world);
    });
    said.expect_err("the world finds nothing")
}

fn expect(said: &str, wanted: &str) {
    assert!(said.contains(wanted), "{said}");
}

fn has_defect(world: &mut World, i: usize, effects: Mischief) {
    world.players[i].defect.effects = Some(effects);
}

#[test]
fn without_a_defect_nothing_is_found() {
    let (mut world, _) = begin(&course());
    assert_eq!(watched(|| finish(&mut world)), Ok(()));
}

#[test]
fn a_sight_given_before_its_move_is_final_is_found() {
    let mut course = course();
    course.weather = Weather { confirmation: 60, ..Weather::default() };
    let said = found(&course, |world, white| world.players[1 - white].defect.trusts_blocks = true);
    expect(&said, "before its move is final");
}

#[test]
fn a_second_signature_for_a_ply_is_found() {
    // The first stays under way until the second is signed.
    let weather = Weather { inclusion: 200, ..Weather::default() };
    let course = Course { script: Players::Random { plies: 8 }, weather, ..course() };
    let said = found(&course, |world, white| {
        while world.players[white].count(Action::Move) == 0 {
            world.step();
        }
        let is_forgotten = |entry: &Entry| matches!(entry, Entry::Signed { .. } | Entry::Chosen { .. });
        world.players[white].journal.retain(|_, entry| !is_forgotten(entry));
        world.players[white].mood = 99;
        world.crash(white, true);
    });
    expect(&said, "a second, different move was signed");
}

#[test]
fn a_user_that_isn_t_told_of_its_signed_move_is_found() {
    let weather = Weather { inclusion: 200, otherwise: 100, ..Weather::default() };
    let said = found(&Course { weather, ..course() }, |world, white| {
        has_defect(world, white, Mischief::withhold(|effect| matches!(effect, Effect::Notify(Notice::Refused { .. }))));
        while world.players[white].count(Action::Move) == 0 {
            world.step();
        }
        world.crash(white, true);
    });
    expect(&said, "isn't told that e2e4 is signed");
}

/// A program that writes some entries only after what it sends next.
fn writes_late(is_late: impl Fn(&Entry) -> bool + Send + 'static) -> Mischief {
    let mut late = Vec::new();
    Mischief::new(move |effect| match effect {
        Effect::Journal(entry) if is_late(&entry) => {
            late.push(Effect::Journal(entry));
            Vec::new()
        }
        effect @ (Effect::SendTransaction(_) | Effect::SendMessage(_)) => {
            std::iter::once(effect).chain(late.drain(..)).collect()
        }
        effect => vec![effect],
    })
}

const UNWRITTEN: &str = " leaves before the journal has what it rests on";

#[test]
fn a_move_that_is_sent_before_it_is_written_is_found() {
    let said = found(&course(), |world, white| {
        has_defect(world, white, writes_late(|entry| matches!(entry, Entry::Signed { .. })));
    });
    expect(&said, &format!("SendTransaction(move 0){UNWRITTEN}"));
    // Another one than the journal has.
    let said = found(&course(), |world, white| {
        let offers = |effect: &mut Effect| {
            if let Effect::SendTransaction(Transaction::Move { fields, .. }) = effect {
                fields.offer_draw = true;
            }
        };
        has_defect(world, white, Mischief::alter(offers));
    });
    expect(&said, &format!("SendTransaction(move 0){UNWRITTEN}"));
}

#[test]
fn a_request_that_is_sent_before_its_move_is_written_is_found() {
    let said = found(&course(), |world, white| {
        let of_move = |effect: &Effect| {
            matches!(effect, Effect::Journal(Entry::Signed { .. }) | Effect::SendTransaction(Transaction::Move { .. }))
        };
        has_defect(world, white, Mischief::withhold(of_move));
    });
    expect(&said, &format!("SendMessage(request of ply 0){UNWRITTEN}"));
}

#[test]
fn a_sight_that_is_given_before_that_is_written_is_found() {
    for (cuts_link, wanted) in [(false, "SendMessage(answer "), (true, "SendTransaction(AnswerSight ")] {
        let said = found(&course(), |world, white| {
            has_defect(world, white, writes_late(|entry| matches!(entry, Entry::Released { .. })));
            if cuts_link {
                world.cut_link();
            }
        });
        assert!(said.contains(wanted) && said.contains(UNWRITTEN), "{said}");
    }
}

#[test]
fn a_reply_that_leaves_before_the_question_is_written_is_found() {
    let is_of_session = |entry: &Entry| matches!(entry, Entry::Received(Message::Session { .. }));
    for (engine, wanted) in [(Engines::Sessions, "of the sight "), (Engines::Greeting, "of the set-up")] {
        let said = watched(|| {
            let mut world = course().unproven(engine).join();
            world.autoplay = true;
            for i in 0..2 {
                has_defect(&mut world, i, writes_late(is_of_session));
            }
            finish(&mut world);
        });
        let said = said.expect_err("the world finds nothing");
        assert!(said.contains(wanted) && said.contains(UNWRITTEN), "{said}");
    }
}

#[test]
fn a_second_sight_for_a_ply_is_found() {
    let said = found(&course(), |world, white| {
        let twice = |effect: Effect| match effect {
            Effect::SendMessage(message @ Message::Answer { .. }) => {
                let mut other = message.clone();
                if let Message::Answer { elements, .. } = &mut other {
                    elements[3] += Fr::one();
                }
                vec![Effect::SendMessage(message), Effect::SendMessage(other)]
            }
            effect => vec![effect],
        };
        has_defect(world, white, Mischief::new(twice));
    });
    expect(&said, "two sights of one ply are given");
}

#[test]
fn a_square_that_the_rules_don_t_show_is_found() {
    let said = found(&course(), |world, white| {
        let shows = |effect: &mut Effect| {
            if let Effect::Notify(Notice::View(view)) = effect
                && let Some(sight) = &mut view.sight
            {
                let king: Square = "e8".parse().expect("a square");
                sight.squares[king.index()] = Seen::Piece(PieceType::King);
            }
        };
        has_defect(world, white, Mischief::alter(shows));
    });
    expect(&said, "assertion `left == right` failed");
    expect(&said, "watch.rs");
}

#[test]
fn a_loss_by_protocol_is_found() {
    let said = found(&course(), |world, white| {
        let moves = |effect: &Effect| matches!(effect, Effect::SendTransaction(Transaction::Move { .. }));
        has_defect(world, white, Mischief::withhold(moves));
    });
    let wanted = ["has lost: time forfeit", "beaten by the protocol: time forfeit"];
    assert!(wanted.iter().any(|wanted| said.contains(wanted)), "{said}");
}

#[test]
fn a_game_that_nobody_can_end_is_found() {
    let said = found(&course(), |world, _| {
        for i in 0..2 {
            has_defect(world, i, Mischief::withhold(|effect| matches!(effect, Effect::SendTransaction(_))));
        }
    });
    expect(&said, "the game hangs");
}

#[test]
fn money_that_appears_or_vanishes_is_found() {
    let changes: [fn(U256) -> U256; 2] = [|balance| balance + U256::ONE, |balance| balance - U256::ONE];
    for change in changes {
        let said = found(&course(), |world, _| world.chain.forge(change));
        expect(&said, "the contract's money doesn't add up");
    }
}

#[test]
fn a_bond_that_is_never_asked_back_is_found() {
    let mut course = course();
    course.config.demand_post = false;
    let said = found(&course, |world, white| {
        let asks = |effect: &Effect| matches!(effect, Effect::SendTransaction(Transaction::Reclaim(_)));
        has_defect(world, white, Mischief::withhold(asks));
        while world.players[white].count(Action::Move) < 1 {
            world.step();
        }
        world.cut_link();
        let silent = |effect: &Effect| matches!(effect, Effect::SendTransaction(Transaction::AnswerSight { .. }));
        world.players[1 - white].mischief = Some(Mischief::withhold(silent));
    });
    expect(&said, "never gets its bond back");
}

#[test]
fn a_wrong_answer_of_an_honest_player_is_found() {
    let said = found(&course(), |world, white| {
        let mut is_first = true;
        has_defect(
            world,
            white,
            Mischief::new(move |mut effect| {
                if let Effect::SendMessage(Message::Answer { elements, phase: Phase::Pre, .. }) = &mut effect
                    && std::mem::take(&mut is_first)
                {
                    elements[3] += Fr::one();
                }
                vec![effect]
            }),
        );
    });
    assert!(said.contains("is accused") || said.contains("two sights of one ply"), "{said}");
}

#[test]
fn a_transaction_that_the_contract_can_t_take_is_found() {
    let said = found(&course(), |world, white| {
        let spoils = |effect: &mut Effect| {
            if let Effect::Journal(Entry::Signed { proof, .. })
            | Effect::SendTransaction(Transaction::Move { proof, .. }) = effect
            {
                proof[40] ^= 1;
            }
        };
        has_defect(world, white, Mischief::alter(spoils));
    });
    expect(&said, "InvalidProof");
}

#[test]
fn what_is_given_to_a_false_move_is_found() {
    let said = found(&Course { is_gullible: true, ..course() }, |world, white| {
        world.players[1 - white].defect.believes_moves = true;
        let spoils = |effect: &mut Effect| {
            if let Effect::SendTransaction(Transaction::Move { proof, .. }) = effect {
                proof[40] ^= 1;
            }
        };
        world.players[white].mischief = Some(Mischief::alter(spoils));
    });
    assert!(said.contains("false move") || said.contains("after a false one"), "{said}");
}

#[test]
fn a_panic_is_found_also_where_a_job_catches_it() {
    let caught = watched(|| {
        let _ = std::panic::catch_unwind(|| panic!("in a job"));
    });
    expect(&caught.expect_err("a panic"), "in a job");
    assert_eq!(watched(|| {}), Ok(()));
}
