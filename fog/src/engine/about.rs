//! What an engine says of itself: name, trust, what it does not protect, how large its messages get.

/// What the players of an engine must trust each other with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// Both players may cheat: every message is proven, or a wrong one does no harm.
    Malicious,
    /// Both follow the protocol and try to learn more from what they see. A deviation is found after the game, when the
    /// engine's branch of the seed is published.
    SemiHonest,
}

/// An engine's description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// Its name in lists and comparisons, in lower case. It is part of [`Exchange::id`](super::Exchange::id): never changed.
    pub name: &'static str,
    /// What it withstands.
    pub trust: Trust,
    /// What it does not protect, in one line, shown wherever the engine is offered.
    pub caveat: &'static str,
    /// Bytes of its largest message: the most that the link accepts before a session exists.
    pub max_message: usize,
}
