//! What a check finds, in sentences.

use derive_more::Display;
use game::{Phase, SessionId};
use rules::Color;

/// Something that isn't as the protocol wants it.
#[derive(Clone, Debug, Display, PartialEq, Eq)]
pub enum Finding {
    /// The branch that a player discloses isn't the one that it registered.
    #[display("{of}'s branch of the seed isn't the one that {of} registered")]
    Branch { of: Color },
    /// The view key that a player discloses isn't the one that it has published on chain, which is the one that counts.
    #[display("{of}'s view key isn't the one that {of} has published on chain")]
    ViewKey { of: Color },
    /// A player's view key opens no commitment that its move of this ply leads to.
    #[display("{of}'s view key doesn't open the commitment of ply {ply}")]
    State { of: Color, ply: u16 },
    /// The sight that a player promised on chain, with its move of this ply, isn't that of its board and branch.
    #[display("the sight that {of} promised with ply {ply} isn't that of {of}'s board and branch")]
    Promise { of: Color, ply: u16 },
    /// The transcript on chain that a player's move of this ply carries isn't that of the messages in `file`'s disclosure.
    #[display("{of}'s transcript on chain with ply {ply} isn't that of the messages in {file}'s disclosure")]
    Transcript { of: Color, ply: u16, file: Color },
    /// A player's part refuses a message that its own disclosure has. Only what was taken is kept, so this speaks against the player
    /// itself: it was told something else than it discloses, or said something else than its part does.
    #[display("{}: {by} couldn't have accepted message {message} as {by} discloses it: {cause}", in_words(session))]
    Refused { by: Color, session: SessionId, message: usize, cause: String },
    /// A player's disclosure has a message that the game has no place for.
    #[display(
        "{of}'s disclosure has a message {message} of the {}, which {} can't have sent in this game",
        in_words(session),
        !*of
    )]
    NoSuchMessage { of: Color, session: SessionId, message: u16 },
    /// From this byte on a message isn't, as its hearer discloses it, what follows from the speaker's disclosure. Messages aren't signed, so which
    /// of them is wrong isn't told: only transcripts and promises speak for one of them.
    #[display(
        "{}: byte {byte} of {by}'s message {message}, as {} discloses it, isn't what follows from {by}'s disclosure",
        in_words(session),
        !*by
    )]
    Message { by: Color, session: SessionId, message: usize, byte: usize },
}

/// The first message of a session that a player's disclosure leaves out, although a move rests on it: lost with a journal, or hidden.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
#[display("{of}'s disclosure has no message {message} of the {}", in_words(session))]
pub struct Missing {
    /// The player whose disclosure leaves it out.
    pub of: Color,
    /// The session that it belongs to.
    pub session: SessionId,
    /// Its number in the session, from 0.
    pub message: usize,
}

fn in_words(session: &SessionId) -> String {
    match session {
        SessionId::SetUp => "set-up".to_owned(),
        SessionId::Exchange { ply, phase: Phase::Pre } => format!("sight before ply {ply}"),
        SessionId::Exchange { ply, phase: Phase::Post } => format!("sight after ply {ply}"),
    }
}
