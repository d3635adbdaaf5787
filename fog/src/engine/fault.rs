//! What can go wrong in an engine, by name.

/// What lies behind a fault; each engine has its own errors.
pub type Cause = Box<dyn std::error::Error + Send + Sync>;

/// Why a message, a request, a registration or a step is refused. Messages are counted from 0 within their session.
///
/// All but [`Fault::Internal`] are the peer's or the network's. After any of them what was sent is dropped, and a right message is
/// still taken.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// Another number of bytes than the session's shape says.
    #[error("message {index} has {got} bytes, not {expected}")]
    Length {
        index: usize,
        got: usize,
        /// What every such message has.
        expected: usize,
    },
    /// Bytes that are no such message.
    #[error("message {index} is malformed: {cause}")]
    Malformed { index: usize, cause: Cause },
    /// A request that no sender can answer: not a request at all, or one made to break the answer.
    #[error("the request is malformed and can't be answered: {0}")]
    Request(Cause),
    /// The message's digest is not the one on chain.
    #[error("message {0} is not the one committed to on chain")]
    Digest(usize),
    /// The message's proof is wrong.
    #[error("message {index} has a wrong proof: {cause}")]
    Proof { index: usize, cause: Cause },
    /// A second message of one number that says something else.
    #[error("message {0} differs from the one received before")]
    Contradiction(usize),
    /// A message before its time, beside another of its number that isn't judged yet, after the end, or of a number that is this player's own.
    #[error("message {0} is not due")]
    NotDue(usize),
    /// What the peer registered on chain can't be used.
    #[error("the peer's registration is worthless: {0}")]
    Registration(Cause),
    /// A defect, or a lack of resources, on this side.
    #[error("defect of this program: {0}")]
    Internal(Cause),
}

impl Fault {
    /// A fault of this side.
    pub fn internal(cause: impl Into<Cause>) -> Self {
        Self::Internal(cause.into())
    }

    /// The fault of a message that is none.
    pub fn malformed(index: usize, cause: impl Into<Cause>) -> Self {
        Self::Malformed { index, cause: cause.into() }
    }

    /// The fault of a message whose proof is wrong.
    pub fn unproven(index: usize, cause: impl Into<Cause>) -> Self {
        Self::Proof { index, cause: cause.into() }
    }

    /// The number of the message that the fault is of, if it is of one.
    pub fn message(&self) -> Option<usize> {
        match self {
            Self::Length { index, .. } | Self::Malformed { index, .. } | Self::Proof { index, .. } => Some(*index),
            Self::Digest(index) | Self::Contradiction(index) | Self::NotDue(index) => Some(*index),
            Self::Request(_) | Self::Registration(_) | Self::Internal(_) => None,
        }
    }

    /// Whether the fault is this side's: nothing is said against the peer, and the same step may succeed when it is run again.
    pub fn is_own(&self) -> bool {
        matches!(self, Self::Internal(_))
    }
}
