//! What a player keeps or is given as a file, by the first byte: a view key, what a player discloses after a game, and a wallet.
#![no_main]

use client::disclosure::Disclosure;
use client::wallet::Wallet;
use game::replay::KeyFile;
use serde_json::Value;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((kind, text)) = data.split_first() else { return };
    match kind % 3 {
        0 => drop(KeyFile::from_json(text)),
        1 => {
            if let Ok(disclosure) = Disclosure::from_json(text) {
                assert!(Disclosure::from_json(disclosure.to_json().as_bytes()).is_ok());
            }
        }
        _ if !is_dear(text) => {
            let file = tempfile::NamedTempFile::new().expect("a file");
            std::fs::write(file.path(), text).expect("a file");
            assert!(Wallet::from_keystore(file.path(), "another").is_err());
        }
        _ => {}
    }
});

/// Whether it costs too much to try, which the program would: scrypt up to a gigabyte.
fn is_dear(text: &[u8]) -> bool {
    let Ok(value) = serde_json::from_slice::<Value>(text) else { return false };
    let costs = ["crypto", "Crypto"].map(|name| &value[name]["kdfparams"]);
    costs
        .iter()
        .any(|cost| ["n", "r", "p", "c"].iter().any(|name| cost[name].as_u64().is_some_and(|number| number > 64)))
}
