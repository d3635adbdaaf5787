//! Real ceremony files, the shipped one and another where it is at hand: pinned or known, read, checked, converted and cached.

use crate::common::ceremony::Contents;
use crate::common::{Small, shared_srs};
use circuits::TurnCircuit;
use halo2_proofs::poly::commitment::ParamsProver;
use halo2curves::bn256::Fr;
use halo2curves::ff::Field;
use prover::{Ceremony, Keys, NoProgress, Pin, Progress, Sha256Hash, Srs, SrsError, Stage, Statement as _};
use std::fs;
use std::path::Path;
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
    let pin = Pin::Sha256("f741f2ddee2875915c24db8aae90d021f51181533f1ee3b58baf64b042e91654".parse().unwrap());
    let srs = Srs::load(&file, pin, 8, cache.path(), &NoProgress).unwrap();
    assert!(matches!(srs.ceremony(), Ceremony::PowersOfTau { .. }));
    assert!(srs.ceremony().to_string().starts_with("powers-of-tau:"));
    let keys = Keys::<Small<8, true>>::load_or_make(&srs, cache.path(), &NoProgress).unwrap();
    let proof = keys.prove(&(81, 5), &3, crate::common::rng()).unwrap();
    keys.verify(&(81, 5), &proof).unwrap();
    let too_large = Srs::load(&file, pin, 9, cache.path(), &NoProgress);
    assert!(matches!(too_large, Err(SrsError::TooSmall { powers: 256, k: 9 })));
}

/// The file that is shipped.
fn ignition() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/ceremony/ignition-2e15.bin"))
}

/// The file of a ceremony with fewer powers, as others have cut it.
fn cut(bytes: &[u8], powers: u64) -> Vec<u8> {
    let end = |powers: u64| 8 + 64 * powers as usize;
    let all = u64::from_le_bytes(bytes[..8].try_into().unwrap());
    [&powers.to_le_bytes(), &bytes[8..end(powers)], &bytes[end(all)..]].concat()
}

#[test]
fn ignition_is_converted_once_and_a_damaged_conversion_is_made_anew() {
    let cache = tempfile::tempdir().unwrap();
    let load = |progress: &Listener| Srs::load(ignition(), Pin::Known, 10, cache.path(), progress).unwrap();

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
fn only_pinned_files_and_known_ceremonies_are_taken() {
    let folder = tempfile::tempdir().unwrap();
    let load = |bytes: &[u8], pin| {
        let path = folder.path().join("file");
        fs::write(&path, bytes).unwrap();
        Srs::load(&path, pin, 6, folder.path(), &NoProgress)
    };
    let whole = fs::read(ignition()).unwrap();
    load(&whole, Pin::Sha256(Sha256Hash::of(&whole))).unwrap();
    let other = Sha256Hash::of(b"other");
    assert!(matches!(load(&whole, Pin::Sha256(other)), Err(SrsError::WrongHash { .. })));

    // However a known ceremony was cut, its τ in G2 and the pairing check vouch for it.
    for powers in [64, 65, 4_097] {
        let srs = load(&cut(&whole, powers), Pin::Known).unwrap();
        assert_eq!(srs.ceremony(), Ceremony::Ignition, "{powers}");
    }
    let mut swapped = cut(&whole, 65);
    let (third, fourth) = swapped[8 + 3 * 64..8 + 5 * 64].split_at_mut(64);
    third.swap_with_slice(fourth);
    assert!(matches!(load(&swapped, Pin::Known), Err(SrsError::NotPowersOfTau)));

    let unknown = Contents::new(6, Fr::random(crate::common::rng())).ignition();
    let refused = load(&unknown, Pin::Known).unwrap_err().to_string();
    assert!(refused.contains("is not one of a known ceremony"), "{refused}");
    let hash = Sha256Hash::of(&unknown);
    assert!(refused.contains(&hash.to_string()), "it says what to pin: {refused}");
    load(&unknown, Pin::Sha256(hash)).unwrap();
    let refused = load(&unknown, Pin::Known).unwrap_err().to_string();
    assert!(refused.contains("is not one of a known ceremony"), "pinned once is not known: {refused}");
    let missing = Srs::load(&folder.path().join("missing"), Pin::Known, 6, folder.path(), &NoProgress);
    assert!(matches!(missing, Err(SrsError::Io { .. })));
}

/// At the sizes that the statements need, from the file in the program: the whole conversion, half a minute of work on two cores.
#[test]
fn the_shipped_file_serves_the_statements_size() {
    let cache = tempfile::tempdir().unwrap();
    let srs = Srs::shipped(14, cache.path(), &NoProgress).unwrap();
    assert_eq!(srs.ceremony(), Ceremony::Ignition);
    let line = srs.known_line();
    assert!(TurnCircuit::KNOWN_KEYS.lines().any(|known| known == line), "{line}");
    let keys = Keys::<Small<14, false>>::load_or_make(&srs, cache.path(), &NoProgress).unwrap();
    let proof = keys.prove(&(16, 1), &2, crate::common::rng()).unwrap();
    keys.verify(&(16, 1), &proof).unwrap();
    let bytes = fs::read(ignition()).unwrap();
    prover::Powers::parse(&bytes, 15).unwrap().check(crate::common::rng()).unwrap();
    let sets = Srs::shipped(16, cache.path(), &NoProgress);
    assert!(matches!(sets, Err(SrsError::TooSmall { powers: 32_769, k: 16 })));
}

/// It is the file that its origin has published under this hash.
#[test]
fn the_shipped_file_is_as_its_origin_has_it() {
    let readme = fs::read_to_string(ignition().with_file_name("README.md")).unwrap();
    let hash = Sha256Hash::of(&fs::read(ignition()).unwrap());
    assert_eq!(hash.to_string(), "adfc7e882e487656ce92f4a0542a74c4c92022497fd6e29d70d22e74f5a229fe");
    assert!(readme.contains(&hash.to_string()));
}
