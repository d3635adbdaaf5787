//! The proof of the last own step in the exchanges of the engines that have it: who sends it, and what is refused. (The statement itself: `fog`, and the circuit's tests.)

use crate::{
    counted::{Counted, Players},
    pair::{Pair, registered, run, state},
};
use engines::{
    EngineKind,
    dh_psi::proven,
    own_step::OWN_STEP_BYTES,
    replay::Again,
    testing::{NativeSetProofs, replay},
};
use fog::{
    engine::{BoxedParty, CommittedState, Engine, Exchange, Fault, OwnMove, Phase, PostedStep},
    testing::{NativeProofs, Walk, seed},
};
use rand::{Rng, SeedableRng, rngs::StdRng, seq::SliceRandom};
use rules::{Color, Move, PieceType, Side, Sight, Square};
use std::sync::Arc;

/// A position after some moves, with what chain and players know of it.
struct Scene {
    pair: Pair,
    walk: Walk,
    own: [CommittedState; 2],
    steps: [Vec<PostedStep>; 2],
}

impl Scene {
    /// After some moves of a random game, the last of which leads to what `change` makes of its board.
    fn new(plies: u64, rng: &mut StdRng, change: impl FnOnce(&mut Side)) -> Self {
        Self::of(Arc::new(proven(NativeSetProofs)), plies, rng, change)
    }

    /// The same with any engine.
    fn of(engine: Arc<dyn Engine>, plies: u64, rng: &mut StdRng, change: impl FnOnce(&mut Side)) -> Self {
        Self::of_each([engine.clone(), engine], plies, rng, change)
    }

    /// The same, where each player has its own copy of the engine, by color.
    fn of_each(engines: [Arc<dyn Engine>; 2], plies: u64, rng: &mut StdRng, change: impl FnOnce(&mut Side)) -> Self {
        let mut walk = Walk::start();
        let mut own = [0, 1].map(|color| state(&walk.sides[color], rng));
        let mut steps: [Vec<PostedStep>; 2] = Default::default();
        let mut change = Some(change);
        while walk.ply < plies {
            let (mover, before) = (walk.to_move(), own[walk.to_move().index()].clone());
            // Kings stay where they are.
            let quiet = |mv: &Move| walk.other().piece(mv.to) != Some(PieceType::King);
            let moves: Vec<Move> = walk.legal_moves().into_iter().filter(quiet).collect();
            let mv = *moves.choose(rng).expect("a move");
            let (posted, made) = (&mut steps[mover.index()], OwnMove { side: before.side, salt: before.salt, mv });
            let earlier = if walk.ply < 4 { before.steps } else { Vec::new() };
            posted.truncate(earlier.len());
            let pending = walk.pending;
            walk.play(&mv);
            posted.push(PostedStep { commitment: before.commitment, pending, capture: walk.pending });
            if walk.ply == plies
                && let Some(change) = change.take()
            {
                change(&mut walk.sides[mover.index()]);
            }
            let after = state(&walk.sides[mover.index()], rng);
            own[mover.index()] = CommittedState { steps: earlier.into_iter().chain([made]).collect(), ..after };
        }
        Self { pair: Pair::set_up_each(engines, rng), walk, own, steps }
    }

    fn honest(rng: &mut StdRng) -> Self {
        let plies = rng.gen_range(8..20);
        Self::new(plies, rng, |_| ())
    }

    fn exchange(&self, phase: Phase) -> Exchange {
        let to_move = self.walk.to_move();
        Exchange {
            ply: if phase == Phase::Pre { self.walk.ply } else { self.walk.ply - 1 },
            phase,
            attempt: 0,
            commitments: [0, 1].map(|color| self.own[color].commitment),
            pending: self.walk.pending,
            men: Color::ALL.map(|color| {
                let pending = self.walk.pending.filter(|_| color == to_move);
                self.own[color.index()].side.without(pending).men().count() as u8
            }),
            steps: self.steps.clone(),
        }
    }

    fn sender(&self, exchange: &Exchange) -> BoxedParty<()> {
        let color = exchange.sender();
        self.pair.of(color).sender(exchange, &self.own[color.index()], &[]).expect("an own exchange").0
    }

