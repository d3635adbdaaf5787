//! The other ways to see through the fog that the field has proposed, each working behind the trait
//! [`Engine`], so that they play the same games as sight-lines and are measured beside it.
//!
//! A folder an engine; each says on its first line whom its players must trust. `tests/suite` holds all of them, sight-lines
//! included, to the rules' sight.

pub mod andos;
pub mod bfv;
pub mod dh_psi;
pub mod emanant;
mod kind;
pub mod measure;
pub mod psi;
pub mod replay;
#[cfg(feature = "testing")]
pub mod testing;

pub use kind::EngineKind;

use fog::engine::Engine;
use std::sync::Arc;

/// All engines of this crate but `andos-chained`, whose exchanges must be those of one game, in order.
pub fn all() -> Vec<Arc<dyn Engine>> {
    vec![
        Arc::new(dh_psi::DhPsiPlain::default()),
        Arc::new(dh_psi::DhPsi::default()),
        Arc::new(emanant::Emanant::default()),
        Arc::new(andos::Andos::improved()),
        Arc::new(andos::Andos::first()),
        Arc::new(andos::Andos::hardened()),
        Arc::new(bfv::Bfv),
    ]
}
