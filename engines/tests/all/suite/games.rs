//! Whole games through the trait alone, as a seat plays them: requests, the answer promised with a move, both sights of a ply, and
//! the proof of every move with the public inputs that the contract will check.

use super::{quick_engines, slowness};
use crate::pair::{Pair, run, state};
use fog::{
    engine::{BoxedParty, CommittedState, Exchange, MoveStep, OwnMove, Phase, PostedStep, SightLines, Word},
    testing::{NativeProofs, Walk, cases, seed},
    word::{WORD, small_word},
};
use rand::{SeedableRng, rngs::StdRng, seq::SliceRandom};
use rules::{Color, Move, PieceType, Seen, Side, Sight, Square};
use std::sync::Arc;

const PLIES: usize = 44;
const NOTHING: Word = [0; WORD];

/// A game in play: what both players hold, and what stands on chain.
struct Play {
    pair: Pair,
    truth: Walk,
    own: [CommittedState; 2],
    /// The last steps, by color.
    steps: [Vec<PostedStep>; 2],
    /// The standing requests, by color; none before a player's first move.
    requests: [Option<Vec<u8>>; 2],
    /// The answer for the player to move: its root on chain, and the opponent's party.
    promised: Option<(Word, BoxedParty<()>)>,
}

/// A move as it is posted.
struct Posted {
    step: MoveStep,
    next_request: Vec<u8>,
    /// The root of the answer that the move relies on.
    relied_on: Word,
}

impl Play {
    fn start(pair: Pair, rng: &mut StdRng) -> Self {
        let truth = Walk::start();
        let own = [0, 1].map(|color| state(&truth.sides[color], rng));
        Self { pair, truth, own, steps: Default::default(), requests: [None, None], promised: None }
    }

    fn exchange(&self, ply: u64, phase: Phase, pending: Option<Square>) -> Exchange {
        Exchange {
            ply,
            phase,
            attempt: 0,
            commitments: [0, 1].map(|color| self.own[color].commitment),
            pending,
            men: [0, 1].map(|color| self.own[color].side.men().count() as u8),
            steps: self.steps.clone(),
        }
    }

    /// Both players agree on what an exchange is bound to.
    fn context(&self, exchange: &Exchange) -> Word {
        let receiver = exchange.receiver();
        let request = self.requests[receiver.index()].as_ref();
        let [white, black] = Color::ALL.map(|color| {
            let keys = self.pair.of(color);
            let digest = keys.request_digest(request.expect("a request"));
            let context = keys.context(exchange, &digest.expect("a right request"));
            context.expect("words of the chain")
        });
        assert_eq!(white, black);
        white
    }

    /// The sight before the move, with the messages that it came by.
    fn pre(&mut self) -> Option<(Exchange, Vec<Vec<u8>>, Sight, Word)> {
        let (root, sender) = self.promised.take()?;
        let exchange = self.exchange(self.truth.ply, Phase::Pre, self.truth.pending);
        let color = exchange.receiver();
        let own = &self.own[color.index()];
        let receiver = self.pair.of(color).receiver(&exchange, own, Some(root));
        let (_, session) = run(sender, receiver.expect("an own exchange"));
        let sight = session.output().cloned().expect("a sight");
        assert_eq!(sight, self.truth.sight());
        Some((exchange, session.messages().to_vec(), sight, root))
    }

    /// A legal move by what the mover sees; captures are sought, or few would be seen.
    fn choose(&mut self, rng: &mut StdRng) -> (Move, Posted) {
        let seen = self.pre();
        let color = self.truth.to_move();
        let before = self.own[color.index()].clone();
        let board = before.side.without(self.truth.pending);
        let sight = seen.as_ref().map(|(_, _, sight, _)| sight);
        let moves = sight.map_or_else(|| board.opening_moves(), |sight| board.legal_moves(sight));
        assert_eq!(moves, self.truth.legal_moves());
        let capture = |mv: &Move| sight.and_then(|sight| board.capture_square(mv, sight));
        let captures: Vec<_> = moves.iter().filter(|mv| capture(mv).is_some()).collect();
        let mv = captures.choose(rng).copied().or(moves.choose(rng));
        let mv = *mv.expect("a move");
        let capture = capture(&mv);
        let fallen = capture.and_then(|square| sight.map(|sight| sight.at(square)));
        let made = OwnMove { side: before.side.clone(), salt: before.salt.clone(), mv };
        let mut after = state(&board.play(&mv), rng);
        // A player's second step goes with its first, any other alone.
        let earlier = before.steps.iter().filter(|_| self.truth.ply < 4).cloned();
        after.steps = earlier.chain([made]).collect();
        let next_request = self.pair.of(color).request(&after).expect("a request");
        let relied_on = seen.as_ref().map_or(NOTHING, |(_, _, _, root)| *root);
        let step = MoveStep {
            before,
            after,
            mv,
            capture,
            king_fell: fallen == Some(Seen::Piece(PieceType::King)),
            seen: seen.map(|(exchange, messages, _, _)| (exchange, messages)),
        };
        let posted = Posted { step, next_request, relied_on };
        (mv, posted)
    }

