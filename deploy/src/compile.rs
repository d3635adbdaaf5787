//! Solidity to bytecode by solc, offline.
//!
//! Not part of the protocol; the settings are the ones of `contracts/foundry.toml`, so that what is tested is what is
//! deployed (a test compares). The game is compiled through the intermediate representation, which saves gas. The generated
//! verifiers are not: they are written for the EVM's stack as it is, and that pipeline would move their variables out of reach.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use alloy::primitives::{Bytes, keccak256};
use chain::ensure;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use thiserror::Error;

use crate::anvil::Hardfork;
use crate::codes::Code;
use crate::{Codes, Repository, RepositoryError};

/// The optimiser's trade between size and gas, as in `foundry.toml`.
const RUNS: usize = 1_000;
/// The same for the contract of dark chess, which with more of them is above the limit.
const RUNS_OF_CHESS: usize = 200;
/// The EVM's limit on a contract's code (EIP-170).
const MAX_CODE_BYTES: usize = 24_576;

/// Why there is no bytecode.
#[derive(Debug, Error)]
pub enum CompileError {
    /// A part of the repository is missing.
    #[error(transparent)]
    Repository(#[from] RepositoryError),
    #[error(
        "there is no program `{0}` here: Solidity is compiled by Node in a clone of the repository after `npm ci`, and elsewhere by `solc`"
    )]
    NoCompiler(String),
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
    /// A source or the cache can't be used.
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: io::Error },
}

impl CompileError {
    fn io(path: &Path, source: io::Error) -> Self {
        Self::Io { path: path.to_owned(), source }
    }
}

/// Compiles the contracts that this program ships. What was compiled before comes from a cache beside forge's.
///
/// Blocks for the seconds that solc takes.
pub fn compile(repository: &Repository) -> Result<Codes, CompileError> {
    let compiler = Compiler::of(repository)?;
    let code = |folder: &str, name: &str, pipeline| {
        let compiled = compiler.compile_here(repository, &format!("{folder}/{name}.sol"), name, pipeline)?;
        let Compiled { creation, runtime, metadata, .. } = compiled;
        Ok::<_, CompileError>(Code { creation, metadata, runtime_bytes: runtime.len() })
    };
    let game = |name, runs| code("src", name, Pipeline::Representation { runs });
    let verifier = |name| code("src/generated", name, Pipeline::Stack);
    Ok(Codes {
        chess: game("Fogmate", RUNS_OF_CHESS)?,
        dice: game("DiceGame", RUNS)?,
        tag: game("TagGame", RUNS)?,
        narrow: verifier("NarrowVerifier")?,
        wide: verifier("WideVerifier")?,
        compiler: compiler.version,
    })
}

/// Compiles one contract of a file in the folder of the contracts: the code that creates it. Like [`compile`] it blocks.
pub fn compile_contract(repository: &Repository, file: &str, name: &str) -> Result<Bytes, CompileError> {
    Compiler::of(repository)?.compile_here(repository, file, name, Pipeline::Stack).map(|compiled| compiled.creation)
}

/// How solc gets from Solidity to bytecode.
#[derive(Clone, Copy)]
enum Pipeline {
    /// Through the intermediate representation, optimised for code that runs so often.
    Representation {
        runs: usize,
    },
    Stack,
}

/// What of solc's output is selected.
pub(crate) fn selection() -> Value {
    json!({ "*": { "*": ["metadata", "evm.bytecode.object", "evm.deployedBytecode.object", "evm.deployedBytecode.immutableReferences"] } })
}

/// Sources by their paths as solc takes them.
pub(crate) fn standard_json<'a>(sources: impl Iterator<Item = (&'a str, &'a String)>, settings: Value) -> Value {
    let sources: Map<_, _> = sources.map(|(path, text)| (path.to_owned(), json!({ "content": text }))).collect();
    json!({ "language": "Solidity", "sources": sources, "settings": settings })
}

fn settings(pipeline: Pipeline) -> Value {
    let (runs, via_ir) = match pipeline {
        Pipeline::Representation { runs } => (runs, true),
        Pipeline::Stack => (RUNS, false),
    };
    json!({
        "evmVersion": Hardfork::default().name(),
        "metadata": { "bytecodeHash": "ipfs" },
        "optimizer": { "enabled": true, "runs": runs },
        "outputSelection": selection(),
        "viaIR": via_ir,
    })
}

/// A file of the contracts' folder, and all that it imports.
fn imported(contracts: &Path, file: &str) -> Result<BTreeMap<String, String>, CompileError> {
    let (mut found, mut open) = (BTreeMap::new(), vec![file.to_owned()]);
    while let Some(file) = open.pop() {
        if found.contains_key(&file) {
            continue;
        }
        let path = contracts.join(&file);
        let text = fs::read_to_string(&path).map_err(|e| CompileError::io(&path, e))?;
        let targets = text.split("from \"").skip(1).filter_map(|rest| rest.split_once('"')).map(|(target, _)| target);
        open.extend(targets.filter(|target| target.starts_with('.')).map(|target| beside(&file, target)));
        found.insert(file, text);
    }
    Ok(found)
}

/// The path that a file's import leads to.
fn beside(file: &str, target: &str) -> String {
    let mut parts: Vec<&str> = file.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// A contract as solc gives it.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub creation: Bytes,
    /// What stands on the chain, with zeros for what the constructor fills in.
    pub runtime: Bytes,
    /// Where the constructor fills something in.
    pub filled: Vec<Filled>,
    pub metadata: String,
}

