//! Attackers and victims that cheat with right seals: what is caught, and what isn't.

use super::{Attack, Attacker, Captured, SHAPE, Victim, attack_vector, place, start};
use crate::bfv::vector::SLOTS;
use crate::{
    bfv::{
        cipher::Product,
        pairs::{Exchange, ciphers, slot},
        parameters::{CIPHERTEXT_BYTES, DEGREE, PLAINTEXT},
        refusal::Refusal,
        ring,
        sender::Sender,
    },
    psi::pairs::Boards,
};
use fhe_math::rq::{Poly, Representation};
use fog::{
    engine::{Fault, Party, Step},
    testing::{Walk, seed},
};
use rand::{Rng, SeedableRng, rngs::StdRng};
use rules::{PieceType, Square};

/// A position before a move, and the message that has opened its sight.
struct Table {
    exchange: Exchange,
    opening: Vec<u8>,
}

impl Table {
    fn random(rng: &mut StdRng) -> Self {
        let mut walk = Walk::start();
        (0..20).for_each(|_| walk.advance(rng));
        let exchange = Exchange::new(&ciphers(rng), Boards::random(&mut walk, rng), rng);
        let (mut sender, _) = Sender::new(exchange.sender.clone()).expect("an opening");
        let opening = sender.step(None).expect("an opening").send.expect("an opening");
        Self { exchange, opening }
    }

    fn attacker(&self, attack: Option<Attack>) -> Attacker {
        Attacker::new(self.exchange.receiver.clone(), &self.opening, attack).expect("the right opening")
    }

    fn victim(&self) -> Victim {
        Victim::new(self.exchange.sender.clone()).expect("an own sight")
    }

    /// What an attacker asks with any vector, its seal right.
    fn asked(&self, vector: &[u64]) -> (Vec<u8>, Product) {
        let (message, asked) = self.attacker(None).ask_for(vector).expect("a message like any other");
        (message, asked.product)
    }

    /// What an attacker asks, with something added to its share.
    fn with_share(&self, vector: &[u64], change: impl FnOnce(&Poly) -> Poly) -> Vec<u8> {
        let (message, product) = self.asked(vector);
        let (attack, share) = message[..SHAPE[0].content].split_at(CIPHERTEXT_BYTES);
        let share = ring::read(0, share, product.ciphertext[0].ctx()).expect("a share").remove(0);
        let content = [attack, &ring::write([&change(&share)])].concat();
        let item = &self.opening[..CIPHERTEXT_BYTES];
        let seal = start(&self.exchange.receiver, item).seal(&content, &product.bytes);
        [content, seal.to_vec()].concat()
    }

    /// A square where the victim has a man of some type, or none.
    fn square(&self, is_right: impl Fn(Option<PieceType>) -> bool) -> Square {
        let board = &self.exchange.boards.sender;
        Square::all().find(|square| is_right(board.piece(*square))).expect("such a square")
    }

    fn vector(&self, squares: &[Square]) -> Vec<u64> {
        let mut vector = vec![0; SLOTS];
        for square in squares {
            vector[place(self.exchange.boards.receiver.color, *square).expect("a slot")] = 1;
        }
        vector
    }
}

fn is_refused(reply: Result<Step<Option<Captured>>, Fault>, message: usize) -> bool {
    let Err(Fault::Malformed { index, cause }) = reply else { return false };
    index == message && cause.downcast_ref() == Some(&Refusal::Attack)
}

