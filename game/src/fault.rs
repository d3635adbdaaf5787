//! What can be wrong with what the opponent sends, each by its own name (protocol, section 6). A fault is shown and the
//! message dropped; the seat goes on waiting for a right one and has lost nothing. Faults of the chain are not here.

use crate::{MessageId, MessageKind, WireError, move_name};
use fog::curve::CurveError;
use fog::engine::{
    Fault,
    sight_lines::{open::OpenError, request::RequestError},
};
use rules::Square;
use serde::{Deserialize, Serialize};

/// The JSON form of a [`CurveError`].
#[derive(Serialize, Deserialize)]
#[serde(remote = "CurveError", rename_all = "snake_case")]
enum BadPoint {
    CoordinateTooLarge,
    Infinity,
    OffCurve,
    SecretShape,
}

/// Why a message of the opponent was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PeerFault {
    /// Bytes that are no message, a truncated or oversized one, or one with a number that is no field element.
    #[error("the opponent sent garbage: {0}")]
    Garbage(#[from] WireError),
    /// Elements that aren't the wire form of any answer.
    #[error("the opponent's {0} is no answer at all")]
    NoAnswer(MessageId),
    /// A point of a request that is no point of the curve.
    #[error("the opponent's {id} has a bad point: {source}")]
    BadPoint {
        id: MessageId,
        /// What is wrong with it.
        #[serde(with = "BadPoint")]
        source: CurveError,
    },
    /// A request whose answer would need an exceptional point (protocol, section 7): no honest client makes one.
    #[error("the opponent's {0} is malformed and can't be answered")]
    Malformed(MessageId),
    /// The points are not the ones whose root is on chain.
    #[error("the opponent's {0} is not the one it committed to on chain")]
    RequestRoot(MessageId),
    /// The elements are not the ones whose root is on chain.
    #[error("the opponent's {0} is not the one it committed to on chain")]
    AnswerRoot(MessageId),
    /// The answer proof doesn't verify.
    #[error("the opponent's {0} has a wrong proof")]
    Proof(MessageId),
    /// A proven answer that opens to no sight. A sound proof system makes this impossible.
    #[error("the opponent's {0} is proven and yet can't be opened")]
    Unopenable(MessageId),
    /// An item of a ply at which the opponent has none to send.
    #[error("the opponent sent the {0}, but at that ply it has none to send")]
    WrongPly(MessageId),
    /// An item of a ply that is over. A slow network causes it too.
    #[error("the opponent sent the {0} too late")]
    Stale(MessageId),
    /// An item of a ply that is too far ahead.
    #[error("the opponent sent the {0} too early")]
    TooEarly(MessageId),
    /// An item that has come before. A network that repeats messages causes it too.
    #[error("the opponent sent the {0} again")]
    Duplicate(MessageId),
    /// Another item than the one already found right: of two such only one can be.
    #[error("the opponent sent a second, different {0}")]
    Contradiction(MessageId),
    /// The transcript that a move carries isn't that of the sights before it, as this side has them.
    #[error("{} tells of other messages than were exchanged before it", move_name(*.0))]
    Transcript(u16),
    /// A capture where nothing of this side's stood: the move can't have been legal.
    #[error("{} says that it captured on {square}, where no man of yours stands", move_name(*.ply))]
    Capture {
        ply: u16,
        /// Where it says that it captured.
        square: Square,
    },
    /// A wish for what this seat doesn't have to give, or may not give yet.
    #[error("the opponent sent a {0}, which this side doesn't have or may not give yet")]
    NotToBeHad(MessageId),
}

impl PeerFault {
    /// What an engine's fault says of an answer, or of a session's message.
    pub fn of_message(id: MessageId, fault: &Fault) -> Self {
        let is_answer = id.kind == MessageKind::Answer;
        let id = fault.message().filter(|_| !is_answer).map_or(id, |index| numbered(id, index));
        match fault {
            Fault::Length { .. } | Fault::Malformed { .. } if !is_answer => Self::Malformed(id),
            Fault::Digest(_) => Self::AnswerRoot(id),
            // The link has counted the elements, so that only the proof can have another length.
            Fault::Proof { .. } | Fault::Length { .. } => Self::Proof(id),
            Fault::Contradiction(_) => Self::Contradiction(id),
            Fault::NotDue(_) => Self::TooEarly(id),
            Fault::Malformed { cause, .. } if cause.is::<OpenError>() => Self::Unopenable(id),
            _ => Self::NoAnswer(id),
        }
    }

    /// What an engine's fault says of a request.
    pub fn of_request(id: MessageId, fault: &Fault) -> Self {
        let Fault::Request(cause) = fault else {
            return Self::Malformed(id);
        };
        match cause.downcast_ref() {
            Some(&RequestError::Point { source, .. }) => Self::BadPoint { id, source },
            _ => Self::Malformed(id),
        }
    }

    /// Whether an honest opponent behind a bad network, or one that was restarted, may cause it.
    pub fn may_be_honest(&self) -> bool {
        matches!(self, Self::Stale(_) | Self::TooEarly(_) | Self::Duplicate(_) | Self::NotToBeHad(_))
    }
}

/// The address of another message of the same session.
fn numbered(id: MessageId, index: usize) -> MessageId {
    MessageId { index: u16::try_from(index).unwrap_or(u16::MAX), ..id }
}
