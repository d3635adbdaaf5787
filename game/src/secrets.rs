//! Every secret of one game, derived from the wallet key and the id of the game, or of its opening (protocol, section 9). Nothing here is random
//! and nothing is stored: the wallet and the chain give all of it back. It is not the wallet and signs nothing.
//!
//! ```text
//! seed   = HKDF-SHA256(salt = "fogmate/seed/1", ikm = wallet key (32 bytes, big-endian), info = id (32), 32 bytes)
//!          id: for the creator `opening_id`, for the joiner the game id
//! K_name = HKDF-Expand-SHA256(prk = seed, info = "fogmate/" ‖ name, 32 bytes)     name in view, ot, fog, toss
//! PRF(K; m) = HKDF-Expand-SHA256(prk = K, info = m, 64 bytes), read as a little-endian integer, mod the field's order
//!
//! salt'  = PRF(K_view; C ‖ state')             in F; C, state' 32 bytes each, big-endian
//! r_s    = PRF(K_ot; C' ‖ A.x ‖ A.y ‖ s)       in the scalars of Grumpkin; A the opponent's fog key, s one byte
//! a      = K_fog as a little-endian integer, its low 249 bits, plus 2^249
//! share  = K_toss as it is (32 bytes), of the coin toss
//! ```
//!
//! 512 bits reduced mod 254 leave a bias below 2^-256. Salts and scalars hang on the commitment that they lead from or
//! belong to, never on a counter: a move that is replaced by another never shares a salt or an `r_s` with it.
//!
//! **What a published `K_view` opens.** With the chain it gives this player's salts, hence its states, in this one game.
//! The branches are independent outputs of HKDF, so it says nothing of `K_ot`, `K_fog`, the seed or another game's
//! seed: the recorded traffic between the players stays closed, because opening an answer takes `r_s` or `a`.

use ff::FromUniformBytes;
use fog::{
    curve::FogSecret,
    engine::{Branch, Seed, sight_lines::fog_secret},
    word::to_word,
};
use halo2curves::bn256::Fr;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// All secrets of one player in one game.
#[derive(Clone)]
pub struct GameSecrets {
    seed: Seed,
    view: ViewKey,
}

impl GameSecrets {
    /// Derives the secrets of a game from `id`, see [`crate::secrets_id`], and the wallet's private key (32 bytes, big-endian).
    pub fn derive(wallet_key: &[u8; 32], id: &[u8; 32]) -> Self {
        let seed = Seed::derive(wallet_key, id);
        let view = ViewKey(seed.branch("view"));
        Self { seed, view }
    }

    /// What a sight engine derives its own secrets from.
    pub fn seed(&self) -> &Seed {
        &self.seed
    }

    /// The branch that makes the salts: all that is published after a game.
    pub fn view_key(&self) -> &ViewKey {
        &self.view
    }

    /// The secret `a` of the fog key.
    pub fn fog_secret(&self) -> FogSecret {
        fog_secret(&self.seed)
    }

    /// This player's share of the coin toss.
    pub fn toss_secret(&self) -> [u8; 32] {
        self.seed.branch("toss").to_bytes()
    }
}

/// `K_view`: makes the salts of one player in one game, and nothing else.
#[derive(Clone, PartialEq, Eq, Zeroize, ZeroizeOnDrop)]
pub struct ViewKey(Branch);

impl ViewKey {
    /// A view key as it was published on chain.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(Branch::from_bytes(bytes))
    }

    /// The bytes to publish after the game.
    pub fn to_bytes(&self) -> [u8; 32] {
        self.0.to_bytes()
    }

    /// `salt'` of the state packed as `next_state`, reached from the state committed to by `commitment`.
    pub fn next_salt(&self, commitment: Fr, next_state: Fr) -> Fr {
        let mut message = [0; 64];
        message[..32].copy_from_slice(&to_word(&commitment));
        message[32..].copy_from_slice(&to_word(&next_state));
        let salt = Fr::from_uniform_bytes(&self.0.prf(&message));
        message.zeroize();
        salt
    }
}

fog::redacted!(GameSecrets, ViewKey);

#[cfg(test)]
mod tests {
    use super::*;

    // Printed by game/tests/secrets_reference.py, which shares nothing with this file.
    const VIEW: &str = "76f5c717de2c59c40b699bf6aba04290b0bdc83f2031030563557117b9403f52";
    const TOSS: &str = "de4fb14718275ed90f2f4d607f8dcb1419878503845587e4e7011383065935d0";
    const A: &str = "03ea19c5d083e06f2142b7008bc40cb1d32dba2836b53906edd41d19ea1991be";
    const SALT: &str = "2fb08065b8f15a382d81c4fd267451ae392f48b3476cc7a1b37e1f5ba1d2ae91";

    fn secrets(game: u8) -> GameSecrets {
        GameSecrets::derive(&std::array::from_fn(|i| i as u8 + 1), &std::array::from_fn(|i| i as u8 + game))
    }

    #[test]
    fn the_derivations_are_the_documented_ones() {
        let secrets = secrets(101);
        assert_eq!(hex::encode(secrets.view_key().to_bytes()), VIEW);
        assert_eq!(hex::encode(secrets.toss_secret()), TOSS);
        assert_eq!(hex::encode(to_word(&secrets.fog_secret().field())), A);
        let salt = secrets.view_key().next_salt(Fr::from(7), Fr::from(11));
        assert_eq!(hex::encode(to_word(&salt)), SALT);
    }

    #[test]
    fn a_view_key_makes_the_salts_of_its_own_game_and_no_other() {
        let (one, other) = (secrets(101), secrets(102));
        let published = ViewKey::from_bytes(one.view_key().to_bytes());
        let salt = |key: &ViewKey| key.next_salt(Fr::from(7), Fr::from(11));
        assert_eq!(salt(&published), salt(one.view_key()));
        assert_ne!(salt(&published), salt(other.view_key()));
        // It is a sibling of the other branches, not their parent.
        let branch = Branch::from_bytes(one.view_key().to_bytes());
        for (name, sibling) in ["ot", "fog", "toss"].map(|name| (name, one.seed().branch(name))) {
            assert_ne!(branch.to_bytes(), sibling.to_bytes());
            let guess = branch.prf(format!("fogmate/{name}").as_bytes());
            assert_ne!(guess[..32], sibling.to_bytes());
        }
    }

    #[test]
    fn debug_tells_nothing() {
        let shown = format!("{:?} {:?}", secrets(101), secrets(101).view_key());
        assert_eq!(shown, "GameSecrets(…) ViewKey(…)");
    }
}
