//! What is proved: a public struct, a private struct and a native check each. The circuits have the same names, in
//! `circuits::statement::tag`; they are in *turn*'s shape, so one verifier's code serves them with a key each, and further public inputs are 0.

pub mod capture;
pub mod reply;
pub mod step;
