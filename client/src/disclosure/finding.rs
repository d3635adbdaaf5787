//! What a check finds, in sentences.

use game::{Phase, SessionId};
use rules::Color;
use std::fmt;

/// What speaks for a message having been sent as the one who heard it says. Link messages aren't signed, so nothing else does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// The speaker's own transcript on chain, with its move of this ply, is of the message as it was heard.
    OwnWord(u16),
    /// The speaker promised the message on chain, with its move of this ply.
    Promise(u16),
    /// The hearer's transcript on chain, with its move of this ply, was already of the message as it has it now.
    HearersWord(u16),
    /// The speaker's own transcript on chain, with its move of this ply, is of the message as it should be.
    SpeakersWordAgainst(u16),
    /// Nothing on chain.
    Nothing,
}

/// Something that isn't as the protocol wants it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// The disclosed branch isn't the one that the player registered.
    Branch {
        /// Whose.
        of: Color,
    },
    /// The disclosed view key isn't the one that the player has published on chain, which is the one that counts.
    ViewKey {
        /// Whose.
        of: Color,
    },
    /// The view key opens no commitment that a move leads to.
    State {
        /// Whose.
        of: Color,
        /// The move's.
        ply: u16,
    },
    /// The sight promised on chain isn't that of the player's board and branch.
    Promise {
        /// Who promised it.
        of: Color,
        /// With which move.
        ply: u16,
    },
    /// The transcript on chain isn't that of the player's own part.
    Word {
        /// Whose.
        of: Color,
        /// With which move.
        ply: u16,
    },
    /// The transcript on chain isn't that of the other player's part, which alone is disclosed.
    OtherWord {
        /// Whose transcript.
        of: Color,
        /// With which move.
        ply: u16,
    },
    /// A player's part refuses a message that its own disclosure has. Only what was taken is kept, so this speaks against the player
    /// itself: it was told something else than it discloses, or said something else than its part does.
    Refused {
        /// Whose disclosure and part.
        by: Color,
        /// Of which session.
        session: SessionId,
        /// The message.
        message: usize,
        /// Why.
        cause: String,
    },
    /// A disclosure has a message that the game has no place for.
    NoSuchMessage {
        /// Whose.
        of: Color,
        /// Of which session.
        session: SessionId,
        /// The message.
        message: u16,
    },
    /// A message isn't what the speaker's board and branch say.
    Said {
        /// The speaker.
        by: Color,
        /// Of which session.
        session: SessionId,
        /// The message.
        message: usize,
        /// The first wrong byte.
        byte: usize,
        /// What speaks for its having been sent so.
        evidence: Evidence,
    },
    /// A disclosure has another message than its owner's transcript on chain, which is of what the other one discloses.
    HeardOtherwise {
        /// Whose disclosure.
        by: Color,
        /// Of which session.
        session: SessionId,
        /// The message.
        message: usize,
        /// The first other byte.
        byte: usize,
        /// The move that carries the transcript.
        ply: u16,
    },
}

/// Something that a disclosure leaves out: lost with a journal, or hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// A message without which the move that the session was for can't have been made by an honest player.
    Message {
        /// Whose disclosure.
        of: Color,
        /// Of which session.
        session: SessionId,
        /// The first message that is missing.
        message: usize,
    },
    /// A message to which the player has said something, as the opponent discloses it. Who of them is right can't be told.
    Answered {
        /// Whose disclosure.
        of: Color,
        /// Of which session.
        session: SessionId,
        /// The first message that is missing.
        message: usize,
    },
    /// The player's transcript on chain isn't of what its disclosure has, in which the session before comes to no end.
    Transcript {
        /// Whose.
        of: Color,
        /// With which move.
        ply: u16,
    },
}

