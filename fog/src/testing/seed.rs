//! The seed of a test, and how many cases it draws. The crate `test` includes this file too, so that shipped builds don't switch the feature `testing` on.

/// The seed of a test run: FOGMATE_SEED, or the given one; printed, so that a failure can be repeated.
pub fn seed(default: u64) -> u64 {
    let given = std::env::var("FOGMATE_SEED").ok();
    let seed = given.and_then(|text| text.parse().ok()).unwrap_or(default);
    println!("seed {seed} (FOGMATE_SEED repeats it)");
    seed
}

/// Whether tests shall leave out nothing: where FOGMATE_LONG is set, as `make long` does.
pub fn is_long() -> bool {
    std::env::var_os("FOGMATE_LONG").is_some()
}

/// How many of `count` drawn cases a test tries: a quarter, or all.
pub fn cases(count: usize) -> usize {
    if is_long() { count } else { count.div_ceil(4) }
}