    fn receiver(&self, exchange: &Exchange) -> BoxedParty<Sight> {
        let color = exchange.receiver();
        self.pair.of(color).receiver(exchange, &self.own[color.index()], None).expect("an own exchange")
    }

    /// A player's message with its proofs, and the other, who takes it and knows of another exchange.
    fn carried(&self, index: usize, exchange: &Exchange, known: &Exchange) -> (Vec<u8>, Taking) {
        let [of_sender, of_receiver] = if index == 0 { [exchange, known] } else { [known, exchange] };
        let (mut sender, mut receiver) = (self.sender(of_sender), self.receiver(of_receiver));
        let opening = sender.step(None).expect("a proof").send.expect("an opening");
        receiver.step(None).expect("it waits");
        if index == 0 {
            return (opening, Taking::Receiver(receiver));
        }
        let asked = receiver.step(Some(&opening)).expect("a right opening").send.expect("a question");
        (asked, Taking::Sender(sender))
    }
}

enum Taking {
    Sender(BoxedParty<()>),
    Receiver(BoxedParty<Sight>),
}

impl Taking {
    fn take(&mut self, message: &[u8]) -> Result<(), Fault> {
        match self {
            Self::Sender(party) => party.step(Some(message)).map(drop),
            Self::Receiver(party) => party.step(Some(message)).map(drop),
        }
    }
}

fn assert_refused(found: Result<(), Fault>, index: usize) {
    let Err(Fault::Proof { index: of, cause }) = found else { panic!("{found:?}") };
    assert_eq!(of, index);
    assert!(cause.to_string().contains("doesn't follow from its last one"), "{cause}");
}

const PHASES: [Phase; 2] = [Phase::Pre, Phase::Post];

/// How many proofs of steps are behind the sender's and the receiver's first messages.
fn counts(scene: &Scene, phase: Phase) -> [usize; 2] {
    let exchange = scene.exchange(phase);
    let without = Exchange { steps: Default::default(), ..exchange.clone() };
    let [plain, shape] = [&without, &exchange].map(|exchange| scene.sender(exchange).shape());
    assert_eq!(shape, scene.receiver(&exchange).shape());
    let more: Vec<usize> = shape.iter().zip(&plain).map(|(size, plain)| size.total() - plain.total()).collect();
    assert_eq!(more[2], 0);
    [more[0], more[1]].map(|bytes| bytes / OWN_STEP_BYTES)
}

#[test]
fn everybody_proves_its_last_step_with_its_first_message() {
    let rng = &mut StdRng::seed_from_u64(seed(231));
    let counted = Players::default();
    for plies in [rng.gen_range(8..20), 3] {
        let engines = counted.0.clone().map(|proofs| Arc::new(proven(proofs)) as Arc<dyn Engine>);
        let scene = Scene::of_each(engines, plies, rng, |_| ());
        for phase in PHASES {
            let exchange = scene.exchange(phase);
            let steps = counts(&scene, phase);
            let (_, receiver) = run(scene.sender(&exchange), scene.receiver(&exchange));
            let [own, other] = [exchange.receiver(), exchange.sender()].map(|color| &scene.own[color.index()].side);
            let right = Sight::between(&exchange.board(own), &exchange.board(other), phase == Phase::Pre);
            assert_eq!(receiver.output(), Some(&right));
            // One of a set, and those of the steps.
            let [of_sender, of_receiver] = steps.map(|count| 1 + count);
            let right = [[of_sender, of_receiver], [of_receiver, of_sender]];
            assert_eq!(counted.take([exchange.sender(), exchange.receiver()]), right);
        }
    }
}

