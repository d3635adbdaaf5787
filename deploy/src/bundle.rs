//! What anybody checks a deployed contract's code by: its sources, settings and arguments, in the folders that Sourcify keeps verified contracts in.
//!
//! `contracts/full_match/<chain id>/<address>/` has `metadata.json`, `sources/`, `constructor-args.txt` and `creator-tx-hash.txt`, as Sourcify has them; and
//! besides `input.json`, which block explorers take as *standard JSON input*, `abi.json`, and `creation.json`, which says who created it and when. A key is
//! data and has no source: of it the code that creates it is kept. Nothing in a bundle is believed: what its sources compile to leads to the address.

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use alloy::primitives::{Address, B256, Bytes, keccak256};
use alloy::providers::{DynProvider, Provider as _};
use chain::{NodeError, ensure};
use serde_json::{Value, json};
use thiserror::Error;

use crate::codes::sources;
use crate::compile::{Compiled, selection, standard_json};
use crate::deployment::Record;
use crate::history::creation;
use crate::keys::is_data;
use crate::{CompileError, Compiler, Contracts, DeployError, PROXY, Repository};

const METADATA: &str = "metadata.json";
const ARGUMENTS: &str = "constructor-args.txt";
/// The code that creates a contract without sources.
const CREATION_CODE: &str = "creation-code.txt";
const SOURCES: &str = "sources";

