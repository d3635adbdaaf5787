//! What a world has done and looked at: counts by name.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::AddAssign;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally(BTreeMap<&'static str, u64>);

impl Tally {
    /// One more of a kind.
    pub fn add(&mut self, kind: &'static str) {
        *self.0.entry(kind).or_default() += 1;
    }

    /// How many there are of a kind.
    pub fn of(&self, kind: &str) -> u64 {
        self.0.get(kind).copied().unwrap_or(0)
    }

    /// How many there are of all kinds.
    pub fn total(&self) -> u64 {
        self.0.values().sum()
    }

    /// All kinds with their counts, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.0.iter().map(|(kind, count)| (*kind, *count))
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        for (kind, count) in other.iter() {
            *self.0.entry(kind).or_default() += count;
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: Vec<String> = self.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
        f.write_str(&all.join(", "))
    }
}
