//! Compiles the code that programs are built with: `contracts/src/generated/code.json`.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use alloy::primitives::Bytes;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::anvil::HARDFORK;
use crate::compile::OPTIMIZER_RUNS;
use crate::shipped::{Codes, Place, Template};
use crate::{CompileError, Repository};

/// The file, in the folder of the contracts.
pub const FILE: &str = "src/generated/code.json";

/// What of a contract's output is used.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Deployed {
    object: Bytes,
    #[serde(default)]
    immutable_references: BTreeMap<String, Vec<Place>>,
}

/// Compiles game contract and verifiers, with the settings of `foundry.toml`.
pub fn compile_codes(repository: &Repository) -> Result<Codes, CompileError> {
    let contracts = repository.contracts();
    let mut sources = BTreeMap::new();
    collect(&contracts, &contracts.join("src"), &mut sources)?;
    let verifiers: Vec<&String> = sources.keys().filter(|path| path.starts_with("src/generated/")).collect();
    let contents = sources.iter().map(|(path, content)| (path.clone(), json!({ "content": content })));
    let input = json!({
        "language": "Solidity",
        "sources": contents.collect::<serde_json::Map<_, _>>(),
        "settings": {
            "optimizer": { "enabled": true, "runs": OPTIMIZER_RUNS, "details": { "yul": false } },
            "evmVersion": HARDFORK,
            "metadata": { "bytecodeHash": "none", "appendCBOR": false },
            "outputSelection": { "*": { "*": ["evm.deployedBytecode"], "": ["ast"] } },
        },
    });
    let output = solc(repository, &input)?;
    let contract = |path: &str, name: &str| -> Result<Deployed, CompileError> {
        let deployed = &output["contracts"][path][name]["evm"]["deployedBytecode"];
        Deployed::deserialize(deployed).map_err(|_| CompileError::Missing(name.to_owned()))
    };
    let game = contract("src/Fogmate.sol", "Fogmate")?;
    let mut immutables = BTreeMap::new();
    for (id, places) in game.immutable_references {
        let name =
            output["sources"].as_object().into_iter().flatten().find_map(|(_, source)| variable(&source["ast"], &id));
        immutables.insert(name.ok_or_else(|| CompileError::Missing(format!("immutable {id}")))?, places);
    }
    let verifiers = verifiers.into_iter().map(|path| {
        let name = Path::new(path).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        Ok((name.to_owned(), contract(path, name)?.object))
    });
    Ok(Codes {
        compiler: version(repository)?,
        game: Template { runtime: game.object, immutables },
        verifiers: verifiers.collect::<Result<_, CompileError>>()?,
    })
}

/// The name of the variable that has an id in a syntax tree.
fn variable(tree: &Value, id: &str) -> Option<String> {
    match tree {
        Value::Array(items) => items.iter().find_map(|item| variable(item, id)),
        Value::Object(fields) => {
            let found = fields.get("nodeType").is_some_and(|kind| kind == "VariableDeclaration")
                && fields.get("id").is_some_and(|own| own.to_string() == id);
            match fields.get("name") {
                Some(Value::String(name)) if found => Some(name.clone()),
                _ => fields.values().find_map(|field| variable(field, id)),
            }
        }
        _ => None,
    }
}

/// All Solidity files below a folder, by their paths from `root`.
fn collect(root: &Path, folder: &Path, sources: &mut BTreeMap<String, String>) -> Result<(), CompileError> {
    let io = |path: &Path| {
        let path: PathBuf = path.to_owned();
        move |source| CompileError::Io { path, source }
    };
    for entry in fs::read_dir(folder).map_err(io(folder))? {
        let path = entry.map_err(io(folder))?.path();
        if path.is_dir() {
            collect(root, &path, sources)?;
        } else if path.extension().is_some_and(|extension| extension == "sol") {
            let content = fs::read_to_string(&path).map_err(io(&path))?;
            let name = path.strip_prefix(root).unwrap_or(&path).components();
            let name: Vec<_> = name.map(|part| part.as_os_str().to_string_lossy()).collect();
            sources.insert(name.join("/"), content);
        }
    }
    Ok(())
}

fn solc(repository: &Repository, input: &Value) -> Result<Value, CompileError> {
    let failed = |error: std::io::Error| CompileError::Compiler(error.to_string());
    let mut solc = Command::new(repository.solc()?)
        .arg("--standard-json")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let mut stdin = solc.stdin.take().expect("standard input is piped");
    stdin.write_all(input.to_string().as_bytes()).map_err(failed)?;
    drop(stdin);
    let output = solc.wait_with_output().map_err(failed)?;
    let output: Value = serde_json::from_slice(&output.stdout).map_err(|e| CompileError::Compiler(e.to_string()))?;
    let errors = output["errors"].as_array().into_iter().flatten();
    let mut errors = errors.filter(|error| error["severity"] == "error");
    match errors.next() {
        Some(error) => Err(CompileError::Source(error["formattedMessage"].as_str().unwrap_or_default().to_owned())),
        None => Ok(output),
    }
}

fn version(repository: &Repository) -> Result<String, CompileError> {
    let solc = foundry_compilers::solc::Solc::new(repository.solc()?);
    let solc = solc.map_err(|error| CompileError::Compiler(error.to_string()))?;
    Ok(solc.version_short().to_string())
}
