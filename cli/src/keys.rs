//! Parameters and keys for a deployment, made once and cached, with a bar on stderr while that takes time.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use clap::Args;
use client::runtime::{EngineKind, KeyProver, Parameters, PlayedEngine, ProverError};
use deploy::{Deployment, Statement, ceremony, key_code, verifying_key};
use eyre::Result;
use indicatif::{ProgressBar, ProgressStyle};
use prover::{
    Ceremony, ChessVerifiers, Lanes, Progress, SetKeys, SrsError, Stage, StepKeys, TagProofs, TagVerifiers,
    UnknownChoice,
};

use crate::cache;
use crate::failure::bad_input;
use crate::output::note;

/// Where parameters and keys come from.
#[derive(Clone, Debug, Args)]
pub struct KeyArgs {
    /// A file with the KZG parameters of Aztec's Ignition ceremony [default: the one in the program, of 2^15 powers]
    #[arg(long, env = "FOGMATE_SRS", value_name = "FILE")]
    srs: Option<PathBuf>,

    /// The folder with converted parameters and keys, nothing of which is secret [default: $XDG_CACHE_HOME/fogmate, or ~/.cache/fogmate]
    #[arg(long, env = "FOGMATE_CACHE", value_name = "DIR")]
    cache: Option<PathBuf>,
}

/// How this machine computes proofs, or what is wrong with what `FOGMATE_LANES` says of that.
pub fn arithmetic() -> Result<String, UnknownChoice> {
    let one = "proofs are computed one element after the other";
    Ok(match (Lanes::chosen()?, Lanes::detect()) {
        (Some(lanes), fast) if fast == Some(lanes) => {
            format!("proofs are computed eight elements at once ({lanes})")
        }
        (Some(lanes), _) => format!("proofs are computed by {lanes}, for tests, which is slower (FOGMATE_LANES)"),
        (None, Some(_)) => format!("{one} (FOGMATE_LANES=off)"),
        (None, None) => format!("{one}: this processor has no AVX-512 IFMA"),
    })
}

impl KeyArgs {
    /// The folder of parameters and keys.
    pub fn cache(&self) -> Result<PathBuf> {
        self.cache.clone().map_or_else(cache::of_user, Ok)
    }

    /// The parameters that a deployment's verifier was made from.
    pub fn parameters(&self, deployment: &Deployment) -> Parameters {
        self.parameters_of(deployment.chain_id, deployment.development_only)
    }

    fn parameters_of(&self, chain_id: u64, development_only: bool) -> Parameters {
        if development_only {
            warn_of_development(chain_id);
            return Parameters::Development;
        }
        self.srs.clone().map_or(Parameters::Shipped, Parameters::File)
    }
}

/// The prover for a deployment, whose verifier must know its keys.
pub fn prover(parameters: &Parameters, cache: &Path, deployment: &Deployment) -> Result<KeyProver> {
    Lanes::chosen().map_err(bad_input)?;
    prover::warn_by(|text| note!("{text}"));
    let bar = Bar::default();
    let prover = KeyProver::load_or_make(parameters, cache, &bar).map_err(|error| match error {
        ProverError::Parameters(error) => unusable(&error),
        other => other.into(),
    })?;
    check_keys(prover.key_hashes().as_ref().map_or(&[], |hashes| hashes), &Statement::CHESS, deployment)?;
    Ok(prover)
}

/// The verifiers of a game for a deployment, by the keys that this program carries, with which the chain's were compared.
pub fn chess_verifiers(deployment: &Deployment) -> Result<ChessVerifiers> {
    let code = |statement| &key_code(statement, deployment.development_only)[..];
    Ok(ChessVerifiers::of_codes(Statement::CHESS.map(code))?)
}

/// Says what proofs on a chain with development parameters are worth.
pub fn warn_of_development(chain_id: u64) {
    note!(
        "WARNING: chain {chain_id} uses DEVELOPMENT parameters: everybody can forge proofs for it. For play on this machine only."
    );
}

/// Where there is one.
const LARGER: &str = "https://github.com/EspressoSystems/ark-srs/releases/download/v0.2.0/kzg10-aztec20-srs-65544.bin is one of Ignition";

