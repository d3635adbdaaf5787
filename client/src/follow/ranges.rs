//! Which ranges of blocks are asked for: common nodes grant a few thousand blocks at once, some much less.

/// Blocks asked for at once: public nodes refuse much more.
const RANGE: u64 = 2_000;

/// A range of blocks that is asked for piece by piece. A piece that the node refuses is halved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranges {
    start: u64,
    to: u64,
    size: u64,
}

impl Ranges {
    /// Most blocks that are asked for at once.
    pub const MOST: u64 = RANGE;

    /// The blocks `from..=to`.
    pub fn new(from: u64, to: u64) -> Self {
        Self::of(from, to, Self::MOST)
    }

    /// The same, so many at once; one at least.
    pub fn of(from: u64, to: u64, size: u64) -> Self {
        Self { start: from, to, size: size.max(1) }
    }

    /// The first block that wasn't answered.
    pub fn start(&self) -> u64 {
        self.start
    }

    /// How many blocks are asked for at once.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The first and the last block to be asked for next; none if all have been.
    pub fn piece(&self) -> Option<(u64, u64)> {
        (self.start <= self.to && self.start < u64::MAX)
            .then(|| (self.start, self.to.min(self.start.saturating_add(self.size - 1))))
    }

    /// The piece was answered.
    pub fn granted(&mut self) {
        if let Some((_, end)) = self.piece() {
            // There is no block of the highest number.
            self.start = end.saturating_add(1);
        }
    }

    /// The piece was refused; says whether a smaller one can be asked for.
    pub fn refused(&mut self) -> bool {
        let Some((start, end)) = self.piece().filter(|(start, end)| end > start) else {
            return false;
        };
        self.size = (end - start).div_ceil(2);
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
}
