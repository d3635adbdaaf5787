//! After the game: an honest player's messages follow from its states and its seed, and another one's first lie is found.

use super::{PHASES, positions, quick_engines, share};
use crate::pair::{Pair, run, state};
use engines::{
    dh_psi::{DhPsi, DhPsiPlain},
    emanant::Emanant,
    replay::{Accountable, Again},
    testing::{Difference, replay},
};
use fog::{
    engine::{Engine, Phase},
    testing::seed,
};
use rand::{Rng, SeedableRng, rngs::StdRng};
use rules::{Color, PieceType};
use std::sync::Arc;

/// Messages of an exchange that are changed, at most.
const CHANGES: usize = 12;

#[test]
fn honest_messages_are_the_same_again_and_the_first_other_byte_is_found() {
    let mut rng = StdRng::seed_from_u64(seed(121));
    for engine in quick_engines() {
        // Every replay makes all messages before, so that of an engine with many only some are changed.
        let changes = share(&*engine, CHANGES);
        let pair = Pair::set_up(engine, &mut rng);
        let position = positions(&mut rng, 1).remove(0);
        for phase in PHASES {
            let (sender, receiver, _) = pair.parties(&position, phase);
            let sizes = sender.shape();
            let recorded = run(sender, receiver).0.messages().to_vec();
            let again = |opens: bool, messages: &[Vec<u8>]| {
                let (sender, receiver, _) = pair.parties(&position, phase);
                if opens { replay(sender, true, messages) } else { replay(receiver, false, messages) }
            };
            for opens in [true, false] {
                assert_eq!(again(opens, &recorded).expect("right messages"), None);
            }
            for message in (0..recorded.len()).step_by(recorded.len().div_ceil(changes)) {
                let byte = rng.gen_range(0..sizes[message].content);
                let mut changed = recorded.clone();
                changed[message][byte] ^= 1;
                let opens = message % 2 == 0;
                let found = again(opens, &changed).expect("right messages of the peer");
                assert_eq!(found, Some(Difference { message, byte }));
                // Half a game: as far as it was recorded.
                assert_eq!(again(opens, &recorded[..message]).expect("right messages"), None);
            }
        }
    }
}

/// A sender that hid a man. Its opponent saw nothing wrong; afterwards its first message is not that of its board.
#[test]
fn a_sender_that_showed_another_board_is_found_by_its_branch() {
    let all: [(Arc<dyn Engine>, Arc<dyn Accountable>); 3] = [
        (Arc::new(DhPsiPlain::default()), Arc::new(DhPsiPlain::default())),
        (Arc::new(DhPsi::default()), Arc::new(DhPsi::default())),
        (Arc::new(Emanant::default()), Arc::new(Emanant::default())),
    ];
    let mut rng = StdRng::seed_from_u64(seed(122));
    for (engine, accountable) in all {
        let name = engine.about().name;
        let (game, seeds) = crate::pair::registered(&*engine, &mut rng);
        let pair = Pair::with([engine.clone(), engine], game, &seeds);
        let position = positions(&mut rng, 1).remove(0);
        let exchange = position.exchange(Phase::Pre);
        let (color, honest) = (exchange.sender(), position.own(exchange.sender()));
        let mut lie = state(&honest.side, &mut rng);
        lie.commitment = honest.commitment;
        let man = lie.side.men().find(|(_, piece)| *piece != PieceType::King).expect("a man").0;
        lie.side.pieces[man.index()] = None;
        let (sender, root) = pair.of(color).sender(&exchange, &lie, &[]).expect("an exchange");
        let receiver = pair.of(!color).receiver(&exchange, position.own(!color), Some(root));
        let recorded = run(sender, receiver.expect("an exchange")).0.messages().to_vec();
        let published = |of: Color| accountable.published(color, seeds[of.index()].branch(name), &pair.game);
        assert!(published(!color).is_none());
        let set_up = Again::run(published(color).expect("the registered branch"), false, |_, _| None);
        let keys = set_up.expect("a set-up").1.expect("keys, since it has no messages");
        let replayed = |own| replay(keys.sender(&exchange, own, &[]).expect("an exchange").0, true, &recorded);
        assert_eq!(replayed(&lie).expect("right messages"), None);
        let found = replayed(honest).expect("right messages");
        assert!(matches!(found, Some(Difference { message: 0, .. })));
    }
}
