//! Who laid a part open: the signature of the player's account under all that a disclosure says, so that nobody accuses a player by a
//! file of its own making. A player signs (EIP-191) one statement, as for the link: it names chain, contract and game, and the content by
//! its digest.
//!
//! ```text
//! content = digest(player, engine, branch, view key, then of each message: session, number, bytes)
//! ```
//! in which a session is called as in the file, and a number is two bytes, big-endian.

use super::Disclosure;
use super::file::name;
use crate::wallet::Wallet;
use alloy::primitives::{Address, B256, Signature};
use alloy::signers::SignerSync as _;
use fog::engine::digest;
use game::GameRef;

/// Bytes of a signature: `r`, `s`, and 27 or 28 by the parity of the point.
pub const SIGNATURE_BYTES: usize = 65;

impl Disclosure {
    /// Signs what it says. It is of use only with the wallet of its player.
    ///
    /// # Errors
    ///
    /// If the wallet can't sign.
    pub fn sign(&mut self, wallet: &Wallet) -> Result<(), alloy::signers::Error> {
        self.signature = wallet.signer().sign_message_sync(self.statement().as_bytes())?.as_bytes();
        Ok(())
    }

    /// The account that signed what it says, if its signature is one at all. Another word in it gives another account.
    pub fn signer(&self) -> Option<Address> {
        let signature = Signature::from_raw_array(&self.signature).ok()?;
        signature.recover_address_from_msg(self.statement()).ok()
    }

    /// What a player signs. The first line separates it from every other statement that a wallet may be shown.
    fn statement(&self) -> String {
        let GameRef { chain_id, contract, game_id } = &self.game;
        let content = self.content();
        format!(
            "Fogmate disclosure 1\nchain: {chain_id}\ncontract: {contract:#x}\ngame: {game_id:#x}\ncontent: {content:#x}"
        )
    }

    fn content(&self) -> B256 {
        let mut parts: Vec<Vec<u8>> =
            vec![self.player.to_vec(), self.engine.as_bytes().to_vec(), self.branch.to_vec(), self.view_key.to_vec()];
        for (session, messages) in &self.heard {
            for (index, bytes) in messages {
                parts.extend([name(*session).into_bytes(), index.to_be_bytes().to_vec(), bytes.clone()]);
            }
        }
        B256::from(digest(parts.iter().map(Vec::as_slice)))
    }
}
