//! Players that cheat with right seals: what is caught, and what isn't.

use super::{
    cipher::Product,
    own::SHAPE,
    pairs::{Exchange, ciphers, slot},
    parameters::DEGREE,
    receiver::Receiver,
    ring,
    sender::Sender,
    transcript::Transcript,
};
use crate::bfv::vector;
use crate::psi::pairs::Boards;
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
