//! Keys on disk: made once, never stale, never trusted when damaged.

use crate::common::Small;
use circuits::{
    AnswerCircuit, AskedCircuit, CapturedCircuit, ChainAnswerCircuit, DecryptionCircuit, FiftyCircuit, ItemCircuit,
    KeyShareCircuit, NoMoveCircuit, OwnStepCircuit, RequestDataCircuit, ShownCircuit, TagCaptureCircuit,
    TagReplyCircuit, TagStepCircuit, TurnCircuit, ViewCircuit,
};
use fog::testing::cases;
use prover::{Backend, KeyError, Keys, NoProgress, Progress, Sha256Hash, Srs, Stage, Statement as _, Verifier};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

type Statement = Small<8, true>;

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
    // A transcript is no part of a key, a size is.
    Keys::<Small<8, false>>::load_or_make(&srs, cache.path(), &made).unwrap();
    assert_eq!(made.take(), 1);
    let larger = Srs::development(9, cache.path(), &NoProgress);
    Keys::<Small<9, true>>::load_or_make(&larger, cache.path(), &made).unwrap();
    assert_eq!(made.take(), 1);
    let other = Srs::shipped(8, cache.path(), &NoProgress).unwrap();
    for _ in 0..2 {
        // No hash is known, so nothing is taken from the folder.
        Keys::<Statement>::load_or_make(&other, cache.path(), &made).unwrap();
        assert_eq!(made.take(), 1);
    }
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

/// Parameters in the cache with another point in place of one of theirs, and the right hash of that.
fn replace_point(path: &Path, from_end: usize, bytes: usize) {
    const BODY: usize = 16 + 32;
    let mut file = fs::read(path).unwrap();
    let at = file.len() - from_end;
    let other = file[BODY..].windows(bytes).rev().nth(3 * 64).unwrap().to_vec();
    file[at..at + bytes].copy_from_slice(&other);
    let hash = hex::decode(Sha256Hash::of(&file[BODY..]).to_string()).unwrap();
    file[16..BODY].copy_from_slice(&hash);
    fs::write(path, file).unwrap();
}

/// Whoever could choose τ could prove anything, so cached parameters are held to the ceremony's: its τ in G2, each power, the Lagrange basis. Those of
/// 2^8 rows are told by their points, those of 2^11 by the hash that the program carries.
#[test]
fn planted_parameters_are_made_anew() {
    for k in [8, 11] {
        let cache = tempfile::tempdir().unwrap();
        let [lagrange, power, tau] = [128 * 2 + 64 * 5, 128 * 2 + (64 << k) + 64 * 5, 128];
        let shipped = || Srs::shipped(k, cache.path(), &NoProgress).unwrap();
        let development = || Srs::development(k, cache.path(), &NoProgress);
        let mut files = Vec::new();
        for load in [&shipped as &dyn Fn() -> Srs, &development] {
            let right = load();
            let line = right.known_line();
            assert_eq!(TurnCircuit::KNOWN_KEYS.lines().any(|known| known == line), k == 11, "{line}");
            let path = fs::read_dir(cache.path()).unwrap().map(|file| file.unwrap().path());
            let path = path
                .filter(|path| path.extension().is_none())
                .max_by_key(|path| fs::metadata(path).unwrap().modified().unwrap())
                .unwrap();
            let whole = fs::read(&path).unwrap();
            for (from_end, bytes) in [(lagrange, 64), (power, 64), (tau, 128)] {
                replace_point(&path, from_end, bytes);
                assert!(fs::read(&path).unwrap() != whole, "{from_end}");
                let again = load();
                assert_eq!((again.ceremony(), again.params().s_g2()), (right.ceremony(), right.params().s_g2()));
                assert!(fs::read(&path).unwrap() == whole, "{from_end} bytes from the end: taken");
            }
            files.push((path, whole));
        }
        // The development parameters in the file of the shipped ones.
        let [(path, whole), (_, other)] = &files[..] else { unreachable!("two ceremonies") };
        fs::write(path, planted(whole, other)).unwrap();
        assert!(!shipped().ceremony().is_development());
        assert!(fs::read(path).unwrap() == *whole, "the development parameters are taken for shipped ones");
    }
}

/// Development parameters that are made without a cache have the hashes that the program carries.
#[test]
fn fresh_development_parameters_have_the_known_hashes() {
    for k in [11, 14, 15, 16] {
        let cache = tempfile::tempdir().unwrap();
        let line = Srs::development(k, cache.path(), &NoProgress).known_line();
        assert!(TurnCircuit::KNOWN_KEYS.lines().any(|known| known == line), "{line}");
    }
}

