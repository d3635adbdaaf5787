//! Opened sight is the rules' sight, over random games, before and after moves, with captured squares pending
//! (protocol section 5), through the trait that all engines share.

use fog::{
    engine::sight_lines::context::Phase,
    engine::sight_lines::open::{OpenError, open},
    engine::{RequestSecret, SightLines, SightProtocol},
    testing::{AnswerCase, RandomExchange, Walk, seed},
};
use rand::{SeedableRng, rngs::StdRng};
use rules::PieceType;
use std::collections::BTreeMap;

/// Exchanges of each of the two large tests.
const EXCHANGES: usize = 1000;

fn check(sighting: &RandomExchange) {
    let (engine, exchange) = (SightLines, sighting.exchange());
    let answer = engine
        .answer(
            &sighting.sender,
            &sighting.secret,
            &exchange,
            &sighting.request,
        )
        .expect("an honest request is answered");
    let secret = RequestSecret(sighting.scalars);
    let opened = engine
        .open(
            &sighting.receiver,
            &secret,
            &sighting.secret.key(),
            &exchange,
            &answer,
        )
        .expect("an honest answer opens");
    let expected = sighting.sight();
    assert_eq!(opened, expected, "{sighting:?}");
}

fn check_games(seed: u64) {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut walk = Walk::start();
    let mut pending: BTreeMap<PieceType, usize> = BTreeMap::new();
    for _ in 0..EXCHANGES / 2 {
        walk.advance(&mut rng);
        if walk.ply == 0 {
            continue;
        }
        if let Some(piece) = walk.pending.and_then(|square| walk.mover().piece(square)) {
            *pending.entry(piece).or_default() += 1;
        }
        check(&walk.pre(&mut rng));
        check(&walk.post(&mut rng));
    }
    println!("captured pieces pending: {pending:?}");
}

/// Two tests rather than one, so that two cores share the work.
#[test]
fn opened_sight_is_the_rules_sight_in_random_games() {
    check_games(seed(31));
}

#[test]
fn opened_sight_is_the_rules_sight_in_more_random_games() {
    check_games(seed(35) ^ 0xdead_beef);
}

/// The rare kinds of captured square, sought out.
#[test]
fn opened_sight_is_right_with_every_kind_of_captured_piece() {
    let mut rng = StdRng::seed_from_u64(seed(32));
    for case in AnswerCase::ALL {
        let mut walk = Walk::start();
        let mut found = 0;
        while found < 12 {
            walk.advance(&mut rng);
            if walk.ply > 0 && case.matches(&walk) {
                check(&match case.phase() {
                    Phase::Pre => walk.pre(&mut rng),
                    Phase::Post => walk.post(&mut rng),
                });
                found += 1;
            }
        }
    }
}

#[test]
fn an_answer_of_another_exchange_is_refused() {
    let mut rng = StdRng::seed_from_u64(seed(33));
    let mut walk = Walk::start();
    for _ in 0..30 {
        walk.advance(&mut rng);
    }
    let sighting = walk.pre(&mut rng);
    let (exchange, answer) = (sighting.exchange(), sighting.answer());
    let key = sighting.secret.key();
    let mut other = exchange;
    other.receiver = !other.receiver;
    let refused = open(&sighting.receiver, &sighting.scalars, &key, &other, &answer);
    assert_eq!(refused, Err(OpenError::Exchange));
    let mut other = exchange;
    other.ctx += fog::F::one();
    let refused = open(&sighting.receiver, &sighting.scalars, &key, &other, &answer);
    assert!(
        matches!(refused, Err(OpenError::Payload(_) | OpenError::Ray(_))),
        "{refused:?}"
    );
}

#[test]
fn messages_have_the_protocol_s_sizes() {
    let mut rng = StdRng::seed_from_u64(seed(34));
    let (secret, key) = SightLines.setup(&mut rng).expect("a key");
    let mut walk = Walk::start();
    walk.advance(&mut rng);
    let mut sighting = walk.pre(&mut rng);
    let (request, _) = SightLines
        .request(&sighting.receiver, &key, &mut rng)
        .expect("a request");
    assert_eq!(SightLines.request_to_bytes(&request).len(), 4096);
    sighting.secret = secret;
    sighting.request = request;
    let answer = sighting.answer();
    assert_eq!(SightLines.answer_to_bytes(&answer).len(), 733 * 32);
}
