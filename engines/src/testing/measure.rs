//! What an engine costs: set-up and sights of given positions, each side's processor time apart. Both players run in this process, one
//! step after the other, without a network; every sight is compared with the rules'.

use fog::{
    F,
    commitment::commit,
    engine::{
        BoxedParty, CommittedState, Engine, Exchange, Fault, Finished, Game, GameKeys, Phase, Received, Seed, Session,
        Word,
    },
    word::to_word,
};
use rules::{Color, Position, Sight};
use rustix::time::{ClockId, clock_gettime};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// What one set-up or one sight costs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// Messages, and a standing request if there is one.
    pub messages: usize,
    /// How often a player waits for an answer to what it sent: half the messages, rounded up.
    pub rounds: usize,
    /// Bytes that the opener sends: the sender's, or in a set-up White's.
    pub opener_bytes: usize,
    /// Bytes that the other player sends, with its standing request.
    pub other_bytes: usize,
    /// The opener's processor time, all threads.
    pub opener_cpu: Duration,
    pub other_cpu: Duration,
    /// Time from start to end.
    pub wall: Duration,
}

/// What an engine costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measurement {
    pub set_up: Cost,
    /// The first sight in this process, tables made once included.
    pub first: Cost,
    /// A sight after that, on average.
    pub sight: Cost,
    /// The longest of them, from start to end.
    pub longest: Duration,
    /// How many positions the average is of.
    pub positions: usize,
}

/// Why there is no measurement.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A party refused the other's message, or failed.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The session ended without its output.
    #[error("a session ended without an output")]
    Unfinished,
    /// The sight is not the rules'.
    #[error("a wrong sight of {0}")]
    WrongSight(String),
    #[error("there is nothing to measure")]
    Nothing,
}

/// Measures an engine: one set-up, then the sight of the player to move in each position, or, of an engine so slow, in as many of the
/// first ones as begin within `limit`.
pub fn measure(engine: &dyn Engine, positions: &[Position], limit: Duration) -> Result<Measurement, Failure> {
    let (set_up, keys) = measure_set_up(engine)?;
    let first = measure_sight(&keys, positions.first().ok_or(Failure::Nothing)?, 0)?;
    let start = Instant::now();
    let in_time = positions.iter().zip(1..).take_while(|(_, salt)| *salt == 1 || start.elapsed() < limit);
    let costs = in_time.map(|(position, salt)| measure_sight(&keys, position, salt));
    let costs = costs.collect::<Result<Vec<Cost>, Failure>>()?;
    let longest = costs.iter().map(|cost| cost.wall).max().unwrap_or_default();
    Ok(Measurement { set_up, first, sight: mean(&costs), longest, positions: costs.len() })
}

/// Averages, rounded to whole numbers.
fn mean(costs: &[Cost]) -> Cost {
    let count = costs.len().max(1);
    let number = |get: fn(&Cost) -> usize| (costs.iter().map(get).sum::<usize>() + count / 2) / count;
    let time = |get: fn(&Cost) -> Duration| costs.iter().map(get).sum::<Duration>() / count as u32;
    Cost {
        messages: number(|cost| cost.messages),
        rounds: number(|cost| cost.rounds),
        opener_bytes: number(|cost| cost.opener_bytes),
        other_bytes: number(|cost| cost.other_bytes),
        opener_cpu: time(|cost| cost.opener_cpu),
        other_cpu: time(|cost| cost.other_cpu),
        wall: time(|cost| cost.wall),
    }
}

/// The processor time of this process.
fn cpu() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}

/// Runs something and adds its processor time.
fn timed<T>(total: &mut Duration, run: impl FnOnce() -> T) -> T {
    let start = cpu();
    let result = run();
    *total += cpu() - start;
    result
}

