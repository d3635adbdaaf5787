//! Requests that can't be answered, registrations that are worthless, and what this side asks of itself wrongly.

use super::{engines, positions};
use crate::pair::{Pair, registered};
use fog::{
    curve::{FogKey, Scalar, mul},
    engine::{Fault, Phase, Trust},
    testing::seed,
};
use rand::{SeedableRng, rngs::StdRng};
use rules::Color;

#[test]
fn malformed_requests_can_t_be_answered() {
    let mut rng = StdRng::seed_from_u64(seed(104));
    for engine in engines() {
        let pair = Pair::set_up(engine, &mut rng);
        let position = positions(&mut rng, 1).remove(0);
        let exchange = position.exchange(Phase::Pre);
        let (receiver, sender) = (exchange.receiver(), exchange.sender());
        let right = pair.of(receiver).request(position.own(receiver));
        let right = right.expect("a request");
        let keys = pair.of(sender);
        let refused = |request: &[u8]| {
            let made = keys.sender(&exchange, position.own(sender), request);
            let fault = made.err().expect("a malformed request is refused");
            assert!(fault.to_string().contains("malformed and can't be answered"));
            matches!(fault, Fault::Request(_))
        };
        for garbage in [&[1][..], &vec![0xff; right.len() + 1], &vec![0; 5000]] {
            assert!(refused(garbage));
            let digest = keys.request_digest(garbage);
            assert!(matches!(digest, Err(Fault::Request(_))));
        }
        if right.is_empty() {
            continue;
        }
        // Sight-lines: the point ±j·A would make a key vanish. It is a request all the same, and has a digest.
        let key = FogKey::from_bytes(pair.game.registered(sender)).expect("a fog key");
        for choice in 1..=6 {
            for scalar in [Scalar::from(choice), -Scalar::from(choice)] {
                let mut request = right.clone();
                let point = FogKey(mul(&key.0, &scalar)).to_bytes();
                request[64 * 30..64 * 31].copy_from_slice(&point);
                assert!(keys.request_digest(&request).is_ok());
                assert!(refused(&request));
            }
        }
        request_is_checked_point_by_point(&right, &refused);
    }
}

fn request_is_checked_point_by_point(right: &[u8], refused: &dyn Fn(&[u8]) -> bool) {
    for point in [[0; 64], [0xff; 64]] {
        let mut request = right.to_vec();
        request[64 * 5..64 * 6].copy_from_slice(&point);
        assert!(refused(&request));
    }
}

#[test]
fn a_worthless_registration_is_the_peer_s_fault_and_a_foreign_one_a_defect() {
    let mut rng = StdRng::seed_from_u64(seed(105));
    for engine in engines() {
        let (game, seeds) = registered(&*engine, &mut rng);
        let with = |color: Color, registration| {
            let mut game = game.clone();
            game.registered[color.index()] = registration;
            let made = engine.set_up(Color::White, &seeds[0], &game);
            made.err().expect("a wrong registration")
        };
        let fault = with(Color::Black, [0xff; 64]);
        assert!(matches!(fault, Fault::Registration(_)), "{fault}");
        assert!(with(Color::White, engine.register(&seeds[1])).is_own());
    }
}

#[test]
fn nobody_receives_the_other_s_sight() {
    let mut rng = StdRng::seed_from_u64(seed(106));
    for engine in engines() {
        let pair = Pair::set_up(engine, &mut rng);
        let position = positions(&mut rng, 1).remove(0);
        let exchange = position.exchange(Phase::Pre);
        let color = exchange.sender();
        let made = pair.of(color).receiver(&exchange, position.own(color), None);
        assert!(made.err().expect("it is the opponent's").is_own());
    }
}

/// A receiver that lost its memory is sent the same message again; only engines whose peers trust each other begin again.
#[test]
fn there_is_no_second_attempt_where_players_may_cheat() {
    let mut rng = StdRng::seed_from_u64(seed(107));
    for engine in engines() {
        let pair = Pair::set_up(engine, &mut rng);
        let position = positions(&mut rng, 1).remove(0);
        let mut exchange = position.exchange(Phase::Pre);
        exchange.attempt = 1;
        let color = exchange.sender();
        let request = pair.of(!color).request(position.own(!color));
        let request = request.expect("a request");
        let made = pair.of(color).sender(&exchange, position.own(color), &request);
        let refuses = pair.engine.about().trust == Trust::Malicious;
        assert_eq!(made.is_err(), refuses);
    }
}
