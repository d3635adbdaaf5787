//! One suite for every sight engine, over `dyn Engine`: a new engine is one more line in [`engines`].
//!
//! Here what all must give: the rules' sight of positions of random games and of the oracle's, sizes that tell nothing, receivers
//! that come back by replay. Wrong messages are in `faults`, wrong requests and registrations in `requests`, whole games with the
//! proofs of moves in `games`, what is found out after the game in `replays`, what is measured in `costs`,
//! the driver alone in `driver`.

mod costs;
mod driver;
pub mod faults;
mod games;
mod golden;
mod open_engine;
mod replays;
mod requests;

use crate::pair::{self, Pair, Position, deliver, step};
use engines::testing::NativeSetProofs;
use fog::{
    engine::{Engine, Exchange, MessageSize, Phase, Session, SightLines},
    testing::{NativeProofs, Walk, cases, seed},
};
use open_engine::Open;
use rand::{SeedableRng, rngs::StdRng};
use rules::{Color, Sight};
use std::{collections::BTreeMap, sync::Arc};

/// All engines that are tested, but for andos-chained: its exchanges must be those of one game, in order (tests/andos/chained.rs).
fn engines() -> Vec<Arc<dyn Engine>> {
    let mut engines: Vec<Arc<dyn Engine>> = vec![Arc::new(SightLines::new(Arc::new(NativeProofs))), Arc::new(Open)];
    engines.push(Arc::new(engines::dh_psi::proven(NativeSetProofs)));
    engines.extend(engines::testing::all());
    engines
}

/// All of them but `andos-hardened`, a sight of which takes seconds on all cores, and which says what `andos` says and proves it: one exchange of
/// each phase serves all that is asked of its messages (tests/andos/hardened.rs).
fn quick_engines() -> Vec<Arc<dyn Engine>> {
    engines().into_iter().filter(|engine| engine.about().name != "andos-hardened").collect()
}

/// How many of `count` drawn cases an engine is given: those whose sight takes seconds get fewer.
fn share(engine: &dyn Engine, count: usize) -> usize {
    cases(count).div_ceil(slowness(engine))
}

/// About how many times as long an engine's sight takes as the others'.
fn slowness(engine: &dyn Engine) -> usize {
    match engine.about().name {
        "andos-first" => 10,
        "dh-psi-proven" => 4,
        "bfv" => 20,
        _ => 1,
    }
}

const PHASES: [Phase; 2] = [Phase::Pre, Phase::Post];

/// Positions of random games in which both exchanges have happened, for both players to be on the move.
fn positions(rng: &mut StdRng, count: usize) -> Vec<Position> {
    let mut walk = Walk::start();
    let mut found = Vec::new();
    while found.len() < count {
        walk.advance(rng);
        if walk.ply >= 2 && !walk.over {
            found.push(Position::of(&walk, rng));
        }
    }
    found
}

/// All that may decide a shape.
fn public(exchange: &Exchange) -> (Phase, usize, [u8; 2]) {
    (exchange.phase, exchange.receiver().index(), exchange.men)
}

#[test]
fn every_engine_gives_the_rules_sight() {
    let seed = seed(91);
    for engine in quick_engines() {
        let mut rng = StdRng::seed_from_u64(seed);
        let count = share(&*engine, 40);
        let pair = Pair::set_up(engine, &mut rng);
        let mut shapes: BTreeMap<_, Vec<MessageSize>> = BTreeMap::new();
        for position in positions(&mut rng, count) {
            for phase in PHASES {
                let exchange = position.exchange(phase);
                let (sender, receiver, _) = pair.parties(&position, phase);
                let shape = receiver.shape();
                let known = shapes.entry(public(&exchange)).or_insert_with(|| shape.clone());
                assert!(*known == shape, "{exchange:?}");
                let largest = shape.iter().map(|size| size.total()).max();
                assert!(largest <= Some(pair.engine.about().max_message));
                let (_, receiver) = pair::run(sender, receiver);
                let sizes = receiver.messages().iter().map(Vec::len);
                assert!(sizes.eq(shape.iter().map(|size| size.total())));
                let name = pair.engine.about().name;
                let right = position.sight(phase);
                assert_eq!(receiver.output(), Some(&right), "{name}: {exchange:?}");
            }
        }
    }
}

