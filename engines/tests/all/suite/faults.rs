//! Every wrong message has its name, changes nothing, and leaves room for the right one.

use super::{PHASES, engines, positions, quick_engines, share};
use crate::pair::{Pair, Position, deliver, step};
use fog::{
    engine::{Fault, Job, MessageSize, Phase, Received, Session},
    testing::seed,
    word::WORD,
};
use rand::{SeedableRng, rngs::StdRng};

/// Message `index` on its way to `target`.
struct Attack<'a, T> {
    target: &'a mut Session<T>,
    index: usize,
    right: &'a [u8],
    size: MessageSize,
}

impl<T: Send + 'static> Attack<'_, T> {
    /// The fault of another message in place of the right one.
    fn fault(&mut self, index: usize, bytes: &[u8]) -> Fault {
        let before = self.target.messages().len();
        let refused = deliver(self.target, index, bytes);
        assert_eq!(self.target.messages().len(), before);
        refused.expect_err("a wrong message is refused")
    }

    fn changed(&self, place: usize) -> Vec<u8> {
        let mut bytes = self.right.to_vec();
        bytes[place] ^= 1;
        bytes
    }

    fn lengths_and_numbers(&mut self, shape: &[MessageSize]) {
        let (index, right) = (self.index, self.right);
        for length in [0, right.len() - 1, right.len() + 1] {
            let mut bytes = right.to_vec();
            bytes.resize(length, 0);
            let fault = self.fault(index, &bytes);
            assert!(
                matches!(fault, Fault::Length { index: i, got, expected }
                    if (i, got, expected) == (index, length, right.len())),
                "{fault}"
            );
        }
        for other in [index + 1, index + 2, shape.len(), shape.len() + 1] {
            let size = shape.get(other).map_or(right.len(), |size| size.total());
            let fault = self.fault(other, &vec![0; size]);
            assert!(matches!(fault, Fault::NotDue(i) if i == other), "{fault}");
        }
    }

    fn garbage(&mut self) {
        let fault = self.fault(self.index, &vec![0xff; self.right.len()]);
        let named = matches!(fault, Fault::Malformed { .. } | Fault::Digest(_) | Fault::Proof { .. });
        assert!(named, "{fault}");
    }

    fn another_opening(&mut self, phase: Phase) {
        let fault = self.fault(0, &self.changed(WORD - 1));
        let named = match phase {
            Phase::Pre => matches!(fault, Fault::Digest(0)),
            Phase::Post => matches!(fault, Fault::Proof { index: 0, .. }),
        };
        assert!(named, "{phase:?}: {fault}");
    }

    fn proof(&mut self) {
        let fault = self.fault(self.index, &self.changed(self.right.len() - 1));
        assert!(matches!(fault, Fault::Proof { index, .. } if index == self.index), "{fault}");
        assert!(!fault.is_own());
    }

    /// The right one comes while a wrong one is being looked at; then everything again.
    fn right_one(&mut self) -> Option<usize> {
        let (index, last) = (self.index, self.right.len() - 1);
        let reply = if self.size.proof > 0 {
            let wrong = self.changed(last);
            let job = due(self.target.receive(index, &wrong));
            let again = self.target.receive(index, &wrong);
            assert!(matches!(again, Ok(Received::Repeat)));
            let held = self.target.receive(index, self.right);
            assert!(matches!(held, Ok(Received::Held)));
            assert!(self.target.awaits().is_none(), "the first is still being looked at");
            let fault = step(self.target, job).expect_err("a wrong proof");
            assert!(matches!(fault, Fault::Proof { .. }), "{fault}");
            let job = self.target.resume().expect("the right one");
            step(self.target, job.expect("the held message is due")).expect("the right one")
        } else {
            deliver(self.target, index, self.right).expect("the right one")
        };
        let again = self.target.receive(index, self.right);
        assert!(matches!(again, Ok(Received::Repeat)));
        let other = self.target.receive(index, &self.changed(0));
        assert!(matches!(other, Err(Fault::Contradiction(i)) if i == index));
        if self.size.proof > 0 {
            let proven_again = self.target.receive(index, &self.changed(last));
            assert!(matches!(proven_again, Ok(Received::Repeat)));
        }
        reply
    }
}

fn due<T>(received: Result<Received<T>, Fault>) -> Job<T> {
    match received {
        Ok(Received::Job(job)) => job,
        other => panic!("a step is due, not {:?}", other.err()),
    }
}

