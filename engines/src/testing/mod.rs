//! Seeded statements of this crate's engines, true and broken, and statements checked natively in place of proofs (feature `testing`): for the tests
//! of this crate and of the circuits; and what an engine costs, for `make bench`.

mod captured;
pub mod measure;
mod mutations_captured;
mod mutations_encrypted;
mod mutations_key_share;
mod mutations_set;
mod mutations_vector;
pub mod named;
mod replay;
mod set_proofs;
mod sets;
mod vectors;

pub use captured::{after_captures, captured, decryptions, encrypted, encrypted_of, encryption, key_shares, scenes};
pub use mutations_captured::{RingMutation, mutations_captured};
pub use mutations_encrypted::{mutations_decryption, mutations_encrypted};
pub use mutations_key_share::{key_shares_at_edges, mutations_key_share, mutations_key_share_at_large};
pub use mutations_set::{AskedMutation, ShownMutation, mutations_asked, mutations_shown};
pub use mutations_vector::{VectorMutation, mutations_vector};
pub use replay::{Difference, replay};
pub use set_proofs::NativeSetProofs;
pub use sets::{asked_sets, shown_sets};
pub use vectors::vectors;

use crate::{andos::Andos, bfv::Bfv, dh_psi, emanant::Emanant};
use fog::engine::Engine;
use std::sync::Arc;

/// All engines of this crate but `andos-chained`, whose exchanges must be those of one game, in order.
pub fn all() -> Vec<Arc<dyn Engine>> {
    vec![
        Arc::new(dh_psi::DhPsiPlain::default()),
        Arc::new(dh_psi::DhPsi::default()),
        Arc::new(Emanant::default()),
        Arc::new(Andos::IMPROVED),
        Arc::new(Andos::FIRST),
        Arc::new(Andos::HARDENED),
        Arc::new(Bfv::default()),
    ]
}