/// The boards of test/data/positions.jsonl as the independent oracle draws them.
#[test]
fn every_engine_gives_the_oracle_s_boards() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../test/data/positions.jsonl");
    let text = std::fs::read_to_string(path).expect("the file is there");
    let mut rng = StdRng::seed_from_u64(seed(93));
    for engine in quick_engines() {
        let count = share(&*engine, 20);
        let pair = Pair::set_up(engine, &mut rng);
        for line in text.lines().step_by(600 / count) {
            let record: serde_json::Value = serde_json::from_str(line).expect("a record");
            let fen = record["fen"].as_str().expect("a FEN");
            let truth = rules::Position::from_fen(fen).expect("a position");
            let sides = Color::ALL.map(|color| truth.side(color).clone());
            let walk = Walk::from_sides(sides, truth.turn());
            let position = Position::of(&walk, &mut rng);
            for (phase, color) in [(Phase::Pre, truth.turn()), (Phase::Post, !truth.turn())] {
                let (_, receiver) = pair.exchange(&position, phase);
                let sight = receiver.output().expect("a sight");
                let seen = rules::board::line(truth.side(color), sight);
                let name = ["white", "black"][color.index()];
                assert_eq!(record[name], seen, "{fen} {name}");
            }
        }
    }
}

/// What the suite would find if the boards were stale, or en passant on in *post*: the right sight differs from both somewhere.
#[test]
fn a_stale_board_and_en_passant_after_the_move_would_be_found() {
    let mut rng = StdRng::seed_from_u64(seed(94));
    for engine in quick_engines() {
        let wanted = share(&*engine, 3);
        let pair = Pair::set_up(engine, &mut rng);
        let (mut stale, mut passing) = (0, 0);
        for position in positions(&mut rng, 4000) {
            let to_move = Color::of_ply(position.ply);
            let (mover, other) = (position.own(to_move), position.own(!to_move));
            let wrong = [
                Sight::between(&mover.side, &other.side, true),
                Sight::between(&other.side, &mover.side.without(position.pending), true),
            ];
            for ((phase, wrong), found) in PHASES.into_iter().zip(wrong).zip([&mut stale, &mut passing]) {
                if wrong == position.sight(phase) || *found == wanted {
                    continue;
                }
                *found += 1;
                let (_, receiver) = pair.exchange(&position, phase);
                assert_ne!(receiver.output(), Some(&wrong), "{phase:?}");
                assert_eq!(receiver.output(), Some(&position.sight(phase)));
            }
        }
        assert_eq!([stale, passing], [wanted; 2]);
    }
}

/// A receiver that a restart lost stands again where it stood once it is given what it had received.
#[test]
fn receivers_come_back_by_replay() {
    let mut rng = StdRng::seed_from_u64(seed(95));
    for engine in quick_engines() {
        let count = share(&*engine, 4);
        let pair = Pair::set_up(engine, &mut rng);
        for position in positions(&mut rng, count) {
            for phase in PHASES {
                let (sender, receiver, root) = pair.parties(&position, phase);
                let (_, lost) = pair::run(sender, receiver);
                let exchange = position.exchange(phase);
                let color = exchange.receiver();
                let promised = (phase == Phase::Pre).then_some(root);
                let party = pair.of(color).receiver(&exchange, position.own(color), promised).expect("an own exchange");
                let (mut again, first) = Session::start(party, false);
                // All at once, before the first step has run.
                for (index, message) in lost.messages().iter().enumerate().step_by(2) {
                    assert_eq!(deliver(&mut again, index, message).expect("held"), None);
                }
                step(&mut again, first).expect("it waits");
                while let Some(job) = again.resume().expect("right messages") {
                    step(&mut again, job).expect("right messages");
                }
                assert_eq!(again.output(), lost.output());
                assert_eq!(again.messages(), lost.messages());
            }
        }
    }
}

#[test]
fn engines_say_what_they_are() {
    let engines = engines();
    let names: Vec<_> = engines.iter().map(|engine| engine.about().name).collect();
    assert_eq!(
        names,
        [
            "sight-lines",
            "open",
            "dh-psi-proven",
            "dh-psi-plain",
            "dh-psi",
            "emanant",
            "andos",
            "andos-first",
            "andos-hardened",
            "bfv"
        ]
    );
    for engine in engines {
        assert!(!engine.about().caveat.is_empty());
    }
}
