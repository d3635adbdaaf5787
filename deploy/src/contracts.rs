//! Which contracts a game is built on, by which code each is created, and where each therefore stands.
//!
//! A contract's address is the last 20 bytes of `keccak256(0xff ‖ PROXY ‖ 0 ‖ keccak256(creation code ‖ arguments))` (EIP-1014). Nobody can have other code
//! there, other arguments, or a storage that its constructor hasn't written.

use alloy::primitives::{Address, B256, Bytes, U256, address, b256, hex, keccak256};
use chain::Prices;
use serde::{Deserialize, Serialize};

use crate::codes::Code;
use crate::keys::key;
use crate::{Codes, Statement};

/// The deterministic deployment proxy, at the same address on every chain: calldata is a salt of 32 bytes and creation code.
/// (<https://github.com/Arachnid/deterministic-deployment-proxy>)
pub const PROXY: Address = address!("4e59b44847b379578588920cA78FbF26c0B4956C");
/// The hash of the proxy's code.
pub(crate) const PROXY_CODE_HASH: B256 = b256!("2fa86add0aed31f33a762c9d88e807c475bd51d0f52bd0955754b2608f7e4989");
/// Whose signed transaction creates the proxy on a chain, with nonce 0.
pub const PROXY_SIGNER: Address = address!("3fab184622dc19b6109349b94811493bf2a45362");
/// What that account must have, in wei: 100,000 gas at 100 gwei.
pub const PROXY_COST: u128 = 10_000_000_000_000_000;
/// That transaction. It is signed for every chain: nobody knows a key to its signature.
pub const PROXY_TRANSACTION: [u8; 167] = hex!(
    "f8a58085174876e800830186a08080b853604580600e600039806000f350fe7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe036016000"
    "81602082378035828234f58015156039578182fd5b8082525050506014600cf31ba02222222222222222222222222222222222222222222222222222222222222222a022"
    "22222222222222222222222222222222222222222222222222222222222222"
);

/// A game that has a contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Game {
    Chess,
    Dice,
    Tag,
}

impl Game {
    /// What its contract is called.
    pub fn contract(self) -> &'static str {
        match self {
            Self::Chess => "game contract",
            Self::Dice => "dice contract",
            Self::Tag => "tag contract",
        }
    }
}

/// A contract as it is created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contract {
    /// What it is, as in "narrow verifier".
    pub name: String,
    /// The code that creates it, arguments included.
    pub creation: Bytes,
    /// What of it was compiled from Solidity, which a key isn't.
    pub(crate) code: Option<&'static Code>,
}

impl Contract {
    fn new(name: impl Into<String>, creation: &Bytes, code: Option<&'static Code>) -> Self {
        Self { name: name.into(), creation: creation.clone(), code }
    }

    /// Where it stands, on every chain.
    pub fn address(&self) -> Address {
        PROXY.create2(B256::ZERO, keccak256(&self.creation))
    }

    /// The calldata by which the proxy creates it.
    pub fn calldata(&self) -> Bytes {
        [B256::ZERO.as_slice(), &self.creation].concat().into()
    }
}

/// A game's contract and all that it is built on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contracts {
    pub game: Game,
    /// Whether everybody can forge proofs for them: then they belong on local chains only.
    pub development_only: bool,
    /// The verifiers and then the keys, as the game's constructor takes their addresses.
    parts: Vec<Contract>,
    /// The lengths of the verifiers' proofs in bytes, as it takes them then.
    proof_bytes: Vec<u32>,
    /// What the game's contract is compiled to.
    code: &'static Code,
}

impl Contracts {
    /// Those that this program was built with. The dice prove nothing, and are the same with either set of keys.
    pub fn shipped(game: Game, development_only: bool) -> Self {
        let codes = Codes::shipped();
        let [narrow, wide] = [("narrow verifier", &codes.narrow), ("wide verifier", &codes.wide)]
            .map(|(name, code)| Contract::new(name, &code.creation, Some(code)));
        let (verifiers, statements, code) = match game {
            Game::Chess => (vec![narrow, wide], &Statement::CHESS[..], &codes.chess),
            Game::Dice => (Vec::new(), &[][..], &codes.dice),
            Game::Tag => (vec![narrow], &Statement::TAG[..], &codes.tag),
        };
        let keys = statements.iter().map(|statement| (statement.name(), key(*statement, development_only)));
        // The narrow verifier's proofs are as long as those of the first statement, the wide one's as those of the last.
        let lengths = [statements.first(), statements.last()].into_iter().flatten().take(verifiers.len());
        Self {
            game,
            development_only: development_only && game != Game::Dice,
            proof_bytes: lengths.map(|statement| key(*statement, development_only).proof_bytes).collect(),
            parts: verifiers
                .into_iter()
                .chain(keys.map(|(name, key)| Contract::new(format!("key of {name}"), &key.creation(), None)))
                .collect(),
            code,
        }
    }

