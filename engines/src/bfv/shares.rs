//! The statement *key share* (engine `bfv-steps`): all that a player says in the set-up is made from one small key.
//!
//! With the letters of [`key_share`](super::key_share), of which capitals are sums of both players, the player knows small `s` and `u` with
//!
//! ```text
//! b + a·s = small
//! h_j + a_j·u − w_j·s = small
//! k_j − a_j·s = small
//! r_j − (H_j − K_j)·s − K_j·u = small
//! ```
//!
//! modulo `Q`, for each of the five primes. So the joint relinearisation key encrypts the square of the joint key and nothing else, if both players prove this: products are what they should be,
//! whatever a cheat gives as its shares. That `s` and `u` were drawn at random isn't said, and only their owner loses by others.

use super::{
    integers::{KeyAndMask, are_small, column, guarded, is_small, moduli, secret},
    parameters::{MODULI, OPENED},
};
use crate::Unmet;
use fhe_math::rq::Poly;
use fog::{F, engine::Fault};
use num_bigint::BigUint;
use std::array;
use zeroize::Zeroizing;

/// Bytes of every proof of *key share*. Known before there are keys, since the sizes of messages are.
pub const KEY_SHARE_BYTES: usize = 12_032;

/// How many columns of [`DEGREE`](super::parameters::DEGREE) public inputs the statement has: two, and six for each prime.
pub const KEY_SHARE_COLUMNS: usize = 2 + 6 * MODULI.len();

fog::statement! {
    /// *key share*: a player's shares of the joint keys are made from one small key.
    KeyShareStatement: KeySharePublic, KeyAndMask
}

/// What both players see: polynomials modulo `Q`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeySharePublic {
    /// The common random polynomial `a` of the public keys.
    pub common: Poly,
    /// The player's share `b` of the public key.
    pub share: Poly,
    pub primes: [OfPrime; MODULI.len()],
}

/// What belongs to one prime.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfPrime {
    /// The common random polynomial `a_j`.
    pub common: Poly,
    /// `h_j` of the player's opening.
    pub first: Poly,
    /// `k_j` of the player's opening.
    pub second: Poly,
    /// What the player's key is multiplied by in the second round, `H_j − K_j`.
    pub difference: Poly,
    /// What the player's mask is multiplied by, `K_j`.
    pub joint: Poly,
    /// `r_j` of the player's second round.
    pub round_2: Poly,
}

impl KeySharePublic {
    /// What a player has said in the set-up: its opening and its second round, given the common polynomials and the sum of both openings.
    pub fn new(common: &[Poly], opening: &[Poly], opened: &[Poly], round_2: &[Poly]) -> Result<Self, Fault> {
        let ((first, second), (joint_first, joint_second)) = (rows(opening)?, rows(opened)?);
        fog::ensure!(common.len() == MODULI.len() + 1, Fault::internal("another number of common polynomials"));
        fog::ensure!(round_2.len() == MODULI.len(), Fault::internal("another number of polynomials in a second round"));
        let primes = array::from_fn(|number| OfPrime {
            common: common[number + 1].clone(),
            first: first[number].clone(),
            second: second[number].clone(),
            difference: &joint_first[number] - &joint_second[number],
            joint: joint_second[number].clone(),
            round_2: round_2[number].clone(),
        });
        Ok(Self { common: common[0].clone(), share: opening[0].clone(), primes })
    }

    /// The public inputs: coefficients from 0 to `Q`, lowest power first, of `a` and `b`, then for each prime of `a_j`, `h_j`, `k_j`, `H_j − K_j`, `K_j` and `r_j`.
    pub fn columns(&self) -> Vec<Vec<F>> {
        let of_primes = self
            .primes
            .iter()
            .flat_map(|of| [&of.common, &of.first, &of.second, &of.difference, &of.joint, &of.round_2]);
        [&self.common, &self.share].into_iter().chain(of_primes).map(column).collect()
    }

    /// All columns in one list.
    pub fn to_instance(&self) -> Vec<F> {
        self.columns().concat()
    }
}

/// The rows `H` and `K` of an opening, or of the sum of both.
pub fn rows(sum: &[Poly]) -> Result<(&[Poly], &[Poly]), Fault> {
    fog::ensure!(sum.len() == OPENED, Fault::internal("an opening has another number of polynomials"));
    Ok(sum[1..].split_at(MODULI.len()))
}

/// The numbers `w_j`: 1 modulo the j-th prime, 0 modulo the others.
pub fn weights() -> [BigUint; MODULI.len()] {
    let [q, _] = moduli();
    MODULI.map(|prime| {
        let others = &q / prime;
        let inverse = others.modinv(&prime.into()).unwrap_or_default();
        others * inverse
    })
}

/// The relations of *key share*, by the library's arithmetic.
pub fn check(public: &KeySharePublic, private: &KeyAndMask) -> Result<(), Unmet> {
    fog::ensure!(are_small(&private.key) && are_small(&private.mask), Unmet::Large);
    let of = |vector: &[i64]| secret(vector, public.share.ctx()).ok_or(Unmet::Ring);
    let (key, mask) = (of(&private.key)?, of(&private.mask)?);
    fog::ensure!(is_small(&(&public.share + &(&guarded(&public.common) * &*key))), Unmet::Key);
    for (OfPrime { common, first, second, difference, joint, round_2 }, weight) in public.primes.iter().zip(weights()) {
        let common = guarded(common);
        let without_key = first - &*Zeroizing::new(&*key * &weight);
        fog::ensure!(is_small(&(&without_key + &(&common * &*mask))), Unmet::First);
        fog::ensure!(is_small(&(second - &(&common * &*key))), Unmet::Second);
        let without_key = round_2 - &(&guarded(difference) * &*key);
        fog::ensure!(is_small(&(&without_key - &(&guarded(joint) * &*mask))), Unmet::Round2);
    }
    Ok(())
}
