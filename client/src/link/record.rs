//! A record of addresses: where a player of a game can be reached now, as one word that can be sent by any messenger when
//! its addresses have changed.
//!
//! It is signed by the player's network identity in this game, and holds the signature that binds that identity to the
//! player's wallet (`binding`), so nobody else can make one, and one of another game is of no use. Records are numbered:
//! one that is not newer than what is known is refused.
//!
//! ```text
//! "fogmate-at1" + base58 of: chain id (8, big-endian)  contract (20)  game id (32)  number (8, big-endian)
//!                            network key (32, Ed25519)  wallet's signature (65)  multiaddresses (…)  signature (64)
//! ```
//! The addresses are as in an invitation, each with the identity's peer id at its end. The signature is by the network key,
//! of "fogmate/addresses/1" and all bytes before it.

use std::str::FromStr;

use alloy::primitives::Address;
use derive_more::Display;
use fog::ensure;
use game::GameRef;
use game::message::HELLO_BYTES;
use libp2p::identity::{PublicKey, ed25519};
use libp2p::{Multiaddr, PeerId};
use thiserror::Error;

use super::address::{is_dialable, peer, split};
use super::binding::{Identity, signer};

const PREFIX: &str = "fogmate-at1";
const DOMAIN: &[u8] = b"fogmate/addresses/1";
const SIGNATURE_BYTES: usize = 64;
/// Longer ones are no records.
const MAX_CHARS: usize = 1400;
/// So many addresses at most.
const MAX_ADDRESSES: usize = 8;

/// A record of addresses whose signature holds; whose it is [`AddressRecord::check`] tells.
#[derive(Clone, Debug, Display, PartialEq, Eq)]
#[display("{}{}", PREFIX, bs58::encode(bytes).into_string())]
pub struct AddressRecord {
    pub game: GameRef,
    /// The number: a newer record has a greater one.
    pub number: u64,
    /// Where the player can be reached, each with its peer id.
    pub addresses: Vec<Multiaddr>,
    peer: PeerId,
    binding: [u8; HELLO_BYTES],
    /// All of it, signed.
    bytes: Vec<u8>,
}

/// Why a word is no record of addresses, or of no use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RecordError {
    /// It doesn't begin like one, or has a character that none has.
    #[error("this is not a record of addresses: one begins with \"fogmate-at1\"")]
    Text,
    /// A character is wrong or missing, or somebody has changed it.
    #[error("the record of addresses has a typing error or is not whole: its signature is wrong")]
    Signature,
    /// The signature is right and the contents are not: made by another program.
    #[error("the record of addresses is malformed: another version of Fogmate may have made it")]
    Contents,
    /// It is of another game.
    #[error("the record of addresses is of another game")]
    OtherGame,
    /// Somebody else made it.
    #[error("the record of addresses is not the opponent's")]
    NotTheOpponent,
    /// There is a newer one.
    #[error("the record of addresses is out of date: a newer one of the opponent is known")]
    Stale,
    /// There is nothing that can be dialled in it.
    #[error("there is no address that can be dialled")]
    NoAddress,
}

impl AddressRecord {
    /// Makes a record of where an identity can be reached: places, or relays' circuits, without or with its peer id.
    ///
    /// # Errors
    ///
    /// [`RecordError::NoAddress`] if there is none, one can't be dialled, or there are too many.
    pub fn new(identity: &Identity, number: u64, addresses: &[Multiaddr]) -> Result<Self, RecordError> {
        let id = identity.peer_id();
        let with_peer = |address: &Multiaddr| match peer(address) {
            Some(known) if known == id => address.clone(),
            _ => address.clone().with(libp2p::multiaddr::Protocol::P2p(id)),
        };
        let addresses: Vec<Multiaddr> = addresses.iter().map(with_peer).collect();
        ensure!((1..=MAX_ADDRESSES).contains(&addresses.len()), RecordError::NoAddress);
        ensure!(addresses.iter().all(is_dialable), RecordError::NoAddress);
        let key = identity.keypair.public().try_into_ed25519().map_err(|_| RecordError::Contents)?;
        let mut bytes = identity.game.to_bytes().to_vec();
        bytes.extend_from_slice(&number.to_be_bytes());
        bytes.extend_from_slice(&key.to_bytes());
        bytes.extend_from_slice(&identity.signature);
        for address in &addresses {
            bytes.extend_from_slice(address.as_ref());
        }
        let signature = identity.keypair.sign(&signed(&bytes)).map_err(|_| RecordError::Contents)?;
        bytes.extend_from_slice(&signature);
        Ok(Self { game: identity.game, number, addresses, peer: id, binding: identity.signature, bytes })
    }

    /// Whether it is the opponent's in a game, and newer than the last one, whose number is `known`.
    ///
    /// # Errors
    ///
    /// [`RecordError::OtherGame`], [`RecordError::NotTheOpponent`], [`RecordError::Stale`].
    pub fn check(&self, game: &GameRef, opponent: Address, known: u64) -> Result<(), RecordError> {
        ensure!(self.game == *game, RecordError::OtherGame);
        ensure!(signer(game, &self.peer, &self.binding) == Some(opponent), RecordError::NotTheOpponent);
        ensure!(self.number > known, RecordError::Stale);
        Ok(())
    }
}

fn signed(bytes: &[u8]) -> Vec<u8> {
    [DOMAIN, bytes].concat()
}

