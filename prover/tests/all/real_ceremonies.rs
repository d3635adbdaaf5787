//! The file of Ignition that is shipped, whole and cut: read, checked, converted and cached.

use crate::common::Small;
use crate::common::ceremony::Contents;
use circuits::TurnCircuit;
use halo2_proofs::poly::commitment::ParamsProver;
use halo2curves::bn256::Fr;
use halo2curves::ff::Field;
use prover::{Ceremony, Keys, NoProgress, Progress, Sha256Hash, Srs, SrsError, Stage, Statement as _};
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
    let load = |progress: &Listener| Srs::load(ignition(), 10, cache.path(), progress).unwrap();

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
fn files_of_ignition_alone_are_taken() {
    let folder = tempfile::tempdir().unwrap();
    let load = |bytes: &[u8]| {
        let path = folder.path().join("file");
        fs::write(&path, bytes).unwrap();
        Srs::load(&path, 6, folder.path(), &NoProgress)
    };
    let whole = fs::read(ignition()).unwrap();
    load(&whole).unwrap();

    // However the ceremony was cut, its τ in G2 and the pairing check vouch for it.
    for powers in [64, 65, 4_097] {
        let srs = load(&cut(&whole, powers)).unwrap();
        assert_eq!(srs.ceremony(), Ceremony::Ignition, "{powers}");
    }
    assert!(matches!(load(&cut(&whole, 63)), Err(SrsError::TooSmall { powers: 63, k: 6 })));
    let mut swapped = cut(&whole, 65);
    let (third, fourth) = swapped[8 + 3 * 64..8 + 5 * 64].split_at_mut(64);
    third.swap_with_slice(fourth);
    assert!(matches!(load(&swapped), Err(SrsError::NotPowersOfTau)));

    let refused = load(&Contents::new(6, Fr::random(crate::common::rng())).ignition()).unwrap_err().to_string();
    assert!(refused.contains("another ceremony than Aztec's Ignition"), "{refused}");
    let missing = Srs::load(&folder.path().join("missing"), 6, folder.path(), &NoProgress);
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
