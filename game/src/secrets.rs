//! Every secret of one game, derived from the wallet key and the game id (protocol, section 9). Nothing here is random
//! and nothing is stored: the wallet and the chain give all of it back. It is not the wallet and signs nothing.
//!
//! ```text
//! seed   = HKDF-SHA256(salt = "fogmate/seed/1", ikm = wallet key (32 bytes, big-endian), info = game id (32), 32 bytes)
//! K_name = HKDF-Expand-SHA256(prk = seed, info = "fogmate/" ‖ name, 32 bytes)     name in view, ot, fog, toss
//! PRF(K; m) = HKDF-Expand-SHA256(prk = K, info = m, 64 bytes), read as a little-endian integer, mod the field's order
//!
//! salt'  = PRF(K_view; C ‖ state')             in F; C, state' 32 bytes each, big-endian
//! r_s    = PRF(K_ot; C' ‖ A.x ‖ A.y ‖ s)       in the scalars of Grumpkin; A the opponent's fog key, s one byte
//! a      = K_fog as a little-endian integer, its low 249 bits, plus 2^249
//! r1     = K_toss as it is (32 bytes), the creator's half of the coin toss
//! ```
//!
//! 512 bits reduced mod 254 leave a bias below 2^-256. Salts and scalars hang on the commitment that they lead from or
//! belong to, never on a counter: a move that is replaced by another never shares a salt or an `r_s` with it.
//!
//! **What a published `K_view` opens.** With the chain it gives this player's salts, hence its states, in this one game.
//! The branches are independent outputs of HKDF, so it says nothing of `K_ot`, `K_fog`, the seed or another game's
//! seed: the recorded traffic between the players stays closed, because opening an answer takes `r_s` or `a`.

use ff::{Field, FromUniformBytes};
use fog::{
    curve::{FogKey, FogSecret, Scalar, scalar_from_uniform},
    word::to_word,
};
use halo2curves::bn256::Fr;
use hkdf::Hkdf;
use sha2::Sha256;
use std::fmt;
use zeroize::{Zeroize, ZeroizeOnDrop};

const SEED_SALT: &[u8] = b"fogmate/seed/1";

/// All secrets of one player in one game.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub struct GameSecrets {
    view: ViewKey,
    ot: [u8; 32],
    fog: [u8; 32],
    toss: [u8; 32],
}

impl GameSecrets {
    /// Derives the secrets of the game `game_id` from the wallet's private key (32 bytes, big-endian).
    pub fn derive(wallet_key: &[u8; 32], game_id: &[u8; 32]) -> Self {
        let mut seed = [0; 32];
        fill(
            &Hkdf::<Sha256>::new(Some(SEED_SALT), wallet_key),
            game_id,
            &mut seed,
        );
        let branch = |info: &[u8]| {
            let mut key = [0; 32];
            prf(&seed, info, &mut key);
            key
        };
        let secrets = GameSecrets {
            view: ViewKey(branch(b"fogmate/view")),
            ot: branch(b"fogmate/ot"),
            fog: branch(b"fogmate/fog"),
            toss: branch(b"fogmate/toss"),
        };
        seed.zeroize();
        secrets
    }

    /// The branch that makes the salts: all that is published after a game.
    pub fn view_key(&self) -> &ViewKey {
        &self.view
    }

    /// The secret `a` of the fog key.
    pub fn fog_secret(&self) -> FogSecret {
        FogSecret::from_uniform(self.fog)
    }

    /// The scalars `r_s` of the request for the board committed to by `commitment`, for the owner of `fog_key` to answer.
    pub fn request_scalars(&self, commitment: Fr, fog_key: &FogKey) -> Box<[Scalar; 64]> {
        let mut message = [0; 97];
        message[..32].copy_from_slice(&to_word(&commitment));
        message[32..96].copy_from_slice(&fog_key.to_bytes());
        let mut scalars = Box::new([Scalar::ONE; 64]);
        for (square, scalar) in scalars.iter_mut().enumerate() {
            message[96] = square as u8;
            let mut wide = wide_prf(&self.ot, &message);
            let drawn = scalar_from_uniform(&wide);
            wide.zeroize();
            // Zero would be refused by the statement; it comes up once in 2^254 draws.
            if !bool::from(drawn.is_zero()) {
                *scalar = drawn;
            }
        }
        scalars
    }

    /// `r1`, the creator's half of the coin toss.
    pub fn toss_secret(&self) -> [u8; 32] {
        self.toss
    }
}

impl fmt::Debug for GameSecrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("GameSecrets(redacted)")
    }
}

/// `K_view`: makes the salts of one player in one game, and nothing else.
#[derive(Clone, PartialEq, Eq, Zeroize, ZeroizeOnDrop)]
pub struct ViewKey([u8; 32]);

