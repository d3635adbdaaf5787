//! The proof of a capture before the next sight of who has captured: who sends it, and what is refused. (The statement itself: the circuit's tests.)

use crate::{
    counted::Players,
    pair::{Pair, registered, run},
};
use engines::{
    EngineKind,
    alone::{Keys, Scene, set_up},
    bfv::{
        Bfv,
        captured::{
            CAPTURED_BYTES,
            party::{earlier, state},
        },
        decryption::DECRYPTION_BYTES,
        encrypted::ENCRYPTED_BYTES,
        parameters::{CIPHERTEXT_BYTES, POLY_BYTES, SHARE_BYTES},
    },
    own_step::OWN_STEP_BYTES,
    replay::Again,
    testing::{NativeSetProofs, after_captures, replay},
};
use fog::{
    engine::{BoxedParty, Engine, Exchange, Fault, Phase},
    testing::{NativeProofs, seed},
    word::WORD,
};
use rand::{SeedableRng, rngs::StdRng};
use rules::{Color, Seen, Sight, Square};
use std::sync::Arc;

type Kind = EngineKind<Arc<NativeProofs>, NativeSetProofs, NativeSetProofs>;

fn keys(engine: &dyn Engine) -> Keys {
    set_up(engine).expect("a set-up").outputs.into()
}

/// The engine without proofs of own steps.
fn captures() -> Bfv {
    Bfv::proven(Arc::new(NativeSetProofs))
}

fn scene(number: u64) -> Scene {
    after_captures(seed(number)).next().expect("a capture")
}

fn parties(keys: &Keys, exchange: &Exchange, scene: &Scene) -> (BoxedParty<()>, BoxedParty<Sight>) {
    let [sender, receiver] = [exchange.sender(), exchange.receiver()].map(|color| color.index());
    let sending = keys[sender].sender(exchange, &scene.own[sender], &[]).expect("an own exchange").0;
    (sending, keys[receiver].receiver(exchange, &scene.own[receiver], None).expect("an own exchange"))
}

/// What a wrong message is refused as: the number that the refusal names, and why.
fn refused<T>(found: Result<T, Fault>) -> (usize, String) {
    match found {
        Err(Fault::Proof { index, cause } | Fault::Malformed { index, cause }) => (index, cause.to_string()),
        Err(Fault::Length { index, .. }) => (index, "length".into()),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it is taken"),
    }
}

#[test]
fn who_has_captured_proves_it_before_its_next_sight() {
    let counted = Players::default();
    let kinds = counted.0.clone().map(EngineKind::<Arc<NativeProofs>, NativeSetProofs, _>::BfvSteps);
    let keys = Pair::set_up_each(kinds.map(|kind| kind.engine()), &mut StdRng::seed_from_u64(seed(331))).keys;
    // The set-up's: each has proven its share of the joint keys.
    assert_eq!(counted.take(Color::ALL), [[1, 1]; 2]);
    let [sealed, share] = [CIPHERTEXT_BYTES + WORD + ENCRYPTED_BYTES, SHARE_BYTES + WORD + DECRYPTION_BYTES];
    for scene in after_captures(seed(321)).take(3) {
        let (sender, receiver) = parties(&keys, &scene.exchange, &scene);
        let sizes: Vec<usize> = sender.shape().iter().map(|size| size.total()).collect();
        let steps = OWN_STEP_BYTES;
        assert_eq!(sizes, [sealed + steps, sealed + steps, share + sealed, sealed + CAPTURED_BYTES, share]);
        let (_, receiver) = run(sender, receiver);
        let [own, other] = [scene.exchange.receiver(), scene.exchange.sender()];
        let [own, other] = [own, other].map(|color| scene.exchange.board(&scene.own[color.index()].side));
        assert_eq!(receiver.output(), Some(&Sight::between(&own, &other, true)));
        assert_eq!(counted.take([scene.exchange.sender(), scene.exchange.receiver()]), [[5, 4], [4, 5]]);

        // Nobody proves a capture after the own move, where none was made, and where it isn't known.
        let mut quiet = scene.exchange.clone();
        quiet.steps[quiet.receiver().index()][0].capture = None;
        let unknown = Exchange { steps: Default::default(), ..scene.exchange.clone() };
        let after = Exchange { phase: Phase::Post, ply: scene.exchange.ply - 1, ..scene.exchange.clone() };
        for exchange in [quiet, unknown, after] {
            assert_eq!(parties(&keys, &exchange, &scene).0.shape().len(), 3);
        }
    }
}