/// Steps go with the messages of every engine that has a form with them, and a false one is refused whatever the message says.
#[test]
fn steps_are_proven_whatever_sights_are_given_by() {
    type Kind = EngineKind<Arc<NativeProofs>, Counted, Counted>;
    let rng = &mut StdRng::seed_from_u64(seed(236));
    let all: [fn(Counted) -> Kind; 3] = [Kind::AndosSteps, Kind::AndosHardenedSteps, Kind::BfvSteps];
    for kind in all {
        let counted = Players::default();
        let kinds = counted.0.clone().map(kind);
        let (name, is_quick) = (kinds[0].name(), !matches!(kinds[0], Kind::AndosHardenedSteps(_)));
        let scene = Scene::of_each(kinds.map(Kind::engine), 8, rng, |_| ());
        let exchange = scene.exchange(Phase::Pre);
        assert_eq!(counts(&scene, Phase::Pre), [1, 1], "{name}");
        counted.take(Color::ALL);
        let (_, receiver) = run(scene.sender(&exchange), scene.receiver(&exchange));
        let [own, other] = [exchange.receiver(), exchange.sender()].map(|color| &scene.own[color.index()].side);
        let right = Sight::between(&exchange.board(own), &exchange.board(other), true);
        assert_eq!(receiver.output(), Some(&right), "{name}");
        // A sight of the hardened form takes long, and its steps are counted as those of andos.
        if is_quick {
            let stepped = counted.take(Color::ALL);
            let without = Exchange { steps: Default::default(), ..exchange.clone() };
            run(scene.sender(&without), scene.receiver(&without));
            let plain = counted.take(Color::ALL);
            assert_eq!(stepped, plain.map(|counts| counts.map(|count| count + 1)), "{name}");
        }
        for index in 0..2 {
            let (message, mut taking) = scene.carried(index, &exchange, &exchange);
            let mut other = message.clone();
            other[message.len() - OWN_STEP_BYTES] ^= 1;
            assert_refused(taking.take(&other), index);
            taking.take(&message).expect("the right message");
        }
    }
}

/// After the game a player's branch gives all its messages again but the proofs of steps, and what looks at games that are over plays none.
#[test]
fn a_published_branch_says_all_but_the_proofs_of_steps_again() {
    let rng = &mut StdRng::seed_from_u64(seed(237));
    let engine = EngineKind::<Arc<NativeProofs>, NativeSetProofs, NativeSetProofs>::BfvSteps(NativeSetProofs).engine();
    let (game, seeds) = registered(&*engine, rng);
    let party = |color: Color| engine.set_up(color, &seeds[color.index()], &game).expect("both have registered");
    let (white, black) = run(party(Color::White), party(Color::Black));
    let set_up = white.messages().to_vec();
    let keys = [white.output().cloned().expect("keys"), black.output().cloned().expect("keys")];
    let mut scene = Scene::of(engine.clone(), 8, rng, |_| ());
    scene.pair = Pair { engine, game: game.clone(), keys };
    let exchange = scene.exchange(Phase::Pre);
    let recorded = run(scene.sender(&exchange), scene.receiver(&exchange)).0.messages().to_vec();
    let color = exchange.sender();
    let accountable = EngineKind::<(), (), ()>::BfvSteps(()).accountable().expect("an engine without proofs of sights");
    let branch = |color: Color| seeds[color.index()].branch(accountable.about().name);
    assert!(accountable.published(color, branch(!color), &game).is_none());
    let published = accountable.published(color, branch(color), &game).expect("the registered branch");
    let heard = |index: usize, _: &[Vec<u8>]| set_up.get(index).map(Vec::as_slice);
    let keys = Again::run(published, color == Color::White, heard).expect("a set-up").1.expect("keys");
    let sender = keys.sender(&exchange, &scene.own[color.index()], &[]).expect("an exchange").0;
    assert_eq!(replay(sender, true, &recorded).expect("right messages"), None);
    assert!(accountable.set_up(color, &seeds[color.index()], &game).is_err());
}

#[test]
fn nobody_goes_on_over_a_first_step_that_was_never_proven() {
    let rng = &mut StdRng::seed_from_u64(seed(235));
    // By plies made: of the sender and the receiver, before a move and after it.
    let expected =
        [(1, [0, 1], Phase::Post), (2, [1, 1], Phase::Pre), (2, [1, 1], Phase::Post), (3, [2, 1], Phase::Pre)];
    let later = [(3, [1, 2], Phase::Post), (4, [2, 2], Phase::Pre), (5, [1, 2], Phase::Pre), (6, [1, 1], Phase::Post)];
    for (plies, counted, phase) in expected.into_iter().chain(later) {
        assert_eq!(counts(&Scene::new(plies, rng, |_| ()), phase), counted, "{plies}, {phase:?}");
    }
}

