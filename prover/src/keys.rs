//! A statement's keys, made from its circuit and KZG parameters. Those that the program knows are kept on disk, others are made at each start.
//!
//! Measured for *turn* on two busy cores: making the keys takes 2.4 s, hashing and reading the 17 MB of the proving key 0.06 s. So
//! keys are read; one on disk is used only if its hash is the one that the program carries ([`Statement::KNOWN_KEYS`]), whoever may
//! have written the file.

use crate::cache::Entry;
use crate::progress::{Progress, Stage, during};
use crate::srs::{tau_hash, verifier_params};
use crate::statement::Backend;
use crate::{Ceremony, KeyError, Sha256Hash, Srs, Statement, length};
use circuits::AnyCircuit;
use halo2_proofs::SerdeFormat;
use halo2_proofs::plonk::{Circuit, Error, ProvingKey, VerifyingKey, keygen_pk, keygen_vk};
use halo2_proofs::poly::kzg::commitment::ParamsKZG;
use halo2curves::bn256::{Bn256, G1Affine, G2Affine};
use halo2curves::ff::PrimeField;
use std::fmt;
use std::marker::PhantomData;
use std::path::Path;
use std::sync::Arc;

/// What it takes to verify a statement's proofs: little, and no powers of τ.
pub struct Verifier<C> {
    pub(crate) params: ParamsKZG<Bn256>,
    pub(crate) vk: VerifyingKey<G1Affine>,
    pub(crate) proof_bytes: usize,
    ceremony: Ceremony,
    circuit: PhantomData<fn() -> C>,
}

/// What it takes to prove a statement, and to verify it.
pub struct Keys<C> {
    pub(crate) srs: Srs,
    pub(crate) pk: Arc<ProvingKey<G1Affine>>,
    pub(crate) prover: Option<plonk::Prover>,
    pub(crate) verifier: Verifier<C>,
}

impl<C: Statement> Verifier<C> {
    /// Takes the verifying key from the folder `cache`, or makes it and puts it there.
    pub fn load_or_make(srs: &Srs, cache: &Path, progress: &dyn Progress) -> Result<Self, KeyError> {
        let vk = load_or_make::<C, _>(srs, cache, progress)?;
        Ok(Self::new(srs.params().s_g2(), srs.ceremony(), vk))
    }

    pub(crate) fn new(tau_g2: G2Affine, ceremony: Ceremony, vk: VerifyingKey<G1Affine>) -> Self {
        Self {
            params: verifier_params(C::K, tau_g2),
            proof_bytes: length::length(&vk, C::TRANSCRIPT),
            vk,
            ceremony,
            circuit: PhantomData,
        }
    }
}

impl<C> Verifier<C> {
    pub fn verifying_key(&self) -> &VerifyingKey<G1Affine> {
        &self.vk
    }

    /// The hash of the verifying key with which every transcript starts; in a Solidity verifier it is a constant.
    pub fn key_hash(&self) -> [u8; 32] {
        let mut bytes = self.vk.transcript_repr().to_repr();
        bytes.reverse();
        bytes
    }

    /// The ceremony of the parameters.
    pub fn ceremony(&self) -> Ceremony {
        self.ceremony
    }

    /// What tells the ceremony's secret from others: SHA-256 of τ in G2, compressed.
    pub fn tau_hash(&self) -> Sha256Hash {
        tau_hash(&self.params.s_g2())
    }

    /// The exact length of a proof in bytes.
    pub fn proof_bytes(&self) -> usize {
        self.proof_bytes
    }
}

impl<C: Statement> Keys<C> {
    /// Takes the proving key and the prover's tables from the folder `cache`, or makes them (some seconds) and puts them there.
    pub fn load_or_make(srs: &Srs, cache: &Path, progress: &dyn Progress) -> Result<Self, KeyError> {
        Self::load_or_make_for(C::BACKEND, srs, cache, progress)
    }

    /// The same for a prover that tests and measurements choose: the library's needs no tables.
    pub fn load_or_make_for(
        backend: Backend,
        srs: &Srs,
        cache: &Path,
        progress: &dyn Progress,
    ) -> Result<Self, KeyError> {
        let pk: ProvingKey<_> = load_or_make::<C, _>(srs, cache, progress)?;
        let verifier = Verifier::new(srs.params().s_g2(), srs.ceremony(), pk.get_vk().clone());
        let pk = Arc::new(pk);
        let prover = match backend {
            Backend::Library => None,
            Backend::Fast => {
                let tables = srs.tables(cache, progress);
                let prepare = || plonk::Prover::new(Arc::clone(&pk), tables);
                Some(during(progress, C::NAME, Stage::PrepareProver, prepare)?)
            }
        };
        Ok(Self { srs: srs.clone(), pk, prover, verifier })
    }
}

impl<C> Keys<C> {
    pub fn verifier(&self) -> &Verifier<C> {
        &self.verifier
    }

    /// The fast prover, if it makes the proofs.
    pub fn prover(&self) -> Option<&plonk::Prover> {
        self.prover.as_ref()
    }
}

impl<C: Statement> fmt::Debug for Verifier<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Verifier({}, {}, {})", C::NAME, self.ceremony, hex::encode(self.key_hash()))
    }
}

impl<C: Statement> fmt::Debug for Keys<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Keys({:?})", self.verifier)
    }
}

