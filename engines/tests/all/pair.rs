//! Two players of one engine, and what runs a session between them: each step in a thread of its own, as a job may be.

use ff::Field;
use fog::{
    commitment::commit,
    engine::{
        BoxedParty, CommittedState, Engine, Exchange, Fault, Game, GameKeys, Job, Phase, Received, Seed, Session, Word,
    },
    testing::Walk,
    word::to_word,
};
use rand::{Rng, rngs::StdRng};
use rules::{Color, Side, Sight, Square};
use std::sync::Arc;

/// Both players' keys for one game.
pub struct Pair {
    pub engine: Arc<dyn Engine>,
    pub game: Game,
    pub keys: [Arc<dyn GameKeys>; 2],
}

/// A game that both players have registered for, and their seeds.
pub fn registered(engine: &dyn Engine, rng: &mut StdRng) -> (Game, [Seed; 2]) {
    let game_id = rng.r#gen();
    let seeds = [(); 2].map(|()| Seed::derive(&rng.r#gen(), &game_id));
    let game = Game {
        chain_id: 31337,
        contract: rng.r#gen(),
        game_id,
        toss: rng.r#gen(),
        registered: [&seeds[0], &seeds[1]].map(|seed| engine.register(seed)),
    };
    (game, seeds)
}

impl Pair {
    pub fn set_up(engine: Arc<dyn Engine>, rng: &mut StdRng) -> Self {
        Self::set_up_each([engine.clone(), engine], rng)
    }

    /// Each player has its own copy of the engine, by color.
    pub fn set_up_each(engines: [Arc<dyn Engine>; 2], rng: &mut StdRng) -> Self {
        let (game, seeds) = registered(&*engines[0], rng);
        Self::with(engines, game, &seeds)
    }

    /// Of a game that both have registered for.
    pub fn with(engines: [Arc<dyn Engine>; 2], game: Game, seeds: &[Seed; 2]) -> Self {
        let party = |color: Color| {
            let party = engines[color.index()].set_up(color, &seeds[color.index()], &game);
            party.expect("both have registered")
        };
        let (white, black) = run(party(Color::White), party(Color::Black));
        let keys = [white, black].map(|session| {
            assert!(session.is_over());
            session.output().cloned().expect("the set-up gives keys")
        });
        let [engine, _] = engines;
        Self { engine, game, keys }
    }

    pub fn of(&self, color: Color) -> &Arc<dyn GameKeys> {
        &self.keys[color.index()]
    }

    /// Both parties of an exchange, and the digest that goes on chain.
    pub fn parties(&self, position: &Position, phase: Phase) -> (BoxedParty<()>, BoxedParty<Sight>, Word) {
        let exchange = position.exchange(phase);
        let (receiver, sender) = (exchange.receiver(), exchange.sender());
        let request = self.of(receiver).request(position.own(receiver));
        let request = request.expect("a request");
        let made = self.of(sender).sender(&exchange, position.own(sender), &request);
        let (sender, root) = made.expect("an honest request is answered");
        let promised = (phase == Phase::Pre).then_some(root);
        let receiver = self.of(receiver).receiver(&exchange, position.own(receiver), promised);
        (sender, receiver.expect("an own exchange"), root)
    }

    pub fn exchange(&self, position: &Position, phase: Phase) -> (Session<()>, Session<Sight>) {
        let (sender, receiver, _) = self.parties(position, phase);
        run(sender, receiver)
    }
}

/// Runs a step in another thread and hands it back.
pub fn step<T: Send + 'static>(session: &mut Session<T>, job: Job<T>) -> Result<Option<usize>, Fault> {
    let thread = std::thread::spawn(move || job.run());
    session.finish(thread.join().expect("a job doesn't panic"))
}

/// Hands a message over; the number of the reply.
pub fn deliver<T: Send + 'static>(
    session: &mut Session<T>,
    index: usize,
    bytes: &[u8],
) -> Result<Option<usize>, Fault> {
    match session.receive(index, bytes)? {
        Received::Job(job) => step(session, job),
        Received::Repeat | Received::Held => Ok(None),
    }
}

/// A session from start to end, without faults.
pub fn run<A: Send + 'static, B: Send + 'static>(
    opener: BoxedParty<A>,
    other: BoxedParty<B>,
) -> (Session<A>, Session<B>) {
    assert_eq!(opener.shape(), other.shape());
    let ((mut a, first), (mut b, second)) = (Session::start(opener, true), Session::start(other, false));
    assert_eq!(step(&mut b, second).expect("the other waits"), None);
    let mut sent = step(&mut a, first).expect("the opener opens");
    while let Some(index) = sent {
        let message = a.messages()[index].clone();
        let reply = deliver(&mut b, index, &message).expect("a right message");
        sent = reply.and_then(|index| {
            let message = b.messages()[index].clone();
            deliver(&mut a, index, &message).expect("a right message")
        });
    }
    assert!(a.is_over() && b.is_over());
    assert_eq!(a.messages(), b.messages());
    (a, b)
}

/// A position of a game as chain and players have it.
pub struct Position {
    pub ply: u64,
    pub pending: Option<Square>,
    pub own: [CommittedState; 2],
}

/// A state with a fresh salt.
pub fn state(side: &Side, rng: &mut StdRng) -> CommittedState {
    let salt = fog::F::random(rng);
    let commitment = to_word(&commit(side, salt));
    CommittedState::new(side.clone(), to_word(&salt), commitment)
}

impl Position {
    pub fn of(walk: &Walk, rng: &mut StdRng) -> Self {
        Self { ply: walk.ply, pending: walk.pending, own: [0, 1].map(|color| state(&walk.sides[color], rng)) }
    }

    pub fn own(&self, color: Color) -> &CommittedState {
        &self.own[color.index()]
    }

    /// The *pre* exchange of the player to move, or the *post* exchange of the one who moved last.
    pub fn exchange(&self, phase: Phase) -> Exchange {
        let to_move = Color::of_ply(self.ply);
        Exchange {
            ply: match phase {
                Phase::Pre => self.ply,
                Phase::Post => self.ply - 1,
            },
            phase,
            attempt: 0,
            commitments: [0, 1].map(|color| self.own[color].commitment),
            pending: self.pending,
            men: Color::ALL.map(|color| {
                let pending = self.pending.filter(|_| color == to_move);
                self.own(color).side.without(pending).men().count() as u8
            }),
            steps: Default::default(),
        }
    }

    /// What the receiver must see, by the rules.
    pub fn sight(&self, phase: Phase) -> Sight {
        let to_move = Color::of_ply(self.ply);
        let board = self.own(to_move).side.without(self.pending);
        let other = &self.own(!to_move).side;
        match phase {
            Phase::Pre => Sight::between(&board, other, true),
            Phase::Post => Sight::between(other, &board, false),
        }
    }
}