    /// Dark chess on a verifier of somebody's own, without keys: for trying things out on local chains.
    pub fn of_verifier(creation: &Bytes, proof_bytes: u32) -> Self {
        let verifiers = ["narrow verifier", "wide verifier"].map(|name| Contract::new(name, creation, None));
        // PUSH1 1, PUSH0, RETURN: a contract of one zero.
        let no_key = Bytes::from_static(&[0x60, 1, 0x5f, 0xf3]);
        let keys =
            Statement::CHESS.map(|statement| Contract::new(format!("key of {}", statement.name()), &no_key, None));
        Self {
            parts: verifiers.into_iter().chain(keys).collect(),
            proof_bytes: vec![proof_bytes; 2],
            ..Self::shipped(Game::Chess, true)
        }
    }

    /// All of them, the game's last: what it is built on, then the game with the prices by which it reckons bonds.
    pub fn with_prices(&self, prices: Option<&Prices>) -> Vec<Contract> {
        // Every argument is a word: an address, a length or a price.
        let addresses = self.parts.iter().map(|part| part.address().into_word());
        let lengths = self.proof_bytes.iter().map(|length| U256::from(*length).into());
        let prices = prices.filter(|_| self.game == Game::Chess).into_iter().flat_map(|prices| {
            [U256::from(prices.answer_share_gas), U256::from(prices.least_price), U256::from(prices.data_price)]
        });
        let arguments: Vec<B256> = addresses.chain(lengths).chain(prices.map(B256::from)).collect();
        let creation = [&self.code.creation[..], &arguments.concat()].concat().into();
        let game = Contract::new(self.game.contract(), &creation, Some(self.code));
        self.parts.iter().cloned().chain([game]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloy::consensus::{Transaction as _, TxEnvelope};
    use alloy::eips::eip2718::Decodable2718 as _;

    /// The transaction that is recommended for chains without the proxy creates it, and costs what is said.
    #[test]
    fn the_proxy_s_transaction_creates_the_proxy() {
        let signed = TxEnvelope::decode_2718(&mut &PROXY_TRANSACTION[..]).unwrap();
        let signer = signed.signature().recover_address_from_prehash(&signed.signature_hash()).unwrap();
        assert_eq!((signer, signed.nonce()), (PROXY_SIGNER, 0));
        assert_eq!(PROXY_SIGNER.create(0), PROXY);
        assert_eq!(u128::from(signed.gas_limit()) * signed.gas_price().unwrap(), PROXY_COST);
        // Its creation code copies what comes after its first 14 bytes.
        assert_eq!(keccak256(&signed.input()[14..]), PROXY_CODE_HASH);
    }

    #[test]
    fn every_byte_of_code_and_arguments_moves_the_address() {
        let prices = Prices { answer_share_gas: 1, least_price: 2, data_price: 3 };
        let address =
            |contracts: &Contracts, prices: Prices| contracts.with_prices(Some(&prices)).pop().unwrap().address();
        let chess = Contracts::shipped(Game::Chess, true);
        let mut all = vec![address(&chess, prices), address(&Contracts::shipped(Game::Chess, false), prices)];
        all.push(address(&chess, Prices { answer_share_gas: 2, ..prices }));
        all.push(address(&chess, Prices { least_price: 3, ..prices }));
        all.push(address(&chess, Prices { data_price: 4, ..prices }));
        for number in 0..chess.parts.len() {
            let mut other = chess.clone();
            other.parts[number].creation = [&other.parts[number].creation[..], &[0]].concat().into();
            all.push(address(&other, prices));
        }
        for number in 0..chess.proof_bytes.len() {
            let mut other = chess.clone();
            other.proof_bytes[number] += 1;
            all.push(address(&other, prices));
        }
        let creation = [&chess.code.creation[..], &[0]].concat().into();
        let other = Contracts { code: Box::leak(Box::new(Code { creation, ..chess.code.clone() })), ..chess };
        all.push(address(&other, prices));
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!((all.len(), count), (15, 15));
    }

    #[test]
    fn the_dice_are_the_same_with_either_set_of_keys() {
        let [ceremony, development] = [false, true].map(|development| Contracts::shipped(Game::Dice, development));
        assert_eq!(ceremony, development);
        assert_eq!(ceremony.with_prices(None).len(), 1);
        assert_eq!(Contracts::shipped(Game::Tag, false).with_prices(None).len(), 5);
    }
}
