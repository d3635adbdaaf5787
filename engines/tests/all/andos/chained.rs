//! The engine that proves boards: a game from the start, and players who leave exchanges out or show what they don't have.

use crate::andos::costs::processor_time;
use crate::pair::{Pair, deliver, run, state, step};
use engines::andos::Andos;
use fog::{
    engine::{CommittedState, Exchange, Fault, Phase, Session, chain_digest},
    testing::{Walk, is_long, seed},
};
use rand::{SeedableRng, rngs::StdRng};
use rules::{Color, Move, PieceType, Sight};
use std::{sync::Arc, time::Instant};

/// A game in play.
struct Play {
    pair: Pair,
    walk: Walk,
    own: [CommittedState; 2],
}

impl Play {
    fn start(rng: &mut StdRng) -> Self {
        let pair = Pair::set_up(Arc::new(Andos::CHAINED), rng);
        let walk = Walk::start();
        let own = [0, 1].map(|color| state(&walk.sides[color], rng));
        Self { pair, walk, own }
    }

    fn make(&mut self, text: &str, rng: &mut StdRng) {
        let mv: Move = text.parse().expect("a move");
        assert!(self.walk.legal_moves().contains(&mv), "{text}");
        let color = self.walk.to_move().index();
        self.walk.play(&mv);
        self.own[color] = state(&self.walk.sides[color], rng);
    }

    /// The sight before the next ply, or after the last.
    fn exchange(&self, phase: Phase) -> Exchange {
        let to_move = self.walk.to_move();
        let men = Color::ALL.map(|color| {
            let pending = self.walk.pending.filter(|_| color == to_move);
            self.own[color.index()].side.without(pending).men().count() as u8
        });
        let ply = if phase == Phase::Pre { self.walk.ply } else { self.walk.ply - 1 };
        let commitments = [0, 1].map(|color| self.own[color].commitment);
        Exchange { ply, phase, attempt: 0, commitments, pending: self.walk.pending, men, steps: Default::default() }
    }

    /// Both parties, started, and the sender's promise; the fault of either where it can't take part.
    fn opened(&self, phase: Phase, own: &CommittedState) -> Result<(Session<()>, Session<Sight>), Fault> {
        let exchange = self.exchange(phase);
        let (sender, root) = self.pair.of(exchange.sender()).sender(&exchange, own, &[])?;
        let receiver = exchange.receiver();
        let promised = (phase == Phase::Pre).then_some(root);
        let party = self.pair.of(receiver).receiver(&exchange, &self.own[receiver.index()], promised)?;
        let (mut sender, opening) = Session::start(sender, true);
        let (mut receiver, waiting) = Session::start(party, false);
        step(&mut receiver, waiting)?;
        step(&mut sender, opening)?;
        Ok((sender, receiver))
    }

    /// A whole exchange, which gives the rules' sight.
    fn see(&self, phase: Phase) {
        let exchange = self.exchange(phase);
        let clock = Instant::now();
        let before = processor_time(&clock);
        let own = |color: Color| &self.own[color.index()];
        let (sender, root) = self
            .pair
            .of(exchange.sender())
            .sender(&exchange, own(exchange.sender()), &[])
            .expect("a board of the chain");
        let promised = (phase == Phase::Pre).then_some(root);
        let receiver = self.pair.of(exchange.receiver());
        let party = receiver.receiver(&exchange, own(exchange.receiver()), promised).expect("in order");
        let sizes: Vec<_> = party.shape().iter().map(|size| size.total()).collect();
        let (_, session) = run(sender, party);
        assert!(session.messages().iter().map(Vec::len).eq(sizes));
        assert!(session.messages().iter().all(|message| message.len() <= self.pair.engine.about().max_message));
        let bytes = |first: usize| session.messages().iter().skip(first).step_by(2).map(Vec::len).sum::<usize>();
        let spent = (processor_time(&clock) - before).as_millis();
        let messages = session.messages().len();
        println!("{phase:?}: {messages} messages, {} and {} bytes, {spent} ms of both", bytes(0), bytes(1));
        let boards = [exchange.receiver(), exchange.sender()].map(|color| exchange.board(&own(color).side));
        let right = Sight::between(&boards[0], &boards[1], phase == Phase::Pre);
        assert_eq!(session.output(), Some(&right), "{exchange:?}");
    }
}

