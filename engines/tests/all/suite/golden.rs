//! Every byte that engines say is frozen: a digest of two sights of each, without proofs that are randomised. A change of one is a change of the
//! protocol, after which two versions of the program can't play with each other.

use super::{positions, quick_engines};
use crate::pair::{Pair, Position, run};
use engines::andos::Andos;
use fog::{
    engine::{Engine, Phase, digest},
    testing::Walk,
};
use rand::{SeedableRng, rngs::StdRng};
use rules::Color;
use std::sync::Arc;

/// By engine, eight bytes of a digest: of what was registered, of both sights' contexts, and of the messages' contents. What andos-hardened says is
/// part of what andos-chained does.
const SAID: [(&str, &str); 10] = [
    ("sight-lines", "c3a802c855cf0c5f"),
    ("open", "2500311a541fe412"),
    ("dh-psi-proven", "da5e3d421f680281"),
    ("dh-psi-plain", "a32eb5af493e6318"),
    ("dh-psi", "050c92119860ef77"),
    ("emanant", "2957180c90ddf48c"),
    ("andos", "a507f874981f9ca0"),
    ("andos-first", "d327a95ab4129099"),
    ("bfv", "791dc5e40dbd3221"),
    ("andos-chained", "8f0972244777e92a"),
];

fn said(engine: Arc<dyn Engine>, position: &Position, rng: &mut StdRng) -> String {
    let pair = Pair::set_up(engine, rng);
    let mut all: Vec<u8> = pair.game.registered.concat();
    // The chain begins with the sight after the first move.
    for phase in [Phase::Post, Phase::Pre] {
        let exchange = position.exchange(phase);
        let (receiver, sender) = (exchange.receiver(), exchange.sender());
        let request = pair.of(receiver).request(position.own(receiver)).expect("a request");
        let request_digest = pair.of(sender).request_digest(&request).expect("an honest request");
        let context = pair.of(sender).context(&exchange, &request_digest).expect("an honest request");
        let (sending, receiving, root) = pair.parties(position, phase);
        let sizes = sending.shape();
        all.extend([&request[..], &request_digest, &context, &root].concat());
        let messages = run(sending, receiving).0.messages().to_vec();
        all.extend(messages.iter().zip(sizes).flat_map(|(message, size)| &message[..size.content]));
    }
    digest([&all[..]])[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn engines_say_what_they_have_always_said() {
    let mut found = Vec::new();
    for engine in quick_engines() {
        let rng = &mut StdRng::seed_from_u64(20_261_123);
        let position = positions(rng, 8).remove(7);
        found.push((engine.about().name, said(engine, &position, rng)));
    }
    let rng = &mut StdRng::seed_from_u64(20_261_123);
    let mut walk = Walk::start();
    walk.advance(rng);
    let first = Position::of(&walk, rng);
    assert_eq!(first.exchange(Phase::Pre).receiver(), Color::Black);
    found.push(("andos-chained", said(Arc::new(Andos::CHAINED), &first, rng)));
    let found: Vec<(&str, &str)> = found.iter().map(|(name, said)| (*name, said.as_str())).collect();
    assert_eq!(found, SAID);
}
