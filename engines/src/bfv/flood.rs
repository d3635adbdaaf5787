//! Noise flooding: the uniform polynomial that hides the noise of what is decrypted.

use super::parameters::{DEGREE, FLOOD_BITS};
use fhe_math::rq::{Context, Poly, Representation, traits::TryConvertFrom};
use fog::engine::Fault;
use rand_chacha_09::{ChaCha20Rng, rand_core::RngCore};
use std::sync::Arc;
use zeroize::Zeroizing;

/// A polynomial whose coefficients are uniform in `[−2^FLOOD_BITS, 2^FLOOD_BITS)`, transformed for sums with products. Its time doesn't depend
/// on what is drawn.
pub fn flood(context: &Arc<Context>, rng: &mut ChaCha20Rng) -> Result<Zeroizing<Poly>, Fault> {
    let mask = (1_u128 << (FLOOD_BITS + 1)) - 1;
    let mut draw = || (u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64())) & mask;
    let drawn = Zeroizing::new((0..DEGREE).map(|_| draw()).collect::<Vec<u128>>());
    let mut residues = Vec::with_capacity(context.moduli().len() * DEGREE);
    for modulus in context.moduli_operators() {
        let half = modulus.reduce_u128(1 << FLOOD_BITS);
        residues.extend(drawn.iter().map(|number| modulus.sub(modulus.reduce_u128(*number), half)));
    }
    let poly = Poly::try_convert_from(residues, context, false, Representation::PowerBasis);
    let mut poly = Zeroizing::new(poly.map_err(Fault::internal)?);
    poly.change_representation(Representation::Ntt);
    Ok(poly)
}
