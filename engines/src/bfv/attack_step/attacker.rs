//! The attacker's part: the encrypted attack vector with the own share of the product's decryption, then what the product is.

use super::{Attack, Captured, SHAPE, attack_vector, captured, start};
use crate::bfv::{
    cipher::Product,
    own::{self, Own},
    refusal::Refusal,
    transcript::Transcript,
};
use fog::engine::{Fault, MessageSize, Party, Step, Work};

/// Waiting for the share.
pub(super) struct Asked {
    pub(super) product: Product,
    transcript: Transcript,
}

pub struct Attacker {
    own: Own,
    attack: Option<Attack>,
    /// The encrypted item vector.
    item: Vec<u8>,
    asked: Option<Asked>,
}

impl Attacker {
    /// An attacker, given the message with which the sight before its move was opened.
    pub(crate) fn new(own: Own, opening: &[u8], attack: Option<Attack>) -> Result<Self, Fault> {
        let is_sized = opening.len() == own::SHAPE[0].total();
        fog::ensure!(is_sized, Fault::internal("another message than the sight's opening"));
        let (item, seal) = opening.split_at(own::SHAPE[0].content);
        let is_right = seal == Transcript::new(&own.bound).seal(item, &[]);
        fog::ensure!(is_right, Fault::internal("the opening of another sight"));
        Ok(Self { own, attack, item: item.to_vec(), asked: None })
    }

    fn ask(&self) -> Result<(Vec<u8>, Asked), Fault> {
        self.ask_for(&attack_vector(self.own.board.color, self.attack.map(|attack| attack.square)))
    }

    /// Asks by any vector.
    pub(super) fn ask_for(&self, vector: &[u64]) -> Result<(Vec<u8>, Asked), Fault> {
        let Own { cipher, branch, .. } = &self.own;
        let start = start(&self.own, &self.item);
        let attack = cipher.encrypt(vector, &mut start.stream(branch, "attack"))?;
        let product = cipher.multiply(&cipher.read(0, &self.item)?, &cipher.read(0, &attack)?)?;
        let share = cipher.decryption_share(&product, &mut start.with(&attack).stream(branch, "flood"))?;
        let content = [attack, share].concat();
        let seal = start.seal(&content, &product.bytes);
        let transcript = start.with(&content);
        Ok(([content, seal.to_vec()].concat(), Asked { product, transcript }))
    }

    /// What the move captured: nothing else than was seen.
    fn open(&self, asked: &Asked, message: &[u8]) -> Result<Option<Captured>, Fault> {
        let (share, given) = SHAPE[1].split(1, message)?;
        let seal = asked.transcript.seal(share, &asked.product.bytes);
        fog::ensure!(given == seal, Refusal::Seal.unproven(1));
        let slots = self.own.cipher.decrypt(1, &asked.product, share)?;
        let captured = captured(self.own.board.color, &slots).map_err(|refusal| refusal.malformed(1))?;
        let is_expected = captured == self.attack.and_then(Attack::expected);
        fog::ensure!(is_expected, Refusal::Attack.malformed(1));
        Ok(captured)
    }
}

impl Party for Attacker {
    type Output = Option<Captured>;

    fn shape(&self) -> Vec<MessageSize> {
        SHAPE.to_vec()
    }

    fn step(&mut self, received: Option<&[u8]>) -> Result<Step<Self::Output>, Fault> {
        match (received, &self.asked) {
            (None, _) => {
                let (message, asked) = self.ask()?;
                self.asked = Some(asked);
                Ok(Step::send(message))
            }
            (Some(_), None) => Err(Fault::NotDue(1)),
            (Some(share), Some(asked)) => Ok(Step::output(self.open(asked, share)?)),
        }
    }

    fn work(&self) -> Work {
        Work { ciphertext_muls: self.asked.is_some().into(), ..Work::default() }
    }
}
