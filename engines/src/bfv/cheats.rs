//! Players that cheat with right seals: what is caught, and what isn't.

use super::{
    cipher::Product,
    encrypted::ENCRYPTED_BYTES,
    own::{Own, SHAPE},
    pairs::{Exchange, ciphers, slot},
    parameters::DEGREE,
    receiver::Receiver,
    ring,
    sender::Sender,
    transcript::Transcript,
};
use crate::bfv::vector;
use crate::psi::pairs::Boards;
use crate::testing::scenes;
use fhe_math::rq::{Poly, Representation};
use fog::{
    engine::{Fault, Party},
    testing::{Walk, seed},
};
use rand::{Rng, SeedableRng, rngs::StdRng};
use rules::Sight;

/// An exchange up to its last message.
struct Asked {
    exchange: Exchange,
    receiver: Receiver,
    product: Product,
    said: Transcript,
    /// The right last message.
    last: Vec<u8>,
}

fn random(rng: &mut StdRng) -> Exchange {
    let mut walk = Walk::start();
    (0..20).for_each(|_| walk.advance(rng));
    let boards = Boards::random(&mut walk, rng);
    Exchange::new(&ciphers(rng), boards, rng)
}

fn asked(exchange: Exchange) -> Asked {
    let (mut sender, mut receiver) = exchange.parties();
    let sent = |step: Result<fog::engine::Step<Sight>, Fault>| step.expect("a right message").send.expect("a message");
    let opening = sender.step(None).expect("an opening").send.expect("an opening");
    let view = sent(receiver.step(Some(&opening)));
    let last = sender.step(Some(&view)).expect("a right view").send.expect("a share");
    let [item, view] = [&opening, &view].map(|message| &message[..SHAPE[0].content]);
    let said = Transcript::new(&exchange.sender.id).with(item).with(view);
    let cipher = &exchange.sender.cipher;
    let [item, view] = [item, view].map(|bytes| cipher.read(0, bytes).expect("a ciphertext"));
    let product = cipher.multiply(&item, &view).expect("a product");
    Asked { exchange, receiver, product, said, last }
}

impl Asked {
    /// A last message with any share, its seal right.
    fn sealed(&self, share: &[u8]) -> Vec<u8> {
        [share, &self.said.seal(share, &self.product.bytes)].concat()
    }

    fn right_share(&self) -> Poly {
        let share = &self.last[..SHAPE[2].content];
        ring::read(2, share, self.product.ciphertext[0].ctx()).expect("a share").remove(0)
    }
}

fn is_no_product(refused: Result<fog::engine::Step<Sight>, Fault>) -> bool {
    matches!(refused, Err(Fault::Malformed { index: 2, .. }))
}