impl ViewKey {
    /// A view key as it was published on chain.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        ViewKey(bytes)
    }

    /// The bytes to publish after the game.
    pub fn to_bytes(&self) -> [u8; 32] {
        self.0
    }

    /// `salt'` of the state packed as `next_state`, reached from the state committed to by `commitment`.
    pub fn next_salt(&self, commitment: Fr, next_state: Fr) -> Fr {
        let mut message = [0; 64];
        message[..32].copy_from_slice(&to_word(&commitment));
        message[32..].copy_from_slice(&to_word(&next_state));
        let mut wide = wide_prf(&self.0, &message);
        let salt = Fr::from_uniform_bytes(&wide);
        wide.zeroize();
        message.zeroize();
        salt
    }
}

impl fmt::Debug for ViewKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ViewKey(redacted)")
    }
}

fn wide_prf(key: &[u8; 32], message: &[u8]) -> [u8; 64] {
    let mut wide = [0; 64];
    prf(key, message, &mut wide);
    wide
}

fn prf(key: &[u8; 32], message: &[u8], out: &mut [u8]) {
    let hkdf = Hkdf::<Sha256>::from_prk(key).expect("32 bytes are a key for SHA-256");
    fill(&hkdf, message, out);
}

fn fill(hkdf: &Hkdf<Sha256>, info: &[u8], out: &mut [u8]) {
    hkdf.expand(info, out)
        .expect("64 bytes are within HKDF's 8160");
}

#[cfg(test)]
mod tests {
    use super::*;
    use fog::curve::Point;

    // Printed by game/tests/secrets_reference.py, which shares nothing with this file.
    const VIEW: &str = "76f5c717de2c59c40b699bf6aba04290b0bdc83f2031030563557117b9403f52";
    const TOSS: &str = "de4fb14718275ed90f2f4d607f8dcb1419878503845587e4e7011383065935d0";
    const A: &str = "03ea19c5d083e06f2142b7008bc40cb1d32dba2836b53906edd41d19ea1991be";
    const SALT: &str = "2fb08065b8f15a382d81c4fd267451ae392f48b3476cc7a1b37e1f5ba1d2ae91";
    const R_0: &str = "0aa522223e3df7ed688c79b61236711ddd3ffa4f25e4c378908802d734b26db8";
    const R_63: &str = "0ed9ba4a04d04f9a40bab6b0911ea2e109eacfb2e5abfa6c4332f161e7026d5b";

    fn secrets(game: u8) -> GameSecrets {
        GameSecrets::derive(
            &std::array::from_fn(|i| i as u8 + 1),
            &std::array::from_fn(|i| i as u8 + game),
        )
    }

    #[test]
    fn the_derivations_are_the_documented_ones() {
        let secrets = secrets(101);
        assert_eq!(hex::encode(secrets.view_key().to_bytes()), VIEW);
        assert_eq!(hex::encode(secrets.toss_secret()), TOSS);
        assert_eq!(hex::encode(to_word(&secrets.fog_secret().field())), A);
        let salt = secrets.view_key().next_salt(Fr::from(7), Fr::from(11));
        assert_eq!(hex::encode(to_word(&salt)), SALT);
        let scalars = secrets.request_scalars(Fr::from(13), &FogKey(Point::generator()));
        assert_eq!(hex::encode(to_word(&scalars[0])), R_0);
        assert_eq!(hex::encode(to_word(&scalars[63])), R_63);
    }

    #[test]
    fn a_view_key_makes_the_salts_of_its_own_game_and_no_other() {
        let (one, other) = (secrets(101), secrets(102));
        let published = ViewKey::from_bytes(one.view_key().to_bytes());
        let salt = |key: &ViewKey| key.next_salt(Fr::from(7), Fr::from(11));
        assert_eq!(salt(&published), salt(one.view_key()));
        assert_ne!(salt(&published), salt(other.view_key()));
        // Used as the key of the other branches it opens none of them: they are siblings, not children.
        let forged = GameSecrets {
            view: published.clone(),
            ot: published.0,
            fog: published.0,
            toss: published.0,
        };
        let key = FogKey(Point::generator());
        assert_ne!(
            forged.request_scalars(Fr::from(13), &key)[0],
            one.request_scalars(Fr::from(13), &key)[0]
        );
        assert_ne!(forged.fog_secret(), one.fog_secret());
        assert_ne!(forged.toss_secret(), one.toss_secret());
    }

    #[test]
    fn scalars_differ_by_square_commitment_and_key() {
        let secrets = secrets(101);
        let key = FogKey(Point::generator());
        let scalars = secrets.request_scalars(Fr::from(13), &key);
        assert_eq!(
            scalars
                .iter()
                .collect::<std::collections::HashSet<_>>()
                .len(),
            64
        );
        assert_ne!(scalars[0], secrets.request_scalars(Fr::from(14), &key)[0]);
        assert_ne!(
            scalars[0],
            secrets.request_scalars(Fr::from(13), &secrets.fog_secret().key())[0]
        );
    }

    #[test]
    fn debug_tells_nothing() {
        let shown = format!("{:?} {:?}", secrets(101), secrets(101).view_key());
        assert_eq!(shown, "GameSecrets(redacted) ViewKey(redacted)");
    }
}
