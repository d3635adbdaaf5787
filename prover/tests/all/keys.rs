//! Keys on disk: made once, never stale, never trusted when damaged.

use crate::common::Small;
use prover::{KeyError, Keys, NoProgress, Progress, Srs, Stage, Verifier};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

type Statement = Small<8, true>;

/// Counts keys made.
#[derive(Default)]
struct Made(AtomicUsize);

impl Progress for Made {
    fn at(&self, _subject: &str, stage: Stage, fraction: f32) {
        if stage == Stage::MakeVerifyingKey && fraction == 0.0 {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Made {
    fn take(&self) -> usize {
        self.0.swap(0, Ordering::Relaxed)
    }
}

fn key_file(folder: &Path, suffix: &str) -> PathBuf {
    let mut paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.find(|path| path.extension().is_some_and(|found| found == suffix)).unwrap()
}

#[test]
fn keys_are_made_once_and_again_when_damaged() {
    let cache = tempfile::tempdir().unwrap();
    let srs = Srs::development(8, cache.path(), &NoProgress);
    let made = Made::default();
    let load = || Keys::<Statement>::load_or_make(&srs, cache.path(), &made).unwrap();
    load();
    assert_eq!(made.take(), 1);
    let keys = load();
    assert_eq!(made.take(), 0);
    let proof = keys.prove(&(16, 0), &2, crate::common::rng()).unwrap();

    let path = key_file(cache.path(), "pk");
    let whole = fs::read(&path).unwrap();
    for damaged in [0, 20, 60, whole.len() / 3, whole.len() / 2, whole.len() - 1] {
        let mut bytes = whole.clone();
        bytes[damaged] ^= 0x80;
        fs::write(&path, bytes).unwrap();
        let keys = load();
        assert_eq!(made.take(), 1, "byte {damaged}");
        assert_eq!(fs::read(&path).unwrap(), whole);
        keys.verify(&(16, 0), &proof).unwrap();
    }
    fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    load();
    assert_eq!(made.take(), 1);
}

#[test]
fn a_verifier_needs_no_proving_key() {
    let cache = tempfile::tempdir().unwrap();
    let srs = Srs::development(8, cache.path(), &NoProgress);
    let keys = Keys::<Statement>::load_or_make(&srs, cache.path(), &NoProgress).unwrap();
    let proof = keys.prove(&(16, 7), &2, crate::common::rng()).unwrap();
    let other = tempfile::tempdir().unwrap();
    let made = Made::default();
    for expected in [1, 0] {
        let verifier = Verifier::<Statement>::load_or_make(&srs, other.path(), &made).unwrap();
        assert_eq!(made.take(), expected);
        assert_eq!(verifier.key_hash(), keys.verifier().key_hash());
        verifier.verify(&(16, 7), &proof).unwrap();
        assert!(verifier.verify(&(16, 8), &proof).is_err());
    }
    let path = key_file(other.path(), "vk");
    let mut bytes = fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&path, bytes).unwrap();
    Verifier::<Statement>::load_or_make(&srs, other.path(), &made).unwrap();
    assert_eq!(made.take(), 1);
}

#[test]
fn other_circuits_and_other_parameters_have_other_keys() {
    let cache = tempfile::tempdir().unwrap();
    let srs = Srs::development(8, cache.path(), &NoProgress);
    let made = Made::default();
    Keys::<Statement>::load_or_make(&srs, cache.path(), &made).unwrap();
    // The same name, but another transcript, then another size.
    Keys::<Small<8, false>>::load_or_make(&srs, cache.path(), &made).unwrap();
    assert_eq!(made.take(), 2);
    let larger = Srs::development(9, cache.path(), &NoProgress);
    Keys::<Small<9, true>>::load_or_make(&larger, cache.path(), &made).unwrap();
    assert_eq!(made.take(), 1);
    let tau = halo2curves::ff::Field::random(crate::common::rng());
    let file = crate::common::ceremony::Contents::new(8, tau).ptau();
    let other = Srs::from_bytes(&file, 8).unwrap();
    Keys::<Statement>::load_or_make(&other, cache.path(), &made).unwrap();
    assert_eq!(made.take(), 1);
    let wrong = Keys::<Statement>::load_or_make(&larger, cache.path(), &made);
    assert!(matches!(wrong, Err(KeyError::WrongSize { expected: 8, got: 9, .. })));
}

#[test]
fn two_at_a_time_make_the_keys_once() {
    let cache = tempfile::tempdir().unwrap();
    let srs = Srs::development(8, cache.path(), &NoProgress);
    let made = Made::default();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| Keys::<Statement>::load_or_make(&srs, cache.path(), &made).unwrap());
        }
    });
    assert_eq!(made.take(), 1);
}

#[test]
fn development_parameters_are_always_the_same_and_always_marked() {
    let [one, two] = [(); 2].map(|()| {
        let cache = tempfile::tempdir().unwrap();
        Srs::development(6, cache.path(), &NoProgress)
    });
    assert!(one.ceremony().is_development());
    assert_eq!(one.ceremony().to_string(), "development");
    assert_eq!(one.params().s_g2(), two.params().s_g2());
}
