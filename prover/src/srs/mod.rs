//! KZG parameters on bn254 (protocol, section 3): from the ceremony's file, the shipped one or the user's, checked and converted once, or
//! development parameters whose secret everybody knows.

mod ceremony;
mod development;
mod error;
mod ignition;
mod lagrange;
mod powers;
mod reader;

pub use ceremony::Ceremony;
pub use error::{Point, SrsError};
pub use powers::Powers;

pub(crate) use ceremony::tau_hash;

use crate::Sha256Hash;
use crate::cache::Entry;
use crate::progress::{Progress, Stage, during};
use crate::statement::KNOWN_KEYS;
use fog::ensure;
use halo2_proofs::SerdeFormat;
use halo2_proofs::poly::EvaluationDomain;
use halo2_proofs::poly::commitment::{Blind, Params, ParamsProver};
use halo2_proofs::poly::kzg::commitment::ParamsKZG;
use halo2curves::CurveAffine;
use halo2curves::bn256::{Bn256, Fr, G1Affine, G2Affine};
use halo2curves::ff::Field;
use lagrange::lagrange_basis;
use plonk::Tables;
use rand::rngs::OsRng;
use std::convert::Infallible;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// A longer ceremony file is refused: smaller ones of the same ceremony are published.
const MAX_FILE: u64 = 2 << 30;

/// The first 32,769 powers of Aztec's Ignition ceremony; `prover/ceremony/README.md` says where they are from.
const IGNITION: &[u8] = include_bytes!("../../ceremony/ignition-2e15.bin");

/// KZG parameters for circuits of exactly 2^k rows. Cheap to clone.
#[derive(Clone)]
pub struct Srs {
    params: Arc<ParamsKZG<Bn256>>,
    ceremony: Ceremony,
    /// Read or made when they are first needed, and shared by all clones.
    tables: Arc<OnceLock<Arc<Tables>>>,
}

impl Srs {
    /// Takes 2^k powers from a file of Aztec's Ignition ceremony, however it was cut. The converted parameters are kept in
    /// the folder `cache`.
    pub fn load(file: &Path, k: u32, cache: &Path, progress: &dyn Progress) -> Result<Self, SrsError> {
        let subject = file.file_name().unwrap_or_default().to_string_lossy();
        let bytes = during(progress, &subject, Stage::ReadCeremony, || read_file(file))?;
        Self::of_contents(&subject, &bytes, k, cache, progress)
    }

    /// Takes 2^k powers from the file that this program carries, of Aztec's Ignition ceremony, which serves up to k = 15.
    pub fn shipped(k: u32, cache: &Path, progress: &dyn Progress) -> Result<Self, SrsError> {
        Self::of_contents("ignition", IGNITION, k, cache, progress)
    }

    fn of_contents(
        subject: &str,
        bytes: &[u8],
        k: u32,
        cache: &Path,
        progress: &dyn Progress,
    ) -> Result<Self, SrsError> {
        let hash = Sha256Hash::of(bytes);
        let tau_g2 = Powers::parse(bytes, 0)?.tau_g2;
        ensure!(Ceremony::of(&tau_g2) == Some(Ceremony::Ignition), SrsError::OtherCeremony);
        let name = format!("srs-{}-k{k}", hash.short());
        let label = format!("KZG parameters, k = {k}, from the file {hash}");
        let entry = Entry { folder: cache, name: &name, label: &label, progress };
        let params = entry.load_or_make(
            |payload| from_cache(payload, k, Ceremony::Ignition, tau_g2),
            || {
                let powers = Powers::parse(bytes, k)?;
                during(progress, subject, Stage::CheckCeremony, || powers.check(OsRng))?;
                Ok(convert(powers, k, progress, subject))
            },
            write_params,
        )?;
        Ok(Self::new(params, Ceremony::Ignition))
    }

    /// Parameters for local chains and tests, whose secret everybody knows: with it every proof can be forged.
    pub fn development(k: u32, cache: &Path, progress: &dyn Progress) -> Self {
        let name = format!("srs-development-k{k}");
        let label = format!("KZG parameters, k = {k}, development");
        let entry = Entry { folder: cache, name: &name, label: &label, progress };
        let make = || {
            let make = || development::parameters(k);
            Ok::<_, Infallible>(during(progress, &name, Stage::MakeDevelopmentParameters, make))
        };
        let parse = |payload: &[u8]| from_cache(payload, k, Ceremony::Development, development::tau_g2());
        let Ok(params) = entry.load_or_make(parse, make, write_params);
        Self::new(params, Ceremony::Development)
    }

    fn new(params: ParamsKZG<Bn256>, ceremony: Ceremony) -> Self {
        Self { params: Arc::new(params), ceremony, tables: Arc::default() }
    }

    /// The fast prover's tables, from the folder `cache`, or made and put there: 36 MB for k = 14.
    pub(crate) fn tables(&self, cache: &Path, progress: &dyn Progress) -> Arc<Tables> {
        let tables = self.tables.get_or_init(|| {
            let (k, ceremony, tau) = (self.k(), self.ceremony, tau_hash(&self.params.s_g2()));
            let label =
                format!("tables of multiples, k = {k}, ceremony {ceremony}, τ {tau}, plonk {}", plonk::TABLES_VERSION);
            let name = format!("tables-{}-k{k}", Sha256Hash::of(label.as_bytes()).short());
            let entry = Entry { folder: cache, name: &name, label: &label, progress };
            let parse = |payload: &[u8]| {
                Tables::from_bytes(&self.params, payload).ok_or_else(|| "they are of other points".into())
            };
            let make = || Ok::<_, Infallible>(during(progress, &name, Stage::MakeTables, || Tables::new(&self.params)));
            let Ok(tables) = entry.load_or_make(parse, make, Tables::to_bytes);
            Arc::new(tables)
        });
        Arc::clone(tables)
    }

