//! The code that this program knows as its own: the contracts as they were compiled when it was built, and the keys. What
//! stands on a chain is compared with this and not with what a deployment's file says, for whoever wrote the file may have
//! deployed something else under the same names, such as a verifier that accepts everything.

use std::sync::LazyLock;

use alloy::primitives::{Address, B256, Bytes, U64, U256, keccak256};
use alloy::providers::{DynProvider, Provider as _};
use alloy::sol_types::SolValue as _;
use rpc::NodeError;
use serde::{Deserialize, Serialize};

use crate::compile::{Code, Compiled};
use crate::deployment::{Deployment, DeploymentError, IGameViews};
use crate::{Statement, Verifiers};

/// The runtime codes of the contracts, as they stand in the repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shipped {
    /// The game contract, whose immutables are zero.
    game: Bytes,
    /// Where they stand: of each one all its places, by first byte and length.
    immutables: Vec<Vec<(u32, u32)>>,
    /// The hash of the code that creates it, before its arguments.
    creation: B256,
    narrow: Bytes,
    wide: Bytes,
    /// The length of the narrow verifier's proofs, and of the wide one's.
    proof_bytes: [u32; 2],
}

/// The file, written by `make verifiers`.
static CODE: LazyLock<Shipped> = LazyLock::new(|| {
    let file = include_str!("../../contracts/src/generated/code.json");
    serde_json::from_str(file).expect("the file is generated, and compared by a test")
});

/// What of a key's file is used here.
#[derive(Deserialize)]
struct Key {
    code: Bytes,
    verifying_key: String,
    ceremony: String,
}

/// What of a transaction says which contract it creates.
#[derive(Deserialize)]
struct Creation {
    from: Address,
    to: Option<Address>,
    nonce: U64,
    input: Bytes,
}

/// The keys by statement, in the contract's order.
macro_rules! keys {
    ($folder:literal) => {
        LazyLock::new(|| {
            let files = [
                include_str!(concat!("../../contracts/src/generated/", $folder, "TurnKey.json")),
                include_str!(concat!("../../contracts/src/generated/", $folder, "RequestDataKey.json")),
                include_str!(concat!("../../contracts/src/generated/", $folder, "FiftyKey.json")),
                include_str!(concat!("../../contracts/src/generated/", $folder, "NoMoveKey.json")),
                include_str!(concat!("../../contracts/src/generated/", $folder, "ChainAnswerKey.json")),
            ];
            files.map(|file| serde_json::from_str(file).expect("the file is generated, and compared by a test"))
        })
    };
}

static CEREMONY: LazyLock<[Key; 5]> = keys!("");
static DEVELOPMENT: LazyLock<[Key; 5]> = keys!("dev/");

fn keys(development: bool) -> &'static [Key; 5] {
    if development { &DEVELOPMENT } else { &CEREMONY }
}

/// The hash of a statement's verifying key, in hexadecimal digits, from development parameters or the ceremony.
pub fn verifying_key(statement: Statement, development: bool) -> &'static str {
    keys(development)[statement as usize].verifying_key.trim_start_matches("0x")
}

/// A statement's key as it stands in its contract, from development parameters or the ceremony.
pub fn key_code(statement: Statement, development: bool) -> &'static Bytes {
    &keys(development)[statement as usize].code
}

/// The ceremony of the keys, by its name: `development` for development parameters.
pub fn ceremony(development: bool) -> &'static str {
    &keys(development)[Statement::Turn as usize].ceremony
}

impl Shipped {
    /// What is to be shipped of what was compiled.
    pub fn of(compiled: &Compiled, proof_bytes: [u32; 2]) -> Self {
        let Code { creation, runtime, immutables } = &compiled.game;
        Self {
            game: runtime.clone(),
            immutables: immutables.clone(),
            creation: keccak256(creation),
            narrow: compiled.narrow.runtime.clone(),
            wide: compiled.wide.runtime.clone(),
            proof_bytes,
        }
    }

