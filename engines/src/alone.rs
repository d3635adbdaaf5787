//! Set-ups and sights with both players in this process, one step after the other and without a network: for who looks at an exchange, and for who
//! measures what it costs. The parties are those of a game; every sight is compared with the rules'.

use fog::{
    F,
    commitment::commit,
    engine::{
        CommittedState, Engine, Exchange, Fault, Finished, Game, GameKeys, Job, Party, Phase, Received, Seed, Session,
    },
    word::to_word,
};
use rules::{Color, Position, Side, Sight, Square};
use rustix::time::{ClockId, clock_gettime};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// A message as it was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    pub bytes: usize,
    /// What is hidden in it, as its sender alone knows it ([`Party::meaning`]).
    pub meaning: String,
}

/// How a session went: the opener's part and the other's.
pub struct Course<A, B> {
    /// Bytes of the standing request that the other had sent before; 0 for engines without one.
    pub request: usize,
    /// The opener's messages and the other's, by turns.
    pub messages: Vec<Sent>,
    /// What the session was for.
    pub outputs: (A, B),
    /// The processor time of the opener and of the other, all threads.
    pub cpu: [Duration; 2],
    /// Time from start to end.
    pub wall: Duration,
}

/// Why an exchange came to no end.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A party refused the other's message, or failed.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The session ended without its output.
    #[error("a session ended without an output")]
    Unfinished,
    /// The sight is not the rules'.
    #[error("a wrong sight of ply {0}")]
    WrongSight(u64),
}

/// What both players hold for a game, by color.
pub type Keys = [Arc<dyn GameKeys>; 2];
/// How a game was set up.
pub type SetUp = Course<Arc<dyn GameKeys>, Arc<dyn GameKeys>>;

/// The set-up of a game; White opens.
pub fn set_up(engine: &dyn Engine) -> Result<SetUp, Failure> {
    let (mut times, game_id) = (Times::start(), [1; 32]);
    let seeds = [2, 3].map(|wallet| Seed::derive(&[wallet; 32], &game_id));
    let registered = [0, 1].map(|side| times.of(side, || engine.register(&seeds[side])));
    let game = Game { chain_id: 31337, contract: [4; 20], game_id, toss: [5; 32], registered };
    let white = times.of(0, || engine.set_up(Color::White, &seeds[0], &game))?;
    let black = times.of(1, || engine.set_up(Color::Black, &seeds[1], &game))?;
    run(white, black, 0, times)
}

/// A sight to be given: the facts of its exchange, and both players' states by color.
pub struct Scene {
    pub exchange: Exchange,
    pub own: [CommittedState; 2],
}

impl Scene {
    /// The sight of one of a ply's two phases, after a move that captured on `pending`.
    pub fn new(ply: u64, phase: Phase, pending: Option<Square>, own: [CommittedState; 2]) -> Self {
        let commitments = [own[0].commitment, own[1].commitment];
        let exchange =
            Exchange { ply, phase, attempt: 0, commitments, pending, men: [0; 2], steps: Default::default() };
        let men = Color::ALL.map(|color| exchange.board(&own[color.index()].side).men().count() as u8);
        Self { exchange: Exchange { men, ..exchange }, own }
    }

    /// What the player to move sees in a position. Of two scenes under the same keys each has a `salt` of its own.
    pub fn at(position: &Position, salt: u64) -> Self {
        let own = Color::ALL.map(|color| state(position.side(color), salt));
        Self::new(2 + position.turn() as u64, Phase::Pre, None, own)
    }

    fn of(&self, color: Color) -> &CommittedState {
        &self.own[color.index()]
    }

    /// The sight by the rules.
    fn right(&self) -> Sight {
        let Exchange { phase, .. } = self.exchange;
        let board = |color| self.exchange.board(&self.of(color).side);
        Sight::between(&board(self.exchange.receiver()), &board(self.exchange.sender()), phase == Phase::Pre)
    }
}

