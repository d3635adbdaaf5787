//! An invitation to a game as one word that can be sent by any messenger: chain, contract, game, and where the creator
//! listens. A check sum tells a typing error from a wrong game.
//!
//! ```text
//! "fogmate1" + base58 of: chain id (8, big-endian)  contract (20)  game id (32)  multiaddresses (…)  check sum (4)
//! ```
//! There are one or more addresses, one after the other; each ends with the creator's peer id, and none has it before.
//! The check sum is the start of SHA-256 over "fogmate/invite/1" and all bytes before it.

use fog::ensure;
use std::fmt;
use std::str::FromStr;

use game::GameRef;
use libp2p::Multiaddr;
use thiserror::Error;

use crate::check_sum;
use crate::link;

const PREFIX: &str = "fogmate1";
const DOMAIN: &[u8] = b"fogmate/invite/1";
const SUM_BYTES: usize = 4;
/// Longer ones are no invitations.
const MAX_CHARS: usize = 1200;
/// So many addresses at most.
const MAX_ADDRESSES: usize = 8;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invite {
    pub game: GameRef,
    /// Where the creator can be reached, each with its peer id at the end.
    pub addresses: Vec<Multiaddr>,
}

/// Why a word is no invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum InviteError {
    /// It doesn't begin like one.
    #[error("this is not an invitation: one begins with \"fogmate1\"")]
    Prefix,
    /// It has a character that none has, or is cut.
    #[error("the invitation has a character that none can have, or is not whole")]
    Text,
    /// A character is wrong or missing.
    #[error("the invitation has a typing error or is not whole: its check sum is wrong")]
    Sum,
    /// The check sum is right and the contents are not: made by another program.
    #[error("the invitation is malformed: another version of Fogmate may have made it")]
    Contents,
}

impl fmt::Display for Invite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut bytes = self.game.to_bytes().to_vec();
        for address in &self.addresses {
            bytes.extend_from_slice(address.as_ref());
        }
        bytes.extend_from_slice(&check_sum::<SUM_BYTES>(&[DOMAIN, &bytes]));
        write!(f, "{PREFIX}{}", bs58::encode(bytes).into_string())
    }
}

impl FromStr for Invite {
    type Err = InviteError;

    fn from_str(text: &str) -> Result<Self, InviteError> {
        let text = text.trim();
        let coded = text.strip_prefix(PREFIX).ok_or(InviteError::Prefix)?;
        ensure!(coded.len() <= MAX_CHARS, InviteError::Text);
        let bytes = bs58::decode(coded).into_vec().map_err(|_| InviteError::Text)?;
        let at = bytes.len().checked_sub(SUM_BYTES).ok_or(InviteError::Sum)?;
        let (bytes, found) = bytes.split_at(at);
        ensure!(check_sum::<SUM_BYTES>(&[DOMAIN, bytes]) == *found, InviteError::Sum);
        let (game, addresses) = bytes.split_first_chunk().ok_or(InviteError::Contents)?;
        let addresses = Multiaddr::try_from(addresses.to_vec()).map_err(|_| InviteError::Contents)?;
        let addresses = link::split(&addresses).ok_or(InviteError::Contents)?;
        // What the link can't dial would stop it later, when the stake is paid.
        ensure!(addresses.len() <= MAX_ADDRESSES && addresses.iter().all(link::is_dialable), InviteError::Contents);
        Ok(Self { game: GameRef::of(game), addresses })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloy::primitives::{Address, B256};

    fn invite() -> Invite {
        let address = "/ip4/127.0.0.1/tcp/4040/p2p/12D3KooWEyoppNCUx8Yx66oV9fJnriXwCcXwDDUA2kj6vnc6iDEp";
        let game = GameRef { chain_id: 31337, contract: Address::repeat_byte(7), game_id: B256::repeat_byte(9) };
        Invite { game, addresses: vec![address.parse().expect("an address")] }
    }

    #[test]
    fn an_invitation_reads_back() {
        let text = invite().to_string();
        assert!(text.len() < 200, "{text}");
        assert_eq!(text.parse(), Ok(invite()));
        assert_eq!(format!("  {text}\n").parse(), Ok(invite()));
    }

    #[test]
    fn several_addresses_read_back() {
        let mut invite = invite();
        let peer = "12D3KooWEyoppNCUx8Yx66oV9fJnriXwCcXwDDUA2kj6vnc6iDEp";
        let relay = "12D3KooWQYhTNQdmr3ArTeUHRYzFg94BKyTkoWBDWez9kSCVe2Xo";
        for text in [
            format!("/dns4/alice.example/udp/4040/quic-v1/p2p/{peer}"),
            format!("/ip6/2001:db8::9/tcp/4041/p2p/{relay}/p2p-circuit/p2p/{peer}"),
        ] {
            invite.addresses.push(text.parse().expect("an address"));
        }
        assert_eq!(invite.to_string().parse(), Ok(invite.clone()));
        let useless = ["/ip4/127.0.0.1/tcp/1".to_owned(), format!("/ip4/127.0.0.1/udp/1/p2p/{peer}")];
        let useless = useless.map(|text| vec![text.parse().expect("an address")]);
        for addresses in useless.into_iter().chain([vec![]]) {
            let nobody = Invite { addresses, ..invite.clone() };
            assert_eq!(nobody.to_string().parse::<Invite>(), Err(InviteError::Contents));
        }
        invite.addresses = vec![invite.addresses.remove(0); MAX_ADDRESSES + 1];
        assert_eq!(invite.to_string().parse::<Invite>(), Err(InviteError::Contents));
    }

    #[test]
    fn every_typing_error_is_noticed() {
        let text = invite().to_string();
        for at in PREFIX.len()..text.len() {
            let mut typed = text.clone().into_bytes();
            typed[at] = if typed[at] == b'z' { b'y' } else { b'z' };
            let typed = String::from_utf8(typed).expect("ASCII");
            assert_eq!(typed.parse::<Invite>(), Err(InviteError::Sum), "{typed}");
            assert!(text[..at].parse::<Invite>().is_err());
        }
        assert_eq!("fogmate2abc".parse::<Invite>(), Err(InviteError::Prefix));
        assert_eq!(format!("{text}0").parse::<Invite>(), Err(InviteError::Text));
        assert_eq!("fogmate1".parse::<Invite>(), Err(InviteError::Sum));
    }
}
