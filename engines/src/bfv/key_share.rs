//! One player's shares of the joint keys (Mouchet and others, protocols 1 and 2). With `a` and `a_j` the common random polynomials, `w_j` the number that is
//! 1 modulo the j-th prime and 0 modulo the others, `s` and `u` the player's secrets, every `e` a fresh error, and capitals sums of both
//! players:
//!
//! ```text
//! opening  b = e − a·s,  h_j = e + w_j·s − a_j·u,  k_j = e + a_j·s
//! round 2  r_j = H_j·s + K_j·(u − s) + e
//! keys     public (B, a), relinearisation (R_j, K_j)
//! ```
//!
//! The protocol's second round has two polynomials for each `j` whose sum alone is used; that sum is sent, with one error. What the second error would add is little beside `(e − e')·s`, which the sum has anyhow.
//! *key share* ([`shares`](super::shares)) is the proof that all is made so.

use super::{
    integers::{KeyAndMask, secret},
    parameters::{DEGREE, OPENED, Parameters, VARIANCE},
    shares::{rows, weights},
};
use fhe::{bfv::SecretKey, proto::bfv::SecretKey as SecretKeyProto};
use fhe_math::rq::{Context, Poly, Representation};
use fhe_traits::DeserializeParametrized;
use fhe_util::sample_vec_cbd;
use fog::engine::Fault;
use prost::Message;
use rand_chacha_09::ChaCha20Rng;
use std::sync::Arc;
use zeroize::Zeroizing;

pub struct KeyShare {
    /// The coefficients of `s` and of the polynomial `u` that masks it, lowest power first.
    pub secrets: KeyAndMask,
    /// `s`, for the library.
    pub secret: SecretKey,
    /// The secret `s` modulo `Q`.
    full: Zeroizing<Poly>,
    /// The secret `s` modulo `Q'`.
    pub switched: Zeroizing<Poly>,
    /// The mask `u` modulo `Q`.
    masking: Zeroizing<Poly>,
    /// What the player commits to: `b`, all `h_j`, all `k_j`.
    pub opening: Vec<Poly>,
}

fog::redacted!(KeyShare);

/// The coefficients of a key, a mask or an error, as the library draws them.
pub fn small_vector(rng: &mut ChaCha20Rng) -> Result<Zeroizing<Vec<i64>>, Fault> {
    sample_vec_cbd(DEGREE, VARIANCE, rng).map(Zeroizing::new).map_err(Fault::internal)
}

fn small(context: &Arc<Context>, rng: &mut ChaCha20Rng) -> Result<Zeroizing<Poly>, Fault> {
    Poly::small(context, Representation::Ntt, VARIANCE, rng).map(Zeroizing::new).map_err(Fault::internal)
}

/// `x·y + e` with a fresh error.
fn masked(x: &Poly, y: &Poly, rng: &mut ChaCha20Rng) -> Result<Poly, Fault> {
    let mut product = x * y;
    product += &*small(x.ctx(), rng)?;
    Ok(product)
}

impl KeyShare {
    /// Draws secrets and makes the opening.
    pub fn new(parameters: &Parameters, common: &[Poly], rng: &mut ChaCha20Rng) -> Result<Self, Fault> {
        let key = small_vector(rng)?;
        let of = |vector: &[i64], context| {
            secret(vector, context).ok_or_else(|| Fault::internal("a vector that is no polynomial"))
        };
        let (full, switched) = (of(&key, parameters.full())?, of(&key, parameters.switched())?);
        let mut proto = SecretKeyProto { coeffs: key.to_vec() };
        let bytes = Zeroizing::new(proto.encode_to_vec());
        zeroize::Zeroize::zeroize(&mut proto.coeffs);
        let of_library = SecretKey::from_bytes(&bytes, &parameters.scheme).map_err(Fault::internal)?;
        let mask = small_vector(rng)?;
        let masking = of(&mask, parameters.full())?;
        let secrets = KeyAndMask { key, mask };
        let opening = Vec::with_capacity(OPENED);
        let mut share = Self { secrets, secret: of_library, full, switched, masking, opening };
        share.opening = share.make_opening(common, rng)?;
        Ok(share)
    }

    fn make_opening(&self, common: &[Poly], rng: &mut ChaCha20Rng) -> Result<Vec<Poly>, Fault> {
        let [of_public, rest @ ..] = common else {
            return Err(Fault::internal("there are no common polynomials"));
        };
        let mut opening = vec![masked(&-of_public, &self.full, rng)?];
        for (common, weight) in rest.iter().zip(weights()) {
            let mut first = masked(&-common, &self.masking, rng)?;
            first += &*Zeroizing::new(&*self.full * &weight);
            opening.push(first);
        }
        for common in rest {
            opening.push(masked(common, &self.full, rng)?);
        }
        Ok(opening)
    }

    /// The second round, given the sum of both openings.
    pub fn round_2(&self, sum: &[Poly], rng: &mut ChaCha20Rng) -> Result<Vec<Poly>, Fault> {
        let (first, second) = rows(sum)?;
        let made = first.iter().zip(second).map(|(first, second)| {
            let mut share = masked(&(first - second), &self.full, rng)?;
            share += &*Zeroizing::new(second * &*self.masking);
            Ok(share)
        });
        made.collect()
    }
}

/// Sums of polynomials, one by one.
pub fn sum(ours: &[Poly], theirs: &[Poly]) -> Vec<Poly> {
    ours.iter().zip(theirs).map(|(ours, theirs)| ours + theirs).collect()
}