    /// Base-two logarithm of the number of rows that these parameters serve.
    pub fn k(&self) -> u32 {
        self.params.k()
    }

    /// Where the parameters come from.
    pub fn ceremony(&self) -> Ceremony {
        self.ceremony
    }

    /// The line that these parameters have in the table of what the program knows.
    pub fn known_line(&self) -> String {
        known_line(self.k(), self.ceremony, &write_params(&self.params))
    }

    /// The parameters as the proof system takes them.
    pub fn params(&self) -> &ParamsKZG<Bn256> {
        &self.params
    }
}

impl fmt::Debug for Srs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Srs(k = {}, {})", self.k(), self.ceremony)
    }
}

fn read_file(path: &Path) -> Result<Vec<u8>, SrsError> {
    let io = |source| SrsError::Io { path: path.to_owned(), source };
    let mut file = File::open(path).map_err(io)?;
    let bytes = file.metadata().map_err(io)?.len();
    ensure!(bytes <= MAX_FILE, SrsError::TooLarge { bytes, limit: MAX_FILE });
    let mut contents = Vec::with_capacity(bytes as usize);
    file.by_ref().take(MAX_FILE).read_to_end(&mut contents).map_err(io)?;
    Ok(contents)
}

fn convert(powers: Powers, k: u32, progress: &dyn Progress, subject: &str) -> ParamsKZG<Bn256> {
    let lagrange = lagrange_basis(&powers.g1, progress, subject);
    from_parts(k, powers.g1, lagrange, powers.g2, powers.tau_g2)
}

/// What verifying needs: the generators and τ in G2, without the powers.
pub(crate) fn verifier_params(k: u32, tau_g2: G2Affine) -> ParamsKZG<Bn256> {
    from_parts(k, vec![G1Affine::generator()], Vec::new(), G2Affine::generator(), tau_g2)
}

/// The library's constructor is a method, though it doesn't look at what it is called on.
fn from_parts(k: u32, g1: Vec<G1Affine>, lagrange: Vec<G1Affine>, g2: G2Affine, tau_g2: G2Affine) -> ParamsKZG<Bn256> {
    let any = ParamsKZG::<Bn256>::setup(0, OsRng);
    any.from_parts(k, g1, Some(lagrange), g2, tau_g2)
}

fn write_params(params: &ParamsKZG<Bn256>) -> Vec<u8> {
    let mut bytes = Vec::new();
    params.write_custom(&mut bytes, SerdeFormat::RawBytes).expect("a vector takes all that is written");
    bytes
}

/// Cached parameters of a ceremony, whoever wrote the file: anybody who may choose τ can prove anything. Those whose hash this program carries are
/// taken at once; of others every point is checked, which takes far longer.
fn from_cache(payload: &[u8], k: u32, ceremony: Ceremony, tau_g2: G2Affine) -> Result<ParamsKZG<Bn256>, String> {
    let params = read_params(payload, k)?;
    let known = known_line(k, ceremony, payload);
    match params.s_g2() == tau_g2 && KNOWN_KEYS.lines().any(|line| line == known) {
        true => Ok(params),
        false => checked(params, tau_g2),
    }
}

/// The line of parameters of 2^k rows in `known_keys.txt`: with their ceremony the SHA-256 of `payload`, the contents of their file.
fn known_line(k: u32, ceremony: Ceremony, payload: &[u8]) -> String {
    format!("parameters-{k} {ceremony} {}", Sha256Hash::of(payload))
}

/// Parameters, if they are those of a τ: the powers by the check of a ceremony, and the Lagrange basis by one random polynomial that has the same
/// commitment in both forms.
fn checked(params: ParamsKZG<Bn256>, tau_g2: G2Affine) -> Result<ParamsKZG<Bn256>, String> {
    let others = || "they are of another ceremony, or of none".to_owned();
    let powers = Powers { g1: params.get_g().to_vec(), g2: params.g2(), tau_g2 };
    let is_on_curve = |point: &G1Affine| bool::from(point.is_on_curve());
    ensure!(params.s_g2() == tau_g2 && powers.g1.iter().all(is_on_curve), others());
    powers.check(OsRng).map_err(|error| error.to_string())?;
    let domain = EvaluationDomain::<Fr>::new(1, params.k());
    let values = domain.lagrange_from_vec((0..params.n()).map(|_| Fr::random(OsRng)).collect());
    let same = params.commit_lagrange(&values, Blind::default());
    ensure!(same == params.commit(&domain.lagrange_to_coeff(values), Blind::default()), others());
    Ok(params)
}

/// Reads cached parameters: 1 ms at k = 14. `RawBytes` checks that coordinates are below the modulus, but not that points are on the curve.
fn read_params(mut payload: &[u8], k: u32) -> Result<ParamsKZG<Bn256>, String> {
    let expected = 4 + (2 << k) * 64 + 2 * 128;
    if payload.len() != expected || payload[..4] != k.to_le_bytes() {
        return Err(format!("they are not parameters for k = {k}"));
    }
    ParamsKZG::read_custom(&mut payload, SerdeFormat::RawBytes).map_err(|error| error.to_string())
}