/// A session in words.
pub(super) fn in_words(session: SessionId) -> String {
    match session {
        SessionId::SetUp => "set-up".to_owned(),
        SessionId::Exchange { ply, phase: Phase::Pre } => format!("sight before ply {ply}"),
        SessionId::Exchange { ply, phase: Phase::Post } => format!("sight after ply {ply}"),
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Branch { of } => {
                write!(f, "{of}'s branch isn't the one that it registered: nothing of its part can be looked at")
            }
            Self::ViewKey { of } => {
                write!(f, "{of} discloses another view key than the one that it has published on chain, which counts")
            }
            Self::State { of, ply } => write!(
                f,
                "{of}'s view key opens no state after ply {ply} that a move leads to: nothing of its part from there on can be looked at"
            ),
            Self::Promise { of, ply } => {
                write!(f, "the sight that {of} promised on chain with ply {ply} isn't that of its board and branch")
            }
            Self::Word { of, ply } => write!(
                f,
                "{of}'s transcript on chain with ply {ply} isn't that of its part: it said, or was told, something else than it discloses"
            ),
            Self::OtherWord { of, ply } => write!(
                f,
                "{of}'s transcript on chain with ply {ply} isn't that of {}'s part: one of them tells of other messages, and {of}'s disclosure, \
                 if it is whole, says which",
                !*of
            ),
            Self::Refused { by, session, message, cause } => write!(
                f,
                "{}: {by}'s own part refuses message {message} as {by} discloses it ({cause}); a player keeps only what it takes, so {by} was \
                 told something else, or said something else",
                in_words(*session)
            ),
            Self::NoSuchMessage { of, session, message } => write!(
                f,
                "{of}'s disclosure has a message {message} of the {}, which isn't one that {} could have sent in this game",
                in_words(*session),
                !*of
            ),
            Self::Said { by, session, message, byte, evidence } => {
                write!(
                    f,
                    "{}: byte {byte} of {by}'s message {message} isn't what its board and branch say",
                    in_words(*session)
                )?;
                match evidence {
                    Evidence::OwnWord(ply) => {
                        write!(f, "; {by}'s own transcript on chain, with ply {ply}, is of this message")
                    }
                    Evidence::Promise(ply) => write!(f, "; {by} promised this message on chain with ply {ply}"),
                    Evidence::HearersWord(ply) => write!(
                        f,
                        "; {0}'s transcript on chain, with ply {ply}, says that it was sent so; that is {0}'s word alone",
                        !*by
                    ),
                    Evidence::SpeakersWordAgainst(ply) => write!(
                        f,
                        ", as {} discloses it; but {by}'s transcript on chain, with ply {ply}, is of the right one: which of them it was \
                         can't be told",
                        !*by
                    ),
                    Evidence::Nothing => {
                        write!(f, ", as {} discloses it; nothing on chain says whether it was sent so", !*by)
                    }
                }
            }
            Self::HeardOtherwise { by, session, message, byte, ply } => write!(
                f,
                "{}: byte {byte} of message {message} isn't as {by} discloses it: {by}'s own transcript on chain, with ply {ply}, is of the \
                 message that {} discloses",
                in_words(*session),
                !*by
            ),
        }
    }
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // Who gives a sight needs nothing of it to move, and whoever gets it may have broken off.
            Self::Message { of, session: session @ SessionId::Exchange { ply, .. }, message }
                if Color::of_ply((*ply).into()) != *of =>
            {
                write!(
                    f,
                    "{of}'s disclosure has no message {message} of the {}: {of} leaves it out, or {} moved without having sent it",
                    in_words(*session),
                    !*of
                )
            }
            Self::Message { of, session, message } => write!(
                f,
                "{of}'s disclosure leaves out message {message} of the {}, without which {of} couldn't have moved",
                in_words(*session)
            ),
            Self::Answered { of, session, message } => write!(
                f,
                "{of}'s disclosure has no message {message} of the {}, and {other}'s has an answer to it: {of} leaves it out, or {other} never \
                 sent it and never had the answer",
                in_words(*session),
                other = !*of
            ),
            Self::Transcript { of, ply } => write!(
                f,
                "{of}'s transcript on chain with ply {ply} is of more than {of} discloses, or of something else"
            ),
        }
    }
}