fn measure_set_up(engine: &dyn Engine) -> Result<(Cost, [Arc<dyn GameKeys>; 2]), Failure> {
    let (start, mut cost, game_id) = (Instant::now(), Cost::default(), [1; 32]);
    let seeds = [2, 3].map(|wallet| Seed::derive(&[wallet; 32], &game_id));
    let registered = [
        timed(&mut cost.opener_cpu, || engine.register(&seeds[0])),
        timed(&mut cost.other_cpu, || engine.register(&seeds[1])),
    ];
    let game = Game { chain_id: 31337, contract: [4; 20], game_id, toss: [5; 32], registered };
    let white = timed(&mut cost.opener_cpu, || engine.set_up(Color::White, &seeds[0], &game))?;
    let black = timed(&mut cost.other_cpu, || engine.set_up(Color::Black, &seeds[1], &game))?;
    let (white, black) = run(white, black, &mut cost)?;
    cost.wall = start.elapsed();
    Ok((cost, [white, black]))
}

/// A state of which only the commitment's difference from others matters.
fn state(position: &Position, color: Color, salt: u64) -> CommittedState {
    let (side, salt) = (position.side(color), F::from(2 * salt + color as u64));
    CommittedState::new(side.clone(), to_word(&salt), to_word(&commit(side, salt)))
}

fn measure_sight(keys: &[Arc<dyn GameKeys>; 2], position: &Position, salt: u64) -> Result<Cost, Failure> {
    let own = Color::ALL.map(|color| state(position, color, salt));
    let exchange = Exchange {
        ply: 2 + position.turn() as u64,
        phase: Phase::Pre,
        attempt: 0,
        commitments: [own[0].commitment, own[1].commitment],
        pending: None,
        men: Color::ALL.map(|color| position.side(color).men().count() as u8),
    };
    let (receiver, sender) = (exchange.receiver().index(), exchange.sender().index());
    let (start, mut cost) = (Instant::now(), Cost::default());
    let request = timed(&mut cost.other_cpu, || keys[receiver].request(&own[receiver]))?;
    cost.messages += usize::from(!request.is_empty());
    cost.other_bytes += request.len();
    let made = timed(&mut cost.opener_cpu, || keys[sender].sender(&exchange, &own[sender], &request));
    let (sending, promised): (BoxedParty<()>, Word) = made?;
    let made = timed(&mut cost.other_cpu, || keys[receiver].receiver(&exchange, &own[receiver], Some(promised)));
    let receiving: BoxedParty<Sight> = made?;
    let ((), sight) = run(sending, receiving, &mut cost)?;
    cost.wall = start.elapsed();
    let is_right = sight == position.sight(position.turn());
    is_right.then_some(cost).ok_or_else(|| Failure::WrongSight(position.to_fen()))
}

fn run<A: Clone, B: Clone>(opener: BoxedParty<A>, other: BoxedParty<B>, cost: &mut Cost) -> Result<(A, B), Failure> {
    let ((mut opener, opening), (mut other, waiting)) = (Session::start(opener, true), Session::start(other, false));
    let mut sent = finish(&mut opener, timed(&mut cost.opener_cpu, || opening.run()))?;
    finish(&mut other, timed(&mut cost.other_cpu, || waiting.run()))?;
    while let Some(message) = sent {
        let reply = deliver(&mut other, opener.messages(), message, &mut cost.other_cpu)?;
        sent = match reply {
            Some(message) => deliver(&mut opener, other.messages(), message, &mut cost.opener_cpu)?,
            None => None,
        };
    }
    let messages = opener.messages();
    cost.messages += messages.len();
    cost.rounds = cost.messages.div_ceil(2);
    cost.opener_bytes += messages.iter().step_by(2).map(Vec::len).sum::<usize>();
    cost.other_bytes += messages.iter().skip(1).step_by(2).map(Vec::len).sum::<usize>();
    let outputs = opener.output().cloned().zip(other.output().cloned());
    outputs.filter(|_| opener.is_over() && other.is_over()).ok_or(Failure::Unfinished)
}

fn finish<T>(session: &mut Session<T>, finished: Finished<T>) -> Result<Option<usize>, Failure> {
    Ok(session.finish(finished)?)
}

/// Hands a message over and runs the step: the number of the reply.
fn deliver<T>(
    session: &mut Session<T>,
    messages: &[Vec<u8>],
    index: usize,
    total: &mut Duration,
) -> Result<Option<usize>, Failure> {
    let message = messages.get(index).ok_or(Failure::Unfinished)?;
    match session.receive(index, message)? {
        Received::Job(job) => finish(session, timed(total, || job.run())),
        Received::Repeat | Received::Held => Err(Failure::Unfinished),
    }
}
