//! What a sight costs: numbers of messages and bytes are those of docs/src/engine-andos.md; times are printed, not judged.
//! `FOGMATE_POSITIONS` sets how many positions of random games are measured, and `--nocapture` shows the table.

use crate::pair::{Pair, Position};
use engines::andos::Andos;
use fog::{
    engine::{BoxedParty, Engine, Phase, Session},
    testing::{Walk, seed},
};
use rand::{SeedableRng, rngs::StdRng};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

const PACKET: usize = 65_536;

/// One side of an exchange: bytes that it sent, processor time of its steps.
#[derive(Default)]
struct Side {
    bytes: usize,
    time: Duration,
}

/// Runs an exchange step by step, and counts each side's.
fn measure(sender: BoxedParty<()>, receiver: BoxedParty<rules::Sight>, sides: &mut [Side; 2]) -> usize {
    let [sent, received] = sides;
    let (mut a, opening) = Session::start(sender, true);
    let (mut b, waiting) = Session::start(receiver, false);
    b.finish(waiting.run()).expect("it waits");
    let mut index = a.finish(opening.run()).expect("it opens");
    while let Some(number) = index {
        index = if number % 2 == 0 {
            step(&mut b, number, a.messages()[number].clone(), sent, received)
        } else {
            step(&mut a, number, b.messages()[number].clone(), received, sent)
        };
    }
    assert!(a.is_over() && b.is_over());
    a.messages().len()
}

fn step<T>(session: &mut Session<T>, index: usize, message: Vec<u8>, from: &mut Side, to: &mut Side) -> Option<usize> {
    from.bytes += message.len();
    let clock = Instant::now();
    let before = processor_time(&clock);
    let fog::engine::Received::Job(job) = session.receive(index, &message).expect("a right message") else {
        panic!("it is due");
    };
    let sent = session.finish(job.run()).expect("a right message");
    to.time += processor_time(&clock) - before;
    sent
}

/// Processor time of all threads of this process so far, as Linux counts it; elsewhere the time that has passed.
pub fn processor_time(since: &Instant) -> Duration {
    let threads = std::fs::read_dir("/proc/self/task").map(|threads| threads.flatten().collect::<Vec<_>>());
    let time = |thread: std::fs::DirEntry| {
        let text = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        text.split(' ').next()?.parse::<u64>().ok()
    };
    let times = threads.ok().map(|threads| threads.into_iter().filter_map(time).sum::<u64>());
    times.map_or_else(|| since.elapsed(), Duration::from_nanos)
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1000.0
}

/// Questions of an exchange whose receiver has `men` men, as the documents say.
fn questions(is_first: bool, phase: Phase, men: usize) -> usize {
    // The bounds of the men of the start, largest first.
    let bounds = [[27; 9].as_slice(), &[14, 14, 13, 13, 8, 8, 8]].concat();
    let general = if is_first { bounds.iter().take(men).sum() } else { 64 - men };
    general + 2 * men.min(8) + if phase == Phase::Pre { 7 } else { 0 }
}

#[test]
fn costs_are_those_of_the_documents() {
    let given = std::env::var("FOGMATE_POSITIONS").ok().and_then(|text| text.parse().ok());
    let mut rng = StdRng::seed_from_u64(seed(121));
    // Of each question: its messages, and the bytes beyond packet, place and four bits of both sides.
    let engines: [(Arc<dyn Engine>, usize, [usize; 3]); 3] = [
        (Arc::new(Andos::improved()), given.unwrap_or(2), [2, 0, 0]),
        (Arc::new(Andos::first()), given.unwrap_or(1), [2, 0, 0]),
        (Arc::new(Andos::hardened()), given.unwrap_or(1), [4, 12 + 32_800, 32 + 789_632]),
    ];
    println!("| engine | sight | questions | messages | bytes of sender | of receiver | ms of sender | of receiver |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    for (engine, count, [messages_each, more_sent, more_received]) in engines {
        let clock = Instant::now();
        let before = processor_time(&clock);
        let pair = Pair::set_up(engine, &mut rng);
        let set_up = processor_time(&clock) - before;
        let name = pair.engine.about().name;
        for phase in [Phase::Pre, Phase::Post] {
            let mut walk = Walk::start();
            let (mut times, mut largest) = ([Vec::new(), Vec::new()], (0, 0, [0, 0]));
            while times[0].len() < count {
                walk.advance(&mut rng);
                if walk.ply < 2 || walk.over {
                    continue;
                }
                let position = Position::of(&walk, &mut rng);
                let exchange = position.exchange(phase);
                let men = usize::from(exchange.men[exchange.receiver().index()]);
                let questions = questions(name == "andos-first", phase, men);
                let mut sides = [Side::default(), Side::default()];
                let clock = Instant::now();
                let before = processor_time(&clock);
                let (sender, receiver, _) = pair.parties(&position, phase);
                sides[0].time += processor_time(&clock) - before;
                let messages = measure(sender, receiver, &mut sides);
                assert_eq!(messages, 1 + messages_each * questions);
                let packets = if phase == Phase::Pre { 3 } else { 2 };
                let sent = packets * PACKET + 32 * packets + questions * (1 + more_sent);
                let announced = if name == "andos-first" { questions - 2 * men.min(8) - 7 * (packets - 2) } else { 0 };
                let received = questions * (PACKET + 1 + more_received) + announced;
                let bytes = [sides[0].bytes, sides[1].bytes];
                assert_eq!(bytes, [sent, received]);
                largest = largest.max((questions, messages, bytes));
                for (side, times) in sides.into_iter().zip(&mut times) {
                    times.push(side.time);
                }
            }
            let (questions, messages, [sent, received]) = largest;
            let [sender, receiver] = times.map(median);
            println!(
                "| {name} | {phase:?} | {questions} | {messages} | {sent} | {received} | {sender:.0} | {receiver:.0} |"
            );
        }
        println!("{name}: set-up {} ms, both sides", set_up.as_millis());
    }
}
