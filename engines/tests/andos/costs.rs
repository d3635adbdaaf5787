//! What a sight costs: messages and bytes are those of the documents; times are printed, not judged. `FOGMATE_POSITIONS` sets how many
//! positions of random games are measured.

use crate::pair::{Pair, Position};
use engines::andos::Andos;
use fog::{
    engine::{BoxedParty, Engine, Phase, Session, Work},
    testing::{Walk, seed},
};
use rand::{SeedableRng, rngs::StdRng};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// One side of an exchange: bytes that it sent, time of its steps.
#[derive(Default)]
struct Side {
    bytes: usize,
    time: Duration,
    work: Work,
}

/// Runs an exchange in this thread, with the clock on each step.
fn measure(sender: BoxedParty<()>, receiver: BoxedParty<rules::Sight>, sides: &mut [Side; 2]) -> usize {
    let [sent, received] = sides;
    let (mut a, opening) = Session::start(sender, true);
    let (mut b, waiting) = Session::start(receiver, false);
    b.finish(waiting.run()).expect("it waits");
    let clock = Instant::now();
    let mut index = a.finish(opening.run()).expect("it opens");
    sent.time += clock.elapsed();
    while let Some(number) = index {
        index = if number % 2 == 0 {
            step(&mut b, number, a.messages()[number].clone(), sent, received)
        } else {
            step(&mut a, number, b.messages()[number].clone(), received, sent)
        };
    }
    assert!(a.is_over() && b.is_over());
    (sent.work, received.work) = (a.work(), b.work());
    a.messages().len()
}

fn step<T>(session: &mut Session<T>, index: usize, message: Vec<u8>, from: &mut Side, to: &mut Side) -> Option<usize> {
    from.bytes += message.len();
    let clock = Instant::now();
    let fog::engine::Received::Job(job) = session.receive(index, &message).expect("a right message") else {
        panic!("it is due");
    };
    let sent = session.finish(job.run()).expect("a right message");
    to.time += clock.elapsed();
    sent
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1000.0
}

#[test]
fn costs_are_those_of_the_documents() {
    let given = std::env::var("FOGMATE_POSITIONS").ok().and_then(|text| text.parse().ok());
    let mut rng = StdRng::seed_from_u64(seed(121));
    let engines: [(Arc<dyn Engine>, usize); 3] = [
        (Arc::new(Andos::improved()), given.unwrap_or(3)),
        (Arc::new(Andos::first()), given.unwrap_or(1)),
        (Arc::new(Andos::hardened()), given.unwrap_or(1)),
    ];
    println!("| engine | phase | messages | sender's bytes | receiver's bytes | sender ms | receiver ms |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for (engine, count) in engines {
        let clock = Instant::now();
        let pair = Pair::set_up(engine, &mut rng);
        let name = pair.engine.about().name;
        let set_up = clock.elapsed();
        for phase in [Phase::Pre, Phase::Post] {
            let mut walk = Walk::start();
            let (mut times, mut bytes, mut counts) = ([Vec::new(), Vec::new()], [0, 0], Vec::new());
            let mut work = [Work::default(); 2];
            while counts.len() < count {
                walk.advance(&mut rng);
                if walk.ply < 2 || walk.over {
                    continue;
                }
                let position = Position::of(&walk, &mut rng);
                let clock = Instant::now();
                let (sender, receiver, _) = pair.parties(&position, phase);
                let mut sides = [Side::default(), Side::default()];
                sides[0].time += clock.elapsed();
                counts.push(measure(sender, receiver, &mut sides));
                for (side, Side { bytes: sent, time, work: done }) in sides.into_iter().enumerate() {
                    bytes[side] = sent.max(bytes[side]);
                    times[side].push(time);
                    work[side] = done;
                }
            }
            let (least, most) = (counts.iter().min(), counts.iter().max());
            let [sender, receiver] = times.map(median);
            println!(
                "| {name} | {phase:?} | {least:?} to {most:?} | {} | {} | {sender:.1} | {receiver:.1} |",
                bytes[0], bytes[1]
            );
            println!("last: {work:?}");
        }
        println!("{name}: set-up {set_up:?}, both sides");
    }
}
