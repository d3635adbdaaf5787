//! Files of a ceremony's parameters: whatever is read has the size that was asked for, and points of the curve.
#![no_main]

use halo2curves::CurveAffine as _;
use halo2curves::group::prime::PrimeCurveAffine as _;
use prover::Powers;
use rand::rngs::OsRng;

/// The kept files are of this size.
const POWER: u32 = 3;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Ok(powers) = Powers::parse(data, POWER) {
        assert_eq!(powers.g1.len(), 1 << POWER);
        assert!(powers.g1.iter().all(|point| bool::from(point.is_on_curve() & !point.is_identity())));
        // Most are refused here; none may panic.
        let _ = powers.check(OsRng);
    }
});
