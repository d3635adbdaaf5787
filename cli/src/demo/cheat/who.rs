//! The two players of every scene.

use derive_more::Display;
use serde::Serialize;

/// Who has done what is told.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Who {
    Alice,
    Bob,
}
