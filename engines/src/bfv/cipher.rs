//! What is done under the joint keys: encryption, the product, and its decryption in two parts.

use super::{
    captured::CapturedPublic,
    decryption::DecryptionPublic,
    encrypted::{BoardPublic, EncryptedPublic},
    flood::flood,
    key_share::KeyShare,
    parameters::{CIPHERTEXT_BYTES, DROPPED, Parameters},
    ring,
    shares::rows,
};
use fhe::{
    bfv::{Ciphertext, Encoding, Plaintext, PublicKey, RelinearizationKey},
    proto::bfv::{
        KeySwitchingKey as KeySwitchingKeyProto, PublicKey as PublicKeyProto,
        RelinearizationKey as RelinearizationKeyProto,
    },
};
use fhe_math::rq::{Poly, Representation};
use fhe_traits::{DeserializeParametrized, FheDecoder, FheDecrypter, FheEncoder, FheEncrypter, Serialize};
use fog::engine::Fault;
use prost::Message;
use rand_chacha_09::ChaCha20Rng;
use rules::{Color, Square};
use std::sync::Arc;
use zeroize::Zeroizing;

/// A player's key share and the joint keys.
pub struct Cipher {
    pub(super) parameters: &'static Parameters,
    pub(super) share: Arc<KeyShare>,
    /// The polynomial that both shares of the public key are of, and their sum.
    common: Poly,
    joint: Poly,
    public: PublicKey,
    relinearization: RelinearizationKey,
}

fog::redacted!(Cipher);

/// A product, ready to be opened.
pub struct Product {
    /// The ciphertext modulo `Q'`.
    pub ciphertext: Ciphertext,
    /// Its bytes, the same on both sides.
    pub bytes: Vec<u8>,
}

impl Cipher {
    /// The joint keys, from the sums of both players' openings and second rounds.
    pub fn new(
        parameters: &'static Parameters,
        share: Arc<KeyShare>,
        common: &Poly,
        opened: &[Poly],
        round_2: &[Poly],
    ) -> Result<Self, Fault> {
        let (_, second) = rows(opened)?;
        let scheme = &parameters.scheme;
        let public = Ciphertext::new(vec![opened[0].clone(), common.clone()], scheme).map_err(Fault::internal)?;
        let public = PublicKeyProto { c: Some((&public).into()) }.encode_to_vec();
        let bytes = |polys: &[Poly]| {
            let bytes = polys.iter().map(|poly| {
                let mut poly = poly.clone();
                poly.change_representation(Representation::NttShoup);
                poly.to_bytes()
            });
            bytes.collect::<Vec<_>>()
        };
        let ksk = KeySwitchingKeyProto { c0: bytes(round_2), c1: bytes(second), ..Default::default() };
        let relinearization = RelinearizationKeyProto { ksk: Some(ksk) }.encode_to_vec();
        Ok(Self {
            parameters,
            share,
            common: common.clone(),
            joint: opened[0].clone(),
            public: PublicKey::from_bytes(&public, scheme).map_err(Fault::internal)?,
            relinearization: RelinearizationKey::from_bytes(&relinearization, scheme).map_err(Fault::internal)?,
        })
    }

    pub fn encrypt(&self, slots: &[u64], rng: &mut ChaCha20Rng) -> Result<Vec<u8>, Fault> {
        let plaintext = Plaintext::try_encode(slots, Encoding::simd(), &self.parameters.scheme);
        let plaintext = plaintext.map_err(Fault::internal)?;
        let ciphertext = self.public.try_encrypt(&plaintext, rng).map_err(Fault::internal)?;
        Ok(ring::write(ciphertext.iter()))
    }

    /// Reads the ciphertext of message `index`.
    pub fn read(&self, index: usize, bytes: &[u8]) -> Result<Ciphertext, Fault> {
        fog::ensure!(bytes.len() == CIPHERTEXT_BYTES, Fault::internal("a wrong size"));
        let polys = ring::read(index, bytes, self.parameters.full())?;
        Ciphertext::new(polys, &self.parameters.scheme).map_err(Fault::internal)
    }

