//! Lists the contracts' sources, so that the program carries them and whoever deploys can show what was compiled.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let contracts = manifest.join("../contracts").canonicalize()?;
    let mut list = "[\n".to_owned();
    for file in sources(&contracts.join("src"))? {
        let name = file.strip_prefix(&contracts).expect("it is below");
        writeln!(list, "({:?}, include_str!({:?})),", name.display(), file.display()).expect("a string takes all");
    }
    let output = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    fs::write(output.join("sources.rs"), list + "]")
}

/// The Solidity files below a folder, sorted.
fn sources(folder: &Path) -> io::Result<Vec<PathBuf>> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        match path.is_dir() {
            true => found.extend(sources(&path)?),
            false if path.extension().is_some_and(|extension| extension == "sol") => found.push(path),
            false => {}
        }
    }
    found.sort();
    Ok(found)
}