/// The victim opens first: several squares of which two are occupied, or a slot that isn't a square's, a weight, a wrong share.
#[test]
fn an_attack_on_several_squares_is_refused_before_it_is_answered() {
    let mut rng = StdRng::seed_from_u64(seed(201));
    let table = Table::random(&mut rng);
    let pawn = table.square(|piece| piece == Some(PieceType::Pawn));
    let king = table.square(|piece| piece == Some(PieceType::King));
    let weight = table.vector(&[pawn]).iter().map(|one| one * 2).collect::<Vec<_>>();
    for vector in [vec![1; DEGREE], table.vector(&[pawn, king]), weight] {
        assert!(is_refused(table.victim().step(Some(&table.asked(&vector).0)), 0));
    }
    let context = table.asked(&[]).1.ciphertext[0].ctx().clone();
    let any = Poly::random_from_seed(&context, Representation::Ntt, rng.r#gen());
    let message = table.with_share(&table.vector(&[pawn]), |_| any);
    assert!(is_refused(table.victim().step(Some(&message)), 0));
    let right = table.asked(&table.vector(&[pawn])).0;
    let captured = table.victim().step(Some(&right)).expect("the right message").output;
    assert_eq!(captured, Some(Some(Captured { square: pawn, piece: PieceType::Pawn })));
}

/// The attacker takes nothing but what it has seen, and the opening binds the victim.
#[test]
fn a_victim_that_denies_or_changes_a_piece_is_refused() {
    let mut rng = StdRng::seed_from_u64(seed(202));
    let table = Table::random(&mut rng);
    let square = table.square(|piece| piece == Some(PieceType::Pawn));
    let attack = Attack { square, seen: Some(PieceType::Pawn) };
    let mut attacker = table.attacker(Some(attack));
    let asked = attacker.step(None).expect("an attack").send.expect("an attack");
    let right = table.victim().step(Some(&asked)).expect("an attack").send.expect("a share");

    // Another board isn't the one under the seal.
    let mut other = table.exchange.sender.clone();
    other.board.pieces[square.index()] = None;
    let refused = Victim::new(other).expect("a board").step(Some(&asked));
    assert!(matches!(refused, Err(Fault::Proof { index: 0, .. })));
    // A share with which nothing, or a queen, would have stood there.
    let start = start(&table.exchange.sender, &table.opening[..CIPHERTEXT_BYTES]);
    let said = start.with(&asked[..SHAPE[0].content]);
    let vector = attack_vector(table.exchange.boards.receiver.color, Some(square));
    let product = table.asked(&vector).1;
    let share = ring::read(1, &right[..SHAPE[1].content], product.ciphertext[0].ctx()).expect("a share").remove(0);
    let place = vector.iter().position(|one| *one == 1).expect("an attack");
    for more in [PLAINTEXT - 1, 4] {
        let wrong = ring::write([&(&share + &slot(&product, place, more))]);
        let message = [&wrong[..], &said.seal(&wrong, &product.bytes)].concat();
        assert!(is_refused(attacker.step(Some(&message)), 1));
    }
    let captured = attacker.step(Some(&right)).expect("the right share").output;
    assert_eq!(captured, Some(attack.expected()));
}

/// Of a move that captures nothing both open zeros, whichever square it goes to: there is nothing to learn the square by.
#[test]
fn a_move_that_captures_nothing_tells_no_square() {
    let mut rng = StdRng::seed_from_u64(seed(203));
    let table = Table::random(&mut rng);
    let empty = table.square(|piece| piece.is_none());
    for vector in [vec![], table.vector(&[empty])] {
        let (message, product) = table.asked(&vector);
        let share = &message[CIPHERTEXT_BYTES..SHAPE[0].content];
        let opened = table.exchange.sender.cipher.decrypt(0, &product, share).expect("a product");
        assert_eq!(opened[..], [0; DEGREE]);
        assert_eq!(table.victim().step(Some(&message)).expect("an attack").output, Some(None));
    }
}

/// What nothing prevents: squares that are all empty may be looked at together, and the victim sees no difference; if one of them is occupied, that is
/// taken for the capture.
#[test]
fn a_cheating_attacker_learns_that_squares_are_empty() {
    let mut rng = StdRng::seed_from_u64(seed(204));
    let table = Table::random(&mut rng);
    let board = &table.exchange.boards.sender;
    let empty: Vec<Square> = Square::all().filter(|square| board.piece(*square).is_none()).collect();
    let reply = table.victim().step(Some(&table.asked(&table.vector(&empty)).0)).expect("nothing is there");
    assert_eq!(reply.output, Some(None));
    let square = table.square(|piece| piece == Some(PieceType::Pawn));
    let many = [&empty[..], &[square]].concat();
    let reply = table.victim().step(Some(&table.asked(&table.vector(&many)).0)).expect("one man is there");
    assert_eq!(reply.output, Some(Some(Captured { square, piece: PieceType::Pawn })));
}

/// What nothing prevents: who takes a guessed piece out of its own share gets zeros opened if it guessed right, and is refused if not.
#[test]
fn a_cheating_attacker_may_check_one_guess() {
    let mut rng = StdRng::seed_from_u64(seed(205));
    let table = Table::random(&mut rng);
    let king = table.square(|piece| piece == Some(PieceType::King));
    let vector = table.vector(&[king]);
    let place = vector.iter().position(|one| *one == 1).expect("a slot");
    let guess = |piece: PieceType| {
        let product = table.asked(&vector).1;
        let message =
            table.with_share(&vector, |share| share + &slot(&product, place, PLAINTEXT - u64::from(piece.code())));
        table.victim().step(Some(&message))
    };
    assert_eq!(guess(PieceType::King).expect("a right guess").output, Some(None));
    assert!(is_refused(guess(PieceType::Pawn), 0));
}
