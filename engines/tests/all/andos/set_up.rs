//! Wrong messages of the set-up are refused by name, and right ones still taken.

use crate::pair::{deliver, registered, step};
use engines::andos::Andos;
use fog::{
    engine::{Engine, Fault, Session},
    testing::seed,
};
use rand::{SeedableRng, rngs::StdRng};
use rules::Color;

#[test]
fn a_key_that_can_be_none_is_refused() {
    let mut rng = StdRng::seed_from_u64(seed(124));
    let engine = Andos::IMPROVED;
    let (game, seeds) = registered(&engine, &mut rng);
    let party = |color: Color| engine.set_up(color, &seeds[color.index()], &game).expect("both have registered");
    let (mut white, opening) = Session::start(party(Color::White), true);
    let (mut black, waiting) = Session::start(party(Color::Black), false);
    step(&mut black, waiting).expect("it waits");
    step(&mut white, opening).expect("it opens");
    let right = white.messages()[0].clone();
    let changed = |change: &dyn Fn(&mut [u8])| {
        let mut key = right.clone();
        change(&mut key);
        key
    };
    let wrong = [
        changed(&|key| key.fill(0)),
        changed(&|key| key.fill(0xff)),
        changed(&|key| key[0] &= 0x7f),
        changed(&|key| key[255] ^= 1),
        changed(&|key| key[256..].fill(0xff)),
        changed(&|key| key[256..].fill(0)),
    ];
    for key in wrong {
        let refused = deliver(&mut black, 0, &key);
        assert!(matches!(refused, Err(Fault::Malformed { index: 0, .. })));
    }
    assert_eq!(deliver(&mut black, 0, &right).expect("the right key"), Some(1));
    deliver(&mut white, 1, &black.messages()[1]).expect("the right key");
    assert!(white.is_over() && black.is_over());
}
