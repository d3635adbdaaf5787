//! Polynomials as bytes: the residues of all coefficients modulo the first prime, lowest power first, then modulo the second and so on,
//! each in as many bits as the prime has, lowest bit first. Every polynomial has one form of bytes, and no other bytes are read: the
//! library's own form says besides how it was kept, and whether secrets may leak through time.

use super::{parameters::DEGREE, refusal::Refusal};
use fhe_math::rq::{Context, Poly, Representation, traits::TryConvertFrom};
use fhe_math::zq::Modulus;
use fog::engine::Fault;
use std::sync::Arc;

/// Bytes of a polynomial.
pub fn size(context: &Context) -> usize {
    context.moduli_operators().iter().map(row_size).sum()
}

fn row_size(modulus: &Modulus) -> usize {
    modulus.serialization_length(DEGREE)
}

/// The bytes of polynomials of any representation, one after the other.
pub fn write<'a>(polys: impl IntoIterator<Item = &'a Poly>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for poly in polys {
        let mut poly = poly.clone();
        poly.change_representation(Representation::PowerBasis);
        let context = poly.ctx().clone();
        for (row, modulus) in poly.coefficients().outer_iter().zip(context.moduli_operators()) {
            bytes.extend(modulus.serialize_vec(&row.to_vec()));
        }
    }
    bytes
}

/// Reads message `index`: as many polynomials as it has bytes for, transformed for products.
pub fn read(index: usize, bytes: &[u8], context: &Arc<Context>) -> Result<Vec<Poly>, Fault> {
    bytes.chunks(size(context)).map(|bytes| read_one(index, bytes, context)).collect()
}

/// Reads one polynomial of message `index`, transformed for products.
pub fn read_one(index: usize, mut bytes: &[u8], context: &Arc<Context>) -> Result<Poly, Fault> {
    let mut all = Vec::with_capacity(context.moduli().len() * DEGREE);
    for modulus in context.moduli_operators() {
        let (row, rest) = bytes.split_at_checked(row_size(modulus)).ok_or_else(|| Fault::internal("a wrong size"))?;
        let row = modulus.deserialize_vec(row);
        fog::ensure!(row.iter().all(|value| *value < **modulus), Fault::malformed(index, Refusal::Coefficient));
        all.extend(row);
        bytes = rest;
    }
    let mut poly = Poly::try_convert_from(all, context, false, Representation::PowerBasis).map_err(Fault::internal)?;
    poly.change_representation(Representation::Ntt);
    Ok(poly)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bfv::parameters::{POLY_BYTES, Parameters, SHARE_BYTES};

    #[test]
    fn polynomials_come_back_and_no_other_bytes_are_read() {
        let parameters = Parameters::get().expect("right parameters");
        for (context, bytes) in [(parameters.full(), POLY_BYTES), (parameters.switched(), SHARE_BYTES)] {
            assert_eq!(size(context), bytes);
            let poly = Poly::random_from_seed(context, Representation::Ntt, [7; 32]);
            let written = write([&poly, &poly]);
            assert_eq!(written.len(), 2 * bytes);
            assert_eq!(read(3, &written, context).expect("right bytes"), [poly.clone(), poly]);
            // The modulus itself in place of zero, in the last coefficient of the last row: its highest bits.
            let last = *context.moduli().last().expect("a modulus");
            let row = [vec![0; DEGREE - 1], vec![last - 1]].concat();
            let right = Modulus::new(last).expect("a modulus").serialize_vec(&row);
            let mut zeros = vec![0; bytes - right.len()];
            zeros.extend(right);
            assert!(read(3, &zeros, context).is_ok());
            let above = [vec![0; DEGREE - 1], vec![last]].concat();
            let wrong = Modulus::new(last).expect("a modulus").serialize_vec(&above);
            let place = bytes - wrong.len();
            zeros[place..].copy_from_slice(&wrong);
            assert!(matches!(read(3, &zeros, context), Err(Fault::Malformed { index: 3, .. })));
        }
    }
}
