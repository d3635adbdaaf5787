//! Writes the code that programs are built with, and compare with what stands on chain: `contracts/src/generated/code.json`. After it
//! the programs have to be built again. A test compares the file with what the sources give.

use deploy::{CODES_FILE, Repository, compile_codes};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let repository = Repository::find_here()?;
    let path = repository.contracts().join(CODES_FILE);
    let codes = compile_codes(&repository)?;
    std::fs::write(&path, serde_json::to_string_pretty(&codes)? + "\n")?;
    println!("{} written", path.display());
    Ok(())
}
