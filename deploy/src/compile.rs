//! Solidity to bytecode, offline, with npm's solc.
//!
//! Not part of the protocol; the settings are the ones of `contracts/foundry.toml`, so that what is tested is what is
//! deployed (a test compares). The game is compiled through the intermediate representation, which saves gas. The generated
//! verifiers are not: they are written for the EVM's stack as it is, and that pipeline would move their variables out of reach.

use std::fs;
use std::path::{Path, PathBuf};

use alloy::primitives::Bytes;
use foundry_compilers::artifacts::{BytecodeHash, EvmVersion, SettingsMetadata, output_selection::OutputSelection};
use foundry_compilers::solc::{Solc, SolcCompiler, SolcLanguage, SolcSettings};
use foundry_compilers::{Artifact as _, ProjectBuilder, ProjectPathsConfig};
use thiserror::Error;

use crate::{Codes, Repository, RepositoryError};

/// The optimiser's trade between size and gas, as in `foundry.toml`.
const RUNS: usize = 1_000;
/// The same for the contract of dark chess, which with more of them is above the limit.
const RUNS_OF_CHESS: usize = 200;
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
        contract: String,
        /// The size of its code.
        bytes: usize,
    },
    /// The cache can't be used.
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: std::io::Error },
}

/// Compiles the contracts that this program ships. Unchanged sources come from a cache beside forge's.
///
/// Blocks for the seconds that solc takes.
pub fn compile(repository: &Repository) -> Result<Codes, CompileError> {
    let solc = Solc::new(repository.solc()?).map_err(|e| CompileError::Compiler(e.to_string()))?;
    let compiler = solc.version_short().to_string();
    let sources = repository.contracts().join("src");
    let of = |name: &str| sources.join(name).with_extension("sol");
    let pipeline = Pipeline::Representation;
    let one = |folder, name: &'static str, runs| {
        compile_with(repository, &solc, Cache { folder, pipeline, runs }, [(of(name), name)])
    };
    let [chess] = one("chess", "Fogmate", RUNS_OF_CHESS)?;
    let ([dice], [tag]) = (one("dice", "DiceGame", RUNS)?, one("tag", "TagGame", RUNS)?);
    let cache = Cache { folder: "verifiers", pipeline: Pipeline::Stack, runs: RUNS };
    let verifiers = ["NarrowVerifier", "WideVerifier"].map(|name| (of(&format!("generated/{name}")), name));
    let [narrow, wide] = compile_with(repository, &solc, cache, verifiers)?;
    Ok(Codes { compiler, chess, dice, tag, narrow, wide })
}

/// Compiles one contract of a file in the folder of the contracts: the code that creates it. Like [`compile`] it blocks.
pub fn compile_contract(repository: &Repository, file: &str, name: &str) -> Result<Bytes, CompileError> {
    let solc = Solc::new(repository.solc()?).map_err(|e| CompileError::Compiler(e.to_string()))?;
    let cache = Cache { folder: "others", pipeline: Pipeline::Stack, runs: RUNS };
    compile_with(repository, &solc, cache, [(repository.contracts().join(file), name)]).map(|[code]| code)
}

/// Where the compiler's output is kept, and how it is made.
struct Cache {
    /// Its folder's name. What is compiled together has one of its own, so that nothing depends on what was compiled before.
    folder: &'static str,
    pipeline: Pipeline,
    /// How often code is expected to run.
    runs: usize,
}

/// How solc gets from Solidity to bytecode.
#[derive(Clone, Copy)]
enum Pipeline {
    /// Through the intermediate representation.
    Representation,
    Stack,
}

/// Compiles contracts, each by its file and name, to the code that creates it.
fn compile_with<const N: usize>(
    repository: &Repository,
    solc: &Solc,
    Cache { folder, pipeline, runs }: Cache,
    wanted: [(PathBuf, &str); N],
) -> Result<[Bytes; N], CompileError> {
    let failed = |e: foundry_compilers::error::SolcError| CompileError::Compiler(e.to_string());
    let contracts = repository.contracts();
    let cache = contracts.join("cache/deploy");
    let _lock = lock(&cache)?;
    let paths = ProjectPathsConfig::builder()
        .sources(contracts.join("src"))
        .tests(contracts.join("test"))
        .artifacts(cache.join(folder).join("out"))
        .cache(cache.join(folder).join("cache.json"))
        .no_libs()
        .build_with_root::<SolcLanguage>(&contracts);
    let project = ProjectBuilder::<SolcCompiler>::new(Default::default())
        .paths(paths)
        .settings(settings(pipeline, runs))
        .offline()
        .single_solc_jobs()
        .build(SolcCompiler::Specific(solc.clone()))
        .map_err(failed)?;
    let output = project.compile_files(wanted.each_ref().map(|(file, _)| file.clone())).map_err(failed)?;
    if output.has_compiler_errors() {
        return Err(CompileError::Source(output.to_string()));
    }
    let mut codes = Vec::new();
    for (file, name) in wanted {
        let missing = || CompileError::Missing(name.to_owned());
        let artifact = output.find(&file, name).ok_or_else(missing)?;
        let runtime = artifact.get_deployed_bytecode_bytes().ok_or_else(missing)?;
        if runtime.len() > MAX_CODE_BYTES {
            return Err(CompileError::TooLarge { contract: name.to_owned(), bytes: runtime.len() });
        }
        codes.push(artifact.get_bytecode_bytes().ok_or_else(missing)?.into_owned());
    }
    codes.try_into().map_err(|_| CompileError::Missing("a contract".to_owned()))
}

fn settings(pipeline: Pipeline, runs: usize) -> SolcSettings {
    let mut settings = SolcSettings::default();
    let inner = &mut settings.settings;
    inner.optimizer.enabled = Some(true);
    inner.optimizer.runs = Some(runs);
    inner.via_ir = Some(matches!(pipeline, Pipeline::Representation));
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
