//! What the audit page asks of Rust: JSON in, JSON out. A browser calls it as WebAssembly without imports, which has no network, no clock and no
//! randomness.
//!
//! [`read()`] says what the chain's logs mean and which proofs are to be verified; [`audit()`] judges the game once the page has verified them, and draws
//! what view keys open. An answer is what was asked for, or an object with the one entry `error`, a sentence.

mod boards;
// In another program its function `read` would stand in the place of the system's.
#[cfg(target_arch = "wasm32")]
mod calls;
mod input;
mod judge;
mod timeline;

pub use judge::audit;
pub use timeline::read;
