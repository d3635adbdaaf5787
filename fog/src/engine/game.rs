//! What both players and the chain know of a game before its first exchange.

use super::{About, Word, digest};
use rules::Color;

/// Bytes that a player registers on chain: two words.
pub const REGISTRATION_BYTES: usize = 64;
/// What a player registers on chain at create or join: a public key, or [`commit_to_seed`] of an engine that has none.
pub type Registration = [u8; REGISTRATION_BYTES];

/// What is registered for an engine without a public key: the commitment to a seed, then the engine's [`About::word`]. The second word
/// is in clear, so that contract and opponent see by it which engine a player has sat down with.
pub fn commit_to_seed(engine: &About, commitment: &Word) -> Registration {
    let words = [*commitment, engine.word()];
    std::array::from_fn(|index| words.as_flattened().get(index).copied().unwrap_or(0))
}

/// The word of such a registration in which the name of the engine stands.
pub fn engine_word(registration: &Registration) -> &[u8] {
    &registration[REGISTRATION_BYTES / 2..]
}

/// The name of the engine that such a registration is for; `None` if its second word is no name. Of a public key it means nothing.
pub fn engine_name(registration: &Registration) -> Option<&str> {
    let word = engine_word(registration);
    let end = word.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    let name = word.get(..end)?;
    let is_name =
        !name.is_empty() && name.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'-');
    std::str::from_utf8(name).ok().filter(|_| is_name)
}

/// The public facts of a game that every exchange of it is bound to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    pub chain_id: u64,
    /// The game contract's address.
    pub contract: [u8; 20],
    pub game_id: Word,
    /// Joint randomness of the coin toss for colors: the common random string of engines that need one.
    pub toss: Word,
    /// What each player registered, by color.
    pub registered: [Registration; 2],
}

impl Game {
    /// Whether a player has registered a commitment to a seed, and for this engine.
    pub fn has_committed(&self, color: Color, engine: &About) -> bool {
        let (commitment, name) = self.registered(color).split_at(REGISTRATION_BYTES / 2);
        commitment != [0; 32] && name == engine.word()
    }

    /// A digest under `tag` of the engine, the game and more, for what is bound to a game.
    pub fn digest(&self, tag: &str, engine: &About, more: &[&[u8]]) -> Word {
        let parts = [
            tag.as_bytes(),
            engine.name.as_bytes(),
            &self.chain_id.to_be_bytes(),
            &self.contract,
            &self.game_id,
            &self.toss,
            self.registered.as_flattened(),
        ];
        digest(parts.into_iter().chain(more.iter().copied()))
    }

    /// What a player registered.
    pub fn registered(&self, color: Color) -> &Registration {
        &self.registered[color.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Claims, Trust};

    #[test]
    fn the_name_of_the_engine_is_in_clear() {
        let about =
            About { name: "dh-psi", trust: Trust::SemiHonest, caveat: "", claims: Claims::NONE, max_message: 0 };
        let registration = commit_to_seed(&about, &[0xff; 32]);
        assert_eq!(registration[..32], [0xff; 32]);
        assert_eq!(&registration[32..39], b"dh-psi\0");
        assert_eq!(engine_name(&registration), Some("dh-psi"));
        for (place, byte) in [(32, 0), (33, b' '), (34, b'A'), (40, 1), (63, 0xff)] {
            let mut other = registration;
            other[place] = byte;
            assert_eq!(engine_name(&other), None, "{place}");
        }
        assert_eq!(engine_name(&[0; 64]), None);
    }
}
