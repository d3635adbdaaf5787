//! KZG parameters on bn254 (protocol, section 3): from a public ceremony's file, checked and converted once, or development
//! parameters whose secret everybody knows.

mod ceremony;
mod error;
mod ignition;
mod lagrange;
mod powers;
mod ptau;
mod reader;

pub use ceremony::{Ceremony, Pin, UnknownCeremony};
pub use error::{Point, SrsError};
pub use powers::Powers;

pub(crate) use ceremony::tau_hash;

use crate::Sha256Hash;
use crate::cache::Entry;
use crate::progress::{NoProgress, Progress, Stage, during};
use halo2_proofs::SerdeFormat;
use halo2_proofs::poly::commitment::Params;
use halo2_proofs::poly::kzg::commitment::ParamsKZG;
use halo2curves::bn256::{Bn256, Fr, G1Affine, G2Affine};
use halo2curves::ff::Field;
use halo2curves::group::Curve;
use lagrange::lagrange_basis;
use rand::SeedableRng;
use rand::rngs::OsRng;
use rand_chacha::ChaCha20Rng;
use std::convert::Infallible;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

/// The seed of the development parameters. It is public on purpose: nobody should mistake them for a secret.
const DEVELOPMENT_SEED: &[u8] = b"fogmate development parameters: everybody knows this secret";

/// A longer ceremony file is refused: smaller ones of the same ceremonies are published.
const MAX_FILE: u64 = 2 << 30;

/// KZG parameters for circuits of exactly 2^k rows. Cheap to clone.
#[derive(Clone)]
pub struct Srs {
    params: Arc<ParamsKZG<Bn256>>,
    ceremony: Ceremony,
}

impl Srs {
    /// Takes 2^k powers from a ceremony's file, `.ptau` or Ignition, which `pin` must admit. The converted parameters are
    /// kept in the folder `cache`.
    pub fn load(
        file: &Path,
        pin: Pin,
        k: u32,
        cache: &Path,
        progress: &dyn Progress,
    ) -> Result<Self, SrsError> {
        let subject = file.file_name().unwrap_or_default().to_string_lossy();
        let bytes = during(progress, &subject, Stage::ReadCeremony, || read_file(file))?;
        let hash = Sha256Hash::of(&bytes);
        pin.admit(hash)?;
        let name = format!("srs-{}-k{k}", hash.short());
        let label = format!("KZG parameters, k = {k}, from the file {hash}");
        let entry = Entry {
            folder: cache,
            name: &name,
            label: &label,
            progress,
        };
        let params = entry.load_or_make(
            |payload| read_params(payload, k),
            || {
                let powers = Powers::parse(&bytes, k)?;
                during(progress, &subject, Stage::CheckCeremony, || {
                    powers.check(OsRng)
                })?;
                Ok(convert(powers, k, progress, &subject))
            },
            write_params,
        )?;
        Self::of_file(params)
    }

    /// Parameters for local chains and tests, whose secret everybody knows: with it every proof can be forged.
    pub fn development(k: u32, cache: &Path, progress: &dyn Progress) -> Self {
        let name = format!("srs-development-k{k}");
        let label = format!("KZG parameters, k = {k}, development");
        let entry = Entry {
            folder: cache,
            name: &name,
            label: &label,
            progress,
        };
        let make = || {
            let make = || ParamsKZG::setup(k, development_rng());
            Ok::<_, Infallible>(during(
                progress,
                &name,
                Stage::MakeDevelopmentParameters,
                make,
            ))
        };
        let parse = |payload: &[u8]| read_params(payload, k);
        let Ok(params) = entry.load_or_make(parse, make, write_params);
        Self {
            params: Arc::new(params),
            ceremony: Ceremony::Development,
        }
    }

