//! Wrong messages of an exchange: each part of each message changed, messages of another exchange, openings that weren't promised.

use crate::pair::{Pair, Position, deliver, step};
use engines::bfv::{
    Bfv,
    parameters::{CIPHERTEXT_BYTES, POLY_BYTES, SHARE_BYTES},
};
use fog::{
    engine::{Exchange, Fault, Phase, Session},
    testing::{Walk, seed},
    word::WORD,
};
use rand::{Rng, SeedableRng, rngs::StdRng};
use rules::Sight;
use std::sync::Arc;

const SIZES: [usize; 3] = [CIPHERTEXT_BYTES + WORD, CIPHERTEXT_BYTES + WORD, SHARE_BYTES + WORD];

fn position(rng: &mut StdRng) -> Position {
    let mut walk = Walk::start();
    while walk.ply < 2 || walk.over || walk.pending.is_none() {
        walk = if walk.over { Walk::start() } else { walk };
        walk.advance(rng);
    }
    Position::of(&walk, rng)
}

/// Both sessions of an exchange, the sender's opening said.
fn sessions(pair: &Pair, position: &Position, phase: Phase) -> (Session<()>, Session<Sight>) {
    let (sender, receiver, _) = pair.parties(position, phase);
    let (mut sender, opening) = Session::start(sender, true);
    let (mut receiver, waiting) = Session::start(receiver, false);
    step(&mut receiver, waiting).expect("it waits");
    step(&mut sender, opening).expect("it opens");
    (sender, receiver)
}

/// The places to change: the first and the last byte of each polynomial, one between, the first and the last of the seal.
fn places(index: usize, rng: &mut StdRng) -> Vec<usize> {
    let part = if index == 2 { SHARE_BYTES } else { POLY_BYTES };
    let content = SIZES[index] - WORD;
    let starts = (0..content).step_by(part);
    let parts = starts.flat_map(|start| [start, start + rng.gen_range(1..part - 1), start + part - 1]);
    parts.collect::<Vec<_>>().into_iter().chain([content, content + WORD - 1]).collect()
}

/// A fault by name for a message that was changed in one bit or is another exchange's.
fn is_refused<T: Send + 'static>(session: &mut Session<T>, index: usize, wrong: &[u8], is_promised: bool) {
    let fault = deliver(session, index, wrong).expect_err("a wrong message");
    let is_named = match fault {
        Fault::Proof { index: i, .. } | Fault::Malformed { index: i, .. } => i == index,
        Fault::Digest(0) => is_promised && index == 0,
        _ => false,
    };
    assert!(is_named, "message {index}: {fault}");
}

#[test]
fn every_part_of_every_message_is_bound() {
    let mut rng = StdRng::seed_from_u64(seed(191));
    let pair = Pair::set_up(Arc::new(Bfv::default()), &mut rng);
    let (here, elsewhere) = (position(&mut rng), position(&mut rng));
    let (foreign, _) = pair.exchange(&elsewhere, Phase::Post);
    for phase in [Phase::Pre, Phase::Post] {
        let (exchange, none) = (here.exchange(phase), [0; WORD]);
        let context = pair.of(exchange.receiver()).context(&exchange, &none).expect("a word");
        assert_eq!(context, exchange.id(pair.engine.about(), &pair.game));
        let (mut sender, mut receiver) = sessions(&pair, &here, phase);
        for (index, size) in SIZES.into_iter().enumerate() {
            let from_sender = index % 2 == 0;
            let right = if from_sender { sender.messages()[index].clone() } else { receiver.messages()[index].clone() };
            assert_eq!(right.len(), size);
            let mut wrong: Vec<Vec<u8>> = vec![foreign.messages()[index].clone(), vec![0; size], vec![0xff; size]];
            wrong.extend(places(index, &mut rng).into_iter().map(|place| {
                let mut changed = right.clone();
                changed[place] ^= 1 << rng.gen_range(0..8);
                changed
            }));
            for wrong in wrong {
                if from_sender {
                    is_refused(&mut receiver, index, &wrong, phase == Phase::Pre);
                } else {
                    is_refused(&mut sender, index, &wrong, false);
                }
            }
            if from_sender {
                deliver(&mut receiver, index, &right).expect("the right message");
            } else {
                deliver(&mut sender, index, &right).expect("the right message");
            }
        }
        assert_eq!(receiver.output(), Some(&here.sight(phase)));
    }
}

/// A receiver that lost its memory begins again: the promised opening comes again, the rest is fresh.
#[test]
fn a_second_attempt_has_the_same_opening_and_nothing_else() {
    let mut rng = StdRng::seed_from_u64(seed(192));
    let pair = Pair::set_up(Arc::new(Bfv::default()), &mut rng);
    let here = position(&mut rng);
    let first = here.exchange(Phase::Pre);
    let second = Exchange { attempt: 1, ..first.clone() };
    let color = first.receiver();
    let run = |exchange: &Exchange, promised| {
        let (sender, digest) = pair.of(!color).sender(exchange, here.own(!color), &[]).expect("an exchange");
        let receiver = pair.of(color).receiver(exchange, here.own(color), promised).expect("an exchange");
        (crate::pair::run(sender, receiver).1, digest)
    };
    let (one, promised) = run(&first, None);
    let (two, again) = run(&second, Some(promised));
    assert_eq!(promised, again);
    assert_eq!((one.output(), two.output()), (Some(&here.sight(Phase::Pre)), Some(&here.sight(Phase::Pre))));
    let is_same = |index: usize| one.messages()[index] == two.messages()[index];
    assert_eq!([is_same(0), is_same(1), is_same(2)], [true, false, false]);
}
