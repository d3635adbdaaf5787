//! What may be done about an error, said once by the error itself.

/// What whoever meets an error may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// The user can put it right by saying something else.
    Usage,
    /// The chain says no, or the rules do: it certainly has no effect. The user may say something else, and where a game goes on another look may find
    /// otherwise.
    Refused,
    /// The same may succeed later, without the user's doing.
    Retry,
    /// Something failed, and trying again helps nothing.
    Fatal,
}

/// An error that knows its class.
pub trait Classified {
    fn class(&self) -> Class;

    /// Whether the user can put it right by saying something else; otherwise something failed.
    fn is_of_the_user(&self) -> bool {
        matches!(self.class(), Class::Usage | Class::Refused)
    }

    /// Whether another try may go better while a game goes on.
    fn may_pass(&self) -> bool {
        matches!(self.class(), Class::Refused | Class::Retry)
    }
}