/// The file of a key as somebody could leave it who may write to the folder: whole, with the right label, but with the payload of another file.
fn planted(file: &[u8], other: &[u8]) -> Vec<u8> {
    const BODY: usize = 16 + 32;
    let payload = |file: &[u8]| {
        let label = u32::from_le_bytes(file[BODY..BODY + 4].try_into().unwrap()) as usize;
        BODY + 4 + label
    };
    let body = [&file[BODY..payload(file)], &other[payload(other)..]].concat();
    let hash = hex::decode(Sha256Hash::of(&body).to_string()).unwrap();
    [&file[..16], &hash, &body].concat()
}

/// Puts another statement's key of the same shape where a statement's own is looked for: a verifier's, then a prover's. Neither is taken.
fn plant<C: prover::Statement, Other: prover::Statement>() {
    let cache = tempfile::tempdir().unwrap();
    let srs = Srs::development(C::K, cache.path(), &NoProgress);
    let [own, other] = ["own", "other"].map(|name| cache.path().join(name));
    let made = Made::default();
    let prover = |folder: &Path| Keys::<C>::load_or_make_for(Backend::Library, &srs, folder, &made).unwrap();
    let verifier = |folder: &Path| Verifier::<C>::load_or_make(&srs, folder, &made).unwrap();
    prover(&own);
    let expected = verifier(&own).key_hash();
    Keys::<Other>::load_or_make_for(Backend::Library, &srs, &other, &made).unwrap();
    Verifier::<Other>::load_or_make(&srs, &other, &made).unwrap();
    assert_eq!(made.take(), 4);
    for suffix in ["vk", "pk"] {
        let path = key_file(&own, suffix);
        let right = fs::read(&path).unwrap();
        fs::write(&path, planted(&right, &fs::read(key_file(&other, suffix)).unwrap())).unwrap();
        let hash = if suffix == "vk" { verifier(&own).key_hash() } else { prover(&own).verifier().key_hash() };
        assert_eq!(hash, expected, "{} {suffix}", C::NAME);
        assert_eq!((made.take(), fs::read(&path).unwrap() == right), (1, true), "{} {suffix}", C::NAME);
    }
}

#[test]
fn keys_of_another_statement_are_not_taken() {
    let pairs = [
        plant::<FiftyCircuit, RequestDataCircuit>,
        plant::<AnswerCircuit, TurnCircuit>,
        plant::<ShownCircuit<false>, AskedCircuit<false>>,
    ];
    pairs.iter().take(cases(pairs.len())).for_each(|plant| plant());
}

/// The ceremonies with which a statement's keys are known.
fn known<C: prover::Statement>() -> Vec<&'static str> {
    let words = C::KNOWN_KEYS.lines().map(|line| line.split(' ').collect::<Vec<_>>());
    words.filter(|words| words[0] == C::NAME).map(|words| words[1]).collect()
}

/// The ceremony that the program carries is large enough for all but the sets.
#[test]
fn every_statement_has_its_keys_known() {
    let shipped = ["development", "ignition"];
    assert_eq!(known::<TurnCircuit>(), shipped);
    assert_eq!(known::<FiftyCircuit>(), shipped);
    assert_eq!(known::<NoMoveCircuit>(), shipped);
    assert_eq!(known::<AnswerCircuit>(), shipped);
    assert_eq!(known::<ChainAnswerCircuit>(), shipped);
    assert_eq!(known::<RequestDataCircuit>(), shipped);
    assert_eq!(known::<TagStepCircuit>(), shipped);
    assert_eq!(known::<TagReplyCircuit>(), shipped);
    assert_eq!(known::<TagCaptureCircuit>(), shipped);
    assert_eq!(known::<ItemCircuit>(), shipped);
    assert_eq!(known::<ViewCircuit>(), shipped);
    assert_eq!(known::<OwnStepCircuit>(), shipped);
    assert_eq!(known::<DecryptionCircuit>(), shipped);
    assert_eq!(known::<KeyShareCircuit>(), shipped);
    assert_eq!(known::<CapturedCircuit>(), shipped);
    assert_eq!(known::<ShownCircuit<false>>(), shipped[..1]);
    assert_eq!(known::<AskedCircuit<false>>(), shipped[..1]);
}