    /// The 13 public inputs of *turn* from what stands on chain, as the contract makes them.
    fn instance(&self, posted: &Posted) -> Vec<u8> {
        let color = self.truth.to_move();
        let (keys, step) = (self.pair.of(color), &posted.step);
        let digest = |request: &[u8]| keys.request_digest(request).expect("a right request");
        let standing = self.requests[color.index()].as_ref();
        let [request, context] = step
            .seen
            .as_ref()
            .map_or([NOTHING; 2], |(exchange, _)| [digest(standing.expect("asked")), self.context(exchange)]);
        let square = |square: Option<Square>| small_word(square.map_or(64, |s| s.index() as u64));
        let (x, y) = self.pair.game.registered(!color).split_at(WORD);
        let words: [&[u8]; 13] = [
            &step.before.commitment,
            &square(self.truth.pending),
            &step.after.commitment,
            &request,
            &posted.relied_on,
            &context,
            x,
            y,
            &digest(&posted.next_request),
            &small_word(color as u64),
            &small_word(self.truth.is_opening().into()),
            &square(step.capture),
            &small_word(step.king_fell.into()),
        ];
        words.concat()
    }

    /// The move is final: the next answer is promised, and the mover gets its sight after the move.
    fn make(&mut self, mv: &Move, posted: Posted) {
        let (color, ply) = (self.truth.to_move(), self.truth.ply);
        let steps = &mut self.steps[color.index()];
        steps.drain(..if ply < 4 { 0 } else { steps.len() });
        let (commitment, capture) = (posted.step.before.commitment, posted.step.capture);
        steps.push(PostedStep { commitment, pending: self.truth.pending, capture });
        self.truth.play(mv);
        self.own[color.index()] = posted.step.after;
        self.requests[color.index()] = Some(posted.next_request);
        assert_eq!(self.truth.pending, posted.step.capture);
        assert_eq!(self.truth.over, posted.step.king_fell);
        let pending = self.truth.pending;
        if let Some(request) = &self.requests[(!color).index()] {
            let exchange = self.exchange(ply + 1, Phase::Pre, pending);
            let made = self.answer(color, &exchange, request);
            self.promised = Some((made.1, made.0));
        }
        let exchange = self.exchange(ply, Phase::Post, pending);
        let request = self.requests[color.index()].as_ref();
        let (sender, _) = self.answer(!color, &exchange, request.expect("just asked"));
        let own = &self.own[color.index()];
        let receiver = self.pair.of(color).receiver(&exchange, own, None);
        let (_, session) = run(sender, receiver.expect("an own exchange"));
        let other = self.truth.mover().without(pending);
        let right = Sight::between(&own.side, &other, false);
        assert_eq!(session.output(), Some(&right));
    }

    fn answer(&self, color: Color, exchange: &Exchange, request: &[u8]) -> (BoxedParty<()>, Word) {
        let keys = self.pair.of(color);
        let made = keys.sender(exchange, &self.own[color.index()], request);
        made.expect("an honest request is answered")
    }
}

/// A draw by fifty moves is claimed and disproved by what the own state counts.
#[test]
fn the_own_state_says_whether_it_counts_fifty_moves() {
    let mut rng = StdRng::seed_from_u64(seed(112));
    let pair = Pair::set_up(Arc::new(SightLines::new(Arc::new(NativeProofs))), &mut rng);
    for (since_pawn, is_fifty) in [(0, 0), (49, 0), (50, 1), (127, 1)] {
        let own = state(&Side { since_pawn, ..Side::start(Color::White) }, &mut rng);
        let keys = pair.of(Color::White).on_chain().expect("its statements are verified by a contract");
        let proof = keys.prove_fifty(&own).expect("a state of a game");
        // The native proof is its public inputs.
        assert_eq!(proof, [own.commitment, small_word(is_fifty)].concat(), "{since_pawn}");
    }
}

/// A move whose posted fields are not those of its proof is refused on this side.
fn lies_are_noticed(play: &Play, posted: &Posted, rng: &mut StdRng) {
    let keys = play.pair.of(play.truth.to_move());
    let lie = |change: &dyn Fn(&mut MoveStep)| {
        let mut step = posted.step.clone();
        change(&mut step);
        let fault = keys.prove_move(&step).expect_err("a lie");
        assert!(fault.is_own(), "{fault}");
    };
    let elsewhere = state(&posted.step.before.side, rng);
    lie(&|step| step.king_fell ^= true);
    lie(&|step| step.capture = step.capture.map_or(Square::new(0), |_| None));
    lie(&|step| step.after = elsewhere.clone());
    lie(&|step| step.mv.to = step.mv.from);
    lie(&|step| {
        if let Some((_, messages)) = &mut step.seen {
            messages.clear();
        } else {
            step.before.salt = elsewhere.salt.clone();
        }
    });
}

#[test]
fn whole_games_are_played_and_proven_through_the_trait() {
    let mut rng = StdRng::seed_from_u64(seed(111));
    for engine in quick_engines() {
        // Games of slow engines are broken off early.
        let plies = 2 + cases(PLIES).div_ceil(slowness(&*engine)) as u64;
        let pair = Pair::set_up(engine, &mut rng);
        let mut play = Play::start(pair, &mut rng);
        let mut captures = 0;
        while play.truth.ply < plies && !play.truth.over {
            let (mv, posted) = play.choose(&mut rng);
            captures += usize::from(posted.step.capture.is_some());
            let keys = play.pair.of(play.truth.to_move()).clone();
            let step = posted.step.clone();
            let proof = std::thread::spawn(move || keys.prove_move(&step));
            let proof = proof.join().expect("no panic").expect("a legal move");
            if !proof.is_empty() {
                // The native proof of a turn is its public inputs.
                assert_eq!(proof, play.instance(&posted), "{mv}");
                lies_are_noticed(&play, &posted, &mut rng);
            }
            play.make(&mv, posted);
        }
        println!("{} plies, {captures} captures", play.truth.ply);
        assert!(captures > 0 || plies < 24);
    }
}
