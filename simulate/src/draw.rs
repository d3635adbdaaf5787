//! What a game of the simulator is: drawn from a seed and the game's number, so that both together give the same game again.

use crate::node::Making;
use crate::world::{
    CONFIG, Course, Dice, Engines, LinkWeather, Mischief, NodeWeather, Players, TERMS, Weather, World, lies,
    recorded_games,
};
use client::seat::{Config, Effect};
use game::{Terms, Transaction};
use rand::{Rng, SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;

/// Short times, so that games of silence end in few steps; the windows are longer than an answer takes in any weather.
pub const QUICK: Terms = Terms { base: 3_000, delay: 600, window: 900, reveal: 600, ..TERMS };
/// Seats that wait for messages as long as it takes in bad weather.
pub const PATIENT: Config = Config { grace: 40, ..CONFIG };
/// One game of so many is played with sight-lines and native checks instead of the open engine.
const SIGHT_LINES: u64 = 500;

/// One game of so many is played in fair weather.
const FAIR: u64 = 64;

/// Of so many games, the second number, so many are played in deep worlds: with senders, followers and a node.
const DEEP: (u32, u32) = (1, 3);

/// How a player cheats.
#[derive(Clone, Copy, Debug)]
pub enum Cheat {
    /// It withholds, lies and is honest by dice.
    Lies(u64, Dice),
    /// It is silent from an effect on: on the link, on chain, or both.
    Silent {
        /// After so many messages and transactions.
        after: u32,
        /// It sends no messages.
        link: bool,
        /// It sends no transactions but moves.
        chain: bool,
        /// It sends no moves.
        moves: bool,
    },
    /// Where the chain is taken back it makes another move than before: it forgets its moves that aren't final, and wants others.
    SecondThoughts,
}

/// A game that isn't played yet.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How the world goes.
    pub course: Course,
    /// Who cheats, if anybody does: the creator is 0.
    pub cheat: Option<(usize, Cheat)>,
    /// The step from which no message arrives any more.
    pub cut_link: Option<usize>,
    /// Whether nothing goes wrong in it.
    pub is_fair: bool,
}

