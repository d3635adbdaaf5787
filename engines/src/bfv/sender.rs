//! The sender's part: the encrypted item vector, then its share of the product's decryption.
//!
//! ```text
//! 0  item                     seal                                                     proof
//! 1  view                     seal over the product, as the receiver has computed it   proof
//! 2  decryption share         seal over the product, as the sender has                 proof
//! ```
//!
//! Proofs stand in games that have them: *item* and *view* of the ciphertexts, *decryption* of the share.
//!
//! The sender gives no share unless the receiver's product is its own one, so that a share is never one of another ciphertext. The
//! opening's seal is what stands on chain as `answerRoot`.

use super::{
    captured::CapturedPublic,
    cipher::Product,
    own::{Own, SHAPE},
    refusal::Refusal,
    transcript::Transcript,
};
use crate::bfv::vector;
use fhe::bfv::Ciphertext;
use fog::{
    engine::{Fault, MessageSize, Party, Step, Word},
    word::WORD,
};
use rules::{Side, Square};

/// The encrypted item vector of a board, and its seal: the same for each attempt.
pub fn opening(own: &Own, board: &Side) -> Result<(Vec<u8>, Word), Fault> {
    let start = Transcript::new(&own.bound);
    let item = vector::item(board, own.phase);
    let content = own.cipher.encrypt(&item, &mut start.stream(&own.branch, "item"))?;
    let seal = start.seal(&content, &[]);
    Ok((content, seal))
}

pub struct Sender {
    pub(super) own: Own,
    opening: Vec<u8>,
    /// The other's view, the product and the own share of it, once they are there.
    replied: Option<(Ciphertext, Product, Vec<u8>)>,
}

impl Sender {
    /// A sender of the own board, and the digest of its opening.
    pub fn new(own: Own) -> Result<(Self, Word), Fault> {
        let board = own.board.clone();
        Self::showing(own, &board)
    }

    /// A sender of any board.
    pub(super) fn showing(own: Own, board: &Side) -> Result<(Self, Word), Fault> {
        let (content, seal) = opening(&own, board)?;
        Ok((Self { own, opening: [content, seal.to_vec()].concat(), replied: None }, seal))
    }

    /// What was said with the opening.
    fn opened(&self) -> (&[u8], Transcript) {
        let item = &self.opening[..SHAPE[0].content];
        (item, Transcript::new(&self.own.id).with(item))
    }

    /// Whether a man of the board stands on a square.
    pub(super) fn shows(&self, square: Square) -> bool {
        self.own.board.piece(square).is_some()
    }

    /// What the receiver of this sight proves of a man that it captured on `square`.
    pub(super) fn captured(&self, square: Square) -> Result<CapturedPublic, Fault> {
        let (view, product, share) = self.replied.as_ref().ok_or_else(|| Fault::internal("no sight was given yet"))?;
        self.own.cipher.captured(false, view, product, (2, share), (!self.own.board.color, square))
    }

    /// The opening, with its proof.
    fn open(&self) -> Result<Vec<u8>, Fault> {
        let Some(proven) = &self.own.proven else { return Ok(self.opening.clone()) };
        let mut stream = Transcript::new(&self.own.bound).stream(&self.own.branch, "item");
        let proof = proven.prove_vector(&self.own.cipher, &self.opening[..SHAPE[0].content], &mut stream)?;
        Ok([&self.opening[..], &proof].concat())
    }

    fn reply(&mut self, message: &[u8]) -> Result<Vec<u8>, Fault> {
        let (cipher, (item, opened)) = (&self.own.cipher, self.opened());
        let (content, given) = self.own.shape()[1].split(1, message)?;
        let (seal, proof) = given.split_at(WORD);
        let view = cipher.read(1, content)?;
        let product = cipher.multiply(&cipher.read(0, item)?, &view)?;
        fog::ensure!(seal == opened.seal(content, &product.bytes), Fault::unproven(1, Refusal::Seal));
        if let Some(proven) = &self.own.proven {
            proven.verify_vector(1, cipher, &view, proof)?;
        }
        let said = opened.with(content);
        let share = cipher.decryption_share(&product, &mut said.stream(&self.own.branch, "flood"))?;
        let seal = said.seal(&share, &product.bytes);
        let mut message = [&share[..], &seal].concat();
        if let Some(proven) = &self.own.proven {
            message.extend(proven.prove_share(cipher, &product, &share)?);
        }
        self.replied = Some((view, product, share));
        Ok(message)
    }
}

impl Party for Sender {
    type Output = ();

    fn shape(&self) -> Vec<MessageSize> {
        self.own.shape().to_vec()
    }

    fn step(&mut self, received: Option<&[u8]>) -> Result<Step<()>, Fault> {
        match received {
            None => Ok(Step::send(self.open()?)),
            Some(view) => Ok(Step::send(self.reply(view)?).with_output(())),
        }
    }

    fn meaning(&self) -> String {
        match self.replied {
            None => vector::in_words(&vector::item(&self.own.board, self.own.phase)),
            Some(_) => String::new(),
        }
    }
}
