//! What an engine costs: set-up and sights of given positions, each side's processor time apart.

use crate::alone::{self, Course, Failure, Keys, Scene};
use fog::{
    engine::{Engine, Phase},
    testing::Walk,
};
use rules::{Color, Move, Side};
use std::time::{Duration, Instant};

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
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    pub set_up: Cost,
    /// The first sight in this process, tables made once included.
    pub first: Cost,
    /// The sights after that, one by one.
    pub sights: Vec<Cost>,
}

impl<A, B> From<&Course<A, B>> for Cost {
    fn from(course: &Course<A, B>) -> Self {
        let bytes = |first: usize| course.messages.iter().skip(first).step_by(2).map(|sent| sent.bytes).sum::<usize>();
        let messages = course.messages.len() + usize::from(course.request > 0);
        Self {
            messages,
            rounds: messages.div_ceil(2),
            opener_bytes: bytes(0),
            other_bytes: bytes(1) + course.request,
            opener_cpu: course.cpu[0],
            other_cpu: course.cpu[1],
            wall: course.wall,
        }
    }
}

/// Measures an engine: one set-up, then the sights of scenes or, of an engine so slow, of as many of the first ones as begin within `limit`; nothing
/// where there is no scene.
pub fn measure(engine: &dyn Engine, scenes: &[Scene], limit: Duration) -> Result<Option<Measurement>, Failure> {
    let Some((warming, others)) = scenes.split_first() else { return Ok(None) };
    let course = alone::set_up(engine)?;
    let set_up = Cost::from(&course);
    let keys: Keys = course.outputs.into();
    let first = Cost::from(&alone::sight(&keys, warming)?);
    let start = Instant::now();
    let in_time = others.iter().enumerate().take_while(|(number, _)| *number == 0 || start.elapsed() < limit);
    let sights = in_time.map(|(_, scene)| Ok(Cost::from(&alone::sight(&keys, scene)?)));
    Ok(Some(Measurement { set_up, first, sights: sights.collect::<Result<_, Failure>>()? }))
}

/// The sights of a game from the start, in order: before each move but the first two, and after each.
pub fn game(moves: &[Move]) -> Vec<Scene> {
    let (mut walk, mut scenes) = (Walk::start(), Vec::new());
    let mut own = Color::ALL.map(|color| alone::state(&Side::start(color), 0));
    for (mv, salt) in moves.iter().zip(1..) {
        if !walk.is_opening() {
            scenes.push(Scene::new(walk.ply, Phase::Pre, walk.pending, own.clone()));
        }
        let mover = walk.to_move().index();
        walk.play(mv);
        own[mover] = alone::state(&walk.sides[mover], salt);
        scenes.push(Scene::new(walk.ply - 1, Phase::Post, walk.pending, own.clone()));
    }
    scenes
}
