//! The sender of the chained engine: the hardened one's, with the proof of its board after the opening.

use super::{
    board_proof::{BoardProof, BoardSize},
    opening_digest, renumber, shape,
};
use crate::andos::{hardened, secret_key::SecretKey};
use fog::engine::{Fault, MessageSize, Party, Step, Word, Work};
use std::sync::Arc;

pub struct Sender {
    inner: hardened::sender::Sender,
    key: Arc<SecretKey>,
    proof: BoardProof,
    size: BoardSize,
    opening: Vec<u8>,
    /// Whether the board's proof was opened.
    shown: bool,
}

impl Sender {
    /// The party and the digest of its opening.
    pub fn new(
        mut inner: hardened::sender::Sender,
        key: Arc<SecretKey>,
        exchange: &Word,
        proof: BoardProof,
        size: BoardSize,
    ) -> Result<(Self, Word), Fault> {
        let opening = inner.step(None)?.send.ok_or_else(|| Fault::internal("the sender opens"))?;
        let content = [&opening[..], proof.message()].concat();
        let digest = opening_digest(exchange, &content);
        let opening = [&content[..], &digest].concat();
        Ok((Self { inner, key, proof, size, opening, shown: false }, digest))
    }
}

impl Party for Sender {
    type Output = ();

    fn shape(&self) -> Vec<MessageSize> {
        shape(self.inner.shape(), &self.size)
    }

    fn step(&mut self, received: Option<&[u8]>) -> Result<Step<()>, Fault> {
        match received {
            None => Ok(Step::send(self.opening.clone())),
            Some(challenge) if !self.shown => {
                let challenge = hardened::messages::read_challenge(challenge, 1)?;
                let openings = self.proof.open(self.key.public(), &challenge);
                self.shown = true;
                Ok(Step::send(openings))
            }
            message => self.inner.step(message).map_err(renumber),
        }
    }

    fn work(&self) -> Work {
        let inner = self.inner.work();
        Work { modmuls: inner.modmuls + self.size.modmuls(), ..inner }
    }
}