/// Makes the keys of a statement and gives the SHA-256 of the bytes of the verifying and of the proving key, whatever the program knows them by.
///
/// # Errors
///
/// If the parameters have another size than the circuit, or it can't be laid out.
pub fn key_hashes<C: Statement>(srs: &Srs, progress: &dyn Progress) -> Result<[Sha256Hash; 2], KeyError> {
    check_size::<C>(srs)?;
    let pk = <ProvingKey<_> as Key>::make(C::NAME, &AnyCircuit::of(C::blank()), srs, progress)?;
    Ok([pk.get_vk().bytes(), pk.bytes()].map(|bytes| Sha256Hash::of(&bytes)))
}

/// The hash that the program carries of a key's bytes, if it knows the key.
fn known<C: Statement, K: Key>(ceremony: Ceremony) -> Option<Sha256Hash> {
    let of = format!("{} {ceremony} ", C::NAME);
    let hashes = C::KNOWN_KEYS.lines().find_map(|line| line.strip_prefix(&of))?;
    Sha256Hash::parse(hashes.split(' ').nth(K::COLUMN)?)
}

fn check_size<C: Statement>(srs: &Srs) -> Result<(), KeyError> {
    fog::ensure!(srs.k() == C::K, KeyError::WrongSize { name: C::NAME, expected: C::K, got: srs.k() });
    Ok(())
}

/// Takes a key from the folder, or makes it and puts it there. Where the program carries no hash to hold a key to, a file could hold anybody's, so the
/// key is made each time.
fn load_or_make<C: Statement, K: Key>(srs: &Srs, folder: &Path, progress: &dyn Progress) -> Result<K, KeyError> {
    check_size::<C>(srs)?;
    let (what, statement, ceremony) = (K::WHAT, C::NAME, srs.ceremony());
    let circuit = AnyCircuit::of(C::blank());
    let Some(expected) = known::<C, K>(ceremony) else {
        return Ok(K::make(statement, &circuit, srs, progress)?);
    };
    let name = format!("{statement}-{}.{}", expected.short(), K::SUFFIX);
    let label = format!("{what} of {statement}, ceremony {ceremony}");
    let entry = Entry { folder, name: &name, label: &label, progress };
    // What is parsed is known before: the library reads lengths from a file and makes room for them.
    let read = |bytes: &[u8]| match Sha256Hash::of(bytes) == expected {
        true => K::read(&circuit, bytes),
        false => Err("it isn't the key that this program knows".to_owned()),
    };
    let make = || {
        let key = K::make(statement, &circuit, srs, progress)?;
        let got = Sha256Hash::of(&key.bytes());
        fog::ensure!(got == expected, KeyError::OtherKey { what, name: statement, ceremony, expected });
        Ok(key)
    };
    entry.load_or_make(read, make, K::bytes)
}

/// A key that is kept in a file.
trait Key: Sized {
    /// Its name in the file's label.
    const WHAT: &'static str;
    /// The place of its hash in a line of [`Statement::KNOWN_KEYS`], after statement and ceremony.
    const COLUMN: usize;
    /// The end of the file's name.
    const SUFFIX: &'static str;

    /// Makes it from the blank circuit of the statement of this name and the parameters.
    fn make(name: &'static str, circuit: &AnyCircuit, srs: &Srs, progress: &dyn Progress) -> Result<Self, Error>;

    /// Reads it from a file that is whole and has the right label: the library would panic on a truncated proving key.
    fn read(circuit: &AnyCircuit, bytes: &[u8]) -> Result<Self, String>;

    fn bytes(&self) -> Vec<u8>;
}

impl Key for VerifyingKey<G1Affine> {
    const WHAT: &'static str = "verifying key";
    const COLUMN: usize = 0;
    const SUFFIX: &'static str = "vk";

    fn make(name: &'static str, circuit: &AnyCircuit, srs: &Srs, progress: &dyn Progress) -> Result<Self, Error> {
        during(progress, name, Stage::MakeVerifyingKey, || keygen_vk(srs.params(), circuit))
    }

    fn read(circuit: &AnyCircuit, bytes: &[u8]) -> Result<Self, String> {
        Self::from_bytes::<AnyCircuit>(bytes, SerdeFormat::RawBytes, circuit.params())
            .map_err(|error| error.to_string())
    }

    fn bytes(&self) -> Vec<u8> {
        self.to_bytes(SerdeFormat::RawBytes)
    }
}

impl Key for ProvingKey<G1Affine> {
    const WHAT: &'static str = "proving key";
    const COLUMN: usize = 1;
    const SUFFIX: &'static str = "pk";

    fn make(name: &'static str, circuit: &AnyCircuit, srs: &Srs, progress: &dyn Progress) -> Result<Self, Error> {
        let vk = VerifyingKey::make(name, circuit, srs, progress)?;
        during(progress, name, Stage::MakeProvingKey, || keygen_pk(srs.params(), vk, circuit))
    }

    fn read(circuit: &AnyCircuit, bytes: &[u8]) -> Result<Self, String> {
        Self::from_bytes::<AnyCircuit>(bytes, SerdeFormat::RawBytes, circuit.params())
            .map_err(|error| error.to_string())
    }

    fn bytes(&self) -> Vec<u8> {
        self.to_bytes(SerdeFormat::RawBytes)
    }
}
