//! The statement *captured* (engine `bfv-steps`): the sight that a player had before it captured shows a man on the captured square. It is step (a) of the
//! attack in the note *Fog of war chess*: "the intersection decrypts to 1 at x", without telling what the captured man is, or who has seen it from where.
//!
//! With `a` the common random polynomial, `B` the joint key, `b` the player's share of it, `(v₀, v₁)` its encrypted view, `(c₀, c₁)` the product, `d` the other's
//! share of its decryption, and `t` the plaintext modulus, the player knows small `s` and `r` with
//!
//! ```text
//! b + a·s = small                        modulo Q     s is the key share that it has committed to
//! v₁ − a·r = small                       modulo Q     its view is an encryption under the joint key,
//! t·(v₀ − B·r) = Q·m + small             modulo t·Q   of some plaintext m,
//! t·(c₀ + d + c₁·s) = Q'·p + small       modulo t·Q'  and the product opens to p,
//! Σ p_j·w_j = 1 to 8,192                 modulo t     which has something in a slot of the captured square
//! ```
//!
//! in the ring of polynomials modulo `Xᴺ + 1`. The sum with public weights is that of the square's slots. The view is bound to the player's board by *view*; it
//! may be another encryption than the player asked with before it captured. That the relinearisation key is right is said by *key share*.

pub mod party;

use super::{
    integers::{
        ENCRYPTION_BITS, KeyAndMask, are_small, column, guarded, is_below, is_small, opened, secret, weights_of,
    },
    parameters::{DEGREE, PLAINTEXT},
    vector::{Aim, slots},
};
use crate::Unmet;
use fhe_math::rq::Poly;
use fog::F;
use rules::{Color, Square};
use zeroize::Zeroizing;

/// The noise of an opened product, times the plaintext modulus, is below this power of two: some more than the flood.
pub const NOISE_BITS: u32 = 122;
/// Bytes of every proof of *captured*. Known before there are keys, since the sizes of messages are.
pub const CAPTURED_BYTES: usize = 8448;

/// The largest sum of the captured square's slots.
pub const MOST_SEEN: u64 = 8192;

fog::statement! {
    /// *captured*: the sight before a capture shows a man on the captured square.
    CapturedStatement: CapturedPublic, KeyAndMask
}

/// What both players see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CapturedPublic {
    /// The polynomial `a` that the public keys have in common, modulo `Q`.
    pub common: Poly,
    /// The player's share `b` of the public key.
    pub share: Poly,
    /// The joint public key `B`.
    pub joint: Poly,
    /// The player's view, encrypted under it.
    pub view: [Poly; 2],
    /// The first part of the product and the other's decryption share of it, in one, modulo `Q'`.
    pub rest: Poly,
    /// The second part of the product.
    pub second: Poly,
    /// The color of the player who has captured.
    pub color: Color,
    pub square: Square,
}

/// How many columns of [`DEGREE`] public inputs the statement has.
pub const CAPTURED_COLUMNS: usize = 8;

impl CapturedPublic {
    /// The public inputs: coefficients of `a`, `b`, `B`, `v₀`, `v₁`, `c₀ + d` and `c₁` from 0 to their modulus, lowest power first, then the weights.
    pub fn columns(&self) -> [Vec<F>; CAPTURED_COLUMNS] {
        let [first, second] = &self.view;
        let polys = [&self.common, &self.share, &self.joint, first, second, &self.rest, &self.second];
        let [a, b, joint, v0, v1, rest, c1] = polys.map(column);
        let weights = weights(self.color, self.square).into_iter().map(F::from).collect();
        [a, b, joint, v0, v1, rest, c1, weights]
    }

    /// The public inputs in order, column after column.
    pub fn to_instance(&self) -> Vec<F> {
        self.columns().concat()
    }
}

/// The relation of *captured*, by the library's arithmetic.
pub fn check(public: &CapturedPublic, private: &KeyAndMask) -> Result<(), Unmet> {
    fog::ensure!(are_small(&private.key) && are_small(&private.mask), Unmet::Large);
    let of = |vector: &[i64], like: &Poly| secret(vector, like.ctx()).ok_or(Unmet::Ring);
    let (key, mask) = (of(&private.key, &public.share)?, of(&private.mask, &public.share)?);
    let (common, joint, second) = (guarded(&public.common), guarded(&public.joint), guarded(&public.second));
    fog::ensure!(is_small(&(&public.share + &(&common * &*key))), Unmet::Key);
    fog::ensure!(is_small(&(&public.view[1] - &(&common * &*mask))), Unmet::View);
    let (_, noise) = opened(&(&public.view[0] - &(&joint * &*mask)));
    fog::ensure!(noise.iter().all(|value| is_below(value, ENCRYPTION_BITS)), Unmet::View);
    let key = of(&private.key, &public.second)?;
    let (plaintext, noise) = opened(&(&public.rest + &(&second * &*key)));
    let plaintext = Zeroizing::new(plaintext);
    fog::ensure!(noise.iter().all(|value| is_below(value, NOISE_BITS)), Unmet::Noise);
    let weights = weights(public.color, public.square);
    let seen = plaintext.iter().zip(weights).map(|(value, weight)| value * weight).sum::<u64>() % PLAINTEXT;
    fog::ensure!((1..=MOST_SEEN).contains(&seen), Unmet::Empty);
    Ok(())
}

/// By what the coefficients of a product are multiplied, lowest power first, so that the sum is that of the slots in which a man on a square is seen by the
/// receiver of this color: where its pieces look for men, and where its pawns look for what has jumped onto the square.
pub fn weights(receiver: Color, square: Square) -> Vec<u64> {
    let jumped = square.offset(0, -(!receiver).forward());
    let mut of_square = vec![0_u64; DEGREE];
    for (place, slot) in of_square.iter_mut().zip(slots(receiver)) {
        let shows = match slot.aim {
            Aim::Piece => slot.square == square,
            Aim::Jump => Some(slot.square) == jumped && square.rank() == (!receiver).double_push_rank(),
            Aim::Way => false,
        };
        *place = shows.into();
    }
    weights_of(&of_square)
}
