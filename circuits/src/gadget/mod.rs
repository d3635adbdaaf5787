//! The chips that the statements are composed of, one a file.
//!
//! A chip knows its gates and how to fill its rows; it doesn't know any rule of chess. Where rows lie is the statement's business:
//! the floor planner starts every region at row 0, so a circuit is one [`Sheet`] whose rows are kept by hand.

pub mod arith;
pub mod degree;
pub mod ecc;
pub mod fixed_base;
pub mod machine;
pub mod poseidon;
pub mod shared_ladder;
pub mod sheet;
pub mod sum_x;
pub mod switch;

pub use arith::{Arith, ArithConfig};
pub use degree::assert_degree;
pub use ecc::{EccConfig, Point};
pub use fixed_base::FixedBase;
pub use machine::Machine;
pub use poseidon::{Permutation, PoseidonLane};
pub use sheet::{Cell, Input, Sheet, Tamper, publish};
pub use switch::Switch;

#[cfg(test)]
mod lab;
#[cfg(test)]
pub mod trace;
