//! One player's part in one session (the set-up, or one exchange): a machine over numbered byte messages.

use super::Fault;

/// A party of any engine.
pub type BoxedParty<T> = Box<dyn Party<Output = T>>;

/// One player's part in a session. Messages alternate; message 0 is the opener's.
///
/// A party has no clock, no I/O, and no randomness but that of its proofs: what it says follows from seed, own state and
/// received messages. So after a crash a new party that is given the same messages stands where the old one stood.
pub trait Party: Send {
    /// What the session is for.
    type Output;

    /// The size of every message of the session, in order: a function of public facts alone, so that number and size of
    /// messages tell nothing. Secrets decide which message is a dummy, never whether one is sent.
    fn shape(&self) -> Vec<MessageSize>;

    /// Slow. Takes `None` once, at the start, then each message of the peer. A step changes the party last, so that after an
    /// error (or a panic) the party is what it was and the same step can be run again.
    fn step(&mut self, received: Option<&[u8]>) -> Result<Step<Self::Output>, Fault>;

    /// What is hidden in the message that this party has sent last, in words: for its owner alone, who wants to see an exchange. Empty
    /// where a message hides nothing.
    fn meaning(&self) -> String {
        String::new()
    }
}

/// A session without messages, whose output is there from the start.
pub struct Ready<T>(pub T);

impl<T: Clone + Send> Party for Ready<T> {
    type Output = T;

    fn shape(&self) -> Vec<MessageSize> {
        Vec::new()
    }

    fn step(&mut self, received: Option<&[u8]>) -> Result<Step<T>, Fault> {
        match received {
            None => Ok(Step::output(self.0.clone())),
            Some(_) => Err(Fault::NotDue(0)),
        }
    }
}

/// Bytes of a message: what it says, then the proof of it. One that is sent again says the same, but its proof may be another
/// one, since proofs are randomised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageSize {
    /// Bytes of what it says.
    pub content: usize,
    /// Bytes of the proof after it; 0 for most.
    pub proof: usize,
}

impl MessageSize {
    /// A message without a proof.
    pub const fn of(content: usize) -> Self {
        Self { content, proof: 0 }
    }

    /// The length of the whole message in bytes.
    pub const fn total(self) -> usize {
        self.content + self.proof
    }

    /// Content and proof of message `index`, if it has this size.
    pub fn split(self, index: usize, message: &[u8]) -> Result<(&[u8], &[u8]), Fault> {
        let (got, expected) = (message.len(), self.total());
        ensure!(got == expected, Fault::Length { index, got, expected });
        Ok(message.split_at(self.content))
    }
}

/// What comes of a step: a message to send, the session's output, both or neither.
#[derive(Debug)]
pub struct Step<T> {
    /// The next message, if it is this player's.
    pub send: Option<Vec<u8>>,
    pub output: Option<T>,
}

impl<T> Step<T> {
    /// The peer has the word.
    pub const WAIT: Self = Self { send: None, output: None };

    /// A message to send.
    pub fn send(message: Vec<u8>) -> Self {
        Self { send: Some(message), ..Self::WAIT }
    }

    /// The output, with nothing to send.
    pub fn output(output: T) -> Self {
        Self { output: Some(output), ..Self::WAIT }
    }

    /// The output, together with the last message.
    pub fn with_output(self, output: T) -> Self {
        Self { output: Some(output), ..self }
    }
}
