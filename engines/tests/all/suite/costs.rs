//! What `engines::testing::measure` says: number and size of messages are those of the public shape; times are nobody's claim.

use super::quick_engines;
use crate::pair::Pair;
use engines::{alone::Scene, testing::measure::measure};
use fog::{
    engine::Phase,
    testing::{Walk, seed},
};
use rand::{SeedableRng, rngs::StdRng};
use rules::{Color, Position, Side};
use std::time::Duration;

#[test]
fn measured_messages_are_those_of_the_shape() {
    let mut rng = StdRng::seed_from_u64(seed(123));
    for engine in quick_engines() {
        let scenes = [0, 1].map(|salt| Scene::at(&Position::start(), salt));
        let measured = measure(&*engine, &scenes, Duration::MAX).expect("right sights").expect("scenes");
        assert_eq!(measure(&*engine, &[], Duration::MAX).expect("no fault"), None);
        let [sight] = measured.sights[..] else { panic!("the first sight is counted apart") };
        let pair = Pair::set_up(engine, &mut rng);
        let start = Walk::from_sides(Color::ALL.map(Side::start), Color::White);
        let position = crate::pair::Position::of(&start, &mut rng);
        let exchange = position.exchange(Phase::Pre);
        let request = pair.of(exchange.receiver()).request(position.own(exchange.receiver())).expect("a request");
        let shape = pair.parties(&position, Phase::Pre).0.shape();
        let sent = |first: usize| shape.iter().skip(first).step_by(2).map(|size| size.total()).sum::<usize>();
        assert_eq!(sight.messages, shape.len() + usize::from(!request.is_empty()));
        assert_eq!(sight.opener_bytes, sent(0));
        assert_eq!(sight.other_bytes, sent(1) + request.len());
    }
}
