//! Who a peer is: the signature that binds a network identity to an Ethereum address, for one game.
//!
//! Protocol section 6 speaks of players, which are addresses on the chain; the network authenticates peer ids (Noise
//! proves that the peer holds the key of its id). A player signs (EIP-191) one statement that names chain, contract,
//! game and its own peer id. The reader puts the peer id *of the connection* into the statement before it recovers the
//! signer, so a signature that another peer replays, or one of another game, recovers to a stranger.

use alloy::primitives::{Address, Signature};
use alloy::signers::SignerSync as _;
use libp2p::PeerId;
use libp2p::identity::Keypair;

use crate::wallet::Wallet;
use game::GameRef;
use game::message::HELLO_BYTES;

/// Purpose of the derived network key.
const IDENTITY_INFO: &[u8] = b"link identity";

/// What a player signs. The first line separates it from every other statement that a wallet may be shown.
fn statement(game: &GameRef, peer: &PeerId) -> String {
    let GameRef { chain_id, contract, game_id } = game;
    format!("Fogmate link 1\nchain: {chain_id}\ncontract: {contract:#x}\ngame: {game_id:#x}\npeer: {peer}")
}

/// The address that signed the statement of a game for `peer`, if the bytes are a signature at all.
pub(super) fn signer(game: &GameRef, peer: &PeerId, signature: &[u8; HELLO_BYTES]) -> Option<Address> {
    let signature = Signature::from_raw_array(signature).ok()?;
    signature.recover_address_from_msg(statement(game, peer)).ok()
}

/// A player's network identity in one game.
///
/// The key derives from the wallet and the game, so a restarted client is the same peer, and a player's games can't be
/// linked by their peer ids.
#[derive(Clone)]
pub struct Identity {
    pub(super) keypair: Keypair,
    pub(super) game: GameRef,
    pub(super) signature: [u8; HELLO_BYTES],
}

fog::redacted!(Identity);

impl Identity {
    /// The identity of the wallet's owner in a game.
    ///
    /// # Errors
    ///
    /// If the wallet can't sign.
    pub fn new(wallet: &Wallet, game: GameRef) -> Result<Self, alloy::signers::Error> {
        let mut secret = wallet.derive(&[IDENTITY_INFO, &game.to_bytes()]);
        let keypair =
            Keypair::ed25519_from_bytes(secret.as_mut_slice()).expect("any 32 bytes are an ed25519 secret key");
        let statement = statement(&game, &keypair.public().to_peer_id());
        let signature = wallet.signer().sign_message_sync(statement.as_bytes())?.as_bytes();
        Ok(Self { keypair, game, signature })
    }

    /// The peer id that others dial.
    pub fn peer_id(&self) -> PeerId {
        self.keypair.public().to_peer_id()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloy::primitives::B256;

    fn game() -> GameRef {
        GameRef { chain_id: 31337, contract: Address::repeat_byte(2), game_id: B256::repeat_byte(3) }
    }

    #[test]
    fn the_signature_holds_for_its_peer_and_game_only() {
        let wallet = Wallet::from_secret(&[1; 32]).unwrap();
        let identity = Identity::new(&wallet, game()).unwrap();
        let signer = |game: GameRef, peer: &PeerId| super::signer(&game, peer, &identity.signature);
        assert_eq!(signer(game(), &identity.peer_id()), Some(wallet.address()));
        assert_ne!(signer(game(), &PeerId::random()), Some(wallet.address()));
        let others = [
            GameRef { chain_id: 1, ..game() },
            GameRef { contract: Address::ZERO, ..game() },
            GameRef { game_id: B256::ZERO, ..game() },
        ];
        for other in others {
            assert_ne!(signer(other, &identity.peer_id()), Some(wallet.address()));
            let there = Identity::new(&wallet, other).unwrap();
            assert_ne!(there.peer_id(), identity.peer_id());
        }
        assert_eq!(super::signer(&game(), &identity.peer_id(), &[0xff; HELLO_BYTES]), None);
    }

    #[test]
    fn the_same_wallet_is_the_same_peer_again() {
        let wallet = Wallet::from_secret(&[1; 32]).unwrap();
        let [a, b] = [(), ()].map(|()| Identity::new(&wallet, game()).unwrap().peer_id());
        assert_eq!(a, b);
    }
}
