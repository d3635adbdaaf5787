//! The other ways to see through the fog that the field has proposed, each working behind the trait
//! [`Engine`](fog::engine::Engine), so that they play the same games as sight-lines and are measured beside it.
//!
//! A folder an engine; each says on its first line whom its players must trust. `tests/suite` holds all of them, sight-lines
//! included, to the rules' sight.

pub mod alone;
pub mod andos;
pub mod bfv;
pub mod dh_psi;
pub mod emanant;
pub mod keyed;
mod kind;
pub mod own_step;
pub mod psi;
pub mod replay;
pub mod script;
#[cfg(feature = "testing")]
pub mod testing;
mod transcript;
mod unmet;

pub use kind::EngineKind;
pub use unmet::Unmet;
