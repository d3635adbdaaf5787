//! Field elements that JSON has as words of the chain, for `#[serde(with)]`: one of them, or as [`pair`] two.

use alloy_primitives::B256;
use fog::word::{from_word, to_word};
use halo2curves::bn256::Fr;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// Writes a field element as its word.
pub fn serialize<S: Serializer>(field: &Fr, to: S) -> Result<S::Ok, S::Error> {
    B256::from(to_word(field)).serialize(to)
}

/// Reads a field element from its word.
pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Fr, D::Error> {
    from_word(&B256::deserialize(from)?.0).ok_or_else(|| D::Error::custom("a number is no field element"))
}

/// Two field elements as a list of two words.
pub mod pair {
    use super::{Deserialize, Deserializer, Fr, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    struct Word(#[serde(with = "crate::as_word")] Fr);

    /// Writes two field elements as a list of their words.
    pub fn serialize<S: Serializer>(pair: &[Fr; 2], to: S) -> Result<S::Ok, S::Error> {
        pair.map(Word).serialize(to)
    }

    /// Reads two field elements from a list of their words.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<[Fr; 2], D::Error> {
        Ok(<[Word; 2]>::deserialize(from)?.map(|Word(field)| field))
    }
}
