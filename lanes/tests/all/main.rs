//! Sums, transforms, polynomials and programs on each backend against `halo2curves`.

mod polynomials;
mod programs;
mod sums;
mod transforms;

use lanes::Lanes;

/// The portable backend, and the processor's where it has one. Where it must have one, a test beside the field's says so.
fn backends() -> Vec<Lanes> {
    let fast = Lanes::detect();
    if fast.is_none() {
        println!("not run: this processor has no AVX-512 IFMA");
    }
    [Lanes::portable()].into_iter().chain(fast).collect()
}
