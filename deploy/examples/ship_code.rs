//! Writes contracts/src/generated/code.json: the code that creates each contract, from which the program knows where it stands. With `--check` it writes
//! nothing and fails if what is checked in differs.

use std::error::Error;
use std::fs;

use deploy::{Repository, compile};

fn main() -> Result<(), Box<dyn Error>> {
    let repository = Repository::find_here()?;
    let path = repository.contracts().join("src/generated/code.json");
    let text = serde_json::to_string_pretty(&compile(&repository)?)? + "\n";
    if !std::env::args().any(|argument| argument == "--check") {
        fs::write(&path, text)?;
        println!("{} written", path.display());
    } else if fs::read_to_string(&path)? == text {
        println!("{} is up to date", path.display());
    } else {
        return Err(format!("{} is not what the contracts compile to: run `make verifiers`", path.display()).into());
    }
    Ok(())
}