    /// The product of item and view, relinearised and switched to `Q'`: exact arithmetic, so both players get the same bytes.
    pub fn multiply(&self, item: &Ciphertext, view: &Ciphertext) -> Result<Product, Fault> {
        let mut ciphertext = self.multiply_full(item, view)?;
        ciphertext.switch_to_level(DROPPED).map_err(Fault::internal)?;
        let bytes = ring::write(ciphertext.iter());
        Ok(Product { ciphertext, bytes })
    }

    /// The product of item and view modulo `Q`, before it is switched.
    pub(super) fn multiply_full(&self, item: &Ciphertext, view: &Ciphertext) -> Result<Ciphertext, Fault> {
        let mut ciphertext = item * view;
        self.relinearization.relinearizes(&mut ciphertext).map_err(Fault::internal)?;
        Ok(ciphertext)
    }

    /// This player's part of a decryption, without which the other's says nothing: `s·c₁`, flooded.
    pub fn decryption_share(&self, product: &Product, rng: &mut ChaCha20Rng) -> Result<Vec<u8>, Fault> {
        let mut share = self.bare_share(product);
        *share += &*flood(self.parameters.switched(), rng)?;
        Ok(ring::write([&*share]))
    }

    /// `s·c₁`: with the noise of the product it would tell the key.
    pub(super) fn bare_share(&self, product: &Product) -> Zeroizing<Poly> {
        let mut second = product.ciphertext[1].clone();
        // Products are marked as public by the library, and with one factor marked so it would not guard the other's time.
        second.disallow_variable_time_computations();
        Zeroizing::new(&*self.share.switched * &second)
    }

    /// The slots of a product, given the other's share, which is message `index`.
    pub fn decrypt(&self, index: usize, product: &Product, share: &[u8]) -> Result<Zeroizing<Vec<u64>>, Fault> {
        let plaintext = self.opened(product, &ring::read_one(index, share, self.parameters.switched())?)?;
        let slots = Vec::<u64>::try_decode(&plaintext, Encoding::simd_at_level(DROPPED));
        Ok(Zeroizing::new(slots.map_err(Fault::internal)?))
    }

    /// This player's share of the public key, or the other's.
    fn public_share(&self, is_own: bool) -> Poly {
        let own = &self.share.opening[0];
        if is_own { own.clone() } else { &self.joint - own }
    }

    /// What is proven of a ciphertext of a player's board.
    pub fn encrypted(&self, board: BoardPublic, ciphertext: &Ciphertext) -> EncryptedPublic {
        let (common, joint) = (self.common.clone(), self.joint.clone());
        EncryptedPublic { board, common, joint, ciphertext: [ciphertext[0].clone(), ciphertext[1].clone()] }
    }

    /// What is proven of a share of a product's decryption, this player's or the other's.
    pub fn decryption(&self, is_own: bool, product: &Product, share: &Poly) -> DecryptionPublic {
        DecryptionPublic {
            common: self.common.clone(),
            share: self.public_share(is_own),
            second: product.ciphertext[1].clone(),
            decryption: share.clone(),
        }
    }

    /// What is proven of a capture by the player (this one, or the other) who has encrypted `view`, given the other player's share of the product's
    /// decryption, with the number of its message.
    pub fn captured(
        &self,
        is_own: bool,
        view: &Ciphertext,
        product: &Product,
        (index, share): (usize, &[u8]),
        (color, square): (Color, Square),
    ) -> Result<CapturedPublic, Fault> {
        let share = &ring::read_one(index, share, self.parameters.switched())?;
        Ok(CapturedPublic {
            common: self.common.clone(),
            share: self.public_share(is_own),
            joint: self.joint.clone(),
            view: [view[0].clone(), view[1].clone()],
            rest: &product.ciphertext[0] + share,
            second: product.ciphertext[1].clone(),
            color,
            square,
        })
    }

    /// The plaintext of a product, given the other's share.
    pub(super) fn opened(&self, product: &Product, share: &Poly) -> Result<Plaintext, Fault> {
        let polys = vec![&product.ciphertext[0] + share, product.ciphertext[1].clone()];
        let rest = Ciphertext::new(polys, &self.parameters.scheme).map_err(Fault::internal)?;
        self.share.secret.try_decrypt(&rest).map_err(Fault::internal)
    }
}