/// An exchange in which every message comes wrongly, in every way, before it comes as it must; its right messages.
pub fn attack_exchange(pair: &Pair, position: &Position, phase: Phase) -> Vec<Vec<u8>> {
    let (sender, receiver, _) = pair.parties(position, phase);
    let shape = receiver.shape();
    let (mut sender, opening) = Session::start(sender, true);
    let (mut receiver, waiting) = Session::start(receiver, false);
    step(&mut receiver, waiting).expect("it waits");
    step(&mut sender, opening).expect("it opens");
    for (index, size) in shape.iter().copied().enumerate() {
        // Of an opening that nothing on chain promised any 32 bytes are a possible one.
        let is_free = index == 0 && phase == Phase::Post && size == MessageSize::of(WORD);
        if index % 2 == 1 {
            let right = receiver.messages()[index].clone();
            assert_eq!(sender.awaits(), Some(index));
            let (target, right) = (&mut sender, &right[..]);
            let mut attack = Attack { target, index, right, size };
            attack.lengths_and_numbers(&shape);
            attack.garbage();
            assert_eq!(attack.right_one(), Some(index + 1));
            continue;
        }
        let right = sender.messages()[index].clone();
        assert_eq!(receiver.awaits(), Some(index));
        let (target, right) = (&mut receiver, &right[..]);
        let mut attack = Attack { target, index, right, size };
        attack.lengths_and_numbers(&shape);
        if !is_free {
            attack.garbage();
            if index == 0 {
                attack.another_opening(phase);
            }
        }
        if size.proof > 0 {
            attack.proof();
        }
        let reply = attack.right_one();
        assert_eq!(reply, (index + 1 < shape.len()).then_some(index + 1));
    }
    assert!(receiver.is_over() && sender.is_over());
    assert_eq!(receiver.output(), Some(&position.sight(phase)));
    let sizes = receiver.messages().iter().map(Vec::len);
    assert!(sizes.eq(shape.iter().map(|size| size.total())));
    receiver.messages().to_vec()
}

#[test]
fn wrong_messages_are_refused_by_name_and_right_ones_still_taken() {
    let mut rng = StdRng::seed_from_u64(seed(101));
    for engine in quick_engines() {
        let count = share(&*engine, 3);
        let pair = Pair::set_up(engine, &mut rng);
        for position in positions(&mut rng, count) {
            for phase in PHASES {
                attack_exchange(&pair, &position, phase);
            }
        }
    }
}

/// The receiver refuses another digest than the chain's although all else is right.
#[test]
fn an_opening_that_was_not_promised_is_refused() {
    let mut rng = StdRng::seed_from_u64(seed(102));
    for engine in engines() {
        let pair = Pair::set_up(engine, &mut rng);
        let position = positions(&mut rng, 1).remove(0);
        let exchange = position.exchange(Phase::Pre);
        let (sender, _, mut root) = pair.parties(&position, Phase::Pre);
        let (mut sender, opening) = Session::start(sender, true);
        step(&mut sender, opening).expect("it opens");
        root[WORD - 1] ^= 1;
        let color = exchange.receiver();
        let own = position.own(color);
        let party = pair.of(color).receiver(&exchange, own, Some(root));
        let (mut receiver, waiting) = Session::start(party.expect("an own exchange"), false);
        step(&mut receiver, waiting).expect("it waits");
        let refused = deliver(&mut receiver, 0, &sender.messages()[0]);
        assert!(matches!(refused, Err(Fault::Digest(0))));
    }
}

/// An exchange of other public facts than the sender's: with a stale captured square nothing opens.
#[test]
fn a_stale_pending_square_is_another_exchange() {
    let mut rng = StdRng::seed_from_u64(seed(103));
    for engine in engines() {
        let pair = Pair::set_up(engine, &mut rng);
        let mut found = positions(&mut rng, 300);
        found.retain(|position| position.pending.is_some());
        for position in found.iter().take(3) {
            for phase in PHASES {
                let (sender, _, _) = pair.parties(position, phase);
                let mut exchange = position.exchange(phase);
                let color = exchange.receiver();
                let digest = [0; WORD];
                let right = pair.of(color).context(&exchange, &digest);
                exchange.pending = None;
                let stale = pair.of(color).context(&exchange, &digest);
                assert_ne!(right.expect("a word"), stale.expect("a word"));
                let party = pair.of(color).receiver(&exchange, position.own(color), None);
                assert!(finds_a_fault(sender, party.expect("an own exchange")));
            }
        }
    }
}

/// Whether the receiver refuses one of the sender's messages.
fn finds_a_fault(sender: fog::engine::BoxedParty<()>, receiver: fog::engine::BoxedParty<rules::Sight>) -> bool {
    let (mut sender, opening) = Session::start(sender, true);
    let (mut receiver, waiting) = Session::start(receiver, false);
    step(&mut receiver, waiting).expect("it waits");
    let mut sent = step(&mut sender, opening).expect("it opens");
    while let Some(index) = sent {
        let Ok(reply) = deliver(&mut receiver, index, &sender.messages()[index]) else {
            return true;
        };
        sent = reply.and_then(|index| {
            let message = receiver.messages()[index].clone();
            deliver(&mut sender, index, &message).expect("a right message")
        });
    }
    false
}
