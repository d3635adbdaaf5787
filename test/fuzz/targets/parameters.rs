//! Files of a ceremony's parameters, in either format. Whatever is taken has the size that was asked for, and no secret that everybody knows.
#![no_main]

use prover::Srs;

/// The kept files are of this size.
const POWER: u32 = 3;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Ok(srs) = Srs::from_bytes(data, POWER) {
        assert_eq!(srs.k(), POWER);
        assert!(!srs.ceremony().is_development());
    }
});