/// Parameters come from the user, or are too small in the program.
fn unusable(error: &SrsError) -> eyre::Report {
    match error {
        SrsError::TooSmall { .. } => {
            bad_input(format!("{error}: give a larger file of the ceremony with --srs FILE ({LARGER})"))
        }
        other => bad_input(other),
    }
}

/// The prover of the sets and steps of `dh-psi-proven`, for deployments with development parameters or without. No contract knows its keys: each player verifies
/// the other's proofs with keys that it made from its own parameters, so both must have the same. These are the ones of the ceremony that the contracts'
/// keys are from, as everywhere; who has others is told before it plays, and doesn't lose a game over proofs that nobody can verify.
pub fn set_keys(parameters: &Parameters, cache: &Path, development: bool) -> Result<SetKeys> {
    let bar = Bar::default();
    let srs = parameters.load(SetKeys::K, cache, &bar).map_err(|error| unusable(&error))?;
    compare_ceremony(srs.ceremony(), ceremony(development))?;
    let steps = parameters.load(SetKeys::STEP_K, cache, &bar).map_err(|error| unusable(&error))?;
    Ok(SetKeys::load_or_make([&srs, &steps], cache, &bar)?)
}

/// The prover of own steps, and if `ring` those about polynomials, whose parameters are held to the ceremony as those of sets are.
pub fn step_keys(parameters: &Parameters, cache: &Path, development: bool, ring: bool) -> Result<StepKeys> {
    let bar = Bar::default();
    let load = || parameters.load(StepKeys::RING_K, cache, &bar).map_err(|error| unusable(&error));
    let ring = ring.then(load).transpose()?;
    let srs = parameters.load(SetKeys::STEP_K, cache, &bar).map_err(|error| unusable(&error))?;
    compare_ceremony(srs.ceremony(), ceremony(development))?;
    Ok(StepKeys::load_or_make(&srs, ring.as_ref(), cache, &bar)?)
}

/// An engine with what it proves by, of development parameters. `cache` is asked for a folder only if there are keys to make or to load, which is said.
pub fn development_engine(kind: EngineKind, cache: impl Fn() -> Result<PathBuf>) -> Result<PlayedEngine> {
    let parameters = &Parameters::Development;
    let cache = || {
        let folder = cache()?;
        note!("Preparing the keys in {} (the first time takes a while) …", folder.display());
        Ok::<_, eyre::Report>(folder)
    };
    let moves = || Ok(Arc::new(KeyProver::load_or_make(parameters, &cache()?, &Bar::default())?));
    let steps = |ring| step_keys(parameters, &cache()?, true, ring);
    kind.with(moves, || set_keys(parameters, &cache()?, true), steps)
}

/// The prover of the game of tag for a deployment, whose contract must know its keys.
pub fn tag_prover(parameters: &Parameters, cache: &Path, deployment: &Deployment) -> Result<TagProofs> {
    let bar = Bar::default();
    let srs = parameters.load(TagProofs::K, cache, &bar).map_err(|error| unusable(&error))?;
    let proofs = TagProofs::load_or_make(&srs, cache, &bar)?;
    check_keys(&proofs.key_hashes(), &Statement::TAG, deployment)?;
    Ok(proofs)
}

/// The verifiers of tag for a deployment, by the keys that this program carries, with which the chain's were compared.
pub fn tag_verifiers(deployment: &Deployment) -> Result<TagVerifiers> {
    let code = |statement| &key_code(statement, deployment.development_only)[..];
    Ok(TagVerifiers::of_codes(Statement::TAG.map(code))?)
}

/// The keys on the chain are those that this program ships; its own may have been made from other parameters.
fn check_keys(hashes: &[[u8; 32]], statements: &[Statement], deployment: &Deployment) -> Result<()> {
    for (hash, statement) in hashes.iter().zip(statements) {
        let expected = verifying_key(*statement, deployment.development_only);
        if expected != *hash {
            let (chain_id, name, found) = (deployment.chain_id, statement.name(), hex::encode(hash));
            return Err(bad_input(format!(
                "the verifier deployed on chain {chain_id} has the key {expected} of {name}, but these parameters give 0x{found}"
            )));
        }
    }
    Ok(())
}