impl FromStr for AddressRecord {
    type Err = RecordError;

    fn from_str(text: &str) -> Result<Self, RecordError> {
        let coded = text.trim().strip_prefix(PREFIX).ok_or(RecordError::Text)?;
        ensure!(coded.len() <= MAX_CHARS, RecordError::Text);
        let bytes = bs58::decode(coded).into_vec().map_err(|_| RecordError::Text)?;
        let at = bytes.len().checked_sub(SIGNATURE_BYTES).ok_or(RecordError::Signature)?;
        let (content, signature) = bytes.split_at(at);
        let mut rest = content;
        let game = GameRef::of(&take(&mut rest)?);
        let number = u64::from_be_bytes(take(&mut rest)?);
        let key: [u8; 32] = take(&mut rest)?;
        let binding = take(&mut rest)?;
        let key = ed25519::PublicKey::try_from_bytes(&key).map_err(|_| RecordError::Signature)?;
        let key = PublicKey::from(key);
        ensure!(key.verify(&signed(content), signature), RecordError::Signature);
        let id = key.to_peer_id();
        let addresses = Multiaddr::try_from(rest.to_vec()).map_err(|_| RecordError::Contents)?;
        let addresses = split(&addresses).ok_or(RecordError::Contents)?;
        ensure!(addresses.len() <= MAX_ADDRESSES, RecordError::Contents);
        ensure!(addresses.iter().all(|a| peer(a) == Some(id) && is_dialable(a)), RecordError::Contents);
        Ok(Self { game, number, addresses, peer: id, binding, bytes })
    }
}

fn take<const N: usize>(rest: &mut &[u8]) -> Result<[u8; N], RecordError> {
    let (bytes, after) = rest.split_first_chunk().ok_or(RecordError::Signature)?;
    *rest = after;
    Ok(*bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wallet::Wallet;
    use alloy::primitives::B256;

    fn game() -> GameRef {
        GameRef { chain_id: 31337, contract: Address::repeat_byte(2), game_id: B256::repeat_byte(3) }
    }

    fn wallet(byte: u8) -> Wallet {
        Wallet::from_secret(&[byte; 32]).unwrap()
    }

    fn record(number: u64) -> AddressRecord {
        let identity = Identity::new(&wallet(1), game()).unwrap();
        let relay = PeerId::random();
        let addresses = [
            "/dns4/alice.example/udp/4040/quic-v1".to_owned(),
            format!("/ip4/192.0.2.9/tcp/4041/p2p/{relay}/p2p-circuit"),
        ];
        AddressRecord::new(&identity, number, &addresses.map(|text| text.parse().unwrap())).unwrap()
    }

    #[test]
    fn a_record_reads_back_and_is_its_makers() {
        let made = record(7);
        let text = made.to_string();
        let read: AddressRecord = format!(" {text}\n").parse().unwrap();
        assert_eq!(read, made);
        assert!(text.len() < 600, "{text}");
        let (alice, bob) = (wallet(1).address(), wallet(2).address());
        assert_eq!(read.check(&game(), alice, 6), Ok(()));
        assert_eq!(read.check(&game(), alice, 7), Err(RecordError::Stale));
        assert_eq!(read.check(&game(), alice, 8), Err(RecordError::Stale));
        assert_eq!(read.check(&game(), bob, 6), Err(RecordError::NotTheOpponent));
        let other = GameRef { game_id: B256::ZERO, ..game() };
        assert_eq!(read.check(&other, alice, 6), Err(RecordError::OtherGame));
    }

    #[test]
    fn no_byte_can_be_changed() {
        let made = record(7);
        for at in 0..made.bytes.len() {
            let mut bytes = made.bytes.clone();
            bytes[at] ^= 1;
            let text = format!("{PREFIX}{}", bs58::encode(&bytes).into_string());
            assert_eq!(text.parse::<AddressRecord>(), Err(RecordError::Signature), "byte {at}");
            let text = format!("{PREFIX}{}", bs58::encode(&made.bytes[..at]).into_string());
            assert_eq!(text.parse::<AddressRecord>(), Err(RecordError::Signature), "cut at {at}");
        }
        assert_eq!("fogmate1abc".parse::<AddressRecord>(), Err(RecordError::Text));
    }

    #[test]
    fn a_network_key_that_the_wallet_has_not_signed_is_nobodys() {
        // Mallory signs her own key, and says that it is Alice's; or takes Alice's signature for her key.
        let mut mallory = Identity::new(&wallet(3), game()).unwrap();
        let place: Multiaddr = "/ip4/192.0.2.1/tcp/1".parse().unwrap();
        let alice = Identity::new(&wallet(1), game()).unwrap();
        for signature in [mallory.signature, alice.signature] {
            mallory.signature = signature;
            let forged = AddressRecord::new(&mallory, 9, std::slice::from_ref(&place)).unwrap();
            let read: AddressRecord = forged.to_string().parse().unwrap();
            assert_eq!(read.check(&game(), wallet(1).address(), 0), Err(RecordError::NotTheOpponent));
        }
        let nowhere: Multiaddr = "/ip4/192.0.2.1/tcp/0".parse().unwrap();
        assert_eq!(AddressRecord::new(&alice, 9, &[nowhere]), Err(RecordError::NoAddress));
        assert_eq!(AddressRecord::new(&alice, 9, &[]), Err(RecordError::NoAddress));
    }
}
