//! Verifiers and keys as code on a local chain, and what they say to calldata.

use alloy::primitives::{Address, Bytes, hex};
use alloy::providers::{DynProvider, Provider as _};
use alloy::rpc::types::TransactionRequest;
use deploy::anvil::{Anvil, Mining};
use deploy::{Compiler, Repository};
use prover::{SolidityKey, SolidityVerifier};
use serde_json::json;

/// Our verifier, compiled without and with the Yul optimiser.
const VERIFIERS: [(Address, bool); 2] = [(Address::repeat_byte(0xf0), false), (Address::repeat_byte(0xf1), true)];
const LIBRARY: Address = Address::repeat_byte(0xf2);

/// What a verifier says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    True,
    False,
    None,
}

/// A chain with a verifier on it.
pub struct Evm {
    _anvil: Anvil,
    provider: DynProvider,
    repository: Repository,
    /// The length of the code, without and with the Yul optimiser.
    pub code_bytes: [usize; 2],
}

impl Evm {
    pub async fn start(verifier: &SolidityVerifier) -> Self {
        let repository = Repository::find_here().unwrap();
        let anvil = Anvil::start(&repository, Mining::Instant).unwrap();
        let provider = anvil.provider().unwrap();
        let mut evm = Self { _anvil: anvil, provider, repository, code_bytes: [0; 2] };
        for (i, (place, yul)) in VERIFIERS.into_iter().enumerate() {
            let code = compile(&evm.repository, &verifier.source, &verifier.contract, yul);
            evm.code_bytes[i] = code.len();
            evm.set_code(place, code).await;
        }
        evm
    }

    /// Puts a key at the address with so many times this byte.
    pub async fn key(&mut self, place: u8, key: &SolidityKey) {
        self.set_code(Address::repeat_byte(place), hex::decode(&key.code).unwrap().into()).await;
    }

    /// Puts the library's own verifier beside ours.
    pub async fn library(&mut self, source: &str) {
        let code = compile(&self.repository, source, "LibraryVerifier", false);
        self.set_code(LIBRARY, code).await;
    }

    /// What the verifier says with a key to inputs and proof, however it is compiled.
    pub async fn ask(&self, key: u8, words: &[u8]) -> Outcome {
        let data = [Address::repeat_byte(key).into_word().as_slice(), words].concat();
        let [plain, optimised] = VERIFIERS.map(|(place, _)| self.verdict(place, data.clone()));
        let (plain, optimised) = tokio::join!(plain, optimised);
        assert_eq!(plain, optimised, "the optimiser changes the verdict on {}", hex::encode(words));
        plain
    }

    async fn verdict(&self, verifier: Address, data: Vec<u8>) -> Outcome {
        match self.call(verifier, data).await {
            Some(answer) if answer[..] == word(1) => Outcome::True,
            Some(answer) if answer[..] == word(0) => Outcome::False,
            Some(answer) => panic!("neither a verdict nor none: {answer}"),
            None => Outcome::None,
        }
    }

    /// Whether the library's verifier accepts.
    pub async fn ask_library(&self, words: &[u8]) -> bool {
        self.call(LIBRARY, words.to_vec()).await.is_some()
    }

    /// What a call returns; None if it reverts or runs out of gas.
    async fn call(&self, to: Address, data: Vec<u8>) -> Option<Bytes> {
        let request = TransactionRequest::default().to(to).input(Bytes::from(data).into());
        match self.provider.call(request).await {
            Ok(answer) => Some(answer),
            Err(error) if error.as_error_resp().is_some() => None,
            Err(error) => panic!("the node doesn't answer: {error}"),
        }
    }

    async fn set_code(&self, address: Address, code: Bytes) {
        self.provider.raw_request::<_, ()>("anvil_setCode".into(), (address, code)).await.unwrap();
    }
}

fn word(value: u8) -> [u8; 32] {
    let mut word = [0; 32];
    word[31] = value;
    word
}

/// The runtime code of a contract, compiled as `deploy` does but for the Yul optimiser.
fn compile(repository: &Repository, source: &str, contract: &str, yul: bool) -> Bytes {
    let optimizer = json!({ "enabled": true, "runs": 10_000, "details": { "yul": yul } });
    let input = json!({
        "language": "Solidity",
        "sources": { "source.sol": { "content": source } },
        "settings": {
            "optimizer": optimizer,
            "evmVersion": deploy::anvil::Hardfork::default().name(),
            "metadata": { "bytecodeHash": "none", "appendCBOR": false },
            "outputSelection": { "*": { "*": ["evm.deployedBytecode.object"] } },
        },
    });
    let output = Compiler::of(repository).unwrap().output(&input).unwrap();
    let code = &output["contracts"]["source.sol"][contract]["evm"]["deployedBytecode"]["object"];
    let Some(code) = code.as_str() else { panic!("{contract} doesn't compile: {}", output["errors"]) };
    hex::decode(code).unwrap().into()
}
