//! What stands on a real local chain is compiled again from what was written beside the deployment, and from nothing else.

use std::fs;
use std::path::{Path, PathBuf};

use alloy::primitives::Bytes;
use alloy::providers::Provider as _;
use deploy::{BundleError, Contracts, Game, verify_bundles, write_bundles};
use serde_json::Value;

use crate::deployment::Fixture;

impl Fixture {
    /// Deploys a game and writes its bundles: the folder of its own contract's.
    async fn bundled(&self, game: Game) -> PathBuf {
        let contracts = Contracts::shipped(game, true);
        self.deploy(&contracts).await.unwrap();
        write_bundles(&self.anvil.rpc(), &contracts, self.folder.path()).await.unwrap()
    }

    async fn verified(&self) -> Result<Vec<Option<String>>, BundleError> {
        let verified = verify_bundles(&self.anvil.rpc(), self.folder.path()).await?;
        Ok(verified.into_iter().map(|found| found.target).collect())
    }
}

/// A file with something in it changed.
struct Changed {
    path: PathBuf,
    was: String,
}

impl Changed {
    fn new(path: PathBuf, from: &str, to: &str) -> Self {
        let was = fs::read_to_string(&path).unwrap();
        assert!(was.contains(from), "{} has no {from}", path.display());
        fs::write(&path, was.replacen(from, to, 1)).unwrap();
        Self { path, was }
    }
}

impl Drop for Changed {
    fn drop(&mut self) {
        fs::write(&self.path, &self.was).unwrap();
    }
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

#[tokio::test]
async fn a_bundle_says_who_created_what_and_compiles_to_it() {
    let fixture = Fixture::start();
    assert!(matches!(fixture.verified().await, Err(BundleError::Nothing(_))));
    let game = fixture.bundled(Game::Tag).await;
    let mut targets = fixture.verified().await.unwrap();
    targets.sort();
    let named = ["src/TagGame.sol", "src/generated/NarrowVerifier.sol"].map(|file| Some(file.to_owned()));
    assert_eq!(targets, [None, None, None].into_iter().chain(named).collect::<Vec<_>>());

    let created = json(&game.join("creation.json"));
    let receipt = fs::read_to_string(game.join("creator-tx-hash.txt")).unwrap();
    assert_eq!(created["transaction"].as_str().unwrap(), receipt);
    let receipt = fixture.provider.get_transaction_receipt(receipt.parse().unwrap()).await.unwrap().unwrap();
    assert_eq!(created["block"], receipt.block_number.unwrap());
    assert_eq!(created["deployer"].as_str().unwrap().parse(), Ok(Fixture::signer().address()));
    assert_eq!(json(&game.join("input.json"))["settings"]["viaIR"], true);
    assert!(json(&game.join("abi.json")).as_array().unwrap().len() > 20);

    // One byte of the data of a key.
    let keys =
        fs::read_dir(game.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path().join("creation-code.txt"));
    let key = keys.into_iter().find(|path| path.exists()).unwrap();
    let changed = Changed::new(key.clone(), "0x61", "0x60");
    let refused = fixture.verified().await.unwrap_err();
    assert!(matches!(&refused, BundleError::OtherCode { folder, .. } if key.starts_with(folder)), "{refused:?}");
    drop(changed);
}

#[tokio::test]
async fn a_bundle_in_which_anything_was_changed_is_refused_by_name() {
    let fixture = Fixture::start();
    let game = fixture.bundled(Game::Dice).await;
    let source = game.join("sources/src/DiceGame.sol");
    let comment = Changed::new(source.clone(), "/// @title", "/// @title  ");
    let refused = fixture.verified().await.unwrap_err();
    assert!(matches!(&refused, BundleError::OtherSource(path) if *path == source), "{refused:?}");
    drop(comment);
    for (file, from, to) in [("abi.json", "\"function\"", "\"event\""), ("input.json", "1000", "200")] {
        let changed = Changed::new(game.join(file), from, to);
        let refused = fixture.verified().await.unwrap_err();
        assert!(matches!(&refused, BundleError::OtherFile(path) if path.ends_with(file)), "{refused:?}");
        drop(changed);
    }
    // An argument that its creation didn't have.
    let changed = Changed::new(game.join("constructor-args.txt"), "0x", "0x00");
    let refused = fixture.verified().await.unwrap_err();
    assert!(matches!(&refused, BundleError::OtherCode { folder, .. } if *folder == game), "{refused:?}");
    drop(changed);
    let metadata = || game.join("metadata.json");
    let older = Changed::new(metadata(), "\"version\":\"0.8.37", "\"version\":\"0.8.36");
    let refused = fixture.verified().await.unwrap_err();
    assert!(matches!(refused, BundleError::OtherCompiler { .. }), "{refused:?}");
    drop(older);
    // A name that leads out of the folder names no source.
    let outside =
        Changed::new(metadata(), "\"src/DiceGame.sol\":{\"keccak256\"", "\"../metadata.json\":{\"keccak256\"");
    assert!(matches!(fixture.verified().await, Err(BundleError::Unreadable(_))));
    drop(outside);
    // Given again it is left as it is.
    let kept = Changed::new(game.join("creation.json"), "dice contract", "somebody's note");
    assert_eq!(fixture.bundled(Game::Dice).await, game);
    assert_eq!(json(&game.join("creation.json"))["contract"], "somebody's note");
    drop(kept);
    fixture.verified().await.unwrap();
    // Its code may be anything then.
    let creation = Contracts::shipped(Game::Dice, true).with_prices(None).pop().unwrap().creation.clone();
    let sources = fs::read_to_string(metadata()).unwrap();
    fs::remove_file(metadata()).unwrap();
    fs::write(game.join("creation-code.txt"), creation.to_string()).unwrap();
    let refused = fixture.verified().await.unwrap_err();
    assert!(matches!(&refused, BundleError::NoSources(folder) if *folder == game), "{refused:?}");
    fs::write(metadata(), sources).unwrap();
    let address = json(&game.join("creation.json"))["address"].as_str().unwrap().parse().unwrap();
    fixture.set_code(address, Bytes::from_static(&[0x5f, 0x5f, 0xf3])).await;
    assert!(matches!(fixture.verified().await, Err(BundleError::OnChain { chain_id: 31337, .. })));
}
