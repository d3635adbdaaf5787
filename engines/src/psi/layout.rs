//! The messages of an exchange of sets, and how much each is padded to.
//!
//! ```text
//! opening  set or filter ‖ D ‖ A            ‖ proof of knowledge of a ‖ proof of the set
//! asked    the receiver's blinded points ‖ D ‖ proof of the set          (each round)
//! reply    raised points                    ‖ proof of equality          (each round)
//!          raised points ‖ exact set ‖ A'   ‖ proof of equality          (a round that confirms, under a fresh exponent)
//! ```
//!
//! The digests D and the proofs of sets are there in the form alone that has [evidence](super::evidence).

use super::{evidence::EvidenceBytes, filter::FILTER_BYTES, group::POINT_BYTES, proof::PROOF_BYTES};
use fog::engine::MessageSize;

pub(super) const OPENING_LABEL: &str = "fogmate/psi/opening/proof/1";
pub(super) const REPLY_LABEL: &str = "fogmate/psi/reply/proof/1";
pub(super) const SHOWN_LABEL: &str = "fogmate/psi/shown/weights/1";
pub(super) const ASKED_LABEL: &str = "fogmate/psi/asked/weights/1";

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
    pub rounds: &'static [Round],
    /// What shows that sets are those of the boards.
    pub evidence: EvidenceBytes,
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
        let content = self.set_bytes() + self.evidence.digest + POINT_BYTES;
        MessageSize { content, proof: PROOF_BYTES + self.evidence.shown }
    }

    /// The size of what is asked in a round.
    pub const fn asked(&self, round: &Round) -> MessageSize {
        MessageSize { content: round.asked * POINT_BYTES + self.evidence.digest, proof: self.evidence.asked }
    }

    /// The sizes of all messages.
    pub fn shape(&self) -> Vec<MessageSize> {
        let rounds = self.rounds.iter();
        let rounds = rounds.flat_map(|round| [self.asked(round), round.reply()]);
        std::iter::once(self.opening()).chain(rounds).collect()
    }

    /// Bytes of the largest message.
    pub const fn largest(&self) -> usize {
        let mut largest = self.opening().total();
        let mut index = 0;
        while index < self.rounds.len() {
            let sizes = [self.asked(&self.rounds[index]).total(), self.rounds[index].reply().total()];
            let larger = if sizes[0] > sizes[1] { sizes[0] } else { sizes[1] };
            if larger > largest {
                largest = larger;
            }
            index += 1;
        }
        largest
    }
}
