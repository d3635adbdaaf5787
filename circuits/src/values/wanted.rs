//! What near misses are still to be drawn.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Debug,
};

/// So many of each kind `K`, and each way `W` in which one may show at least once.
pub struct Wanted<K, W> {
    kinds: BTreeMap<K, usize>,
    ways: BTreeSet<W>,
}

impl<K: Ord + Debug, W: Ord + Debug> Wanted<K, W> {
    /// At least so many of each of these kinds, and each of these ways.
    pub fn new(least: usize, kinds: impl IntoIterator<Item = K>, ways: impl IntoIterator<Item = W>) -> Self {
        Self { kinds: kinds.into_iter().map(|kind| (kind, least)).collect(), ways: ways.into_iter().collect() }
    }

    /// Whether a near miss of these kinds that shows in these ways is still wanted, which it isn't any more then.
    pub fn take(&mut self, kinds: impl IntoIterator<Item = K>, ways: impl IntoIterator<Item = W>) -> bool {
        let mut is_wanted = false;
        for kind in BTreeSet::from_iter(kinds) {
            if let Some(left) = self.kinds.get_mut(&kind).filter(|left| **left > 0) {
                *left -= 1;
                is_wanted = true;
            }
        }
        ways.into_iter().fold(is_wanted, |is_wanted, way| self.ways.remove(&way) || is_wanted)
    }

    /// Whether all has been drawn.
    pub fn is_over(&self) -> bool {
        self.ways.is_empty() && self.kinds.values().all(|left| *left == 0)
    }

    /// Fails if something wasn't drawn.
    pub fn assert_all_drawn(&self) {
        assert!(self.ways.is_empty(), "never drawn: {:?}", self.ways);
        let few: Vec<_> = self.kinds.iter().filter(|(_, left)| **left > 0).collect();
        assert!(few.is_empty(), "kinds of which more are wanted: {few:?}");
    }
}
