//! What an engine costs: set-up and sights of given positions, each side's processor time apart.

use crate::alone::{self, Course, Failure, Keys};
use fog::engine::Engine;
use rules::Position;
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

/// Measures an engine: one set-up, then the sight of the player to move in each position, or, of an engine so slow, in as many of the
/// first ones as begin within `limit`; nothing where there is no position.
pub fn measure(engine: &dyn Engine, positions: &[Position], limit: Duration) -> Result<Option<Measurement>, Failure> {
    let Some(warming) = positions.first() else { return Ok(None) };
    let course = alone::set_up(engine)?;
    let set_up = Cost::from(&course);
    let keys: Keys = course.outputs.into();
    let first = Cost::from(&alone::sight(&keys, warming, 0)?);
    let start = Instant::now();
    let in_time = positions.iter().zip(1..).take_while(|(_, salt)| *salt == 1 || start.elapsed() < limit);
    let costs = in_time.map(|(position, salt)| Ok(Cost::from(&alone::sight(&keys, position, salt)?)));
    let costs = costs.collect::<Result<Vec<Cost>, Failure>>()?;
    let longest = costs.iter().map(|cost| cost.wall).max().unwrap_or_default();
    Ok(Some(Measurement { set_up, first, sight: mean(&costs), longest, positions: costs.len() }))
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