#[test]
fn every_part_of_a_proven_capture_is_bound() {
    let (keys, scene) = (keys(&captures()), scene(322));
    let (mut sender, mut receiver) = parties(&keys, &scene.exchange, &scene);
    receiver.step(None).expect("it waits");
    let mut message = sender.step(None).expect("an opening").send.expect("an opening");
    // The ends of each part: polynomials, seals and proofs.
    let ciphertext =
        [0, POLY_BYTES, CIPHERTEXT_BYTES, CIPHERTEXT_BYTES + WORD, CIPHERTEXT_BYTES + WORD + ENCRYPTED_BYTES];
    let share = [0, SHARE_BYTES, SHARE_BYTES + WORD, SHARE_BYTES + WORD + DECRYPTION_BYTES];
    let ends = |parts: &[&[usize]]| {
        let (mut places, mut start) = (Vec::new(), 0);
        for part in parts {
            places.extend(part.windows(2).flat_map(|ends| [start + ends[0], start + ends[1] - 1]));
            start += part[part.len() - 1];
        }
        places
    };
    let places = [
        ends(&[&ciphertext]),
        ends(&[&ciphertext]),
        ends(&[
            &[0, SHARE_BYTES],
            &[0, POLY_BYTES, CIPHERTEXT_BYTES],
            &[0, WORD, WORD + DECRYPTION_BYTES],
            &[0, WORD, WORD + ENCRYPTED_BYTES],
        ]),
        ends(&[&ciphertext, &[0, CAPTURED_BYTES]]),
        ends(&[&share]),
    ];
    for (index, places) in places.into_iter().enumerate() {
        let mut take = |message: &[u8]| match index % 2 {
            0 => receiver.step(Some(message)).map(|step| step.send),
            _ => sender.step(Some(message)).map(|step| step.send),
        };
        for place in places {
            let mut other = message.clone();
            other[place] ^= 1;
            assert_eq!(refused(take(&other)).0, index, "byte {place} of message {index}");
        }
        assert_eq!(refused(take(&message[..message.len() - 1])), (index, "length".into()));
        message = take(&message).expect("the right message").unwrap_or_default();
    }
    assert!(message.is_empty());
}

/// A square that the earlier sight shows empty, and a man's that it doesn't show.
fn unseen(scene: &Scene) -> [Square; 2] {
    let [own, other] = [scene.exchange.receiver(), scene.exchange.sender()];
    let [own, other] = [own, other].map(|color| scene.own[color.index()].steps[0].side.clone());
    let pending = scene.exchange.steps[scene.exchange.receiver().index()][0].pending;
    let sight = Sight::between(&own.without(pending), &other, true);
    let empty = Square::all().find(|square| sight.at(*square) == Seen::Empty);
    let dark = other.men().map(|(square, _)| square).find(|square| sight.at(*square) == Seen::Dark);
    [empty, dark].map(|square| square.expect("some squares are dark, some are empty"))
}

/// The messages up to the earlier sight's share, and both parties after them.
fn until_share(keys: &Keys, exchange: &Exchange, scene: &Scene) -> (Vec<u8>, BoxedParty<()>, BoxedParty<Sight>) {
    let (mut sender, mut receiver) = parties(keys, exchange, scene);
    receiver.step(None).expect("it waits");
    let opening = sender.step(None).expect("an opening").send.expect("an opening");
    let view = receiver.step(Some(&opening)).expect("a right opening").send.expect("a view");
    let share = sender.step(Some(&view)).expect("a right view").send.expect("a share");
    (share, sender, receiver)
}