    /// What this program was built with.
    pub fn known() -> &'static Self {
        &CODE
    }

    /// Whether this is what compiled contracts and their keys are.
    pub(crate) fn is(&self, compiled: &Compiled, verifiers: &Verifiers) -> bool {
        let shipped = keys(verifiers.development_only).each_ref().map(|key| &key.code);
        let proof_bytes = [verifiers.narrow.proof_bytes, verifiers.wide.proof_bytes];
        *self == Self::of(compiled, proof_bytes) && verifiers.keys.each_ref().map(|key| &key.code) == shipped
    }

    /// Compares what stands on the chain with what this program was built with: the game contract but for its immutables, each of
    /// which has one value,
    /// then, by what it says itself, the verifiers, the keys and the lengths of proofs.
    ///
    /// # Errors
    ///
    /// [`DeploymentError::Foreign`] with the first contract that differs; a node's failure.
    pub async fn check(&self, provider: &DynProvider, deployment: &Deployment) -> Result<(), DeploymentError> {
        let game = deployment.game.address;
        let code = rpc::patiently(|| provider.get_code_at(game)).await.map_err(NodeError::from)?;
        let foreign = || DeploymentError::Foreign { contract: "game contract", address: game };
        let Some(immutables) = self.immutables_of(&code) else {
            return Err(foreign());
        };
        // From here on the contract is known to say what it uses.
        let used = deployment.view(provider, &IGameViews::verifiersCall {}).await?;
        let prices = deployment.view(provider, &IGameViews::pricesCall {}).await?;
        // Each immutable is one of these and nothing above it: a number with more bits than its type would read as another elsewhere.
        let said =
            [used.narrow, used.wide, used.turnKey, used.requestDataKey, used.fiftyKey, used.noMoveKey, used.answerKey];
        let lengths = [used.narrowProofLength, used.wideProofLength].map(|length| U256::from(length).into());
        let prices_said =
            [U256::from(prices.answerShareGas), U256::from(prices.leastPrice), U256::from(prices.dataPrice)];
        let numbers = lengths.into_iter().chain(prices_said.map(B256::from));
        let said: Vec<B256> = said.iter().map(Address::into_word).chain(numbers).collect();
        let is_said = immutables.iter().all(|word| said.contains(word));
        let created = Created { contract: game, block: deployment.block, creation: self.creation };
        if !is_said || !created.is_on(provider, &[used.abi_encode(), prices.abi_encode()].concat()).await? {
            return Err(foreign());
        }
        let keys = keys(deployment.development_only);
        let places: [(&'static str, Address, &Bytes); 7] = [
            ("narrow verifier", used.narrow, &self.narrow),
            ("wide verifier", used.wide, &self.wide),
            ("key of turn", used.turnKey, &keys[0].code),
            ("key of request data", used.requestDataKey, &keys[1].code),
            ("key of fifty", used.fiftyKey, &keys[2].code),
            ("key of no move", used.noMoveKey, &keys[3].code),
            ("key of chain answer", used.answerKey, &keys[4].code),
        ];
        for (contract, address, expected) in places {
            if rpc::patiently(|| provider.get_code_at(address)).await.map_err(NodeError::from)? != *expected {
                return Err(DeploymentError::Foreign { contract, address });
            }
        }
        if [used.narrowProofLength, used.wideProofLength] != self.proof_bytes {
            return Err(DeploymentError::WrongVerifier(game));
        }
        Ok(())
    }

    /// The narrow verifier's runtime code.
    pub(crate) fn narrow(&self) -> &Bytes {
        &self.narrow
    }

    /// The immutables of a code, if it is the game's.
    fn immutables_of(&self, code: &[u8]) -> Option<Vec<B256>> {
        immutables_of(code, &self.game, &self.immutables)
    }
}

/// The immutables of a code, in the order of their places; none if it isn't `known` with zeros in these places. An immutable has the same value at
/// all its places: else the contract could say that it uses one verifier, and ask another.
pub(crate) fn immutables_of(code: &[u8], known: &[u8], immutables: &[Vec<(u32, u32)>]) -> Option<Vec<B256>> {
    let (mut masked, mut values) = (code.to_vec(), Vec::new());
    for places in immutables {
        let mut found = None;
        for (start, length) in places {
            let place = *start as usize..(*start + *length) as usize;
            let bytes = masked.get_mut(place)?;
            let value = B256::try_from(&*bytes).ok()?;
            if *found.get_or_insert(value) != value {
                return None;
            }
            bytes.fill(0);
        }
        values.extend(found);
    }
    (masked == known).then_some(values)
}

/// A contract as its creation is looked up. Code alone doesn't say what is in a contract's storage: other creation code could leave there
/// that somebody is owed what nobody has paid in, and return the same code.
pub(crate) struct Created {
    pub contract: Address,
    /// The block that is said to have its creation.
    pub block: u64,
    /// The hash of the code that creates it, before its arguments.
    pub creation: B256,
}

impl Created {
    /// Whether the contract was created by this code with these arguments in this block.
    pub async fn is_on(&self, provider: &DynProvider, arguments: &[u8]) -> Result<bool, DeploymentError> {
        // Read as it comes: blocks of some chains have transactions of kinds that only they know.
        let block = || provider.raw_request("eth_getBlockByNumber".into(), (U64::from(self.block), true));
        let block: serde_json::Value = rpc::patiently(block).await.map_err(NodeError::from)?;
        let transactions = block["transactions"].as_array().into_iter().flatten();
        let mut transactions = transactions.filter_map(|transaction| Creation::deserialize(transaction).ok());
        Ok(transactions.any(|Creation { from, to, nonce, input }| {
            let creates = to.is_none() && from.create(nonce.to()) == self.contract;
            creates && input.strip_suffix(arguments).map(keccak256) == Some(self.creation)
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_games_code_is_known_by_everything_but_its_immutables() {
        // 1, an immutable of two places, 2, another one, 3
        let code = |first: u8, again: u8, other: u8| {
            let words = [[first; 32], [again; 32], [other; 32]];
            [&[1], &words[0][..], &words[1], &[2], &words[2], &[3]].concat()
        };
        let (game, immutables) = (code(0, 0, 0).into(), vec![vec![(1, 32), (33, 32)], vec![(66, 32)]]);
        let (narrow, wide) = (Bytes::new(), Bytes::new());
        let shipped = Shipped { game, immutables, creation: B256::ZERO, narrow, wide, proof_bytes: [1, 2] };
        let values = [7, 8].map(B256::repeat_byte).to_vec();
        assert_eq!(shipped.immutables_of(&code(7, 7, 8)), Some(values));
        assert_eq!(shipped.immutables_of(&code(7, 8, 8)), None, "one immutable, two values");
        let right = code(7, 7, 8);
        for place in [0, 65, 98] {
            let mut foreign = right.clone();
            foreign[place] ^= 1;
            assert_eq!(shipped.immutables_of(&foreign), None, "byte {place}");
        }
        for foreign in [&right[..98], &[&right[..], &[0]].concat(), &[]] {
            assert_eq!(shipped.immutables_of(foreign), None, "another length");
        }
    }
}
