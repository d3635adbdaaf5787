//! What the page is told, held against what an audit on this machine says, on games of the simulator: its contract is the real one, and a proof is the
//! statement's own witness, judged by the simulator's oracle.

#[path = "../../../fog/src/testing/seed.rs"]
mod seed;

mod agree;
mod mangled;
mod page;