#[test]
fn a_capture_of_what_was_not_seen_is_refused() {
    let (keys, scene) = (keys(&captures()), scene(323));
    let [empty, dark] = unseen(&scene);
    let claiming = |square| {
        let mut exchange = scene.exchange.clone();
        exchange.steps[exchange.receiver().index()][0].capture = Some(square);
        exchange
    };
    // Whose man was captured knows that there was none, and gives nothing again.
    let (mut sender, mut receiver) = parties(&keys, &claiming(empty), &scene);
    receiver.step(None).expect("it waits");
    let opening = sender.step(None).expect("an opening").send.expect("an opening");
    let view = receiver.step(Some(&opening)).expect("a right opening").send.expect("a view");
    let (index, cause) = refused(sender.step(Some(&view)));
    assert!(index == 1 && cause.contains("nobody stood on the captured square"), "{cause}");

    let (share, mut sender, mut receiver) = until_share(&keys, &claiming(dark), &scene);
    // The own machine makes no proof of it.
    let (index, cause) = refused(receiver.step(Some(&share)));
    assert!(index == 2 && cause.contains("no man was seen on the captured square"), "{cause}");
    let (index, cause) =
        refused(sender.step(Some(&vec![0; CIPHERTEXT_BYTES + WORD + ENCRYPTED_BYTES + CAPTURED_BYTES])));
    assert!(index == 3 && cause.contains("no man on the captured square was seen"), "{cause}");
}

#[test]
fn an_earlier_sight_without_the_captured_man_is_refused() {
    let (keys, scene) = (keys(&captures()), scene(324));
    let (before, square) = earlier(&scene.exchange).expect("a capture");
    let color = before.sender().index();
    let mut other = state(&before, &scene.own[color]).expect("a state before the capture");
    other.side.pieces[square.index()] = None;
    let (_, mut receiver) = parties(&keys, &scene.exchange, &scene);
    receiver.step(None).expect("it waits");
    // Its own machine makes no proof of it.
    let mut lying = keys[color].sender(&before, &other, &[]).expect("a sight").0;
    assert!(matches!(lying.step(None), Err(Fault::Internal(_))));
    // Nor does the proof of the right board serve, whose keys are the same without proofs.
    let unproven = set_up(&Bfv::default()).expect("a set-up").outputs;
    let mut lying = Keys::from(unproven)[color].sender(&before, &other, &[]).expect("a sight").0;
    let opening = lying.step(None).expect("an opening").send.expect("an opening");
    let (mut honest, _) = parties(&keys, &scene.exchange, &scene);
    let right = honest.step(None).expect("an opening").send.expect("an opening");
    let (index, cause) = refused(receiver.step(Some(&[&opening[..], &right[opening.len()..]].concat())));
    assert!(index == 0 && cause.contains("doesn't encrypt what the committed board gives"), "{cause}");
    receiver.step(Some(&right)).expect("the right opening");
}

/// After the game a published branch says both parts of a sight with a proven capture again, whatever its proofs were.
#[test]
fn a_published_branch_says_a_proven_capture_again() {
    let rng = &mut StdRng::seed_from_u64(seed(329));
    let engine = Kind::BfvSteps(NativeSetProofs).engine();
    let (game, seeds) = registered(&*engine, rng);
    let party = |color: Color| engine.set_up(color, &seeds[color.index()], &game).expect("both have registered");
    let (white, black) = run(party(Color::White), party(Color::Black));
    let set_up = white.messages().to_vec();
    let keys = [white.output().cloned().expect("keys"), black.output().cloned().expect("keys")];
    let scene = scene(330);
    let (exchange, own) = (&scene.exchange, &scene.own);
    let (sender, receiver) = parties(&keys, exchange, &scene);
    let recorded = run(sender, receiver).0.messages().to_vec();
    // Proofs are other ones each time, and nothing else is.
    let (sender, receiver) = parties(&keys, exchange, &scene);
    let again = run(sender, receiver).0.messages().to_vec();
    assert!(recorded.iter().zip(&again).all(|(recorded, again)| recorded != again));
    let accountable = EngineKind::<(), (), ()>::BfvSteps(()).accountable().expect("an engine without proofs of moves");
    for color in Color::ALL {
        let branch = seeds[color.index()].branch(accountable.about().name);
        let published = accountable.published(color, branch, &game).expect("the registered branch");
        let heard = |index: usize, _: &[Vec<u8>]| set_up.get(index).map(Vec::as_slice);
        let keys = Again::run(published, color == Color::White, heard).expect("a set-up").1.expect("keys");
        let own = &own[color.index()];
        let difference = if color == exchange.sender() {
            replay(keys.sender(exchange, own, &[]).expect("an exchange").0, true, &recorded)
        } else {
            replay(keys.receiver(exchange, own, None).expect("an exchange"), false, &recorded)
        };
        assert_eq!(difference.expect("right messages"), None, "{color}");
    }
}