/// The sight of a scene. The player whose men may be in it opens.
pub fn sight(keys: &Keys, scene: &Scene) -> Result<Course<(), Sight>, Failure> {
    let exchange = &scene.exchange;
    let (sender, receiver) = (exchange.sender(), exchange.receiver());
    let key = |color: Color| &keys[color.index()];
    let mut times = Times::start();
    let request = times.of(1, || key(receiver).request(scene.of(receiver)))?;
    let (sending, promised) = times.of(0, || key(sender).sender(exchange, scene.of(sender), &request))?;
    let promised = (exchange.phase == Phase::Pre).then_some(promised);
    let receiving = times.of(1, || key(receiver).receiver(exchange, scene.of(receiver), promised))?;
    let course = run(sending, receiving, request.len(), times)?;
    (course.outputs.1 == scene.right()).then_some(course).ok_or(Failure::WrongSight(exchange.ply))
}

/// A committed side under a salt that no other scene's side has.
pub fn state(side: &Side, salt: u64) -> CommittedState {
    let salt = F::from(2 * salt + side.color as u64);
    CommittedState::new(side.clone(), to_word(&salt), to_word(&commit(side, salt)))
}

/// What the opener and the other have taken.
struct Times {
    start: Instant,
    cpu: [Duration; 2],
}

impl Times {
    fn start() -> Self {
        Self { start: Instant::now(), cpu: [Duration::ZERO; 2] }
    }

    /// Runs something and adds its processor time to a side's.
    fn of<T>(&mut self, side: usize, run: impl FnOnce() -> T) -> T {
        let start = cpu();
        let result = run();
        self.cpu[side] += cpu() - start;
        result
    }
}

/// The processor time of this process.
pub fn cpu() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}

fn run<A: Clone, B: Clone>(
    opener: Box<dyn Party<Output = A>>,
    other: Box<dyn Party<Output = B>>,
    request: usize,
    mut times: Times,
) -> Result<Course<A, B>, Failure> {
    let ((mut opener, opening), (mut other, waiting)) = (Session::start(opener, true), Session::start(other, false));
    let mut messages = Vec::new();
    let mut sent = step(&mut opener, opening, 0, &mut times)?;
    step(&mut other, waiting, 1, &mut times)?;
    while let Some(message) = sent {
        messages.push(note(&opener));
        sent = deliver(&mut other, &message, messages.len() - 1, 1, &mut times)?;
        let Some(reply) = sent else { break };
        messages.push(note(&other));
        sent = deliver(&mut opener, &reply, messages.len() - 1, 0, &mut times)?;
    }
    let outputs = opener.output().cloned().zip(other.output().cloned());
    let outputs = outputs.filter(|_| opener.is_over() && other.is_over()).ok_or(Failure::Unfinished)?;
    Ok(Course { request, messages, outputs, cpu: times.cpu, wall: times.start.elapsed() })
}

/// The message that a side has sent last.
fn note<T>(session: &Session<T>) -> Sent {
    Sent { bytes: session.messages().last().map_or(0, Vec::len), meaning: session.meaning() }
}

/// Runs a step: the message that it sends.
fn step<T>(session: &mut Session<T>, job: Job<T>, side: usize, times: &mut Times) -> Result<Option<Vec<u8>>, Failure> {
    let finished: Finished<T> = times.of(side, || job.run());
    let sent = session.finish(finished)?;
    Ok(sent.map(|index| session.messages()[index].clone()))
}

/// Hands a message over and runs the step: the reply.
fn deliver<T>(
    session: &mut Session<T>,
    message: &[u8],
    index: usize,
    side: usize,
    times: &mut Times,
) -> Result<Option<Vec<u8>>, Failure> {
    match session.receive(index, message)? {
        Received::Job(job) => step(session, job, side, times),
        Received::Repeat | Received::Held => Err(Failure::Unfinished),
    }
}
