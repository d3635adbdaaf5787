//! Seeded statements of this crate's engines, true and broken, and statements checked natively in place of proofs (feature `testing`): for the tests
//! of this crate and of the circuits.

mod mutations_set;
mod mutations_vector;
mod set_proofs;
mod sets;
mod vectors;

pub use mutations_set::{AskedMutation, ShownMutation, mutations_asked, mutations_shown};
pub use mutations_vector::{VectorMutation, mutations_vector};
pub use set_proofs::NativeSetProofs;
pub use sets::{asked_sets, shown_sets};
pub use vectors::vectors;