/// Men are taken, by both players with FOGMATE_LONG; a sight of the receiver's own is shown after each ply.
#[test]
fn a_game_from_the_start_is_seen_through_proven_boards() {
    let mut rng = StdRng::seed_from_u64(seed(131));
    let mut play = Play::start(&mut rng);
    let moves = ["e2e4", "d7d5", "e4d5", "d8d5"];
    let plies = if is_long() { 4 } else { 3 };
    for (ply, text) in moves.into_iter().take(plies).enumerate() {
        play.make(text, &mut rng);
        if ply > 0 {
            play.see(Phase::Pre);
        }
        play.see(Phase::Post);
    }
    assert_eq!(play.walk.pending, "d5".parse().ok());
}

/// What is no move from the board shown last can't be shown, and an exchange that was left out is missed.
#[test]
fn exchanges_come_in_order_and_boards_from_the_one_before() {
    let mut rng = StdRng::seed_from_u64(seed(132));
    let mut play = Play::start(&mut rng);
    play.make("e2e4", &mut rng);
    let mut other = play.own[1].side.clone();
    other.pieces[40] = Some(PieceType::Queen);
    let fault = play.opened(Phase::Post, &state(&other, &mut rng)).expect_err("another board than the start");
    assert!(fault.is_own(), "{fault}");
    play.make("e7e5", &mut rng);
    // White saw nothing of Black before: the sight after White's first move was left out.
    let fault = play.opened(Phase::Pre, &play.own[1]).expect_err("an exchange is missing");
    assert!(fault.is_own() && fault.to_string().contains("missing"), "{fault}");
}

/// An opening whose packet is another one than the chain's, and openings of the board's proof that are wrong, are refused by name, and the
/// right ones still taken.
#[test]
fn a_board_that_is_not_proven_is_refused() {
    let mut rng = StdRng::seed_from_u64(seed(133));
    let mut play = Play::start(&mut rng);
    play.make("e2e4", &mut rng);
    let (mut sender, mut receiver) = play.opened(Phase::Post, &play.own[1]).expect("the start");
    let right = sender.messages()[0].clone();
    let mut shifted = right.clone();
    // Two squares of the packet change places, and the digests are made again.
    let (first, second) = shifted.split_at_mut(48 * 1024);
    first[..1024].swap_with_slice(&mut second[..1024]);
    let exchange = play.exchange(Phase::Post);
    let id = exchange.id(play.pair.engine.about(), &play.pair.game);
    let inner = 65_536 + 32;
    let own = chain_digest([&b"fogmate/andos/opening/1"[..], &id, &shifted[..inner]]);
    shifted[inner..inner + 32].copy_from_slice(&own);
    let end = shifted.len() - 32;
    let whole = chain_digest([&b"fogmate/andos/board/1"[..], &id, &shifted[..end]]);
    shifted[end..].copy_from_slice(&whole);
    // It is well formed, so it is challenged, and then nothing opens.
    let mut cheated = play.opened(Phase::Post, &play.own[1]).expect("the start").1;
    assert_eq!(deliver(&mut cheated, 0, &shifted).expect("well formed"), Some(1));
    assert_eq!(deliver(&mut receiver, 0, &right).expect("the right one"), Some(1));
    deliver(&mut sender, 1, &cheated.messages()[1]).expect("a challenge");
    let openings = sender.messages()[2].clone();
    assert!(matches!(deliver(&mut cheated, 2, &openings), Err(Fault::Proof { index: 2, .. })));
    // The right opening was challenged otherwise: its own openings are taken, no others.
    let mut again = play.opened(Phase::Post, &play.own[1]).expect("the start").0;
    deliver(&mut again, 1, &receiver.messages()[1]).expect("a challenge");
    assert!(matches!(deliver(&mut receiver, 2, &openings), Err(Fault::Proof { index: 2, .. })));
    assert_eq!(deliver(&mut receiver, 2, &again.messages()[2]).expect("the right ones"), Some(3));
}
