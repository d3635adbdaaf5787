//! The real ceremony files, where they are: pinned, read, checked, converted and cached.

use crate::common::{Small, shared_srs};
use halo2_proofs::poly::commitment::ParamsProver;
use prover::{Ceremony, Keys, NoProgress, Pin, Progress, Sha256Hash, Srs, SrsError, Stage};
use std::fs;
use std::sync::Mutex;

/// Remembers what it was told.
#[derive(Default)]
struct Listener(Mutex<(Vec<Stage>, Vec<String>)>);

impl Progress for Listener {
    fn at(&self, _subject: &str, stage: Stage, _fraction: f32) {
        self.0.lock().unwrap().0.push(stage);
    }

    fn notice(&self, message: &str) {
        self.0.lock().unwrap().1.push(message.to_owned());
    }
}

impl Listener {
    fn saw(&self, stage: Stage) -> bool {
        self.0.lock().unwrap().0.contains(&stage)
    }

    fn notices(&self) -> Vec<String> {
        self.0.lock().unwrap().1.clone()
    }
}

#[test]
fn hermez_proves_and_verifies() {
    let Some(file) = shared_srs("hermez-2e8.ptau") else {
        return;
    };
    let cache = tempfile::tempdir().unwrap();
    let srs = Srs::load(&file, Pin::Known, 8, cache.path(), &NoProgress).unwrap();
    assert!(matches!(srs.ceremony(), Ceremony::PowersOfTau { .. }));
    assert_eq!(srs.ceremony().to_string().parse(), Ok(srs.ceremony()));
    let keys = Keys::<Small<8, true>>::load_or_make(&srs, cache.path(), &NoProgress).unwrap();
    let proof = keys.prove(&(81, 5), &3, crate::common::rng()).unwrap();
    keys.verify(&(81, 5), &proof).unwrap();
    let too_large = Srs::load(&file, Pin::Known, 9, cache.path(), &NoProgress);
    assert!(matches!(too_large, Err(SrsError::TooSmall { powers: 256, k: 9 })));
}

#[test]
fn ignition_is_converted_once_and_a_damaged_conversion_is_made_anew() {
    let Some(file) = shared_srs("aztec-ignition-2e15.bin") else {
        return;
    };
    let cache = tempfile::tempdir().unwrap();
    let load = |progress: &Listener| Srs::load(&file, Pin::Known, 10, cache.path(), progress).unwrap();

    let first = Listener::default();
    let srs = load(&first);
    assert_eq!(srs.ceremony(), Ceremony::Ignition);
    assert!(first.saw(Stage::CheckCeremony) && first.saw(Stage::LagrangeBasis));

    let second = Listener::default();
    let cached = load(&second);
    assert!(!second.saw(Stage::CheckCeremony) && !second.saw(Stage::LagrangeBasis));
    assert_eq!(second.notices(), Vec::<String>::new());
    assert_eq!(cached.params().get_g(), srs.params().get_g());

    let named = |entry: fs::DirEntry| entry.path();
    let mut entries = fs::read_dir(cache.path()).unwrap().map(|entry| named(entry.unwrap()));
    let converted = entries.find(|path| path.extension().is_none()).unwrap();
    let whole = fs::read(&converted).unwrap();
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 0x10;
    fs::write(&converted, damaged).unwrap();
    let third = Listener::default();
    load(&third);
    assert!(third.saw(Stage::LagrangeBasis));
    assert_eq!(third.notices().len(), 1, "{:?}", third.notices());
    assert_eq!(fs::read(&converted).unwrap(), whole);
}

#[test]
fn only_pinned_files_are_taken() {
    let Some(file) = shared_srs("hermez-2e8.ptau") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let bytes = fs::read(&file).unwrap();
    let hash = Sha256Hash::of(&bytes);
    let load = |path: &std::path::Path, pin| Srs::load(path, pin, 6, folder.path(), &NoProgress);
    load(&file, Pin::Sha256(hash)).unwrap();
    let other = Sha256Hash::of(b"other");
    assert!(matches!(load(&file, Pin::Sha256(other)), Err(SrsError::WrongHash { .. })));

    // The last byte belongs to a section that nobody reads, so only the hash can tell.
    let mut changed = bytes;
    *changed.last_mut().unwrap() ^= 1;
    let path = folder.path().join("changed.ptau");
    fs::write(&path, &changed).unwrap();
    assert!(matches!(load(&path, Pin::Known), Err(SrsError::UnknownHash(_))));
    load(&path, Pin::Sha256(Sha256Hash::of(&changed))).unwrap();
    let missing = load(&folder.path().join("missing.ptau"), Pin::Known);
    assert!(matches!(missing, Err(SrsError::Io { .. })));
}

/// At the sizes that the statements need: the whole conversion, half a minute of work on two cores.
#[test]
fn ignition_serves_the_statements_size() {
    let Some(file) = shared_srs("aztec-ignition-2e15.bin") else {
        return;
    };
    let cache = tempfile::tempdir().unwrap();
    let srs = Srs::load(&file, Pin::Known, 14, cache.path(), &NoProgress).unwrap();
    let keys = Keys::<Small<14, false>>::load_or_make(&srs, cache.path(), &NoProgress).unwrap();
    let proof = keys.prove(&(16, 1), &2, crate::common::rng()).unwrap();
    keys.verify(&(16, 1), &proof).unwrap();
    let bytes = fs::read(&file).unwrap();
    prover::Powers::parse(&bytes, 15).unwrap().check(crate::common::rng()).unwrap();
}
