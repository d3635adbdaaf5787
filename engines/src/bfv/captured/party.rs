//! The sight after an own capture, with the proof of [*captured*](super) before it. The sight of before the capture is given once more, since a party remembers nothing but
//! what its session says; then the receiver proves what that showed, and only then this sight is given. (The one right after
//! the capturing move was given before.)
//!
//! ```text
//! 0, 1  the earlier sight's item and view
//! 2     the earlier sight's share, and this sight's item; behind both the share's seal and proof, and the item's
//! 3     this sight's view, and the proof
//! 4     this sight's share
//! ```

use super::{CAPTURED_BYTES, CapturedStatement, check};
use crate::{
    Unmet,
    bfv::{proofs::RingProofs, receiver::Receiver, sender::Sender},
};
use fog::{
    engine::{CommittedState, Exchange, Fault, MessageSize, Party, Phase, Step, Word},
    statement::Proves,
};
use rules::{Sight, Square};
use std::sync::Arc;

/// The sight on which the receiver of this one has captured, and where, if it has and that is known.
pub fn earlier(exchange: &Exchange) -> Option<(Exchange, Square)> {
    let (receiver, sender) = (exchange.receiver().index(), exchange.sender().index());
    let (taken, answered) = (exchange.steps[receiver].last()?, exchange.steps[sender].last()?);
    // Nobody has seen anything before its first move.
    let square = taken.capture.filter(|_| exchange.phase == Phase::Pre && exchange.ply >= 4)?;
    let mut commitments = [Word::default(); 2];
    (commitments[receiver], commitments[sender]) = (taken.commitment, answered.commitment);
    let mut men = exchange.men;
    men[sender] += 1;
    men[receiver] += u8::from(exchange.pending.is_some());
    let (ply, pending) = (exchange.ply - 2, taken.pending);
    Some((
        Exchange { ply, phase: Phase::Pre, attempt: 0, commitments, pending, men, steps: Default::default() },
        square,
    ))
}

/// A player's own state in the earlier sight.
pub fn state(exchange: &Exchange, own: &CommittedState) -> Result<CommittedState, Fault> {
    let made = own.steps.last().ok_or_else(|| Fault::internal("the own last move is not known"))?;
    let commitment = exchange.commitments[own.side.color.index()];
    Ok(CommittedState::new(made.side.clone(), *made.salt, commitment))
}

/// A fault of this sight's message, which comes after the two of the earlier one.
fn later(fault: Fault) -> Fault {
    match fault {
        Fault::Length { index, got, expected } => Fault::Length { index: index + 2, got, expected },
        Fault::Digest(index) => Fault::Digest(index + 2),
        Fault::Malformed { index, cause } => Fault::Malformed { index: index + 2, cause },
        Fault::Proof { index, cause } => Fault::Proof { index: index + 2, cause },
        other => other,
    }
}

/// The sizes of all messages, given those of a sight.
fn shape([item, view, share]: [MessageSize; 3]) -> Vec<MessageSize> {
    let asked = MessageSize { proof: view.proof + CAPTURED_BYTES, ..view };
    let both = MessageSize { content: share.content + item.content, proof: share.proof + item.proof };
    vec![item, view, both, asked, share]
}

/// The receiver, who has captured.
pub struct Taker {
    pub earlier: Receiver,
    pub sight: Receiver,
    pub square: Square,
    pub proofs: Arc<dyn RingProofs>,
    /// Messages taken so far.
    pub taken: usize,
}

impl Taker {
    /// Proves by the earlier sight's share that a man was seen.
    fn prove(&self, share: &[u8]) -> Result<Vec<u8>, Fault> {
        let (public, private) = self.earlier.captured(share, self.square)?;
        match check(&public, &private) {
            Ok(()) => Proves::<CapturedStatement>::prove(&*self.proofs, &public, &private).map_err(Fault::Internal),
            // The own part of it is the same as before the capture.
            Err(error @ (Unmet::Noise | Unmet::Empty)) => {
                let cause =
                    format!("the sight before the capture isn't given again as it was, or keys are wrong: {error}");
                Err(Fault::unproven(2, cause))
            }
            Err(error) => Err(Fault::internal(error)),
        }
    }
}

impl Party for Taker {
    type Output = Sight;

    fn shape(&self) -> Vec<MessageSize> {
        shape(self.sight.own.shape())
    }

    fn step(&mut self, received: Option<&[u8]>) -> Result<Step<Sight>, Fault> {
        let Some(message) = received else { return Ok(Step::WAIT) };
        let step = match self.taken {
            0 => Step { output: None, ..self.earlier.step(received)? },
            1 => {
                let (contents, proofs) = self.shape()[2].split(2, message)?;
                let shape = self.sight.own.shape()[2];
                let ((share, item), (of_share, of_item)) =
                    (contents.split_at(shape.content), proofs.split_at(shape.proof));
                let (share, item) = ([share, of_share].concat(), [item, of_item].concat());
                self.earlier.step(Some(&share))?;
                let proof = self.prove(&share)?;
                let Step { send, .. } = self.sight.step(Some(&item)).map_err(later)?;
                Step { send: send.map(|view| [view, proof].concat()), output: None }
            }
            _ => self.sight.step(received).map_err(later)?,
        };
        self.taken += 1;
        Ok(step)
    }

    fn meaning(&self) -> String {
        if self.taken < 2 { self.earlier.meaning() } else { self.sight.meaning() }
    }
}

/// The sender, whose man was captured.
pub struct Giver {
    pub earlier: Sender,
    pub sight: Sender,
    pub square: Square,
    pub proofs: Arc<dyn RingProofs>,
    /// Messages taken so far.
    pub taken: usize,
}

impl Party for Giver {
    type Output = ();

    fn shape(&self) -> Vec<MessageSize> {
        shape(self.sight.own.shape())
    }

    fn step(&mut self, received: Option<&[u8]>) -> Result<Step<()>, Fault> {
        let Some(message) = received else { return self.earlier.step(None) };
        let step = match self.taken {
            0 => {
                // Known here without any proof, and so before the earlier sight is given again.
                let stood = self.earlier.shows(self.square);
                fog::ensure!(stood, Fault::unproven(1, "nobody stood on the captured square"));
                let shape = self.sight.own.shape();
                let sent = [self.earlier.step(received)?.send, self.sight.step(None)?.send];
                let [share, item] = sent.map(Option::unwrap_or_default);
                let split = |size: MessageSize, own| size.split(2, own).map_err(Fault::internal);
                let ((share, of_share), (item, of_item)) = (split(shape[2], &share)?, split(shape[0], &item)?);
                Step::send([share, item, of_share, of_item].concat())
            }
            _ => {
                let (got, expected) = (message.len(), self.shape()[3].total());
                fog::ensure!(got == expected, Fault::Length { index: 3, got, expected });
                let (view, proof) = message.split_at(self.sight.own.shape()[1].total());
                let public = self.earlier.captured(self.square)?;
                Proves::<CapturedStatement>::verify(&*self.proofs, &public, proof).map_err(|error| {
                    Fault::unproven(3, format!("no man on the captured square was seen before the capture: {error}"))
                })?;
                self.sight.step(Some(view)).map_err(later)?
            }
        };
        self.taken += 1;
        Ok(step)
    }

    fn meaning(&self) -> String {
        if self.taken == 0 { self.earlier.meaning() } else { self.sight.meaning() }
    }
}
