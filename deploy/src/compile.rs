//! Solidity to bytecode, offline, with npm's solc.
//!
//! Not part of the protocol; the settings are the ones of `contracts/foundry.toml`, so that what is tested is what is
//! deployed (a test compares). The generated verifiers are written for the EVM's stack as it is, of which the Yul optimiser
//! would move variables out of reach: it and the IR pipeline stay off.

use std::fs;
use std::path::{Path, PathBuf};

use alloy::primitives::Bytes;
use foundry_compilers::artifacts::{BytecodeHash, EvmVersion, SettingsMetadata, output_selection::OutputSelection};
use foundry_compilers::solc::{Solc, SolcCompiler, SolcLanguage, SolcSettings};
use foundry_compilers::{Artifact as _, ProjectBuilder, ProjectPathsConfig};
use thiserror::Error;

use crate::{Repository, RepositoryError, Verifier};

/// The optimiser's trade between size and gas, as in `foundry.toml`.
pub(crate) const OPTIMIZER_RUNS: usize = 10_000;
/// The EVM to compile for, as in `foundry.toml`.
const EVM_VERSION: EvmVersion = EvmVersion::Prague;
/// The EVM's limit on a contract's code (EIP-170).
const MAX_CODE_BYTES: usize = 24_576;

/// Why there is no bytecode.
#[derive(Debug, Error)]
pub enum CompileError {
    /// A part of the repository is missing.
    #[error(transparent)]
    Repository(#[from] RepositoryError),
    /// The compiler couldn't be run.
    #[error("the compiler could not be run: {0}")]
    Compiler(String),
    /// The contracts don't compile.
    #[error("the contracts do not compile:\n{0}")]
    Source(String),
    /// The compiler's output lacks a contract.
    #[error("the compiler's output has no contract {0}")]
    Missing(String),
    /// A contract is too large for the EVM.
    #[error("the code of {contract} has {bytes} bytes, above the EVM's limit of {MAX_CODE_BYTES}")]
    TooLarge {
        /// The contract.
        contract: String,
        /// The size of its code.
        bytes: usize,
    },
    /// The cache can't be used.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

/// The bytecode of one contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// What a deployment transaction carries, before constructor arguments.
    pub creation: Bytes,
    /// What then stands on chain, where immutables are still zero.
    pub runtime: Bytes,
}

/// Both contracts of a deployment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiled {
    /// The game contract.
    pub game: Code,
    /// The verifier.
    pub verifier: Code,
    /// The compiler's version.
    pub compiler: String,
}

/// Compiles the game contract and a verifier. Unchanged sources come from a cache beside forge's.
///
/// Blocks for the seconds that solc takes; in async code it belongs on a blocking thread.
pub fn compile(repository: &Repository, verifier: &Verifier) -> Result<Compiled, CompileError> {
    let failed = |e: foundry_compilers::error::SolcError| CompileError::Compiler(e.to_string());
    let solc = Solc::new(repository.solc()?).map_err(failed)?;
    let compiler = solc.version_short().to_string();
    let contracts = repository.contracts();
    let cache = contracts.join("cache/deploy");
    let _lock = lock(&cache)?;
    let paths = ProjectPathsConfig::builder()
        .sources(contracts.join("src"))
        .tests(contracts.join("test"))
        .artifacts(cache.join("out"))
        .cache(cache.join("cache.json"))
        .no_libs()
        .build_with_root::<SolcLanguage>(&contracts);
    let project = ProjectBuilder::<SolcCompiler>::new(Default::default())
        .paths(paths)
        .settings(settings())
        .offline()
        .single_solc_jobs()
        .build(SolcCompiler::Specific(solc))
        .map_err(failed)?;
    let game = contracts.join("src/Fogmate.sol");
    let output = project.compile_files([game.clone(), verifier.source.clone()]).map_err(failed)?;
    if output.has_compiler_errors() {
        return Err(CompileError::Source(output.to_string()));
    }
    let code = |path: &Path, name: &str| {
        let missing = || CompileError::Missing(name.to_owned());
        let artifact = output.find(path, name).ok_or_else(missing)?;
        let creation = artifact.get_bytecode_bytes().ok_or_else(missing)?;
        let runtime = artifact.get_deployed_bytecode_bytes().ok_or_else(missing)?;
        let (creation, runtime) = (creation.into_owned(), runtime.into_owned());
        if runtime.len() > MAX_CODE_BYTES {
            let (contract, bytes) = (name.to_owned(), runtime.len());
            return Err(CompileError::TooLarge { contract, bytes });
        }
        Ok(Code { creation, runtime })
    };
    Ok(Compiled { game: code(&game, "Fogmate")?, verifier: code(&verifier.source, &verifier.contract)?, compiler })
}

fn settings() -> SolcSettings {
    let mut settings = SolcSettings::default();
    let inner = &mut settings.settings;
    inner.optimizer.enabled = Some(true);
    inner.optimizer.runs = Some(OPTIMIZER_RUNS);
    inner.optimizer.details.get_or_insert_default().yul = Some(false);
    inner.evm_version = Some(EVM_VERSION);
    inner.metadata = Some(SettingsMetadata::new(BytecodeHash::None, false));
    inner.output_selection = OutputSelection::default_output_selection();
    settings
}

/// Several processes may compile at once (tests, the demo): one at a time may touch the cache. Released when dropped.
fn lock(cache: &Path) -> Result<fs::File, CompileError> {
    let path = cache.join("lock");
    let io = |source| CompileError::Io { path: path.clone(), source };
    fs::create_dir_all(cache).map_err(io)?;
    let file = fs::File::create(&path).map_err(io)?;
    file.lock().map_err(io)?;
    Ok(file)
}
