//! The statements *item* and *view* (engine `bfv-steps`): a ciphertext encrypts exactly the vector that a committed board gives, once the piece that the
//! last move captured is off it.
//!
//! With `a` the common random polynomial, `B` the joint key, `(v₀, v₁)` the ciphertext and `t` the plaintext modulus, the player knows its board and salt, and a small `r`, with
//!
//! ```text
//! C = H(COMMIT; board, salt)
//! v₁ − a·r = small               modulo Q
//! t·(v₀ − B·r) = Q·m + small     modulo t·Q   where m is the plaintext of the board's vector
//! ```
//!
//! **The plaintext and the slots.** Slots are values of `m` at the roots of `Xᴺ + 1` modulo `t`. No circuit transforms 8,192 numbers; it compares sums of both with weights that nobody
//! knew before the ciphertext: they are drawn from a hash of all that is public, which has `m` and the board bound. A plaintext of other slots passes one sum with probability `1/t`, six with 2⁻⁹⁶.

use super::{
    integers::{
        ENCRYPTION_BITS, are_small, coefficients, column, guarded, is_below, is_small, opened, secret, weights_of,
    },
    parameters::{DEGREE, PLAINTEXT},
    ring,
    vector::{Kind, SLOTS},
};
use crate::Unmet;
use fhe_math::rq::Poly;
use fog::{
    F,
    commitment::{commit, is_well_formed},
    engine::{Phase, digest, sight_lines::context::square_field},
    word::to_word,
};
use rand_chacha_09::{
    ChaCha20Rng,
    rand_core::{RngCore, SeedableRng},
};
use rules::{Color, Side, Square};
use zeroize::Zeroizing;

/// Bytes of every proof of *item* and *view*. Known before there are keys, since the sizes of messages are.
pub const ENCRYPTED_BYTES: usize = 5152;

/// Sums with weights that stand in one column, each in bits of its own: the lowest bit of each is so many above that of the one before.
pub const LANES: usize = 3;
pub const LANE_BITS: usize = 80;
pub const SUMS: usize = 2;
/// Columns of public inputs: polynomials, then weights of coefficients, then those of slots.
pub const ENCRYPTED_COLUMNS: usize = 4 + 2 * SUMS;

fog::public_inputs! {
    /// What is public of the board.
    BoardInputs, BOARD_INPUTS:
    /// The player's commitment, `C`.
    commitment,
    /// The square on which the player's piece was captured, or 64.
    pending,
    /// The player's color, 0 for White.
    color,
    /// 1 before the receiver's move, 0 after it.
    pre,
}

fog::statement! {
    /// *item* and *view*: a ciphertext is that of the committed board's vector.
    EncryptedStatement: EncryptedPublic, EncryptedPrivate
}

/// What everyone knows of a vector's board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardPublic {
    /// Which of the two statements it is. No input: each has its own key.
    pub kind: Kind,
    /// The player's commitment, `C`.
    pub commitment: F,
    /// The square on which the player's piece was captured.
    pub pending: Option<Square>,
    /// The player's color: the sender's of an item vector, the receiver's of a view vector.
    pub color: Color,
    /// Before the receiver's move or after it.
    pub phase: Phase,
}

impl BoardPublic {
    /// The public inputs by name.
    pub fn inputs(&self) -> BoardInputs<F> {
        BoardInputs {
            commitment: self.commitment,
            pending: square_field(self.pending),
            color: F::from(self.color as u64),
            pre: F::from(self.phase == Phase::Pre),
        }
    }
}

/// What both players see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncryptedPublic {
    pub board: BoardPublic,
    /// The polynomial `a` that the public keys have in common, modulo `Q`.
    pub common: Poly,
    /// The joint public key `B`.
    pub joint: Poly,
    /// The ciphertext `(v₀, v₁)`.
    pub ciphertext: [Poly; 2],
}

