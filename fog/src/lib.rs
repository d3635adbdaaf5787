//! The sight exchange of dark chess without a proof system (protocol sections 3 to 7).

/// The field that everything is written in: bn254's scalar field, which is Grumpkin's coordinate field.
pub type F = halo2curves::bn256::Fr;

pub mod curve;
pub mod merkle;
pub mod poseidon;
mod secret;
pub mod word;
