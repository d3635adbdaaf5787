//! The seed of a test, and how many cases it draws. The crate `test` includes this file too, so that shipped builds don't switch the feature `testing` on.

/// The seed of a test run: FOGMATE_SEED, or the given one; printed, so that a failure can be repeated.
pub fn seed(default: u64) -> u64 {
    let given = std::env::var("FOGMATE_SEED").ok();
    let seed = given.and_then(|text| text.parse().ok()).unwrap_or(default);
    println!("seed {seed} (FOGMATE_SEED repeats it)");
    seed
}

/// How many of `count` drawn cases a test tries: a quarter, or with FOGMATE_LONG, as `make long` sets it, all.
pub fn cases(count: usize) -> usize {
    if std::env::var_os("FOGMATE_LONG").is_some() { count } else { count.div_ceil(4) }
}