/// A ceremony is known by its secret, not by its file, of which there are many sizes.
fn compare_ceremony(found: Ceremony, expected: &str) -> Result<()> {
    if found.to_string() != expected {
        return Err(bad_input(format!(
            "both players must prove with the parameters of the ceremony {expected}, but these are those of {found}"
        )));
    }
    Ok(())
}

/// A spinner with the stage of the work. It leaves no line behind when it is dropped, and steps that end at once don't show.
#[derive(Debug, Default)]
pub struct Bar(OnceLock<ProgressBar>);

impl Drop for Bar {
    /// Waits until nothing of it is being drawn: what is said next stays.
    fn drop(&mut self) {
        if let Some(bar) = self.0.get() {
            bar.finish_and_clear();
        }
    }
}

impl Progress for Bar {
    fn at(&self, subject: &str, stage: Stage, fraction: f32) {
        let bar = self.0.get_or_init(|| {
            let bar = ProgressBar::new_spinner();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(120));
            bar
        });
        let percent = match (fraction * 100.0) as u32 {
            0 | 100 => String::new(),
            percent => format!(", {percent} %"),
        };
        bar.set_message(format!("{subject}: {stage}{percent}"));
    }

    fn notice(&self, message: &str) {
        match self.0.get() {
            Some(bar) => bar.suspend(|| note!("note: {message}")),
            None => note!("note: {message}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use circuits::TurnCircuit;
    use prover::Verifier;

    /// The keys that this program carries are those of its circuit.
    #[test]
    fn audits_verify_by_the_keys_in_the_program() {
        for development in [true, false] {
            let verifier = Verifier::<TurnCircuit>::of_code(key_code(Statement::Turn, development)).expect("a key");
            assert_eq!(verifying_key(Statement::Turn, development), verifier.key_hash());
            assert_eq!(verifier.ceremony().to_string(), ceremony(development));
        }
    }

    #[test]
    fn nobody_has_to_give_the_ceremony_s_file() {
        let args = |srs: Option<&str>| KeyArgs { srs: srs.map(PathBuf::from), cache: None };
        assert_eq!(args(None).parameters_of(100, false), Parameters::Shipped);
        assert_eq!(args(Some("own")).parameters_of(100, false), Parameters::File("own".into()));
        assert_eq!(args(Some("own")).parameters_of(31337, true), Parameters::Development);
        let sets = unusable(&SrsError::TooSmall { powers: 32_769, k: SetKeys::K }).to_string();
        assert!(sets.contains("2^16 are needed") && sets.contains("--srs FILE (https://"), "{sets}");
    }

    /// Parameters of another ceremony are refused in one sentence, in both directions, and so are files of others, whatever their format is.
    #[test]
    fn parameters_of_sets_are_of_the_deployment_s_ceremony() {
        let expected = [(true, Ceremony::Development), (false, Ceremony::Ignition)];
        for (development, right) in expected {
            compare_ceremony(right, ceremony(development)).expect("the deployment's");
            for (_, wrong) in expected.into_iter().filter(|(_, wrong)| *wrong != right) {
                let refused = compare_ceremony(wrong, ceremony(development)).expect_err("another one's").to_string();
                assert!(refused.contains(&wrong.to_string()) && refused.contains(&right.to_string()), "{refused}");
                assert!(!refused.contains('\n'), "{refused}");
            }
        }
        let cache = tempfile::tempdir().expect("a folder");
        let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../test/data/parameters"));
        let others = [
            ("snarkjs.ptau", "; .ptau files are of others"),
            ("ignition.dat", "another ceremony than Aztec's Ignition"),
        ];
        for (name, why) in others {
            let file = Parameters::File(folder.join(name));
            let sets = set_keys(&file, cache.path(), false).expect_err("another ceremony").to_string();
            let steps = step_keys(&file, cache.path(), false, true).expect_err("another ceremony").to_string();
            assert!(sets.contains(why) && !sets.contains('\n'), "{sets}");
            assert_eq!(steps, sets);
        }
    }
}
