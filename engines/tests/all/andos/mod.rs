//! What holds of the engines of all-or-nothing disclosure alone: their costs, their leaks, and which cheats are caught.

mod captures;
mod chained;
mod costs;
mod hardened;
mod leaks;
mod set_up;