    /// Parameters from a file's bytes without a cache and with whatever hash they have: for tests and for tools that have
    /// pinned the bytes in their own way.
    pub fn from_bytes(bytes: &[u8], k: u32) -> Result<Self, SrsError> {
        let powers = Powers::parse(bytes, k)?;
        powers.check(OsRng)?;
        Self::of_file(convert(powers, k, &NoProgress, ""))
    }

    /// Names the ceremony of parameters that came from a file, and refuses those whose τ is publicly known.
    fn of_file(params: ParamsKZG<Bn256>) -> Result<Self, SrsError> {
        let tau_g2 = params.s_g2();
        if tau_g2 == G2Affine::generator() || tau_g2 == development_tau_g2() {
            return Err(SrsError::KnownSecret);
        }
        Ok(Self {
            ceremony: Ceremony::of_file(&tau_g2),
            params: Arc::new(params),
        })
    }

    /// Base-two logarithm of the number of rows that these parameters serve.
    pub fn k(&self) -> u32 {
        self.params.k()
    }

    /// Where the parameters come from.
    pub fn ceremony(&self) -> Ceremony {
        self.ceremony
    }

    /// The parameters as the proof system takes them.
    pub fn params(&self) -> &ParamsKZG<Bn256> {
        &self.params
    }

    /// What verifying needs: the generators and τ in G2, without the powers.
    pub(crate) fn verifier_params(&self) -> ParamsKZG<Bn256> {
        let generator = vec![G1Affine::generator()];
        self.params.from_parts(
            self.k(),
            generator,
            Some(Vec::new()),
            self.params.g2(),
            self.params.s_g2(),
        )
    }
}

impl fmt::Debug for Srs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Srs(k = {}, {})", self.k(), self.ceremony)
    }
}

fn read_file(path: &Path) -> Result<Vec<u8>, SrsError> {
    let io = |source| SrsError::Io {
        path: path.to_owned(),
        source,
    };
    let mut file = File::open(path).map_err(io)?;
    let bytes = file.metadata().map_err(io)?.len();
    if bytes > MAX_FILE {
        return Err(SrsError::TooLarge {
            bytes,
            limit: MAX_FILE,
        });
    }
    let mut contents = Vec::with_capacity(bytes as usize);
    file.by_ref()
        .take(MAX_FILE)
        .read_to_end(&mut contents)
        .map_err(io)?;
    Ok(contents)
}

fn convert(powers: Powers, k: u32, progress: &dyn Progress, subject: &str) -> ParamsKZG<Bn256> {
    let lagrange = lagrange_basis(&powers.g1, progress, subject);
    // `from_parts` is a method for no reason; what it is called on doesn't matter.
    let any = ParamsKZG::<Bn256>::setup(0, development_rng());
    any.from_parts(k, powers.g1, Some(lagrange), powers.g2, powers.tau_g2)
}

fn write_params(params: &ParamsKZG<Bn256>) -> Vec<u8> {
    let mut bytes = Vec::new();
    params
        .write_custom(&mut bytes, SerdeFormat::RawBytes)
        .expect("a vector takes all that is written");
    bytes
}

/// Reads cached parameters, whose hash has been checked: 1 ms for the hash and 1 ms for the reading at k = 14. `RawBytes`
/// still checks that coordinates are below the modulus, which doesn't show in the time; it doesn't check the curve again.
fn read_params(mut payload: &[u8], k: u32) -> Result<ParamsKZG<Bn256>, String> {
    let expected = 4 + (2 << k) * 64 + 2 * 128;
    if payload.len() != expected || payload[..4] != k.to_le_bytes() {
        return Err(format!("they are not parameters for k = {k}"));
    }
    ParamsKZG::read_custom(&mut payload, SerdeFormat::RawBytes).map_err(|error| error.to_string())
}

fn development_rng() -> ChaCha20Rng {
    ChaCha20Rng::from_seed(Sha256Hash::of(DEVELOPMENT_SEED).0)
}

fn development_tau_g2() -> G2Affine {
    (G2Affine::generator() * Fr::random(development_rng())).to_affine()
}
