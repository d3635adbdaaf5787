//! The victim's part: what the product is, then the own share of its decryption. Messages are those of [`attack_step`](super).

use super::{Captured, SHAPE, captured, start};
use crate::bfv::{own::Own, parameters::CIPHERTEXT_BYTES, refusal::Refusal, sender};
use fog::engine::{Fault, MessageSize, Party, Step, Work};

pub struct Victim {
    own: Own,
    /// The encrypted item vector.
    item: Vec<u8>,
    work: u64,
}

impl Victim {
    /// The sender of the sight before the move.
    pub(crate) fn new(own: Own) -> Result<Self, Fault> {
        let (item, _) = sender::opening(&own, &own.board)?;
        Ok(Self { own, item, work: 0 })
    }

    /// Opens the product, which must be one of an attack on one square, and gives its share only then.
    fn reply(&mut self, message: &[u8]) -> Result<Step<Option<Captured>>, Fault> {
        let Own { cipher, branch, board, .. } = &self.own;
        let start = start(&self.own, &self.item);
        let (content, given) = SHAPE[0].split(0, message)?;
        let (attack, share) = content.split_at(CIPHERTEXT_BYTES);
        let product = cipher.multiply(&cipher.read(0, &self.item)?, &cipher.read(0, attack)?)?;
        fog::ensure!(given == start.seal(content, &product.bytes), Refusal::Seal.unproven(0));
        let slots = cipher.decrypt(0, &product, share)?;
        let captured = captured(!board.color, &slots).map_err(|refusal| refusal.malformed(0))?;
        let is_own = captured.is_none_or(|captured| board.piece(captured.square) == Some(captured.piece));
        fog::ensure!(is_own, Refusal::Attack.malformed(0));

        let said = start.with(content);
        let share = cipher.decryption_share(&product, &mut said.stream(branch, "flood"))?;
        let seal = said.seal(&share, &product.bytes);
        self.work += 1;
        Ok(Step::send([share, seal.to_vec()].concat()).with_output(captured))
    }
}

impl Party for Victim {
    type Output = Option<Captured>;

    fn shape(&self) -> Vec<MessageSize> {
        SHAPE.to_vec()
    }

    fn step(&mut self, received: Option<&[u8]>) -> Result<Step<Self::Output>, Fault> {
        received.map_or(Ok(Step::WAIT), |message| self.reply(message))
    }

    fn work(&self) -> Work {
        Work { ciphertext_muls: self.work, ..Work::default() }
    }
}
