//! What a lie about captures does: the public number of the receiver's men is 16 less what its opponent says it has captured.

use crate::pair::{Pair, Position, deliver, step};
use engines::andos::Andos;
use fog::{
    engine::{Fault, Phase, Session},
    testing::{Walk, seed},
};
use rand::{SeedableRng, rngs::StdRng};
use std::sync::Arc;

/// With two men there are four questions for pawns, and eight pawns need more: that is the opponent's doing, and no defect here.
#[test]
fn captures_of_nothing_are_the_opponent_s_fault() {
    let mut rng = StdRng::seed_from_u64(seed(131));
    let pair = Pair::set_up(Arc::new(Andos::IMPROVED), &mut rng);
    let mut walk = Walk::start();
    (0..2).for_each(|_| walk.advance(&mut rng));
    let position = Position::of(&walk, &mut rng);
    let mut exchange = position.exchange(Phase::Pre);
    let color = exchange.receiver();
    exchange.men[color.index()] = 2;
    let (sender, root) = pair.of(!color).sender(&exchange, position.own(!color), &[]).expect("an exchange");
    let receiver = pair.of(color).receiver(&exchange, position.own(color), Some(root)).expect("an exchange");
    let questions = sender.shape().len() / 2;
    let ((mut sender, first), (mut receiver, second)) = (Session::start(sender, true), Session::start(receiver, false));
    assert_eq!(step(&mut receiver, second).expect("it waits"), None);
    let mut said = step(&mut sender, first).expect("an opening");
    let fault = loop {
        let index = said.expect("an answer");
        let question = match deliver(&mut receiver, index, &sender.messages()[index].clone()) {
            Ok(question) => question.expect("a question"),
            Err(fault) => break fault,
        };
        said = deliver(&mut sender, question, &receiver.messages()[question].clone()).expect("a right question");
    };
    assert!(matches!(fault, Fault::Malformed { index, .. } if index == 2 * questions), "{fault}");
    assert!(!fault.is_own() && fault.to_string().contains("captures where no man stood"), "{fault}");
}
