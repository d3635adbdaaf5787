//! A fast prover over halo2's proving keys: KZG with SHPLONK on bn254.
//!
//! It makes the proofs that `halo2_proofs::plonk::create_proof` makes, byte for byte if both are given the same random numbers (the tests
//! compare them). Soundness is a matter of the verifier, which is the library's. That a proof hides the witness rests on random values in
//! the same places as the library's, and on the caller's generator.
//!
//! What it does differently: commitments over tables of multiples ([`Tables`]); transforms with stored twiddles; the columns of the key
//! are transformed once and not for every proof; the constraints are compiled ([`Prover::new`]) and run over blocks of rows; polynomials
//! that are opened at the same points are summed up once; and where the processor multiplies eight elements at once, commitments, transforms
//! and constraints are computed so ([`Lanes`]). Circuits of several phases are refused, and those that read a value back from a
//! cell.
//!
//! A verifier that is written from a circuit needs the order of a proof's values and of what is opened: [`written_values`] and
//! [`opened_places`].

mod affine;
mod constraints;
mod domain;
mod error;
mod fft;
mod floor;
mod invert;
mod key;
mod msm;
mod opening;
mod options;
mod places;
mod plan;
mod polynomial;
mod products;
mod prove;
mod setup;
mod tables;
mod watch;
mod witness;
mod work;

pub use constraints::{Column, chunk_len};
pub use error::ProveError;
pub use floor::Floor;
pub use key::{Prover, UnusableKey};
pub use lanes::{Lanes, UnknownChoice};
pub use options::Options;
pub use places::{Opened, Place, chunks, opened_places, written_values};
pub use products::{LookupOrder, Rank};
pub use setup::setup;
pub use tables::{TABLES_VERSION, Tables};
pub use watch::{ProofStage, Unwatched, Watch};

#[cfg(test)]
mod tests {
    use super::Lanes;

    /// Every way to compute: scalar, eight lanes of plain integers, and those of the processor if it has them.
    pub fn paths() -> impl Iterator<Item = Option<Lanes>> {
        [None, Some(Lanes::portable())].into_iter().chain(Lanes::detect().map(Some))
    }
}