/// A place in a contract's code that its constructor fills in.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Filled {
    pub start: usize,
    pub length: usize,
}

/// A Solidity compiler that is installed here.
#[derive(Debug)]
pub struct Compiler {
    program: PathBuf,
    /// What comes before its options.
    script: Option<PathBuf>,
    /// Its version, as in 0.8.37.
    version: String,
}

impl Compiler {
    /// A repository's: npm's solc, which Node runs.
    pub fn of(repository: &Repository) -> Result<Self, CompileError> {
        Self::new("node".into(), Some(repository.solc()?))
    }

    /// The repository's around here, or where there is none the `solc` that is installed.
    pub fn find() -> Result<Self, CompileError> {
        match Repository::find_here() {
            Ok(repository) => Self::of(&repository),
            Err(_) => Self::new("solc".into(), None),
        }
    }

    fn new(program: PathBuf, script: Option<PathBuf>) -> Result<Self, CompileError> {
        let mut compiler = Self { program, script, version: String::new() };
        let told = compiler.run("--version", "")?;
        let version = told.split("Version: ").nth(1).unwrap_or_default();
        compiler.version = version.split(|c: char| c == '+' || c.is_whitespace()).next().unwrap_or_default().to_owned();
        Ok(compiler)
    }

    pub fn version(&self) -> &str {
        &self.version
    }

    /// What solc gives for standard JSON.
    pub fn output(&self, input: &Value) -> Result<Value, CompileError> {
        let output = self.run("--standard-json", &input.to_string())?;
        serde_json::from_str(&output).map_err(|e| CompileError::Compiler(e.to_string()))
    }

    /// Compiles a contract of a file.
    pub(crate) fn compile(&self, input: &Value, file: &str, name: &str) -> Result<Compiled, CompileError> {
        compiled(&self.output(input)?, file, name)
    }

    /// Compiles a contract of a file in the folder of the contracts, if that wasn't done before.
    fn compile_here(
        &self,
        repository: &Repository,
        file: &str,
        name: &str,
        pipeline: Pipeline,
    ) -> Result<Compiled, CompileError> {
        let contracts = repository.contracts();
        let sources = imported(&contracts, file)?;
        let input = standard_json(sources.iter().map(|(path, text)| (path.as_str(), text)), settings(pipeline));
        let cache = contracts.join("cache/deploy");
        let _lock = lock(&cache)?;
        let path = cache.join(format!("{}-{}.json", keccak256(input.to_string()), self.version));
        let known = fs::read(&path).ok().and_then(|file| serde_json::from_slice(&file).ok());
        let output = match known {
            Some(output) => output,
            None => {
                let output = self.output(&input)?;
                fs::write(&path, output.to_string()).map_err(|e| CompileError::io(&path, e))?;
                output
            }
        };
        compiled(&output, file, name)
    }

    fn run(&self, option: &str, input: &str) -> Result<String, CompileError> {
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => CompileError::NoCompiler(self.program.display().to_string()),
            _ => CompileError::Compiler(error.to_string()),
        };
        let arguments = self.script.iter().map(|script| script.as_os_str()).chain([OsStr::new(option)]);
        let mut process = Command::new(&self.program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let written = process.stdin.take().expect("a pipe").write_all(input.as_bytes());
        let output = process.wait_with_output().map_err(failed)?;
        if !output.status.success() {
            let complaint = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            return Err(CompileError::Compiler(complaint));
        }
        written.map_err(failed)?;
        String::from_utf8(output.stdout).map_err(|e| CompileError::Compiler(e.to_string()))
    }
}

/// A contract of solc's output.
fn compiled(output: &Value, file: &str, name: &str) -> Result<Compiled, CompileError> {
    let complaints = output["errors"].as_array().into_iter().flatten();
    let errors: Vec<&str> = complaints
        .filter(|complaint| complaint["severity"] == "error")
        .filter_map(|complaint| complaint["formattedMessage"].as_str())
        .collect();
    ensure!(errors.is_empty(), CompileError::Source(errors.join("\n")));
    let contract = &output["contracts"][file][name];
    let deployed = &contract["evm"]["deployedBytecode"];
    let missing = || CompileError::Missing(name.to_owned());
    let code = |of: &Value| of["object"].as_str().and_then(|code| code.parse::<Bytes>().ok()).ok_or_else(missing);
    let runtime = code(deployed)?;
    let bytes = runtime.len();
    ensure!(bytes <= MAX_CODE_BYTES, CompileError::TooLarge { contract: name.to_owned(), bytes });
    let filled = deployed["immutableReferences"].as_object().into_iter().flat_map(|places| places.values());
    let filled = filled.map(Vec::<Filled>::deserialize).collect::<Result<Vec<_>, _>>().map_err(|_| missing())?;
    Ok(Compiled {
        creation: code(&contract["evm"]["bytecode"])?,
        runtime,
        filled: filled.concat(),
        metadata: contract["metadata"].as_str().ok_or_else(missing)?.to_owned(),
    })
}

/// Several processes may compile at once (tests, the demo): one at a time, or all of them would do the same. Released when dropped.
fn lock(cache: &Path) -> Result<fs::File, CompileError> {
    let path = cache.join("lock");
    let io = |source| CompileError::io(&path, source);
    fs::create_dir_all(cache).map_err(io)?;
    let file = fs::File::create(&path).map_err(io)?;
    file.lock().map_err(io)?;
    Ok(file)
}
