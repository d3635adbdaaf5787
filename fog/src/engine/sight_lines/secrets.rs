//! The engine's own secrets of a game, derived from the player's seed (protocol section 9).
//!
//! ```text
//! a   = K_fog as a little-endian integer, its low 249 bits, plus 2^249
//! r_s = PRF(K_ot; C' ‖ A.x ‖ A.y ‖ s)     in the scalars of Grumpkin; A the opponent's fog key, s one byte
//! ```
//!
//! A PRF's 64 bytes are read as a little-endian integer and reduced: 512 bits mod 254 leave a bias below 2^-256. Scalars hang on
//! the commitment that they belong to, never on a counter: a move that is replaced by another never shares an `r_s` with it.

use crate::{
    F,
    curve::{FogKey, FogSecret, POINT_BYTES, Scalar},
    engine::{Branch, Seed},
    secret::wipe_all,
    word::{WORD, to_word},
};
use ff::{Field, FromUniformBytes};
use std::ops::Deref;

/// The branch of the fog secret.
const FOG_BRANCH: &str = "fog";
/// The branch of the request scalars.
const OT_BRANCH: &str = "ot";

/// The fog secret `a` of a player's game.
pub fn fog_secret(seed: &Seed) -> FogSecret {
    FogSecret::from_uniform(seed.branch(FOG_BRANCH).to_bytes())
}

/// `K_ot`: makes the scalars of all requests of a player in a game.
pub fn request_key(seed: &Seed) -> Branch {
    seed.branch(OT_BRANCH)
}

/// The scalars `r_s` of a request, a1 first: secret, wiped when dropped.
#[derive(Clone)]
pub struct RequestScalars(Box<[Scalar; 64]>);

impl RequestScalars {
    /// The scalars of the request for the board committed to by `commitment`, for the owner of `fog_key` to answer.
    pub fn derive(key: &Branch, commitment: F, fog_key: &FogKey) -> Self {
        let mut message = [0; WORD + POINT_BYTES + 1];
        message[..WORD].copy_from_slice(&to_word(&commitment));
        message[WORD..WORD + POINT_BYTES].copy_from_slice(&fog_key.to_bytes());
        let mut scalars = Box::new([Scalar::ONE; 64]);
        for (square, scalar) in scalars.iter_mut().enumerate() {
            message[WORD + POINT_BYTES] = square as u8;
            let drawn = Scalar::from_uniform_bytes(&key.prf(&message));
            // Zero would be refused by the statement; it comes up once in 2^254 draws.
            if !bool::from(drawn.is_zero()) {
                *scalar = drawn;
            }
        }
        Self(scalars)
    }
}

impl Deref for RequestScalars {
    type Target = [Scalar; 64];

    fn deref(&self) -> &[Scalar; 64] {
        &self.0
    }
}

crate::redacted!(RequestScalars);

impl Drop for RequestScalars {
    fn drop(&mut self) {
        wipe_all(&mut self.0[..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curve::Point;

    // Printed by game/tests/secrets_reference.py, which shares nothing with this file.
    const A: &str = "03ea19c5d083e06f2142b7008bc40cb1d32dba2836b53906edd41d19ea1991be";
    const R_0: &str = "0aa522223e3df7ed688c79b61236711ddd3ffa4f25e4c378908802d734b26db8";
    const R_63: &str = "0ed9ba4a04d04f9a40bab6b0911ea2e109eacfb2e5abfa6c4332f161e7026d5b";

    fn seed() -> Seed {
        let wallet_key = std::array::from_fn(|i| i as u8 + 1);
        Seed::derive(&wallet_key, &std::array::from_fn(|i| i as u8 + 101))
    }

    #[test]
    fn the_derivations_are_the_documented_ones() {
        let secret = fog_secret(&seed());
        assert_eq!(hex::encode(to_word(&secret.field())), A);
        let key = FogKey(Point::generator());
        let scalars = RequestScalars::derive(&request_key(&seed()), F::from(13), &key);
        assert_eq!(hex::encode(to_word(&scalars[0])), R_0);
        assert_eq!(hex::encode(to_word(&scalars[63])), R_63);
        assert_eq!(format!("{scalars:?}"), "RequestScalars(…)");
    }

    #[test]
    fn scalars_differ_by_square_commitment_and_key() {
        let (branch, key) = (request_key(&seed()), FogKey(Point::generator()));
        let scalars = RequestScalars::derive(&branch, F::from(13), &key);
        let words: std::collections::BTreeSet<_> = scalars.iter().map(to_word).collect();
        assert_eq!(words.len(), 64);
        let other = RequestScalars::derive(&branch, F::from(14), &key);
        assert_ne!(scalars[0], other[0]);
        let other = RequestScalars::derive(&branch, F::from(13), &fog_secret(&seed()).key());
        assert_ne!(scalars[0], other[0]);
    }
}