impl Plan {
    /// Game `number` of a seed.
    pub fn draw(seed: u64, number: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(number);
        let rng = &mut rng;
        let plies = rng.gen_range(1..=14);
        let script = match rng.gen_range(0..400) {
            0 => Players::Script(recorded_games().swap_remove(0)),
            _ => Players::Random { plies },
        };
        let is_native = rng.gen_range(0..SIGHT_LINES) == 0;
        let course = Course {
            accept_draws: 25,
            weather: weather(rng),
            terms: QUICK,
            config: PATIENT,
            node_weather: (rng.gen_range(0..DEEP.1) < DEEP.0).then(|| node_weather(rng)),
            link_weather: link_weather(rng),
            engine: if is_native { Engines::SightLines } else { Engines::Open },
            ..Course::new(rng.r#gen(), script)
        };
        let cheat = rng.gen_range(0..100) < 45;
        let cheat = cheat.then(|| (rng.gen_range(0..2), draw_cheat(rng)));
        let cut_link = (rng.gen_range(0..10) == 0).then(|| rng.gen_range(0..300));
        let plan = Self { course, cheat, cut_link, is_fair: number % FAIR == 1 };
        if plan.is_fair { plan.in_fair_weather() } else { plan }
    }

    /// The same game of two honest players in a deep world where nothing goes wrong.
    fn in_fair_weather(self) -> Self {
        let course = Course {
            weather: Weather::default(),
            node_weather: Some(NodeWeather::clear()),
            link_weather: LinkWeather::clear(),
            ..self.course
        };
        Self { course, cheat: None, cut_link: None, ..self }
    }

    /// The world before its first step.
    pub fn begin(&self) -> World {
        let mut world = self.course.join();
        world.longest_tick = 64;
        world.autoplay = true;
        if let Some((who, cheat)) = self.cheat {
            world.players[who].mischief = Some(cheat.mischief());
            let is_unbound = matches!(cheat, Cheat::SecondThoughts) && world.rng.r#gen();
            if let Some(backend) = &mut world.backend {
                backend.connections[who].is_unbound = is_unbound;
            }
        }
        world
    }

    /// What the plan does to its world before each step.
    pub fn interfere(&self, world: &mut World) {
        if self.cut_link == Some(world.steps) {
            world.faults.add("links cut");
            world.cut_link();
        }
        if let Some((who, Cheat::SecondThoughts)) = self.cheat
            && world.is_moving(who)
            && world.rng.gen_range(0..8) == 0
        {
            world.faults.add("second thoughts");
            world.players[who].mood = world.rng.r#gen();
            world.crash(who, false);
        }
    }
}

impl Cheat {
    fn mischief(self) -> Mischief {
        match self {
            Self::Lies(seed, dice) => lies(seed, dice),
            Self::SecondThoughts => Mischief::new(|effect| vec![effect]),
            Self::Silent { after, link, chain, moves } => {
                let mut said = 0;
                Mischief::new(move |effect| {
                    let is_withheld = match &effect {
                        Effect::SendMessage(_) => link,
                        Effect::SendTransaction(Transaction::Move { .. }) => moves,
                        Effect::SendTransaction(_) => chain,
                        _ => return vec![effect],
                    };
                    said += 1;
                    if said > after && is_withheld { Vec::new() } else { vec![effect] }
                })
            }
        }
    }
}

fn draw_cheat(rng: &mut ChaCha8Rng) -> Cheat {
    match rng.gen_range(0..10) {
        0..5 => {
            let dice = Dice {
                lost_messages: *[0, 10, 50, 100].choose(rng).expect("four"),
                lost_transactions: *[0, 0, 10, 40].choose(rng).expect("four"),
                wrong: *[0, 1, 3, 10, 30].choose(rng).expect("five"),
            };
            Cheat::Lies(rng.r#gen(), dice)
        }
        5..9 => {
            let [link, chain]: [bool; 2] = [rng.r#gen(), rng.r#gen()];
            let moves = (!link && !chain) || rng.r#gen();
            Cheat::Silent { after: rng.gen_range(0..30), link, chain, moves }
        }
        _ => Cheat::SecondThoughts,
    }
}

/// Each thing that can go wrong does so in some games and not at all in others, so that each is also met alone.
pub fn weather(rng: &mut ChaCha8Rng) -> Weather {
    let chance = |rng: &mut ChaCha8Rng, most: u32| match rng.gen_range(0..2) {
        0 => 0,
        _ => rng.gen_range(1..=most),
    };
    Weather {
        drop: chance(rng, 25),
        duplicate: chance(rng, 25),
        corrupt: if rng.gen_range(0..4) == 0 { rng.gen_range(1..=20) } else { 0 },
        reorder: rng.r#gen(),
        hurry: true,
        reorg: chance(rng, 20),
        confirmation: chance(rng, 40).into(),
        fork: rng.gen_range(0..4) > 0,
        lose_transaction: chance(rng, 15),
        inclusion: chance(rng, 8).into(),
        fees: rng.r#gen(),
        fail_job: chance(rng, 15),
        late_jobs: rng.r#gen(),
        crash: if rng.gen_range(0..4) == 0 { rng.gen_range(1..=20) } else { 0 },
        torn: if rng.gen_range(0..4) == 0 { rng.gen_range(1..=20) } else { 0 },
        lose_journal: *[0, 0, 50].choose(rng).expect("three"),
        otherwise: *[0, 70].choose(rng).expect("two"),
    }
}

/// Draws how the nodes of a deep world behave.
pub fn node_weather(rng: &mut ChaCha8Rng) -> NodeWeather {
    let mut chance = |most: u32| if rng.gen_range(0..2) == 0 { 0 } else { rng.gen_range(1..=most) };
    let (fork, lag, busy) = (chance(15), chance(50), chance(15));
    let making = Making { late: 5 + chance(40), evict: chance(10), spike: chance(8) };
    let (torn, lie, blind) = (chance(20), chance(5), chance(20));
    let is_tagged = rng.gen_range(0..4) == 0;
    NodeWeather {
        // What a node calls final lies deeper than its machines are behind.
        confirmations: if is_tagged { 3 } else { rng.gen_range(0..=3) },
        is_tagged,
        // Where blocks come faster than failing questions can be asked again, nobody keeps up.
        interval: rng.gen_range(if busy > 0 { 12..=24 } else { 2..=24 }),
        fork,
        deeper: 0,
        lag,
        busy,
        range: *[20, 10_000].choose(rng).expect("two"),
        cross_checks: rng.gen_range(0..=1),
        lie,
        blind,
        making,
        torn,
        logs_behind: if rng.gen_range(0..3) == 0 { rng.gen_range(1..=50) } else { 0 },
    }
}

/// Draws how the link between the players of a deep world behaves.
pub fn link_weather(rng: &mut ChaCha8Rng) -> LinkWeather {
    let mut chance = |most: u32| if rng.gen_range(0..2) == 0 { 0 } else { rng.gen_range(1..=most) };
    let (breaks, dead, spare) = (chance(6), chance(50), chance(20));
    let (unreachable, corrupt, strangers) = (chance(50), chance(10), chance(60));
    LinkWeather {
        breaks,
        dead,
        spare,
        unreachable,
        reorder: rng.r#gen(),
        corrupt,
        strangers,
        dials: *[[true, false], [false, true], [true, true]].choose(rng).expect("three"),
    }
}
