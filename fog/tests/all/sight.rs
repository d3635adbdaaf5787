//! Opened sight is the rules' sight, over random games, before and after moves, with captured squares pending
//! (protocol section 5). What every engine must do, messages included, is in engines.rs.

use fog::{
    engine::Phase,
    engine::sight_lines::open::{OpenError, open},
    testing::{AnswerCase, RandomExchange, Walk, cases, seed},
};
use rand::{SeedableRng, rngs::StdRng};
use rules::PieceType;
use std::collections::BTreeMap;

/// Exchanges of each of the two large tests.
const EXCHANGES: usize = 1000;

fn check(sighting: &RandomExchange) {
    let opened =
        open(&sighting.receiver, &sighting.scalars, &sighting.secret.key(), &sighting.header(), &sighting.answer());
    assert_eq!(opened, Ok(sighting.sight()), "{sighting:?}");
}

fn check_games(seed: u64) {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut walk = Walk::start();
    let mut pending: BTreeMap<PieceType, usize> = BTreeMap::new();
    for _ in 0..cases(EXCHANGES / 2) {
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
    let (exchange, answer) = (sighting.header(), sighting.answer());
    let key = sighting.secret.key();
    let mut other = exchange;
    other.receiver = !other.receiver;
    let refused = open(&sighting.receiver, &sighting.scalars, &key, &other, &answer);
    assert_eq!(refused, Err(OpenError::Exchange));
    let mut other = exchange;
    other.ctx += fog::F::one();
    let refused = open(&sighting.receiver, &sighting.scalars, &key, &other, &answer);
    assert!(matches!(refused, Err(OpenError::Payload(_) | OpenError::Ray(_))), "{refused:?}");
}
