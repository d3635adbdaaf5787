//! Golden files: what today's program writes and says, which no change of its structure may change.

use std::path::Path;

/// Compares text with a file of `test/data/golden`, which `make golden` writes anew.
///
/// # Panics
/// If it differs, with the first line that does.
pub fn golden(name: &str, now: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../test/data/golden").join(name);
    if std::env::var("FOGMATE_GOLDEN").as_deref() == Ok("write") {
        std::fs::write(&path, now).expect("the file can be written");
    }
    let known = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let differs = known.lines().zip(now.lines()).find(|(known, now)| known != now);
    assert!(
        known == now,
        "test/data/golden/{name} is not what this program gives: first {differs:?}, {} lines then, {} now. If the format is \
         changed on purpose, `make golden` writes the file anew",
        known.lines().count(),
        now.lines().count()
    );
}
