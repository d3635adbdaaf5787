//! Cheats that the hardened engine refuses by name, and the plain one doesn't notice; and what the suite asks of every engine's messages.

use super::costs::{HARDENED, documented};
use crate::{
    pair::{Pair, Position, deliver, registered, step},
    suite::faults::attack_exchange,
};
use engines::{
    andos::Andos,
    testing::{Difference, replay},
};
use fog::{
    engine::{Engine, Fault, Game, Phase, Session, chain_digest},
    testing::{Walk, seed},
};
use rand::{Rng, SeedableRng, rngs::StdRng};
use rules::{Color, Sight};
use std::sync::Arc;

const ELEMENT: usize = 256;
const PACKET: usize = 64 * 4 * ELEMENT;

fn position(rng: &mut StdRng) -> Position {
    let mut walk = Walk::start();
    while walk.ply < 6 {
        walk.advance(rng);
    }
    Position::of(&walk, rng)
}

/// The *post* exchange's parties once the sender has opened.
fn opened(pair: &Pair, position: &Position) -> (Session<()>, Session<Sight>) {
    let (sender, receiver, _) = pair.parties(position, Phase::Post);
    let (mut sender, opening) = Session::start(sender, true);
    let (mut receiver, waiting) = Session::start(receiver, false);
    step(&mut receiver, waiting).expect("it waits");
    step(&mut sender, opening).expect("it opens");
    (sender, receiver)
}

/// What the suite asks of other engines' messages exchange by exchange, of one of each phase: each takes 14 seconds of processors. Wrong messages are
/// refused, the sight is the rules', sizes are the documents', both players' messages come again, and the first other byte is found.
#[test]
fn sights_are_right_and_come_again_by_replay() {
    let mut rng = StdRng::seed_from_u64(seed(129));
    let pair = Pair::set_up(Arc::new(Andos::HARDENED), &mut rng);
    let position = position(&mut rng);
    for phase in [Phase::Pre, Phase::Post] {
        let messages = attack_exchange(&pair, &position, phase);
        let bytes = |first: usize| messages.iter().skip(first).step_by(2).map(Vec::len).sum::<usize>();
        let (_, count, expected) = documented(false, HARDENED, &position.exchange(phase));
        assert_eq!((messages.len(), [bytes(0), bytes(1)]), (count, expected));
        let sizes = pair.parties(&position, phase).0.shape();
        let again = |opens: bool, messages: &[Vec<u8>]| {
            let (sender, receiver, _) = pair.parties(&position, phase);
            if opens { replay(sender, true, messages) } else { replay(receiver, false, messages) }
        };
        for opens in [true, false] {
            assert_eq!(again(opens, &messages).expect("right messages"), None);
            // An early one: all messages before it are made again.
            let message = rng.gen_range(0..8) * 2 + usize::from(!opens);
            let byte = rng.gen_range(0..sizes[message].content);
            let mut changed = messages.clone();
            changed[message][byte] ^= 1;
            let found = again(opens, &changed).expect("right messages of the peer");
            assert_eq!(found, Some(Difference { message, byte }));
        }
    }
}

/// The set-up's first message of White and what Black says to it.
fn to_black(engine: &dyn Engine, game: &Game, rng: &mut StdRng, change: impl Fn(&mut [u8])) -> Result<(), Fault> {
    let (_, seeds) = registered(engine, rng);
    let mut game = game.clone();
    game.registered = [&seeds[0], &seeds[1]].map(|seed| engine.register(seed));
    let party = |color: Color| engine.set_up(color, &seeds[color.index()], &game).expect("both have registered");
    let (mut white, opening) = Session::start(party(Color::White), true);
    let (mut black, waiting) = Session::start(party(Color::Black), false);
    step(&mut black, waiting).expect("it waits");
    step(&mut white, opening).expect("it opens");
    let mut message = white.messages()[0].clone();
    change(&mut message);
    deliver(&mut black, 0, &message).map(|_| ())
}

/// A residue in the place of `y`, with the proof of the right one: here 4.
#[test]
fn a_false_y_is_refused_in_the_set_up() {
    let mut rng = StdRng::seed_from_u64(seed(125));
    let residue = |message: &mut [u8]| {
        message[ELEMENT..2 * ELEMENT].fill(0);
        message[2 * ELEMENT - 1] = 4;
    };
    for (engine, is_refused) in [(Andos::IMPROVED, false), (Andos::HARDENED, true)] {
        let (game, _) = registered(&engine, &mut rng);
        assert!(to_black(&engine, &game, &mut rng, |_| ()).is_ok());
        let answer = to_black(&engine, &game, &mut rng, residue);
        assert_eq!(matches!(answer, Err(Fault::Proof { index: 0, .. })), is_refused);
        assert_eq!(answer.is_err(), is_refused);
    }
}

