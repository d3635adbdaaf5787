//! Who a peer is: the signature that binds a network identity to an Ethereum address, for one game.
//!
//! Protocol section 6 speaks of players, which are addresses on the chain; the network authenticates peer ids (Noise
//! proves that the peer holds the key of its id). A player signs (EIP-191) one statement that names chain, contract,
//! game and its own peer id. The reader puts the peer id *of the connection* into the statement before it recovers the
//! signer, so a signature that another peer replays, or one of another game, recovers to a stranger.

use alloy::primitives::{Address, B256, Signature};
use alloy::signers::SignerSync as _;
use libp2p::PeerId;
use libp2p::identity::Keypair;

use crate::wallet::Wallet;
use game::message::HELLO_BYTES;

/// Purpose of the derived network key.
const IDENTITY_INFO: &[u8] = b"link identity";

/// The game that a link belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scope {
    /// The chain.
    pub chain_id: u64,
    /// The game contract.
    pub contract: Address,
    /// The game.
    pub game: B256,
}

impl Scope {
    /// What a player signs. The first line separates it from every other statement that a wallet may be shown.
    fn statement(&self, peer: &PeerId) -> String {
        let Self {
            chain_id,
            contract,
            game,
        } = self;
        format!(
            "Fogmate link 1\nchain: {chain_id}\ncontract: {contract:#x}\ngame: {game:#x}\npeer: {peer}"
        )
    }

    /// The address that signed the statement for `peer`, if the bytes are a signature at all.
    pub(super) fn signer(&self, peer: &PeerId, signature: &[u8; HELLO_BYTES]) -> Option<Address> {
        let signature = Signature::from_raw_array(signature).ok()?;
        signature
            .recover_address_from_msg(self.statement(peer))
            .ok()
    }
}

/// A player's network identity in one game.
///
/// The key derives from the wallet and the game, so a restarted client is the same peer, and a player's games can't be
/// linked by their peer ids.
pub struct Identity {
    pub(super) keypair: Keypair,
    pub(super) scope: Scope,
    pub(super) signature: [u8; HELLO_BYTES],
}

impl std::fmt::Debug for Identity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Identity")
            .field("peer", &self.peer_id())
            .field("scope", &self.scope)
            .finish_non_exhaustive()
    }
}

impl Identity {
    /// The identity of the wallet's owner in the game of `scope`.
    pub fn new(wallet: &Wallet, scope: Scope) -> Result<Self, alloy::signers::Error> {
        let chain = scope.chain_id.to_be_bytes();
        let info: [&[u8]; 4] = [
            IDENTITY_INFO,
            &chain,
            scope.contract.as_slice(),
            scope.game.as_slice(),
        ];
        let mut secret = wallet.derive(&info);
        let keypair = Keypair::ed25519_from_bytes(secret.as_mut_slice())
            .expect("any 32 bytes are an ed25519 secret key");
        let statement = scope.statement(&keypair.public().to_peer_id());
        let signature = wallet
            .signer()
            .sign_message_sync(statement.as_bytes())?
            .as_bytes();
        Ok(Self {
            keypair,
            scope,
            signature,
        })
    }

    /// The peer id that others dial.
    pub fn peer_id(&self) -> PeerId {
        self.keypair.public().to_peer_id()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope() -> Scope {
        Scope {
            chain_id: 31337,
            contract: Address::repeat_byte(2),
            game: B256::repeat_byte(3),
        }
    }

    #[test]
    fn the_signature_holds_for_its_peer_and_game_only() {
        let wallet = Wallet::from_secret(&[1; 32]).unwrap();
        let identity = Identity::new(&wallet, scope()).unwrap();
        let signer = |scope: Scope, peer: &PeerId| scope.signer(peer, &identity.signature);
        assert_eq!(signer(scope(), &identity.peer_id()), Some(wallet.address()));
        assert_ne!(signer(scope(), &PeerId::random()), Some(wallet.address()));
        let others = [
            Scope {
                chain_id: 1,
                ..scope()
            },
            Scope {
                contract: Address::ZERO,
                ..scope()
            },
            Scope {
                game: B256::ZERO,
                ..scope()
            },
        ];
        for other in others {
            assert_ne!(signer(other, &identity.peer_id()), Some(wallet.address()));
            let there = Identity::new(&wallet, other).unwrap();
            assert_ne!(there.peer_id(), identity.peer_id());
        }
        assert_eq!(
            scope().signer(&identity.peer_id(), &[0xff; HELLO_BYTES]),
            None
        );
    }

    #[test]
    fn the_same_wallet_is_the_same_peer_again() {
        let wallet = Wallet::from_secret(&[1; 32]).unwrap();
        let [a, b] = [(), ()].map(|()| Identity::new(&wallet, scope()).unwrap().peer_id());
        assert_eq!(a, b);
    }
}