/// Nothing, anything, the share of another product, of another key, and one that adds to a slot where the receiver doesn't look.
#[test]
fn a_wrong_share_with_a_right_seal_is_refused() {
    let mut rng = StdRng::seed_from_u64(seed(175));
    let mut asked = asked(random(&mut rng));
    let context = asked.product.ciphertext[0].ctx().clone();
    let (cipher, other) = (asked.exchange.sender.cipher.clone(), ciphers(&mut rng));
    let view = vector::view(&asked.exchange.boards.receiver, asked.exchange.boards.phase);
    let hidden = view.iter().position(|looks| *looks == 0).expect("a slot that isn't looked at");
    let wrong = [
        Poly::zero(&context, Representation::Ntt),
        Poly::random_from_seed(&context, Representation::Ntt, rng.r#gen()),
        (*cipher.bare_share(&asked.exchange.product())).clone(),
        (*other[0].bare_share(&asked.product)).clone(),
        &asked.right_share() + &slot(&asked.product, hidden, 1),
        &asked.right_share() + &slot(&asked.product, DEGREE - 1, 1),
    ];
    for share in wrong {
        let message = asked.sealed(&ring::write([&share]));
        assert!(is_no_product(asked.receiver.step(Some(&message))));
    }
    let sight = asked.receiver.step(Some(&asked.last)).expect("the right share").output;
    assert_eq!(sight, Some(asked.exchange.boards.right()));
}

/// A share is bound to the product, and a view to the product that the receiver computed.
#[test]
fn a_hash_of_another_product_is_refused() {
    let mut rng = StdRng::seed_from_u64(seed(176));
    let mut asked = asked(random(&mut rng));
    let share = &asked.last[..SHAPE[2].content];
    let other = asked.exchange.product();
    for seal in [asked.said.seal(share, &other.bytes), asked.said.seal(share, &[])] {
        let refused = asked.receiver.step(Some(&[share, &seal].concat()));
        assert!(matches!(refused, Err(Fault::Proof { index: 2, .. })));
    }
    let exchange = &asked.exchange;
    let (mut sender, mut receiver) = exchange.parties();
    let opening = sender.step(None).expect("an opening").send.expect("an opening");
    let view = receiver.step(Some(&opening)).expect("a right opening").send.expect("a view");
    let opened = Transcript::new(&exchange.sender.id).with(&opening[..SHAPE[0].content]);
    let content = &view[..SHAPE[1].content];
    let wrong = [content, &opened.seal(content, &other.bytes)].concat();
    assert!(matches!(sender.step(Some(&wrong)), Err(Fault::Proof { index: 1, .. })));
    assert!(sender.step(Some(&view)).is_ok());
}

/// What nothing prevents: a sender that encrypts another board is believed.
#[test]
fn a_cheating_sender_shows_any_board() {
    let mut rng = StdRng::seed_from_u64(seed(177));
    let exchange = random(&mut rng);
    let mut board = exchange.boards.sender.clone();
    board.double_push = None;
    for piece in board.pieces.iter_mut().filter(|piece| **piece != Some(rules::PieceType::King)) {
        *piece = None;
    }
    let (mut sender, digest) = Sender::showing(exchange.sender.clone(), &board).expect("an opening");
    let mut receiver = Receiver::new(exchange.receiver.clone(), Some(digest));
    let opening = sender.step(None).expect("an opening").send.expect("an opening");
    let view = receiver.step(Some(&opening)).expect("a right opening").send.expect("a view");
    let share = sender.step(Some(&view)).expect("a right view").send.expect("a share");
    let sight = receiver.step(Some(&share)).expect("a right share").output;
    assert_eq!(sight, Some(Sight::between(&exchange.boards.receiver, &board, true)));
}

/// What nothing prevents: a receiver that encrypts a view of everything is told everything.
#[test]
fn a_cheating_receiver_sees_the_whole_board() {
    let mut rng = StdRng::seed_from_u64(seed(178));
    let exchange = random(&mut rng);
    let (mut sender, _) = exchange.parties();
    let opening = sender.step(None).expect("an opening").send.expect("an opening");
    let cipher = &exchange.receiver.cipher;
    let opened = Transcript::new(&exchange.receiver.id).with(&opening[..SHAPE[0].content]);
    let mut stream = opened.stream(&exchange.receiver.branch, "view");
    let view = cipher.encrypt(&vec![1; DEGREE], &mut stream).expect("a view");
    let item = cipher.read(0, &opening[..SHAPE[0].content]).expect("a ciphertext");
    let product = cipher.multiply(&item, &cipher.read(1, &view).expect("a ciphertext")).expect("a product");
    let message = [&view[..], &opened.seal(&view, &product.bytes)].concat();
    let share = sender.step(Some(&message)).expect("a view like any other").send.expect("a share");
    let slots = cipher.decrypt(2, &product, &share[..SHAPE[2].content]).expect("a product");
    let item = vector::item(&exchange.boards.sender, exchange.boards.phase);
    assert_eq!(slots[..item.len()], item[..]);
}

/// An exchange with proofs, of a position in which the receiver doesn't see everything.
fn proven(number: u64) -> Exchange {
    let mut rng = StdRng::seed_from_u64(seed(number));
    let scene = scenes(number).next().expect("a position");
    Exchange::proven(&ciphers(&mut rng), scene, &mut rng)
}

/// Why a message is refused, and which.
fn cause<T>(found: Result<T, Fault>) -> (usize, String) {
    match found {
        Err(Fault::Proof { index, cause }) => (index, cause.to_string()),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it is taken"),
    }
}

/// Where views are proven, a view of everything is refused: without a proof, and with that of the right one.
#[test]
fn a_view_of_everything_is_refused_where_views_are_proven() {
    let exchange = proven(351);
    let (mut sender, mut receiver) = exchange.parties();
    let opening = sender.step(None).expect("an opening").send.expect("an opening");
    let right = receiver.step(Some(&opening)).expect("a right opening").send.expect("a view");
    let (cipher, item) = (&exchange.receiver.cipher, &opening[..SHAPE[0].content]);
    let opened = Transcript::new(&exchange.receiver.id).with(item);
    let mut stream = opened.stream(&exchange.receiver.branch, "view");
    let view = cipher.encrypt(&vec![1; DEGREE], &mut stream).expect("a view");
    let read = |bytes| cipher.read(1, bytes).expect("a ciphertext");
    let product = cipher.multiply(&read(item), &read(&view)).expect("a product");
    let sealed = [&view[..], &opened.seal(&view, &product.bytes)].concat();
    for proof in [&vec![0; ENCRYPTED_BYTES][..], &right[sealed.len()..]] {
        let (index, cause) = cause(sender.step(Some(&[&sealed[..], proof].concat())));
        assert!(index == 1 && cause.contains("doesn't encrypt what the committed board gives"), "{cause}");
    }
    let share = sender.step(Some(&right)).expect("the right view").send.expect("a share");
    assert_eq!(receiver.step(Some(&share)).expect("the right share").output, Some(exchange.boards.right()));
}

/// Where items are proven, no other board is shown: its own machine proves none, and the proof of the right one doesn't serve.
#[test]
fn another_board_is_refused_where_items_are_proven() {
    let exchange = proven(352);
    let mut board = exchange.boards.sender.clone();
    let square = board.men().map(|(square, _)| square).next().expect("a man");
    board.pieces[square.index()] = None;
    let (mut lying, _) = Sender::showing(exchange.sender.clone(), &board).expect("an opening");
    assert!(matches!(lying.step(None), Err(Fault::Internal(_))));
    let unproven = Own { proven: None, ..exchange.sender.clone() };
    let (mut lying, _) = Sender::showing(unproven, &board).expect("an opening");
    let opening = lying.step(None).expect("an opening").send.expect("an opening");
    let (mut sender, _) = exchange.parties();
    let right = sender.step(None).expect("an opening").send.expect("an opening");
    let mut receiver = Receiver::new(exchange.receiver.clone(), None);
    let (index, cause) = cause(receiver.step(Some(&[&opening[..], &right[opening.len()..]].concat())));
    assert!(index == 0 && cause.contains("doesn't encrypt what the committed board gives"), "{cause}");
    receiver.step(Some(&right)).expect("the right opening");
}

/// Where shares are proven, nothing can be added to a slot, looked at or not.
#[test]
fn a_share_with_more_in_it_is_refused_where_shares_are_proven() {
    let mut asked = asked(proven(353));
    let view = vector::view(&asked.exchange.boards.receiver, asked.exchange.boards.phase);
    let seen = view.iter().position(|looks| *looks == 1).expect("a slot that is looked at");
    let hidden = view.iter().position(|looks| *looks == 0).expect("a slot that isn't");
    let sealed = SHAPE[2].total();
    for place in [seen, hidden] {
        let share = ring::write([&(&asked.right_share() + &slot(&asked.product, place, 1))]);
        let message = [asked.sealed(&share), asked.last[sealed..].to_vec()].concat();
        let (index, cause) = cause(asked.receiver.step(Some(&message)));
        assert!(index == 2 && cause.contains("isn't made with the opened key"), "{cause}");
    }
    let sight = asked.receiver.step(Some(&asked.last)).expect("the right share").output;
    assert_eq!(sight, Some(asked.exchange.boards.right()));
}