/// A sender marks squares by elements whose Jacobi symbol is −1, which survives every re-randomisation.
#[test]
fn a_marked_packet_is_refused() {
    let mut rng = StdRng::seed_from_u64(seed(126));
    for (engine, is_refused) in [(Andos::IMPROVED, false), (Andos::HARDENED, true)] {
        let pair = Pair::set_up(Arc::new(engine), &mut rng);
        let position = position(&mut rng);
        let exchange = position.exchange(Phase::Post);
        let (sender, mut receiver) = opened(&pair, &position);
        let mut opening = sender.messages()[0].clone();
        let bytes = opening.len() - 32;
        // A small number has either symbol.
        for square in 0..64 {
            opening[4 * ELEMENT * square..][..ELEMENT / 2].fill(0);
        }
        let id = exchange.id(engine.about(), &pair.game);
        let bound = chain_digest([&b"fogmate/andos/opening/1"[..], &id, &opening[..bytes]]);
        opening[bytes..].copy_from_slice(&bound);
        let answer = deliver(&mut receiver, 0, &opening);
        assert_eq!(matches!(answer, Err(Fault::Malformed { index: 0, .. })), is_refused);
        assert_eq!(answer.is_err(), is_refused);
        if is_refused {
            assert_eq!(deliver(&mut receiver, 0, &sender.messages()[0]).expect("the right one"), Some(1));
        }
    }
}

/// A receiver asks for the sum of two squares' bits: a packet whose elements are all fine, and which is no permutation.
#[test]
fn a_question_for_two_squares_at_once_is_refused() {
    let mut rng = StdRng::seed_from_u64(seed(127));
    for (engine, is_refused) in [(Andos::IMPROVED, false), (Andos::HARDENED, true)] {
        let pair = Pair::set_up(Arc::new(engine), &mut rng);
        let position = position(&mut rng);
        let (mut sender, mut receiver) = opened(&pair, &position);
        deliver(&mut receiver, 0, &sender.messages()[0]).expect("the opening");
        let right = receiver.messages()[1].clone();
        let mut question = right.clone();
        let (first, second) = question.split_at_mut(4 * ELEMENT);
        first.copy_from_slice(&second[..4 * ELEMENT]);
        let reply = deliver(&mut sender, 1, &question).expect("it looks like a question");
        assert_eq!(reply, Some(2));
        assert_eq!(sender.messages()[2].len() == 1, !is_refused, "an answer, or a challenge");
        if is_refused {
            deliver(&mut receiver, 2, &sender.messages()[2]).expect("a challenge");
            let openings = receiver.messages()[3].clone();
            assert!(matches!(deliver(&mut sender, 3, &openings), Err(Fault::Proof { index: 3, .. })));
            assert_eq!(sender.messages().len(), 3, "no answer");
        }
        assert_eq!(question.len(), right.len());
        assert!(question[..PACKET] != right[..PACKET]);
    }
}

/// A sender answers otherwise than its packet says.
#[test]
fn a_false_answer_is_refused() {
    let mut rng = StdRng::seed_from_u64(seed(128));
    for (engine, is_refused) in [(Andos::IMPROVED, false), (Andos::HARDENED, true)] {
        let pair = Pair::set_up(Arc::new(engine), &mut rng);
        let position = position(&mut rng);
        let (mut sender, mut receiver) = opened(&pair, &position);
        let mut next = Some(0);
        while let Some(index) = next.filter(|index| sender.messages()[*index].len() != answer_bytes(is_refused)) {
            let question = deliver(&mut receiver, index, &sender.messages()[index]).expect("a right message");
            let index = question.expect("a reply");
            next = deliver(&mut sender, index, &receiver.messages()[index]).expect("a right message");
        }
        let index = next.expect("the first answer");
        for bit in 0..4 {
            let mut answer = sender.messages()[index].clone();
            answer[0] ^= 1 << bit;
            let answered = deliver(&mut receiver, index, &answer);
            assert_eq!(matches!(answered, Err(Fault::Proof { index: i, .. }) if i == index), is_refused);
            if !is_refused {
                assert!(answered.is_ok(), "nothing shows the lie");
                break;
            }
        }
    }
}

/// Bytes of an answer that no packet goes with.
fn answer_bytes(is_proven: bool) -> usize {
    if is_proven { 1 + 32 + 128 * ELEMENT } else { 1 }
}