/// Why a bundle can't be written, or isn't what stands on the chain.
#[derive(Debug, Error)]
pub enum BundleError {
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: io::Error },
    #[error("there is no bundle of a contract in {0}: `fogmate deploy` writes one")]
    Nothing(PathBuf),
    #[error("{0} is not a file of a bundle")]
    Unreadable(PathBuf),
    /// Another version compiles to other code, whatever the sources.
    #[error("{path} names the compiler {named}, and the one here is {found}")]
    OtherCompiler { path: PathBuf, named: String, found: String },
    #[error(
        "what {folder} has compiles to a contract that would stand at {found}: somebody has changed a source, a setting or an argument"
    )]
    OtherCode { folder: PathBuf, found: Address },
    #[error("{0} is not the source that the metadata beside it names: somebody has changed it")]
    OtherSource(PathBuf),
    #[error("{0} is not what the sources beside it compile to")]
    OtherFile(PathBuf),
    /// Only a key has none.
    #[error("{0} has no sources, and the contract that it creates is no key")]
    NoSources(PathBuf),
    #[error("the code at {address} on chain {chain_id} is not what the bundle's sources compile to")]
    OnChain { address: Address, chain_id: u64 },
    #[error(transparent)]
    Compile(#[from] CompileError),
    #[error(transparent)]
    Deploy(#[from] DeployError),
    #[error(transparent)]
    Node(#[from] NodeError),
}

impl BundleError {
    fn io(path: &Path, source: io::Error) -> Self {
        Self::Io { path: path.to_owned(), source }
    }
}

/// Where a folder of deployments has the bundles of a chain's contracts.
fn folder_of(deployments: &Path, chain_id: u64) -> PathBuf {
    deployments.join("contracts/full_match").join(chain_id.to_string())
}

/// Writes the bundle of each contract of a deployment whose file is in a folder, unless there is one of it. Gives the folder of the game's contract.
///
/// # Errors
///
/// If a file can't be written, or the node can't be asked when the contracts were created.
pub async fn write_bundles(rpc: &str, contracts: &Contracts, deployments: &Path) -> Result<PathBuf, BundleError> {
    let provider = chain::connect(rpc, None)?;
    let chain_id = provider.get_chain_id().await.map_err(NodeError::from)?;
    let record = Record::load(deployments, contracts.game, chain_id).map_err(DeployError::from)?;
    let (of_chain, commit) = (folder_of(deployments, chain_id), commit());
    fs::create_dir_all(&of_chain).map_err(|e| BundleError::io(&of_chain, e))?;
    let mut last = PathBuf::new();
    for contract in contracts.with_prices(record.prices.as_ref()) {
        last = of_chain.join(contract.address().to_string());
        if last.exists() {
            continue;
        }
        let created = creation(&provider, &contract).await?;
        let mut files = match contract.code {
            Some(code) => {
                let files = Files::of(&code.metadata, |path| {
                    sources().find(|(of, _)| *of == path).map(|(_, text)| text.to_owned())
                });
                let mut files = files.expect("the program carries what it was compiled from");
                files.put(ARGUMENTS, contract.creation.slice(code.creation.len()..).to_string());
                files
            }
            None => Files(BTreeMap::from([(CREATION_CODE.to_owned(), contract.creation.to_string())])),
        };
        if let Some(created) = &created {
            files.put("creator-tx-hash.txt", created.transaction.to_string());
        }
        let about = json!({
            "contract": contract.name, "chainId": chain_id, "address": contract.address(), "proxy": PROXY, "salt": B256::ZERO,
            "transaction": created.as_ref().map(|created| created.transaction), "block": created.as_ref().map(|created| created.block),
            "deployer": created.map(|created| created.deployer), "program": env!("CARGO_PKG_VERSION"), "commit": commit,
        });
        files.put("creation.json", pretty(&about));
        files.write(&last)?;
    }
    Ok(last)
}

/// The commit that the sources in this program are of, where a clone is around that has just these.
fn commit() -> Option<String> {
    let contracts = Repository::find_here().ok()?.contracts();
    let git = |arguments: &[&str]| {
        let output = Command::new("git").arg("-C").arg(&contracts).args(arguments).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let is_same = |(path, text)| fs::read_to_string(contracts.join(path)).is_ok_and(|file| file == text);
    let is_committed = git(&["status", "--porcelain", "--", "src"])?.is_empty() && sources().all(is_same);
    if is_committed { git(&["rev-parse", "HEAD"]) } else { None }
}

/// The files of a bundle by their paths in its folder.
#[derive(Debug, Default)]
struct Files(BTreeMap<String, String>);

impl Files {
    /// What follows from solc's metadata and the sources that it names. None if a source is missing or the metadata isn't solc's.
    fn of(metadata: &str, source: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let parsed: Value = serde_json::from_str(metadata).ok()?;
        let mut files = Self(BTreeMap::from([(METADATA.to_owned(), metadata.to_owned())]));
        for path in parsed["sources"].as_object()?.keys() {
            files.put(&format!("{SOURCES}/{path}"), source(path)?);
        }
        files.put("input.json", files.input(&parsed)?.to_string());
        files.put("abi.json", pretty(&parsed["output"]["abi"]));
        Some(files)
    }

    /// What solc is given: the sources and settings of the metadata.
    fn input(&self, metadata: &Value) -> Option<Value> {
        let mut settings = metadata["settings"].clone();
        settings.as_object_mut()?.remove("compilationTarget");
        settings["outputSelection"] = selection();
        Some(standard_json(self.sources(), settings))
    }

    fn sources(&self) -> impl Iterator<Item = (&str, &String)> {
        self.0.iter().filter_map(|(path, text)| Some((path.strip_prefix("sources/")?, text)))
    }

    fn put(&mut self, path: &str, text: String) {
        self.0.insert(path.to_owned(), text);
    }

    /// Writes all of them, or nothing.
    fn write(&self, folder: &Path) -> Result<(), BundleError> {
        let parent = folder.parent().unwrap_or(Path::new("."));
        let io = |e| BundleError::io(folder, e);
        // A web server may serve it.
        let partial =
            tempfile::Builder::new().permissions(Permissions::from_mode(0o755)).tempdir_in(parent).map_err(io)?;
        for (path, text) in &self.0 {
            let path = partial.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).and_then(|()| fs::write(&path, text)).map_err(io)?;
        }
        // Whoever has written it meanwhile has written the same.
        match fs::rename(partial.path(), folder) {
            Err(e) if !folder.exists() => Err(io(e)),
            _ => Ok(()),
        }
    }
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).expect("it is plain data") + "\n"
}

/// A contract whose bundle is what stands on the chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    pub address: Address,
    /// What was compiled, as in `src/Fogmate.sol`. None of a key, which is data.
    pub target: Option<String>,
}

