//! Statements: what is proved, as a public struct, a private struct and a native check (protocol section 7).
//!
//! A check says in plain Rust what the circuit of the same name must enforce, and no more; the public inputs are laid
//! out here once. No proof system is involved.

pub mod answer;
pub mod turn;
