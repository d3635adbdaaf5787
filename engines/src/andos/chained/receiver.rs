//! The receiver of the chained engine: the hardened one's, once the sender's board is proven.

use super::{
    board_proof::{BoardClaim, BoardSize},
    history::History,
    opening_digest, renumber, shape,
};
use crate::andos::{
    hardened::{self, chain::Chain, challenge::Challenge},
    opening::Opening,
    packet::PACKET,
    public_key::PublicKey,
};
use fog::{
    engine::{Exchange, Fault, MessageSize, Party, Step, Word, Work},
    word::WORD,
};
use rules::Sight;
use std::sync::Arc;

pub struct Receiver {
    inner: hardened::receiver::Receiver,
    key: PublicKey,
    bound: Word,
    promised: Option<Word>,
    before: Chain,
    size: BoardSize,
    /// Where the proven chain is noted.
    record: (Arc<History>, Exchange),
    claimed: Option<Arc<Claimed>>,
    /// Whether the board was proven.
    proven: bool,
}

/// A board that waits for its openings.
struct Claimed {
    claim: BoardClaim,
    challenge: Challenge,
    /// The hardened engine's opening.
    opening: Vec<u8>,
}

impl Receiver {
    /// Before the opening; `before` is the sender's chain as it was shown last.
    pub fn new(
        inner: hardened::receiver::Receiver,
        key: PublicKey,
        bound: Word,
        promised: Option<Word>,
        before: Chain,
        size: BoardSize,
        record: (Arc<History>, Exchange),
    ) -> Self {
        Self { inner, key, bound, promised, before, size, record, claimed: None, proven: false }
    }

    /// Takes the opening, and challenges the board's proof.
    fn claim(&mut self, message: &[u8]) -> Result<Step<Sight>, Fault> {
        let (content, given) = message.split_at(message.len() - WORD);
        let digest = opening_digest(&self.bound, content);
        if self.promised.is_some_and(|promised| promised != digest) {
            return Err(Fault::Digest(0));
        }
        if given != digest {
            let cause = "it is the opening of another exchange".into();
            return Err(Fault::Proof { index: 0, cause });
        }
        let (opening, said) = content.split_at(content.len() - self.size.message_bytes());
        // The pawn phase comes second, and its packet must be the one that this proof is about.
        let (named, general) = Opening::read(opening, &self.bound, None)?;
        named.check(1, &said[..PACKET], 0)?;
        let claim = BoardClaim::read(&self.key, &self.before, &self.size, general, said);
        let claim = claim.map_err(|cause| Fault::Malformed { index: 0, cause: cause.into() })?;
        let challenge = Challenge::draw(&self.inner.randomness_after(message));
        self.claimed = Some(Arc::new(Claimed { claim, challenge, opening: opening.to_vec() }));
        Ok(Step::send(challenge.to_bytes().to_vec()))
    }

    /// Takes the openings, and asks the first question.
    fn prove(&mut self, claimed: &Claimed, openings: &[u8]) -> Result<Step<Sight>, Fault> {
        let chain = claimed.claim.verify(&self.key, &claimed.challenge, openings);
        let chain = chain.map_err(|cause| Fault::Proof { index: 2, cause: cause.into() })?;
        let step = self.inner.step(Some(&claimed.opening)).map_err(renumber)?;
        let (history, exchange) = &self.record;
        history.see(exchange, chain);
        self.proven = true;
        Ok(step)
    }
}

impl Party for Receiver {
    type Output = Sight;

    fn shape(&self) -> Vec<MessageSize> {
        shape(self.inner.shape(), &self.size)
    }

    fn step(&mut self, received: Option<&[u8]>) -> Result<Step<Sight>, Fault> {
        let Some(message) = received else {
            return Ok(Step::WAIT);
        };
        if self.proven {
            return self.inner.step(Some(message)).map_err(renumber);
        }
        match self.claimed.clone() {
            None => self.claim(message),
            Some(claimed) => self.prove(&claimed, message),
        }
    }

    fn work(&self) -> Work {
        let inner = self.inner.work();
        let of_board = if self.proven { self.size.modmuls() } else { 0 };
        Work { modmuls: inner.modmuls + of_board, ..inner }
    }
}
