//! Values that JSON has as text.

use schemars::JsonSchema;
use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};
use std::fmt::Display;
use std::str::FromStr;

// No value has this type: under `#[serde(with = "AsText")]` a field is written as its `Display` prints it, and in the schema it is a string. A doc comment
// would become a part of the schema.
#[derive(JsonSchema)]
#[schemars(with = "String")]
pub(crate) enum AsText {}

impl AsText {
    /// Writes a value as its text.
    pub fn serialize<T: Display, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(value)
    }

    /// Reads a value from its text.
    pub fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}
