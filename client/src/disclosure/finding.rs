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
    /// A disclosure leaves out a message without which a move couldn't have been made.
    Missing {
        /// Whose disclosure.
        of: Color,
        /// Of which session.
        session: SessionId,
        /// The message.
        message: usize,
    },
    /// A message that an honest player refuses.
    Refused {
        /// Who is said to have sent it.
        said_by: Color,
        /// Of which session.
        session: SessionId,
        /// The message.
        message: usize,
        /// Why.
        cause: String,
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
    /// A disclosure has another message than its owner's transcript on chain, which is of the right one.
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
    /// A speaker discloses nothing of what it was told before a message, and by what it should have been told the message isn't right.
    LeftOut {
        /// The speaker.
        by: Color,
        /// Of which session.
        session: SessionId,
        /// The message.
        message: usize,
        /// The first wrong byte.
        byte: usize,
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
                "{of}'s transcript on chain with ply {ply} isn't that of {}'s part: one of them tells of other messages, and {of}'s disclosure \
                 would say which",
                !*of
            ),
            Self::Missing { of, session, message } => write!(
                f,
                "{of}'s disclosure leaves out message {message} of the {}, without which the game couldn't have gone on",
                in_words(*session)
            ),
            Self::Refused { said_by, session, message, cause } => write!(
                f,
                "{}: {said_by}'s message {message}, as {} discloses it, is none that an honest player takes: {cause}",
                in_words(*session),
                !*said_by
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
                 message that {} should have sent",
                in_words(*session),
                !*by
            ),
            Self::LeftOut { by, session, message, byte } => write!(
                f,
                "{}: {by}'s disclosure leaves out what it was told before its message {message}, whose byte {byte}, as {} discloses it, doesn't \
                 follow from what it should have been told: which of them it was can't be told",
                in_words(*session),
                !*by
            ),
        }
    }
}
