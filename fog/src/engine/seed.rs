//! A player's seed for one game, from which every secret of it follows (protocol section 9). Nothing is random and nothing is
//! stored: the wallet and the chain give all of it back.
//!
//! ```text
//! seed   = HKDF-SHA256(salt = "fogmate/seed/1", ikm = wallet key (32 bytes, big-endian), info = game id (32), 32 bytes)
//! K_name = HKDF-Expand-SHA256(prk = seed, info = "fogmate/" ‖ name, 32 bytes)
//! PRF(K; m) = HKDF-Expand-SHA256(prk = K, info = m, 64 bytes)
//! ```
//!
//! The branches are independent outputs of HKDF: a published one says nothing of the seed or of another branch.

use super::{About, Registration, Word, digest, game::commit_to_seed};
use hkdf::Hkdf;
use sha2::Sha256;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

const SEED_SALT: &[u8] = b"fogmate/seed/1";
const BRANCH_PREFIX: &[u8] = b"fogmate/";

/// A player's secret for one game. Every other secret of the game is a branch of it.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub struct Seed(Word);

impl Seed {
    /// The seed of the game `game_id` for the owner of a wallet's private key (32 bytes, big-endian).
    pub fn derive(wallet_key: &Word, game_id: &Word) -> Self {
        let mut seed = Self([0; 32]);
        let hkdf = Hkdf::<Sha256>::new(Some(SEED_SALT), wallet_key);
        expand(&hkdf, &[game_id], &mut seed.0);
        seed
    }

    /// The branch `K_name`, a key for one purpose.
    pub fn branch(&self, name: &str) -> Branch {
        let mut branch = Branch([0; 32]);
        expand(&keyed(&self.0), &[BRANCH_PREFIX, name.as_bytes()], &mut branch.0);
        branch
    }

    /// What an engine without a public key registers: keccak256 over its name and its branch, then its name. All its messages
    /// follow from that branch, so publishing it after the game opens them to everybody.
    pub fn commitment(&self, engine: &About) -> Registration {
        self.branch(engine.name).commitment(engine)
    }
}

/// One branch of a seed: the key of a pseudorandom function.
#[derive(Clone, PartialEq, Eq, Zeroize, ZeroizeOnDrop)]
pub struct Branch(Word);

impl Branch {
    /// A branch that was published on chain.
    pub fn from_bytes(bytes: Word) -> Self {
        Self(bytes)
    }

    /// Its bytes: a key, or what is published after the game.
    pub fn to_bytes(&self) -> Word {
        self.0
    }

    /// What a player registered whose engine's branch this is: [`Seed::commitment`].
    pub fn commitment(&self, engine: &About) -> Registration {
        let word = digest([&b"fogmate/seed/commitment/1"[..], engine.name.as_bytes(), &self.0]);
        commit_to_seed(engine, &word)
    }

    /// The 64 bytes `PRF(K; message)` of this branch `K`.
    pub fn prf(&self, message: &[u8]) -> Zeroizing<[u8; 64]> {
        let mut output = Zeroizing::new([0; 64]);
        expand(&keyed(&self.0), &[message], &mut *output);
        output
    }
}

crate::redacted!(Seed, Branch);

fn keyed(key: &Word) -> Hkdf<Sha256> {
    Hkdf::from_prk(key).expect("32 bytes are a key for SHA-256")
}

fn expand(hkdf: &Hkdf<Sha256>, info: &[&[u8]], output: &mut [u8]) {
    hkdf.expand_multi_info(info, output).expect("64 bytes are within HKDF's 8160");
}

#[cfg(test)]
mod tests {
    use super::*;

    // Printed by game/tests/secrets_reference.py, which shares nothing with this file.
    const VIEW: &str = "76f5c717de2c59c40b699bf6aba04290b0bdc83f2031030563557117b9403f52";
    const TOSS: &str = "de4fb14718275ed90f2f4d607f8dcb1419878503845587e4e7011383065935d0";

    #[test]
    fn branches_are_the_documented_ones() {
        let wallet_key = std::array::from_fn(|i| i as u8 + 1);
        let game_id = std::array::from_fn(|i| i as u8 + 101);
        let seed = Seed::derive(&wallet_key, &game_id);
        assert_eq!(hex::encode(seed.branch("view").to_bytes()), VIEW);
        assert_eq!(hex::encode(seed.branch("toss").to_bytes()), TOSS);
        let published = Branch::from_bytes(seed.branch("view").to_bytes());
        assert_eq!(published.prf(b"m"), seed.branch("view").prf(b"m"));
        assert_ne!(published.prf(b"m"), seed.branch("toss").prf(b"m"));
    }

    #[test]
    fn debug_tells_nothing() {
        let seed = Seed::derive(&[1; 32], &[2; 32]);
        let shown = format!("{seed:?} {:?}", seed.branch("view"));
        assert_eq!(shown, "Seed(…) Branch(…)");
    }
}
