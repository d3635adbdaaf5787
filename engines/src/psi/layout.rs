//! The messages of an exchange of sets, and how much each is padded to.
//!
//! ```text
//! opening  set or filter ‖ A                ‖ proof of knowledge of a
//! asked    the receiver's blinded points                                 (each round)
//! reply    raised points                    ‖ proof of equality          (each round)
//!          raised points ‖ exact set ‖ A'   ‖ proof of equality          (a round that confirms, under a fresh exponent)
//! ```

use super::{filter::FILTER_BYTES, points::POINT_BYTES, proof::PROOF_BYTES};
use fog::engine::MessageSize;

pub(super) const OPENING_LABEL: &str = "fogmate/psi/opening/proof/1";
pub(super) const REPLY_LABEL: &str = "fogmate/psi/reply/proof/1";

/// How the sender's set is sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetForm {
    /// Its tags, in ascending order.
    Tags,
    /// A Bloom filter of its tags.
    Filter,
}

/// One round: the receiver asks, the sender raises.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Round {
    /// Points asked, dummies included.
    pub asked: usize,
    /// The size of the set that the reply brings along, under a fresh exponent; without one the opening's set is asked.
    pub exact: Option<usize>,
}

impl Round {
    /// The size of the reply.
    pub const fn reply(&self) -> MessageSize {
        let exact = match self.exact {
            Some(size) => size + 1,
            None => 0,
        };
        MessageSize { content: (self.asked + exact) * POINT_BYTES, proof: PROOF_BYTES }
    }
}

/// All messages of an exchange.
#[derive(Debug)]
pub struct Layout {
    /// How the sender's set is sent.
    pub form: SetForm,
    /// Its size, dummies included.
    pub set_size: usize,
    /// The rounds.
    pub rounds: &'static [Round],
}

impl Layout {
    /// Bytes of the set.
    pub const fn set_bytes(&self) -> usize {
        match self.form {
            SetForm::Tags => self.set_size * POINT_BYTES,
            SetForm::Filter => FILTER_BYTES,
        }
    }

    /// The size of the opening.
    pub const fn opening(&self) -> MessageSize {
        MessageSize { content: self.set_bytes() + POINT_BYTES, proof: PROOF_BYTES }
    }

    /// The sizes of all messages.
    pub fn shape(&self) -> Vec<MessageSize> {
        let rounds = self.rounds.iter();
        let rounds = rounds.flat_map(|round| [MessageSize::of(round.asked * POINT_BYTES), round.reply()]);
        std::iter::once(self.opening()).chain(rounds).collect()
    }

    /// Bytes of the largest message.
    pub const fn largest(&self) -> usize {
        let mut largest = self.opening().total();
        let mut index = 0;
        while index < self.rounds.len() {
            let reply = self.rounds[index].reply().total();
            if reply > largest {
                largest = reply;
            }
            index += 1;
        }
        largest
    }
}
