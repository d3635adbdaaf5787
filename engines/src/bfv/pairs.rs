//! Pairs of players for the tests of this folder, with all that they hold in the open.

use super::{
    cipher::{Cipher, Product},
    integers::lifted,
    key_share::{KeyShare, sum},
    own::{Own, Proven},
    parameters::{DEGREE, DROPPED, Parameters},
    receiver::Receiver,
    sender::Sender,
    shares::KeySharePublic,
    transcript::Transcript,
};
use crate::bfv::vector;
use crate::psi::pairs::Boards;
use crate::{alone::Scene, testing::NativeSetProofs};
use fhe::bfv::{Ciphertext, Encoding, Plaintext};
use fhe_math::rq::{Poly, Representation};
use fhe_traits::FheEncoder;
use fog::engine::{Branch, Game};
use num_bigint::BigUint;
use rand::{Rng, rngs::StdRng};
use std::sync::Arc;

/// Both players' ciphers, made as the set-up does.
pub fn ciphers(rng: &mut StdRng) -> [Arc<Cipher>; 2] {
    ciphers_of(rng, |_| ()).0
}

/// The same where `change` makes something else of the second player's share of the relinearisation key; with what both must prove of their shares.
pub fn ciphers_of(rng: &mut StdRng, change: impl FnOnce(&mut [Poly])) -> ([Arc<Cipher>; 2], [KeySharePublic; 2]) {
    let parameters = Parameters::get().expect("right parameters");
    let game = Game {
        chain_id: 31337,
        contract: rng.r#gen(),
        game_id: rng.r#gen(),
        toss: rng.r#gen(),
        registered: [[0; 64]; 2],
    };
    let common = parameters.common(&game);
    let mut streams = [0, 1].map(|_| Transcript::new(&rng.r#gen()).stream(&Branch::from_bytes(rng.r#gen()), "test"));
    let shares = [0, 1].map(|player| {
        let share = KeyShare::new(parameters, &common, &mut streams[player]);
        Arc::new(share.expect("a share"))
    });
    let opened = sum(&shares[0].opening, &shares[1].opening);
    let mut round_2 = [0, 1].map(|player| shares[player].round_2(&opened, &mut streams[player]).expect("a share"));
    change(&mut round_2[1]);
    let proven = [0, 1].map(|player| {
        let opening = &shares[player].opening;
        KeySharePublic::new(&common, opening, &opened, &round_2[player]).expect("a statement")
    });
    let round_2 = sum(&round_2[0], &round_2[1]);
    let of = |share| Arc::new(Cipher::new(parameters, share, &common[0], &opened, &round_2).expect("keys"));
    (shares.map(of), proven)
}

/// Sender and receiver of an exchange.
pub struct Exchange {
    pub sender: Own,
    pub receiver: Own,
    pub boards: Boards,
}

impl Exchange {
    /// An exchange of two boards.
    pub fn new(ciphers: &[Arc<Cipher>; 2], boards: Boards, rng: &mut StdRng) -> Self {
        let (id, bound) = (rng.r#gen(), rng.r#gen());
        let own = |board: &rules::Side, cipher: &Arc<Cipher>, branch| Own {
            board: board.clone(),
            phase: boards.phase,
            id,
            bound,
            branch: Branch::from_bytes(branch),
            cipher: cipher.clone(),
            proven: None,
        };
        let sender = own(&boards.sender, &ciphers[0], rng.r#gen());
        let receiver = own(&boards.receiver, &ciphers[1], rng.r#gen());
        Self { sender, receiver, boards }
    }

    /// The exchange of a scene, with proofs.
    pub fn proven(ciphers: &[Arc<Cipher>; 2], scene: Scene, rng: &mut StdRng) -> Self {
        let Scene { exchange, own } = scene;
        let [sender, receiver] =
            [exchange.sender(), exchange.receiver()].map(|color| exchange.board(&own[color.index()].side));
        let mut made = Self::new(ciphers, Boards { sender, receiver, phase: exchange.phase }, rng);
        for (of, color) in [(&mut made.sender, exchange.sender()), (&mut made.receiver, exchange.receiver())] {
            let (exchange, state) = (exchange.clone(), own[color.index()].clone());
            of.proven = Some(Proven { proofs: Arc::new(NativeSetProofs), exchange, state });
        }
        made
    }

    pub fn parties(&self) -> (Sender, Receiver) {
        let (sender, digest) = Sender::new(self.sender.clone()).expect("an opening");
        (sender, Receiver::new(self.receiver.clone(), Some(digest)))
    }

    /// Both ciphertexts, from streams of the test's own.
    pub fn ciphertexts(&self) -> [Ciphertext; 2] {
        let start = Transcript::new(&self.sender.bound);
        let vectors = [
            (&self.sender, vector::item(&self.boards.sender, self.boards.phase)),
            (&self.receiver, vector::view(&self.boards.receiver, self.boards.phase)),
        ];
        vectors.map(|(own, slots)| {
            let bytes = own.cipher.encrypt(&slots, &mut start.stream(&own.branch, "test")).expect("a ciphertext");
            own.cipher.read(0, &bytes).expect("a ciphertext")
        })
    }

    /// The product of both.
    pub fn product(&self) -> Product {
        let [item, view] = self.ciphertexts();
        self.sender.cipher.multiply(&item, &view).expect("a product")
    }
}

/// The plaintext with one slot set, as the scheme scales it in a product: what a cheat adds to its share.
pub fn slot(product: &Product, place: usize, value: u64) -> Poly {
    let mut slots = vec![0; DEGREE];
    slots[place] = value;
    let (scheme, context) = (&Parameters::get().expect("parameters").scheme, product.ciphertext[0].ctx());
    let plaintext = Plaintext::try_encode(&slots[..], Encoding::simd_at_level(DROPPED), scheme).expect("slots");
    let zero = Poly::zero(context, Representation::Ntt);
    let zero = Ciphertext::new(vec![zero.clone(), zero], scheme).expect("a ciphertext");
    (zero + &plaintext)[0].clone()
}

/// A number below `modulus` as the nearest to 0 of its class; it must have less than 127 bits.
pub fn centered(number: &BigUint, modulus: &BigUint) -> i128 {
    let is_negative = number + number > *modulus;
    let distance = if is_negative { modulus - number } else { number.clone() };
    let distance = i128::try_from(distance).expect("a number of less than 127 bits");
    if is_negative { -distance } else { distance }
}

/// What stands beside the plaintext when `phase` is opened: its distance to the multiples of `Q'/t` that the plaintext's coefficients are.
/// Rounded down, so up to 1 too much.
pub fn noise(phase: &Poly, plaintext: &[u64]) -> Vec<i128> {
    let modulus = phase.ctx().modulus();
    let exact = |value: &u64| (modulus * *value) / super::parameters::PLAINTEXT;
    let pairs = lifted(phase).into_iter().zip(plaintext);
    pairs.map(|(phase, value)| centered(&((phase + modulus - exact(value)) % modulus), modulus)).collect()
}
