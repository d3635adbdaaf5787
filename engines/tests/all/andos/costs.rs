//! What a sight costs: numbers of messages and bytes are those of docs/src/engine-andos.md; times are printed, not judged.
//! `FOGMATE_POSITIONS` sets how many positions of random games are measured, and `--nocapture` shows the table.

use crate::pair::{Pair, Position};
use engines::andos::Andos;
use fog::{
    engine::{BoxedParty, Engine, Exchange, Phase, Session},
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

/// Of each question its messages, and the bytes beyond packet, place and four bits of both sides.
type Each = [usize; 3];
const PLAIN: Each = [2, 0, 0];
pub const HARDENED: Each = [4, 12 + 32_800, 32 + 789_632];

/// Questions and messages of an exchange, and the bytes of its sender and its receiver, as the documents say.
pub fn documented(is_first: bool, each: Each, exchange: &Exchange) -> (usize, usize, [usize; 2]) {
    let [messages, more_sent, more_received] = each;
    let men = usize::from(exchange.men[exchange.receiver().index()]);
    let questions = questions(is_first, exchange.phase, men);
    let packets = if exchange.phase == Phase::Pre { 3 } else { 2 };
    let announced = if is_first { questions - 2 * men.min(8) - 7 * (packets - 2) } else { 0 };
    let sent = packets * PACKET + 32 * packets + questions * (1 + more_sent);
    (questions, 1 + messages * questions, [sent, questions * (PACKET + 1 + more_received) + announced])
}

#[test]
fn costs_are_those_of_the_documents() {
    let given = std::env::var("FOGMATE_POSITIONS").ok().and_then(|text| text.parse().ok());
    let mut rng = StdRng::seed_from_u64(seed(121));
    let mut engines: Vec<(Arc<dyn Engine>, usize, Each)> = vec![
        (Arc::new(Andos::IMPROVED), given.unwrap_or(2), PLAIN),
        (Arc::new(Andos::FIRST), given.unwrap_or(1), PLAIN),
    ];
    // Otherwise one exchange of it is made for all tests: `sights_are_right_and_come_again_by_replay`.
    engines.extend(given.map(|count| (Arc::new(Andos::HARDENED) as _, count, HARDENED)));
    println!("| engine | sight | questions | messages | bytes of sender | of receiver | ms of sender | of receiver |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    for (engine, count, each) in engines {
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
                let (questions, expected_messages, expected_bytes) = documented(name == "andos-first", each, &exchange);
                let mut sides = [Side::default(), Side::default()];
                let clock = Instant::now();
                let before = processor_time(&clock);
                let (sender, receiver, _) = pair.parties(&position, phase);
                sides[0].time += processor_time(&clock) - before;
                let messages = measure(sender, receiver, &mut sides);
                let bytes = [sides[0].bytes, sides[1].bytes];
                assert_eq!((messages, bytes), (expected_messages, expected_bytes));
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
