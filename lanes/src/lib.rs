//! The arithmetic of bn254 eight elements at once, for what a halo2 prover does most: sums of points, Fourier transforms, and elementwise
//! operations on columns.
//!
//! All of it gives what `halo2curves` gives, bit for bit. It is written once, over a [`Backend`] that multiplies words of 52 bits in eight
//! lanes: by AVX-512 IFMA where the processor has it ([`Lanes::detect`]), or by plain integers ([`Lanes::portable`]), which is slower than a
//! scalar prover and is there so that any machine can test the algorithms.
//!
//! Unsafe are the instructions themselves (`ifma`), whose token only a processor that has them gives out (a hint to the memory needs none), and the
//! views of the curve's types as words (`words`). All other modules forbid unsafe code, the portable backend among them.

#[forbid(unsafe_code)]
mod affine;
#[forbid(unsafe_code)]
mod backend;
#[forbid(unsafe_code)]
mod fft;
#[forbid(unsafe_code)]
mod field;
#[cfg(target_arch = "x86_64")]
mod ifma;
#[forbid(unsafe_code)]
mod polynomial;
#[forbid(unsafe_code)]
mod portable;
#[forbid(unsafe_code)]
mod program;
mod words;

use backend::Backend;
use halo2curves::bn256::Fr;
use portable::Portable;
use rayon::prelude::*;
use std::fmt;

pub use affine::Groups;
pub use fft::{SMALLEST, Transform};
#[cfg(target_arch = "x86_64")]
pub use ifma::prefetch;
pub use program::{BLOCK, Kind, Operand, Operation, Program};
pub use words::Entry;

/// What computes eight elements at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lanes(Choice);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    #[cfg(target_arch = "x86_64")]
    Ifma(ifma::Ifma),
    Portable(Portable),
}

/// What `FOGMATE_LANES` says, if it is nothing that is known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("FOGMATE_LANES is {0:?}: it is `off`, or unset")]
pub struct UnknownChoice(String);

/// Does the same with whichever backend was chosen.
macro_rules! with_backend {
    ($lanes:expr, $backend:ident => $work:expr) => {
        match $lanes.0 {
            #[cfg(target_arch = "x86_64")]
            Choice::Ifma($backend) => $work,
            Choice::Portable($backend) => $work,
        }
    };
}

impl Lanes {
    /// The processor's instructions, if it has them.
    pub fn detect() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        return ifma::Ifma::detect().map(|ifma| Self(Choice::Ifma(ifma)));
        #[cfg(not(target_arch = "x86_64"))]
        return None;
    }

    /// What a program should use by the environment variable `FOGMATE_LANES`: unset, what the processor has; `off`, none; `portable`, plain integers, for
    /// tests.
    ///
    /// # Errors
    ///
    /// [`UnknownChoice`] if it says something else.
    pub fn chosen() -> Result<Option<Self>, UnknownChoice> {
        let said = std::env::var_os("FOGMATE_LANES");
        Self::of_choice(said.as_ref().map(|said| said.to_string_lossy()).as_deref())
    }

    fn of_choice(said: Option<&str>) -> Result<Option<Self>, UnknownChoice> {
        Ok(match said.map(|said| said.trim().to_ascii_lowercase()).as_deref() {
            None => Self::detect(),
            Some("off") => None,
            Some("portable") => Some(Self::portable()),
            Some(other) => return Err(UnknownChoice(other.to_owned())),
        })
    }

    /// The same algorithms with plain integers.
    pub fn portable() -> Self {
        Self(Choice::Portable(Portable))
    }

    /// The sum of each group of points, for each piece of the groups, on as many threads as there are. The identity is (0, 0).
    ///
    /// # Panics
    ///
    /// If fewer points are chosen than the lengths say, or one that the table doesn't have.
    pub fn sum_groups<'a>(self, pieces: impl IndexedParallelIterator<Item = Groups<'a>>) -> Vec<Vec<Entry>> {
        with_backend!(self, backend => {
            pieces.map_init(affine::Round::new, |round, groups| affine::sum_groups(backend, round, groups)).collect()
        })
    }

    /// Computes a Fourier transform into `to`, eight elements at once.
    ///
    /// # Panics
    ///
    /// If `to` or the factors are not as long as the elements, the twiddles don't fit, or the elements are no power of two or fewer than [`SMALLEST`].
    pub fn transform(self, transform: &Transform<'_>, to: &mut [Fr]) {
        with_backend!(self, backend => fft::transform(backend, transform, to));
    }

    /// The value of a polynomial at x.
    ///
    /// # Panics
    ///
    /// If the coefficients, the lowest first, are no whole blocks of [`BLOCK`].
    pub fn evaluate(self, coefficients: &[Fr], x: &Fr) -> Fr {
        with_backend!(self, backend => polynomial::evaluate(backend, coefficients, x))
    }

    /// Sums up columns, each times its weight, on as many threads as there are.
    ///
    /// # Panics
    ///
    /// If the rows are no whole blocks of [`BLOCK`], or there are not as many in every column, or not as many weights as columns.
    pub fn combine(self, columns: &[&[Fr]], weights: &[Fr], to: &mut [Fr]) {
        with_backend!(self, backend => polynomial::combine(backend, columns, weights, to));
    }

    /// Runs a program over as many rows as there are results, which are whole blocks, on as many threads as there are.
    ///
    /// # Panics
    ///
    /// If the rows are no whole blocks, or an operand is out of its bounds.
    pub fn run(self, program: &Program<'_>, results: &mut [Fr]) {
        with_backend!(self, backend => program::run(backend, program, results));
    }
}

impl fmt::Display for Lanes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(with_backend!(self, backend => backend.name()))
    }
}

/// There is nothing to ask the memory for here.
#[cfg(not(target_arch = "x86_64"))]
pub fn prefetch<T>(_: &T) {}

#[cfg(test)]
mod tests {
    use super::Lanes;

    #[test]
    fn lanes_can_be_turned_off() {
        assert_eq!(["off", " OFF"].map(|off| Lanes::of_choice(Some(off))), [Ok(None), Ok(None)]);
        assert_eq!(Lanes::of_choice(Some("portable")), Ok(Some(Lanes::portable())));
        assert_eq!(Lanes::of_choice(None), Ok(Lanes::detect()));
        for unknown in ["0", "", "scalar"] {
            assert!(Lanes::of_choice(Some(unknown)).is_err(), "{unknown}");
        }
        assert_ne!(Lanes::detect(), Some(Lanes::portable()));
    }
}
