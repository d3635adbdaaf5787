//! Sizes, moduli and noise.
//!
//! **The lattice.** 8,192 coefficients and a modulus `Q` of 218 bits, with keys and errors of the centered binomial distribution of variance 10: 128 bits
//! by the table of the homomorphic encryption standard (2018), which allows 218 bits for this degree. The plaintext modulus 65,537 gives
//! 8,192 slots.
//!
//! **The noise.** A product is made modulo `Q` and switched to `Q'`, the first three primes, 130 bits, before it is opened. Division by the
//! others leaves, in each coefficient, the rounding `ρ₀ + ρ₁·s` with `|ρ| ≤ 1/2` and `s` the sum of both key shares, whose coefficients are 40 at
//! most (52 where a cheat proves the largest that *key share* allows); what was there before, below 2⁷² by the product and 2⁸⁶ by the relinearisation in the worst case, is divided by 2⁸⁸. So
//!
//! ```text
//! |e| ≤ (1 + 8192·52) / 2 + 2 < 2^17.8     for all keys, and
//! |e| ≈ 4.3 · sqrt(8192·20 / 12) ≈ 2^9     for keys as they are drawn (standard deviation 117, the largest of 8,192)
//! ```
//!
//! A decryption share says `s_S·c₁` and hides the sender's part of `e`, a linear function of its key, under a number uniform in
//! `[−2^105, 2^105)` in each coefficient. The distance to a share that doesn't depend on `e` is at most `8192·|e| / 2^106`: **2⁻⁸² and less** for
//! keys as they are drawn (`noise_of_products_is_far_below_the_flood` measures it), 2⁻⁷⁵ for all keys. The opened sum stays right, since
//! `2^105 + |e|` is below `Q' / (2·65537)`, 2¹¹³.

use fhe::bfv::{BfvParameters, BfvParametersBuilder};
use fhe_math::rq::{Context, Poly, Representation};
use fog::engine::{Fault, Game, digest};
use std::sync::{Arc, OnceLock};

/// Coefficients of a polynomial, and slots of a vector.
pub const DEGREE: usize = 8192;
/// The primes whose product is `Q`.
pub const MODULI: [u64; 5] = [0x7ff_fffd_8001, 0x7ff_fffc_8001, 0xfff_ffff_c001, 0xfff_fff6_c001, 0xfff_ffeb_c001];
/// The modulus of slots.
pub const PLAINTEXT: u64 = 65_537;
/// The variance of keys and errors.
pub const VARIANCE: usize = 10;
/// How many primes are dropped before a decryption.
pub const DROPPED: usize = 2;
/// Decryption shares are flooded with numbers in `[−2^FLOOD_BITS, 2^FLOOD_BITS)`.
pub const FLOOD_BITS: u32 = 105;

/// Bytes of a polynomial modulo `Q`.
pub const POLY_BYTES: usize = 223_232;
/// Bytes of a ciphertext.
pub const CIPHERTEXT_BYTES: usize = 2 * POLY_BYTES;
/// Bytes of a decryption share: a polynomial modulo `Q'`.
pub const SHARE_BYTES: usize = 133_120;
/// Polynomials that a player commits to in the set-up: its share of the public key and two rows of the relinearisation key's first round.
pub const OPENED: usize = 1 + 2 * MODULI.len();
/// Their bytes: the largest message.
pub const OPENING_BYTES: usize = OPENED * POLY_BYTES;
/// Bytes of the relinearisation key's second round.
pub const ROUND_2_BYTES: usize = MODULI.len() * POLY_BYTES;

/// The scheme with its tables, made once in a process.
pub struct Parameters {
    pub scheme: Arc<BfvParameters>,
    full: Arc<Context>,
    switched: Arc<Context>,
}

impl Parameters {
    fn new() -> Result<Self, fhe::Error> {
        let mut builder = BfvParametersBuilder::new();
        builder.set_degree(DEGREE).set_plaintext_modulus(PLAINTEXT).set_moduli(&MODULI).set_variance(VARIANCE);
        let scheme = builder.build_arc()?;
        let [full, switched] = [scheme.context_at_level(0)?.clone(), scheme.context_at_level(DROPPED)?.clone()];
        Ok(Self { scheme, full, switched })
    }

    /// The parameters; slow at first.
    pub fn get() -> Result<&'static Self, Fault> {
        static PARAMETERS: OnceLock<Result<Parameters, String>> = OnceLock::new();
        let made = PARAMETERS.get_or_init(|| Self::new().map_err(|error| error.to_string()));
        made.as_ref().map_err(|error| Fault::internal(error.clone()))
    }

    /// The ring of polynomials modulo `Q`.
    pub fn full(&self) -> &Arc<Context> {
        &self.full
    }

    /// The ring of polynomials modulo `Q'`.
    pub fn switched(&self) -> &Arc<Context> {
        &self.switched
    }

    /// The common random polynomials of a game: one for the public key, then one for each prime. They follow from the coin toss, which
    /// neither player could choose.
    pub fn common(&self, game: &Game) -> Vec<Poly> {
        let seed = |number: usize| {
            let game_id = [&game.chain_id.to_be_bytes()[..], &game.contract, &game.game_id].concat();
            digest([&b"fogmate/bfv/common/1"[..], &game_id, &game.toss, &[number as u8]])
        };
        let made = (0..=MODULI.len()).map(|number| {
            let mut poly = Poly::random_from_seed(&self.full, Representation::PowerBasis, seed(number));
            poly.change_representation(Representation::Ntt);
            poly
        });
        made.collect()
    }
}