/// Compiles each bundle of a node's chain in a folder of deployments from itself alone, and compares with what stands on the chain.
///
/// # Errors
///
/// The first difference, by the file or address that it is in; or why it can't be looked for.
pub async fn verify_bundles(rpc: &str, deployments: &Path) -> Result<Vec<Verified>, BundleError> {
    let provider = chain::connect(rpc, None)?;
    let chain_id = provider.get_chain_id().await.map_err(NodeError::from)?;
    let folder = folder_of(deployments, chain_id);
    let nothing = || BundleError::Nothing(folder.clone());
    let entries = fs::read_dir(&folder).map_err(|_| nothing())?.flatten().map(|entry| entry.path());
    let mut bundles: Vec<_> =
        entries.filter_map(|path| Some((path.file_name()?.to_str()?.parse().ok()?, path))).collect();
    // What needs no compiler comes first.
    bundles.sort_unstable_by_key(|(address, bundle): &(Address, PathBuf)| (bundle.join(METADATA).exists(), *address));
    let mut verified = Vec::new();
    for (address, bundle) in bundles {
        verified.push(verify(&provider, chain_id, address, &bundle).await?);
    }
    if verified.is_empty() { Err(nothing()) } else { Ok(verified) }
}

async fn verify(
    provider: &DynProvider,
    chain_id: u64,
    address: Address,
    folder: &Path,
) -> Result<Verified, BundleError> {
    let (creation, compiled, target) = match folder.join(METADATA).exists() {
        true => {
            let (compiled, target) = compile_bundle(folder)?;
            let arguments = read_hex(&folder.join(ARGUMENTS))?;
            ([&compiled.creation[..], &arguments].concat().into(), Some(compiled), Some(target))
        }
        false => (read_hex(&folder.join(CREATION_CODE))?, None, None),
    };
    let found = PROXY.create2(B256::ZERO, keccak256(&creation));
    ensure!(found == address, BundleError::OtherCode { folder: folder.to_owned(), found });
    let mut code = provider.get_code_at(address).await.map_err(NodeError::from)?.to_vec();
    let is_same = match compiled {
        Some(Compiled { runtime, filled, .. }) => {
            for place in filled {
                if let Some(part) = code.get_mut(place.start..place.start + place.length) {
                    part.fill(0);
                }
            }
            code == runtime
        }
        None if code.is_empty() => false,
        // The address commits to the data, too.
        None if is_data(&creation, &code) => true,
        None => return Err(BundleError::NoSources(folder.to_owned())),
    };
    if is_same { Ok(Verified { address, target }) } else { Err(BundleError::OnChain { address, chain_id }) }
}

/// Compiles what the metadata of a bundle names from the sources beside it, and sees that every file that follows from them is what follows.
fn compile_bundle(folder: &Path) -> Result<(Compiled, String), BundleError> {
    let path = folder.join(METADATA);
    let metadata = read(&path)?;
    let unreadable = || BundleError::Unreadable(path.clone());
    let parsed: Value = serde_json::from_str(&metadata).map_err(|_| unreadable())?;
    let inside = |path: &str| Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    let beside =
        |source: &str| if inside(source) { fs::read_to_string(folder.join(SOURCES).join(source)).ok() } else { None };
    let files = Files::of(&metadata, beside).ok_or_else(unreadable)?;
    for (source, text) in files.sources() {
        if parsed["sources"][source]["keccak256"] != keccak256(text).to_string() {
            return Err(BundleError::OtherSource(folder.join(SOURCES).join(source)));
        }
    }
    let target = parsed["settings"]["compilationTarget"].as_object().and_then(|target| target.iter().next());
    let (file, name) = target.ok_or_else(unreadable)?;
    let compiler = Compiler::find()?;
    let named = parsed["compiler"]["version"].as_str().unwrap_or_default();
    if named.split('+').next() != Some(compiler.version()) {
        let (named, found) = (named.to_owned(), compiler.version().to_owned());
        return Err(BundleError::OtherCompiler { path, named, found });
    }
    let input = files.input(&parsed).ok_or_else(unreadable)?;
    let compiled = compiler.compile(&input, file, name.as_str().ok_or_else(unreadable)?)?;
    let given = Files::of(&compiled.metadata, |path| files.0.get(&format!("{SOURCES}/{path}")).cloned())
        .ok_or_else(unreadable)?;
    match given.0.iter().find(|(path, text)| read(&folder.join(path)).ok().as_ref() != Some(text)) {
        None => Ok((compiled, file.clone())),
        Some((path, _)) => Err(BundleError::OtherFile(folder.join(path))),
    }
}

fn read(path: &Path) -> Result<String, BundleError> {
    fs::read_to_string(path).map_err(|e| BundleError::io(path, e))
}

fn read_hex(path: &Path) -> Result<Bytes, BundleError> {
    read(path)?.trim().parse().map_err(|_| BundleError::Unreadable(path.to_owned()))
}
