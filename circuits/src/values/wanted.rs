//! What near misses are still to be drawn.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Debug,
};

/// So many of each kind, and each way in which a kind may show at least once.
pub struct Wanted<K, W> {
    kinds: BTreeMap<K, usize>,
    ways: BTreeSet<(K, W)>,
}

impl<K: Copy + Ord + Debug, W: Copy + Ord + Debug> Wanted<K, W> {
    /// Of each kind that has a way.
    pub fn new(least: usize, ways: impl IntoIterator<Item = (K, W)>) -> Self {
        let ways = BTreeSet::from_iter(ways);
        Self { kinds: ways.iter().map(|(kind, _)| (*kind, least)).collect(), ways }
    }

    /// Whether what a near miss shows is still wanted, which it isn't any more then.
    pub fn take(&mut self, shown: &[(K, W)]) -> bool {
        let mut is_wanted = false;
        for kind in BTreeSet::from_iter(shown.iter().map(|(kind, _)| kind)) {
            if let Some(left) = self.kinds.get_mut(kind).filter(|left| **left > 0) {
                *left -= 1;
                is_wanted = true;
            }
        }
        shown.iter().fold(is_wanted, |is_wanted, way| self.ways.remove(way) || is_wanted)
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
