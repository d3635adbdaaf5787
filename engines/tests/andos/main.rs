//! What holds of the engines of all-or-nothing disclosure alone: their costs, their leaks, and which cheats are caught.

mod captures;
mod chained;
mod costs;
mod hardened;
mod leaks;
#[path = "../suite/pair.rs"]
mod pair;
mod set_up;
