//! A Bloom filter of the sender's tags: 50,560 bits, 30 hashes.
//!
//! It holds 1,168 tags, dummies included, so its number of ones tells nothing of the board. Sized for 2⁻³⁰: a filter with the share
//! `p` of ones takes a tag that isn't there with probability `p³⁰`, and with 1,168 tags `p` is half. Hence one false positive in 2³⁰ tags
//! asked, one in 2¹⁹·⁶ exchanges of 1,344. A filter with more ones than chance gives is refused: its maker wants false positives.

use super::group::Encoded;
use sha3::{
    Shake256,
    digest::{ExtendableOutput, Update, XofReader},
};

/// Bytes of a filter.
pub const FILTER_BYTES: usize = 6320;
const BITS: u64 = 8 * FILTER_BYTES as u64;
const HASHES: usize = 30;
/// Most ones of an honest filter: 11 standard deviations above the mean of 25,282.
pub const MOST_ONES: u32 = 26_000;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Filter(Vec<u8>);

/// A filter that takes too much.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("the filter has {0} ones, but the sets that it is for leave at most {MOST_ONES}")]
pub struct TooFull(u32);

impl Filter {
    /// The filter of tags.
    pub fn of(tags: &[Encoded]) -> Self {
        let mut bytes = vec![0; FILTER_BYTES];
        for bit in tags.iter().flat_map(bits) {
            bytes[bit / 8] |= 1 << (bit % 8);
        }
        Self(bytes)
    }

    /// A filter of [`FILTER_BYTES`] bytes as received.
    pub fn read(bytes: &[u8]) -> Result<Self, TooFull> {
        let ones = bytes.iter().map(|byte| byte.count_ones()).sum();
        fog::ensure!(ones <= MOST_ONES, TooFull(ones));
        Ok(Self(bytes.to_vec()))
    }

    /// Its bytes: bit `i` of byte `j` is bit `8j + i`.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.clone()
    }

    /// Whether it takes a tag: surely if it was made of it, else with the probability above.
    pub fn takes(&self, tag: &Encoded) -> bool {
        bits(tag).all(|bit| self.0.get(bit / 8).is_some_and(|byte| byte >> (bit % 8) & 1 == 1))
    }
}

fn bits(tag: &Encoded) -> impl Iterator<Item = usize> + use<> {
    let mut reader = Shake256::default().chain(b"fogmate/psi/bloom/1").chain(tag).finalize_xof();
    (0..HASHES).map(move |_| {
        let mut bytes = [0; 8];
        reader.read(&mut bytes);
        // The bias of this reduction is below 2⁻⁴⁸.
        (u64::from_le_bytes(bytes) % BITS) as usize
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fog::testing::seed;
    use rand::{Rng, SeedableRng, rngs::StdRng};

    const TAGS: usize = 1168;

    /// The rate itself, 2⁻³⁰, is too small to be seen. It follows from the share of ones; that three hashes hit them one time in eight
    /// is seen.
    #[test]
    fn it_takes_what_it_holds_and_its_ones_are_as_many_as_stated() {
        let mut rng = StdRng::seed_from_u64(seed(121));
        for _ in 0..4 {
            let tags: Vec<Encoded> = (0..TAGS).map(|_| rng.r#gen()).collect();
            let filter = Filter::of(&tags);
            assert!(tags.iter().all(|tag| filter.takes(tag)));
            let others = (0..10_000).filter(|_| filter.takes(&rng.r#gen())).count();
            assert_eq!(others, 0);
            let ones: u32 = filter.0.iter().map(|byte| byte.count_ones()).sum();
            assert!(ones.abs_diff(25_282) < 400, "{ones}");
            let share = f64::from(ones) / BITS as f64;
            assert!((-30.9..-29.1).contains(&(f64::from(HASHES as u32) * share.log2())));
            let three_hits =
                (0..40_000).filter(|_| bits(&rng.r#gen()).take(3).all(|bit| filter.0[bit / 8] >> (bit % 8) & 1 == 1));
            let three_hits = three_hits.count();
            assert!(three_hits.abs_diff(5_000) < 600, "{three_hits}");
        }
    }

    #[test]
    fn a_full_filter_is_refused() {
        assert_eq!(Filter::read(&[0xff; FILTER_BYTES]), Err(TooFull(8 * FILTER_BYTES as u32)));
        let half = [0x55; FILTER_BYTES];
        assert_eq!(Filter::read(&half).expect("half of its bits").to_bytes(), half);
    }
}
