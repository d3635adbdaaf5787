//! The sight exchange of dark chess without a proof system (protocol sections 3 to 7): hashes, curve, commitments, requests,
//! answers, and the statements *turn* and *answer* with their native checks.
//!
//! The frozen encodings stand beside the code that makes them: tags in [`poseidon`], state bits in [`commitment`], `ctx` and
//! `(z, y)` in [`context`], points in [`request`], records and wire order in [`answer`], public inputs in [`statement`].

/// The field that everything is written in: bn254's scalar field, which is Grumpkin's coordinate field.
pub type F = halo2curves::bn256::Fr;

pub mod answer;
pub mod commitment;
pub mod context;
pub mod curve;
pub mod engine;
pub mod geometry;
pub mod merkle;
mod multiply;
pub mod open;
pub mod poseidon;
pub mod request;
mod secret;
pub mod statement;
#[cfg(feature = "testing")]
pub mod testing;
pub mod word;
