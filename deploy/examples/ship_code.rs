//! Writes contracts/src/generated/code.json, dice.json and tag.json: the runtime code of the game contract and of the verifiers, that of the dice
//! contract, and that of the contract of tag, which the program compares with what stands on a chain. With `--check` it writes nothing and fails if what is checked
//! in differs.

use deploy::{Repository, Shipped, ShippedDice, ShippedTag, Verifiers, compile, compile_dice, compile_tag};
use serde::Serialize;
use std::error::Error;
use std::fs;

fn main() -> Result<(), Box<dyn Error>> {
    let repository = Repository::find_here()?;
    let verifiers = Verifiers::development(&repository.contracts())?;
    let compiled = compile(&repository, &verifiers)?;
    let shipped = Shipped::of(&compiled, [verifiers.narrow.proof_bytes, verifiers.wide.proof_bytes]);
    ship(&repository, "code.json", &shipped)?;
    let (dice, _) = compile_dice(&repository)?;
    ship(&repository, "dice.json", &ShippedDice::of(&dice))?;
    ship(&repository, "tag.json", &ShippedTag::of(&compile_tag(&repository)?.tag))
}

/// Writes one file, or compares it.
fn ship(repository: &Repository, name: &str, code: &impl Serialize) -> Result<(), Box<dyn Error>> {
    let check = std::env::args().any(|argument| argument == "--check");
    let path = repository.contracts().join("src/generated").join(name);
    let text = serde_json::to_string_pretty(code)? + "\n";
    if !check {
        fs::write(&path, text)?;
        println!("{} written", path.display());
    } else if fs::read_to_string(&path)? == text {
        println!("{} is up to date", path.display());
    } else {
        return Err(format!("{} is not what the contracts compile to: run `make verifiers`", path.display()).into());
    }
    Ok(())
}
