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

use crate::{Repository, RepositoryError, Verifiers};

/// The optimiser's trade between size and gas, as in `foundry.toml`.
const OPTIMIZER_RUNS: usize = 1_000;
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

/// The bytecode of one contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// What a deployment transaction carries, before constructor arguments.
    pub creation: Bytes,
    /// What then stands on chain, where immutables are still zero.
    pub runtime: Bytes,
    /// Where immutables stand in it, in order: of each one all its places, by first byte and length.
    pub immutables: Vec<Vec<(u32, u32)>>,
}

/// The contracts of a deployment but for the keys, which are data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiled {
    pub game: Code,
    pub narrow: Code,
    pub wide: Code,
    pub compiler: String,
}

/// Compiles the game contract and the verifiers. Unchanged sources come from a cache beside forge's.
///
/// Blocks for the seconds that solc takes; in async code it belongs on a blocking thread.
pub fn compile(repository: &Repository, verifiers: &Verifiers) -> Result<Compiled, CompileError> {
    let solc = Solc::new(repository.solc()?).map_err(|e| CompileError::Compiler(e.to_string()))?;
    let compiler = solc.version_short().to_string();
    let contracts = repository.contracts();
    let _lock = lock(&contracts.join("cache/deploy"))?;
    let game = contracts.join("src/Fogmate.sol");
    let cache = Cache { folder: "representation", pipeline: Pipeline::Representation };
    let [game] = compile_with(&contracts, solc.clone(), cache, [(&game, "Fogmate")])?;
    let of = |verifier: &crate::Verifier| (verifier.source.clone(), verifier.contract.clone());
    let ((narrow, narrow_name), (wide, wide_name)) = (of(&verifiers.narrow), of(&verifiers.wide));
    let both = [(&narrow, narrow_name.as_str()), (&wide, wide_name.as_str())];
    let cache = Cache { folder: "stack", pipeline: Pipeline::Stack };
    let [narrow, wide] = compile_with(&contracts, solc, cache, both)?;
    Ok(Compiled { game, narrow, wide, compiler })
}

/// Compiles the dice contract; gives the compiler's version too. Like [`compile`] it blocks.
pub fn compile_dice(repository: &Repository) -> Result<(Code, String), CompileError> {
    let solc = Solc::new(repository.solc()?).map_err(|e| CompileError::Compiler(e.to_string()))?;
    let compiler = solc.version_short().to_string();
    let contracts = repository.contracts();
    let _lock = lock(&contracts.join("cache/deploy"))?;
    let cache = Cache { folder: "dice", pipeline: Pipeline::Representation };
    let [code] = compile_with(&contracts, solc, cache, [(&contracts.join("src/DiceGame.sol"), "DiceGame")])?;
    Ok((code, compiler))
}

/// The contracts of a deployment of tag but for the keys, which are data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompiledTag {
    pub tag: Code,
    /// The verifier that it asks.
    pub narrow: Code,
    pub compiler: String,
}

/// Compiles the contract of tag and its verifier. Like [`compile`] it blocks.
pub fn compile_tag(repository: &Repository) -> Result<CompiledTag, CompileError> {
    let solc = Solc::new(repository.solc()?).map_err(|e| CompileError::Compiler(e.to_string()))?;
    let compiler = solc.version_short().to_string();
    let contracts = repository.contracts();
    let _lock = lock(&contracts.join("cache/deploy"))?;
    let cache = Cache { folder: "tag", pipeline: Pipeline::Representation };
    let [tag] = compile_with(&contracts, solc.clone(), cache, [(&contracts.join("src/TagGame.sol"), "TagGame")])?;
    let cache = Cache { folder: "tag-verifier", pipeline: Pipeline::Stack };
    let narrow = contracts.join("src/generated/NarrowVerifier.sol");
    let [narrow] = compile_with(&contracts, solc, cache, [(&narrow, "NarrowVerifier")])?;
    Ok(CompiledTag { tag, narrow, compiler })
}

/// Where the compiler's output is kept, and how it is made.
struct Cache {
    /// Its folder's name. What is compiled together has one of its own, so that nothing depends on what was compiled before.
    folder: &'static str,
    pipeline: Pipeline,
}

/// How solc gets from Solidity to bytecode.
#[derive(Clone, Copy)]
enum Pipeline {
    /// Through the intermediate representation.
    Representation,
    Stack,
}

/// Compiles contracts, each by its file and name.
fn compile_with<const N: usize>(
    contracts: &Path,
    solc: Solc,
    Cache { folder, pipeline }: Cache,
    wanted: [(&PathBuf, &str); N],
) -> Result<[Code; N], CompileError> {
    let failed = |e: foundry_compilers::error::SolcError| CompileError::Compiler(e.to_string());
    let cache = contracts.join("cache/deploy").join(folder);
    let paths = ProjectPathsConfig::builder()
        .sources(contracts.join("src"))
        .tests(contracts.join("test"))
        .artifacts(cache.join("out"))
        .cache(cache.join("cache.json"))
        .no_libs()
        .build_with_root::<SolcLanguage>(contracts);
    let project = ProjectBuilder::<SolcCompiler>::new(Default::default())
        .paths(paths)
        .settings(settings(pipeline))
        .offline()
        .single_solc_jobs()
        .build(SolcCompiler::Specific(solc))
        .map_err(failed)?;
    let output = project.compile_files(wanted.map(|(file, _)| file.clone())).map_err(failed)?;
    if output.has_compiler_errors() {
        return Err(CompileError::Source(output.to_string()));
    }
    let mut codes = Vec::new();
    for (file, name) in wanted {
        let missing = || CompileError::Missing(name.to_owned());
        let artifact = output.find(file, name).ok_or_else(missing)?;
        let creation = artifact.get_bytecode_bytes().ok_or_else(missing)?.into_owned();
        let deployed = artifact.deployed_bytecode.as_ref().ok_or_else(missing)?;
        let runtime = deployed.bytes().cloned().ok_or_else(missing)?;
        if runtime.len() > MAX_CODE_BYTES {
            let (contract, bytes) = (name.to_owned(), runtime.len());
            return Err(CompileError::TooLarge { contract, bytes });
        }
        let mut immutables = Vec::new();
        for places in deployed.immutable_references.values() {
            let mut places: Vec<(u32, u32)> = places.iter().map(|place| (place.start, place.length)).collect();
            places.sort_unstable();
            immutables.push(places);
        }
        immutables.sort_unstable();
        codes.push(Code { creation, runtime, immutables });
    }
    codes.try_into().map_err(|_| CompileError::Missing("a contract".to_owned()))
}

fn settings(pipeline: Pipeline) -> SolcSettings {
    let mut settings = SolcSettings::default();
    let inner = &mut settings.settings;
    inner.optimizer.enabled = Some(true);
    inner.optimizer.runs = Some(OPTIMIZER_RUNS);
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