impl EncryptedPublic {
    /// The weights of all slots in each sum, below the plaintext modulus: drawn from a hash of all that is public.
    fn drawn(&self) -> [[Vec<u64>; LANES]; SUMS] {
        let inputs = self.board.inputs().to_array().map(|input| to_word(&input));
        let [first, second] = &self.ciphertext;
        let polys = ring::write([&self.common, &self.joint, first, second]);
        let kind = [self.board.kind as u8];
        let mut stream =
            ChaCha20Rng::from_seed(digest([&b"fogmate/bfv/weights/1"[..], &kind, inputs.as_flattened(), &polys]));
        // The modulus divides 2⁶⁴ with a rest of 1: no weight is likelier than another by more than 2⁻⁶⁴.
        let mut draw = || (0..DEGREE).map(|_| stream.next_u64() % PLAINTEXT).collect::<Vec<u64>>();
        [(); SUMS].map(|()| [(); LANES].map(|()| draw()))
    }

    /// The public inputs but the board's: coefficients of `a`, `B`, `v₀` and `v₁` from 0 to `Q`, lowest power first, then weights of the plaintext's coefficients, then those of the
    /// vector's slots. The weights of each column are [`LANES`] numbers, the lowest first, [`LANE_BITS`] from one to the next.
    pub fn columns(&self) -> [Vec<F>; ENCRYPTED_COLUMNS] {
        let [first, second] = &self.ciphertext;
        let [a, joint, v0, v1] = [&self.common, &self.joint, first, second].map(column);
        let drawn = self.drawn();
        let packed = |lanes: [Vec<u64>; LANES], count: usize| {
            let base = F::from_raw([0, 1 << (LANE_BITS - 64), 0, 0]);
            let place =
                |place: usize| lanes.iter().rev().fold(F::zero(), |sum, lane| sum * base + F::from(lane[place]));
            (0..count).map(place).collect::<Vec<F>>()
        };
        let [w0, w1] = drawn.each_ref().map(|lanes| packed(lanes.each_ref().map(|lane| weights_of(lane)), DEGREE));
        let [s0, s1] = drawn.map(|lanes| packed(lanes, SLOTS));
        [a, joint, v0, v1, w0, w1, s0, s1]
    }

    /// The public inputs in order, the board's before the columns.
    pub fn to_instance(&self) -> Vec<F> {
        [self.board.inputs().to_array().to_vec(), self.columns().concat()].concat()
    }
}

/// What only the player knows.
#[derive(Clone, PartialEq, Eq)]
pub struct EncryptedPrivate {
    /// The committed state, before the removal of the piece on the pending square. Its color is not a part of it.
    pub side: Side,
    pub salt: F,
    /// The coefficients of the polynomial `r` that masks the plaintext, lowest power first.
    pub mask: Zeroizing<Vec<i64>>,
}

fog::wiped_on_drop!(EncryptedPrivate: salt);

/// The relation of *item* or *view*, by the library's arithmetic.
pub fn check(public: &EncryptedPublic, private: &EncryptedPrivate) -> Result<(), Unmet> {
    let EncryptedPublic { board, common, joint, ciphertext: [first, second] } = public;
    let side = Side { color: board.color, ..private.side.clone() };
    fog::ensure!(is_well_formed(&side), Unmet::StateRange);
    fog::ensure!(commit(&side, private.salt) == board.commitment, Unmet::Commitment);
    fog::ensure!(are_small(&private.mask), Unmet::Large);
    let mask = secret(&private.mask, common.ctx()).ok_or(Unmet::Ring)?;
    fog::ensure!(is_small(&(second - &(&guarded(common) * &*mask))), Unmet::Encryption);
    let (plaintext, noise) = opened(&(first - &(&guarded(joint) * &*mask)));
    let plaintext = Zeroizing::new(plaintext);
    fog::ensure!(noise.iter().all(|value| is_below(value, ENCRYPTION_BITS)), Unmet::Encryption);
    let vector = board.kind.vector(&side.without(board.pending), board.phase);
    let right = coefficients(&vector).map(Zeroizing::new).ok_or(Unmet::Ring)?;
    fog::ensure!(*plaintext == *right, Unmet::Vector);
    Ok(())
}