#[test]
fn a_missing_or_false_step_is_refused_and_the_right_one_taken_after_it() {
    let rng = &mut StdRng::seed_from_u64(seed(232));
    let scene = Scene::honest(rng);
    for (index, phase) in [(0, Phase::Pre), (1, Phase::Pre), (0, Phase::Post), (1, Phase::Post)] {
        let exchange = scene.exchange(phase);
        let (message, mut taking) = scene.carried(index, &exchange, &exchange);
        let start = message.len() - OWN_STEP_BYTES;
        let missing = taking.take(&message[..start]);
        assert!(matches!(missing, Err(Fault::Length { index: of, .. }) if of == index), "{missing:?}");
        let zeros = [&message[..start], &[0; OWN_STEP_BYTES]].concat();
        assert_refused(taking.take(&zeros), index);
        // Of the side, of both salts, of the move, and of the end.
        for place in [0, 67, 68 + 31, 68 + 63, 132, 133, OWN_STEP_BYTES - 1] {
            let mut other = message.clone();
            other[start + place] ^= 1;
            assert_refused(taking.take(&other), index);
        }
        taking.take(&message).expect("the right message");
    }
}

#[test]
fn men_that_came_from_nowhere_have_no_step() {
    let rng = &mut StdRng::seed_from_u64(seed(233));
    let invented = |side: &mut Side| {
        let mut empty = Square::all().filter(|square| (2..6).contains(&square.rank()));
        let empty = empty.find(|square| side.piece(*square).is_none()).expect("an empty square");
        let pawn = side.men().find(|(_, piece)| *piece == PieceType::Pawn).expect("a pawn").0;
        // A pawn became a queen: so men are no more than a game may have.
        side.pieces[pawn.index()] = None;
        side.pieces[empty.index()] = Some(PieceType::Queen);
        side.double_push = None;
    };
    let scene = Scene::new(8, rng, invented);
    // The mover's own machine makes no proof of it.
    let exchange = scene.exchange(Phase::Pre);
    let refused = scene.sender(&exchange).step(None).expect_err("no step");
    assert!(refused.is_own(), "{refused}");
    // Without the step the sets of that board are proven, and the peer refuses the message all the same.
    let without = Exchange { steps: Default::default(), ..exchange.clone() };
    let opening = scene.sender(&without).step(None).expect("a board that a game may have").send.expect("an opening");
    let mut receiver = scene.receiver(&exchange);
    receiver.step(None).expect("it waits");
    assert!(matches!(receiver.step(Some(&opening)), Err(Fault::Length { index: 0, .. })));
    let padded = [&opening[..], &[0; OWN_STEP_BYTES]].concat();
    assert_refused(receiver.step(Some(&padded)).map(drop), 0);
}

#[test]
fn a_step_is_between_the_boards_on_chain() {
    let rng = &mut StdRng::seed_from_u64(seed(234));
    let scene = Scene::honest(rng);
    for phase in PHASES {
        let exchange = scene.exchange(phase);
        for (index, color) in [exchange.sender(), exchange.receiver()].into_iter().enumerate() {
            let posted = exchange.steps[color.index()][0];
            let made = &scene.own[color.index()].steps[0];
            let mut men = made.side.men().map(|(square, _)| square);
            let man = men.find(|square| *square != made.mv.from && Some(*square) != posted.pending).expect("a man");
            let mut commitment = posted;
            commitment.commitment[31] ^= 1;
            for step in [
                commitment,
                PostedStep { pending: Some(man), ..posted },
                PostedStep { capture: Some(made.mv.from), ..posted },
            ] {
                let mut known = exchange.clone();
                known.steps[color.index()] = vec![step];
                let (message, mut taking) = scene.carried(index, &exchange, &known);
                assert_refused(taking.take(&message), index);
            }
        }
    }
}
