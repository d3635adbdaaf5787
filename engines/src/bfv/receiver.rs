//! The receiver's part: the encrypted view vector, the product, and what it opens to. Messages are those of [`sender`](super::sender).

use super::{
    captured::CapturedPublic, cipher::Product, integers::KeyAndMask, key_share::small_vector, own::Own,
    refusal::Refusal, slots, transcript::Transcript,
};
use crate::bfv::vector;
use fhe::bfv::Ciphertext;
use fog::{
    engine::{Fault, MessageSize, Party, Step, Word},
    word::WORD,
};
use rules::{Sight, Square};

/// Waiting for the share.
struct Asked {
    view: Ciphertext,
    /// What was said before the view, from which its mask follows.
    before: Transcript,
    product: Product,
    transcript: Transcript,
}

pub struct Receiver {
    pub(super) own: Own,
    promised: Option<Word>,
    asked: Option<Asked>,
}

impl Receiver {
    /// A receiver. The opening's digest must be `promised`, if that came on chain.
    pub fn new(own: Own, promised: Option<Word>) -> Self {
        Self { own, promised, asked: None }
    }

    fn ask(&self, message: &[u8]) -> Result<(Vec<u8>, Asked), Fault> {
        let own = &self.own;
        let (content, given) = own.shape()[0].split(0, message)?;
        let (given, proof) = given.split_at(WORD);
        let seal = Transcript::new(&own.bound).seal(content, &[]);
        fog::ensure!(self.promised.is_none_or(|promised| promised == seal), Fault::Digest(0));
        fog::ensure!(given == seal, Fault::unproven(0, Refusal::Seal));
        let item = own.cipher.read(0, content)?;
        if let Some(proven) = &own.proven {
            proven.verify_vector(0, &own.cipher, &item, proof)?;
        }
        let opened = Transcript::new(&own.id).with(content);
        let slots = vector::view(&own.board, own.phase);
        let view = own.cipher.encrypt(&slots, &mut opened.stream(&own.branch, "view"))?;
        let ciphertext = own.cipher.read(1, &view)?;
        let product = own.cipher.multiply(&item, &ciphertext)?;
        let seal = opened.seal(&view, &product.bytes);
        let transcript = opened.with(&view);
        let asked = Asked { view: ciphertext, before: opened, product, transcript };
        let proof = own
            .proven
            .as_ref()
            .map(|proven| proven.prove_vector(&own.cipher, &view, &mut opened.stream(&own.branch, "view")));
        Ok(([view, seal.to_vec(), proof.transpose()?.unwrap_or_default()].concat(), asked))
    }

    /// What this side proves of a man that it captured on `square` after the sight that ends with the message `share`.
    pub(super) fn captured(&self, share: &[u8], square: Square) -> Result<(CapturedPublic, KeyAndMask), Fault> {
        let (share, _) = self.own.shape()[2].split(2, share)?;
        let asked = self.asked.as_ref().ok_or_else(|| Fault::internal("nothing was asked yet"))?;
        let Own { cipher, branch, board, .. } = &self.own;
        let public = cipher.captured(true, &asked.view, &asked.product, (2, share), (board.color, square))?;
        let mask = small_vector(&mut asked.before.stream(branch, "view"))?;
        Ok((public, KeyAndMask { key: cipher.share.secrets.key.clone(), mask }))
    }

    fn open(&self, asked: &Asked, message: &[u8]) -> Result<Sight, Fault> {
        let (share, given) = self.own.shape()[2].split(2, message)?;
        let (given, proof) = given.split_at(WORD);
        let seal = asked.transcript.seal(share, &asked.product.bytes);
        fog::ensure!(given == seal, Fault::unproven(2, Refusal::Seal));
        if let Some(proven) = &self.own.proven {
            proven.verify_share(&self.own.cipher, &asked.product, share, proof)?;
        }
        let slots = self.own.cipher.decrypt(2, &asked.product, share)?;
        slots::sight(&self.own.board, self.own.phase, &slots).map_err(|cause| Fault::malformed(2, cause))
    }
}

impl Party for Receiver {
    type Output = Sight;

    fn shape(&self) -> Vec<MessageSize> {
        self.own.shape().to_vec()
    }

    fn step(&mut self, received: Option<&[u8]>) -> Result<Step<Sight>, Fault> {
        match (received, &self.asked) {
            (None, _) => Ok(Step::WAIT),
            (Some(opening), None) => {
                let (message, asked) = self.ask(opening)?;
                self.asked = Some(asked);
                Ok(Step::send(message))
            }
            (Some(share), Some(asked)) => Ok(Step::output(self.open(asked, share)?)),
        }
    }

    fn meaning(&self) -> String {
        vector::in_words(&vector::view(&self.own.board, self.own.phase))
    }
}
