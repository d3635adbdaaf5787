//! Which ranges of blocks are asked for: common nodes grant a few thousand blocks at once, some much less.

/// Blocks asked for at once: public nodes refuse much more.
const RANGE: u64 = 2_000;

/// Pieces of one size that are granted before twice as many blocks are tried: where more is refused for good, so seldom costs little.
const GRANTED: u32 = 8;

/// How many blocks are asked for at once, as a node has granted and refused them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    size: u64,
    /// Pieces of this size that were granted.
    granted: u32,
}

impl Default for Pace {
    fn default() -> Self {
        Self { size: RANGE, granted: 0 }
    }
}

/// A range of blocks that is asked for piece by piece. A piece that the node refuses is halved; where it grants some, larger ones are tried
/// again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranges {
    start: u64,
    to: u64,
    pace: Pace,
}

impl Ranges {
    /// All blocks from `from` to `to`, both included.
    pub fn new(from: u64, to: u64) -> Self {
        Self::of(from, to, Pace::default())
    }

    /// All blocks from `from` to `to`, both included, so many at once.
    pub fn of(from: u64, to: u64, pace: Pace) -> Self {
        Self { start: from, to, pace }
    }

    /// How many blocks are asked for at once.
    pub fn pace(&self) -> Pace {
        self.pace
    }

    /// The first and the last block to be asked for next; none if all have been.
    pub fn piece(&self) -> Option<(u64, u64)> {
        (self.start <= self.to && self.start < u64::MAX)
            .then(|| (self.start, self.to.min(self.start.saturating_add(self.pace.size - 1))))
    }

    /// The piece was answered.
    pub fn granted(&mut self) {
        let Some((start, end)) = self.piece() else { return };
        // There is no block of the highest number.
        self.start = end.saturating_add(1);
        self.pace.granted += u32::from(end - start + 1 == self.pace.size);
        if self.pace.granted == GRANTED {
            self.pace = Pace { size: RANGE.min(2 * self.pace.size), granted: 0 };
        }
    }

    /// The piece was refused; says whether a smaller one can be asked for.
    pub fn refused(&mut self) -> bool {
        let Some((start, end)) = self.piece().filter(|(start, end)| end > start) else {
            return false;
        };
        self.pace = Pace { size: (end - start).div_ceil(2), granted: 0 };
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_shrink_until_they_are_granted() {
        let mut ranges = Ranges::new(10, 5_009);
        assert_eq!(ranges.piece(), Some((10, 2_009)));
        ranges.granted();
        assert!(ranges.refused());
        assert_eq!(ranges.piece(), Some((2_010, 3_009)));
        ranges.granted();
        ranges.granted();
        ranges.granted();
        assert_eq!(ranges.piece(), None);
        let mut one = Ranges::new(7, 7);
        assert!(!one.refused());
        one.granted();
        assert_eq!(one.piece(), None);
        assert_eq!(Ranges::new(8, 7).piece(), None);
    }

    #[test]
    fn pieces_grow_again_once_they_are_granted() {
        let mut ranges = Ranges::new(0, 99_999);
        while ranges.refused() {}
        assert_eq!(ranges.piece(), Some((0, 0)));
        let mut asked = 0;
        while ranges.piece().is_some() {
            ranges.granted();
            asked += 1;
        }
        // Eight of each size up to 1024, and what is left in pieces of 2000.
        assert_eq!(asked, 11 * 8 + (100_000_u32 - 8 * 2_047).div_ceil(2_000));
        // A node that grants no more than a hundred refuses one in nine, not every second.
        let (mut ranges, mut refused) = (Ranges::new(0, 99_999), 0);
        while let Some((start, end)) = ranges.piece() {
            if end - start >= 100 {
                refused += 1;
                assert!(ranges.refused());
            } else {
                ranges.granted();
            }
        }
        assert!(refused < 300, "{refused}");
    }
}
