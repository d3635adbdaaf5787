//! What each party of an exchange begins with, the messages of one, and the proofs of what they hold.

use super::{
    cipher::{Cipher, Product},
    decryption::{DECRYPTION_BYTES, DecryptionPrivate, DecryptionStatement},
    encrypted::{BoardPublic, ENCRYPTED_BYTES, EncryptedPrivate, EncryptedStatement},
    key_share::small_vector,
    proofs::RingProofs,
    ring,
    vector::Kind,
};
use fhe::bfv::Ciphertext;
use fog::{
    engine::{Branch, CommittedState, Exchange, Fault, MessageSize, Phase, Word},
    statement::Proves,
    word::from_word,
};
use rand_chacha_09::ChaCha20Rng;
use rules::{Color, Side};
use std::sync::Arc;

/// What a party knows before the first message.
#[derive(Clone)]
pub struct Own {
    /// The own board, its captured piece removed.
    pub board: Side,
    /// Before or after the receiver's move.
    pub phase: Phase,
    pub id: Word,
    /// That of its first attempt, to which the opening is bound: what was promised on chain stays the same.
    pub bound: Word,
    /// The engine's branch of the own seed.
    pub branch: Branch,
    /// The joint keys and the own share.
    pub cipher: Arc<Cipher>,
    /// Where what is said is proven.
    pub proven: Option<Proven>,
}

fog::redacted!(Own);

/// The messages of an exchange, each with a seal, without proofs.
pub const SHAPE: [MessageSize; 3] = {
    use super::parameters::{CIPHERTEXT_BYTES, SHARE_BYTES};
    const fn sealed(content: usize) -> MessageSize {
        MessageSize { content, proof: fog::word::WORD }
    }
    [sealed(CIPHERTEXT_BYTES), sealed(CIPHERTEXT_BYTES), sealed(SHARE_BYTES)]
};

impl Own {
    /// The messages of this exchange.
    pub fn shape(&self) -> [MessageSize; 3] {
        let sizes = [ENCRYPTED_BYTES, ENCRYPTED_BYTES, DECRYPTION_BYTES];
        std::array::from_fn(|index| {
            let proof = if self.proven.is_some() { sizes[index] } else { 0 };
            MessageSize { proof: SHAPE[index].proof + proof, ..SHAPE[index] }
        })
    }
}

/// What makes and checks the proofs of an exchange, and the facts that they are of.
#[derive(Clone)]
pub struct Proven {
    pub proofs: Arc<dyn RingProofs>,
    pub exchange: Exchange,
    pub state: CommittedState,
}

impl Proven {
    /// What is public of a player's board.
    fn board(&self, color: Color) -> Result<BoardPublic, Fault> {
        let exchange = &self.exchange;
        let commitment = from_word(&exchange.commitments[color.index()]);
        Ok(BoardPublic {
            kind: if color == exchange.sender() { Kind::Item } else { Kind::View },
            commitment: commitment.ok_or_else(|| Fault::internal("a commitment that is no field element"))?,
            pending: exchange.pending_of(color),
            color,
            phase: exchange.phase,
        })
    }

    /// Proves that the own ciphertext is that of the own board, given the stream that it was encrypted by.
    pub fn prove_vector(&self, cipher: &Cipher, bytes: &[u8], stream: &mut ChaCha20Rng) -> Result<Vec<u8>, Fault> {
        let public = cipher.encrypted(self.board(self.state.side.color)?, &cipher.read(0, bytes)?);
        let salt = from_word(&self.state.salt).ok_or_else(|| Fault::internal("a salt that is no field element"))?;
        let private = EncryptedPrivate { side: self.state.side.clone(), salt, mask: small_vector(stream)? };
        Proves::<EncryptedStatement>::prove(&*self.proofs, &public, &private).map_err(Fault::Internal)
    }

    /// Verifies that the other's ciphertext, which is message `index`, is that of its board.
    pub fn verify_vector(
        &self,
        index: usize,
        cipher: &Cipher,
        ciphertext: &Ciphertext,
        proof: &[u8],
    ) -> Result<(), Fault> {
        let public = cipher.encrypted(self.board(!self.state.side.color)?, ciphertext);
        Proves::<EncryptedStatement>::verify(&*self.proofs, &public, proof).map_err(|error| {
            Fault::unproven(index, format!("it doesn't encrypt what the committed board gives: {error}"))
        })
    }

    /// Proves the own share of a product's decryption.
    pub fn prove_share(&self, cipher: &Cipher, product: &Product, share: &[u8]) -> Result<Vec<u8>, Fault> {
        let public = cipher.decryption(true, product, &ring::read_one(2, share, product.ciphertext[0].ctx())?);
        let private = DecryptionPrivate { key: cipher.share.secrets.key.clone() };
        Proves::<DecryptionStatement>::prove(&*self.proofs, &public, &private).map_err(Fault::Internal)
    }

    /// Verifies the other's share of a product's decryption, which is message 2.
    pub fn verify_share(&self, cipher: &Cipher, product: &Product, share: &[u8], proof: &[u8]) -> Result<(), Fault> {
        let public = cipher.decryption(false, product, &ring::read_one(2, share, product.ciphertext[0].ctx())?);
        Proves::<DecryptionStatement>::verify(&*self.proofs, &public, proof)
            .map_err(|error| Fault::unproven(2, format!("the share isn't made with the opened key: {error}")))
    }
}
