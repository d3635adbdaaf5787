//! What can go wrong between players, and with their links.

/// What can go wrong between the players; in percent where nothing else is said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkWeather {
    /// Connections that break under a packet or its acknowledgement.
    pub breaks: u32,
    /// Of the breaks, those that neither side notices before a time-out.
    pub dead: u32,
    /// Per mille of the seconds: another connection comes up beside the first.
    pub spare: u32,
    /// Dials that come to nothing.
    pub unreachable: u32,
    /// Streams overtake each other.
    pub reorder: bool,
    /// Of a cheat's packets, those of which bits, lengths or headers are damaged.
    pub corrupt: u32,
    /// Per mille of the seconds: a stranger knocks, or one that is there says something.
    pub strangers: u32,
    /// Which players dial: the creator, the joiner.
    pub dials: [bool; 2],
}

impl LinkWeather {
    /// Nothing goes wrong, and the joiner dials.
    pub fn clear() -> Self {
        Self { dials: [false, true], ..Self::default() }
    }
}

/// What is wrong with the players' links: the world must find it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkDefect {
    /// One message in three is acknowledged and not handed on.
    pub swallows: bool,
    /// Messages that wait are never sent.
    pub is_mute: bool,
    /// What was on its way when a connection broke is never sent again.
    pub sends_once: bool,
    /// Messages go to a stranger too, if one is connected.
    pub leaks: bool,
    /// Strangers stay as long as they like, and others wait until there is room.
    pub lets_strangers_sit: bool,
    /// Any number of strangers comes in, and stays.
    pub has_no_gate: bool,
}
