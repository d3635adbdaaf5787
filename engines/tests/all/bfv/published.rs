//! After the game: a player's branch and the messages that it received give all that an honest player would have said.

use crate::pair::{Pair, Position, registered, run, state};
use engines::{
    bfv::Bfv,
    replay::{Accountable, Again},
    testing::{Difference, replay},
};
use fog::{
    engine::{Engine, Phase, digest},
    testing::{Walk, seed},
};
use rand::{Rng, SeedableRng, rngs::StdRng};
use rules::{Color, PieceType};
use std::sync::Arc;

#[test]
fn a_published_branch_names_the_first_lie() {
    let mut rng = StdRng::seed_from_u64(seed(195));
    let (game, seeds) = registered(&Bfv::default(), &mut rng);
    let party =
        |color: Color| Bfv::default().set_up(color, &seeds[color.index()], &game).expect("both have registered");
    let (white, black) = run(party(Color::White), party(Color::Black));
    let set_up = white.messages().to_vec();
    let keys = [white.output().cloned().expect("keys"), black.output().cloned().expect("keys")];

    let mut walk = Walk::start();
    (0..10).for_each(|_| walk.advance(&mut rng));
    let position = Position::of(&walk, &mut rng);
    let exchange = position.exchange(Phase::Pre);
    let (color, honest) = (exchange.sender(), position.own(exchange.sender()));
    // A sender that hides a man.
    let mut lie = state(&honest.side, &mut rng);
    lie.commitment = honest.commitment;
    let man = lie.side.men().find(|(_, piece)| *piece != PieceType::King).expect("a man").0;
    lie.side.pieces[man.index()] = None;
    let (sender, root) = keys[color.index()].sender(&exchange, &lie, &[]).expect("an exchange");
    let receiver = keys[(!color).index()].receiver(&exchange, position.own(!color), Some(root));
    let recorded = run(sender, receiver.expect("an exchange")).0.messages().to_vec();

    let branch = |color: Color| seeds[color.index()].branch(Bfv::default().about().name);
    assert!(Bfv::default().published(color, branch(!color), &game).is_none());
    let published = || Bfv::default().published(color, branch(color), &game).expect("the registered branch");
    let opens = color == Color::White;
    // The set-up byte by byte; one byte in each own message changed.
    assert_eq!(replay(published(), opens, &set_up).expect("right messages"), None);
    for message in (usize::from(!opens)..set_up.len()).step_by(2) {
        let content = published().shape()[message].content;
        let byte = rng.gen_range(0..content);
        let mut changed = set_up.clone();
        changed[message][byte] ^= 1;
        let found = replay(published(), opens, &changed).expect("right messages of the peer");
        assert_eq!(found, Some(Difference { message, byte }));
    }
    let again = Again::run(published(), opens, |index, _| set_up.get(index).map(Vec::as_slice));
    let keys = again.expect("a set-up").1.expect("keys");
    let found = |own| replay(keys.sender(&exchange, own, &[]).expect("an exchange").0, true, &recorded);
    assert_eq!(found(&lie).expect("right messages"), None);
    assert!(matches!(found(honest).expect("right messages"), Some(Difference { message: 0, .. })));
}

/// All messages of one set-up and two sights, as one number: players of two builds understand each other only while it stays the same, since the
/// order of slots and all products are the library's.
#[test]
fn messages_are_the_same_in_every_build() {
    let mut rng = StdRng::seed_from_u64(196);
    let (game, seeds) = registered(&Bfv::default(), &mut rng);
    let party =
        |color: Color| Bfv::default().set_up(color, &seeds[color.index()], &game).expect("both have registered");
    let (white, black) = run(party(Color::White), party(Color::Black));
    let keys = [white.output().cloned().expect("keys"), black.output().cloned().expect("keys")];
    let pair = Pair { engine: Arc::new(Bfv::default()), game, keys };
    let mut walk = Walk::start();
    (0..10).for_each(|_| walk.advance(&mut rng));
    let position = Position::of(&walk, &mut rng);
    let sights = [Phase::Pre, Phase::Post].map(|phase| pair.exchange(&position, phase).0.messages().to_vec());
    let all = white.messages().iter().chain(sights.iter().flatten());
    let word = digest(all.map(Vec::as_slice));
    let number = word.first_chunk().copied().map(u64::from_be_bytes).expect("eight bytes");
    assert_eq!(format!("{number:016x}"), "14b949392c81979d");
}
