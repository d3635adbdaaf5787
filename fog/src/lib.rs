//! The sight exchange of dark chess without a proof system (protocol sections 3 to 7): hashes, curve, commitments, requests,
//! answers, and the statements with their native checks; and [`engine`], the trait behind which this and other
//! protocols for sight are played.
//!
//! The frozen encodings stand beside the code that makes them: tags in [`poseidon`], state bits in [`commitment`], `ctx` in
//! [`engine::sight_lines::context`], points in [`engine::sight_lines::request`], records and wire order in
//! [`engine::sight_lines::answer`], what binds calldata in [`binding`](mod@binding), public inputs in [`mod@statement`], derivations of secrets in [`engine::Seed`] and
//! [`engine::sight_lines::RequestScalars`].

/// The field that everything is written in: bn254's scalar field, which is Grumpkin's coordinate field.
pub type F = halo2curves::bn256::Fr;

/// Returns an error from the function around it unless a condition holds.
#[macro_export]
macro_rules! ensure {
    ($condition:expr, $error:expr) => {
        if !$condition {
            return Err($error);
        }
    };
}

pub mod binding;
pub mod commit_reveal;
pub mod commitment;
pub mod curve;
pub mod engine;
pub mod exponent;
pub mod merkle;
pub mod multiply;
mod point;
pub mod poseidon;
pub mod secret;
pub mod statement;
#[cfg(feature = "testing")]
pub mod testing;
pub mod word;
