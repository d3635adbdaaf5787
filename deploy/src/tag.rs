//! The contract of tag: its file, `deployments/tag-<chain id>.json`, and whether what stands on the chain is what this program was built with.
//!
//! It asks the narrow verifier of dark chess, with three keys of its own. All of them are compared, as those of the game contract are: the contract's
//! code but for its immutables, the transaction that created it, and what it says that it uses.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use alloy::primitives::{Address, B256, Bytes, U256, keccak256};
use alloy::providers::{DynProvider, Provider as _};
use alloy::sol_types::{SolCall as _, SolValue as _};
use rpc::{NodeError, is_local};
use serde::{Deserialize, Serialize};

use crate::compile::CompiledTag;
use crate::deploying::{Deploying, chain_of};
use crate::files::{read_file, write_file};
use crate::shipped::{Created, immutables_of};
use crate::{Code, CompileError, Creator, DeployError, Deployed, DeploymentError, Repository, Shipped, compile_tag};

alloy::sol! {
    /// What a deployment's check asks of the contract.
    #[derive(Debug, PartialEq, Eq)]
    interface ITagViews {
        /// As in the contract's own interface.
        struct Verifiers {
            address narrow;
            address stepKey;
            address replyKey;
            address captureKey;
            uint32 proofLength;
        }
        /// The verifier and the keys that it uses.
        function verifiers() external view returns (Verifiers memory);
    }
}

/// The contract of tag on one chain, with what it uses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TagDeployment {
    pub chain_id: u64,
    pub tag: Deployed,
    /// Whether everybody can forge proofs for its keys.
    pub development_only: bool,
    /// The block of its deployment: no event is older.
    pub block: u64,
    /// The version of the compiler.
    pub compiler: String,
}

/// The contract's code as it stands in the repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShippedTag {
    /// What stands on a chain, where immutables are zero.
    runtime: Bytes,
    /// Where they stand: of each one all its places, by first byte and length.
    immutables: Vec<Vec<(u32, u32)>>,
    /// The hash of the code that creates it, before its arguments.
    creation: B256,
}

/// The file, written by `make verifiers`.
static CODE: LazyLock<ShippedTag> = LazyLock::new(|| {
    let file = include_str!("../../contracts/src/generated/tag.json");
    serde_json::from_str(file).expect("the file is generated, and compared by a test")
});

/// What of a key's file is used here.
#[derive(Deserialize)]
struct Key {
    statement: String,
    code: Bytes,
    proof_bytes: u32,
    verifying_key: String,
    tau: B256,
}

impl Key {
    /// The key as a contract.
    fn contract(&self) -> Code {
        let verifying_key = self.verifying_key.parse().expect("the file is generated, and compared by a test");
        let key = crate::Key { code: self.code.clone(), verifying_key, parameters: self.tau };
        key.contract(&self.statement)
    }
}

/// The keys of *tag step*, *tag reply* and *tag capture*.
macro_rules! keys {
    ($folder:literal) => {
        LazyLock::new(|| {
            let files = [
                include_str!(concat!("../../contracts/src/generated/", $folder, "TagStepKey.json")),
                include_str!(concat!("../../contracts/src/generated/", $folder, "TagReplyKey.json")),
                include_str!(concat!("../../contracts/src/generated/", $folder, "TagCaptureKey.json")),
            ];
            files.map(|file| serde_json::from_str(file).expect("the file is generated, and compared by a test"))
        })
    };
}

static CEREMONY: LazyLock<[Key; 3]> = keys!("");
static DEVELOPMENT: LazyLock<[Key; 3]> = keys!("dev/");

fn keys(development: bool) -> &'static [Key; 3] {
    if development { &DEVELOPMENT } else { &CEREMONY }
}

/// The hashes of the verifying keys of *tag step*, *tag reply* and *tag capture*, in hexadecimal digits, from development parameters or the
/// ceremony.
pub fn tag_verifying_keys(development: bool) -> [&'static str; 3] {
    keys(development).each_ref().map(|key| key.verifying_key.trim_start_matches("0x"))
}

impl ShippedTag {
    /// What is to be shipped of what was compiled.
    pub fn of(code: &Code) -> Self {
        let Code { creation, runtime, immutables } = code;
        Self { runtime: runtime.clone(), immutables: immutables.clone(), creation: keccak256(creation) }
    }
}

impl TagDeployment {
    /// The file of a chain in a folder.
    pub fn path(folder: &Path, chain_id: u64) -> PathBuf {
        folder.join(format!("tag-{chain_id}.json"))
    }

    /// Reads the deployment of a node's chain, and compares it with the chain and with what this program was built with.
    ///
    /// # Errors
    ///
    /// [`DeploymentError::Unknown`], `Io` and `Json` for the file, `WrongChain`, `DevelopmentOnRealChain`, `NoCode`, `Foreign` for anything but our
    /// contract, verifier and keys, and the node's.
    pub async fn read(folder: &Path, rpc: &str) -> Result<Self, DeploymentError> {
        let provider = rpc::connect(rpc, None)?;
        let chain_id = rpc::patiently(|| provider.get_chain_id()).await.map_err(NodeError::from)?;
        let path = Self::path(folder, chain_id);
        let deployment: Self = read_file(&path, chain_id)?;
        if deployment.chain_id != chain_id {
            return Err(DeploymentError::WrongChain { path, expected: chain_id, found: deployment.chain_id });
        }
        deployment.check(&provider).await?;
        Ok(deployment)
    }

    async fn check(&self, provider: &DynProvider) -> Result<(), DeploymentError> {
        if self.development_only && !is_local(self.chain_id) {
            return Err(DeploymentError::DevelopmentOnRealChain(self.chain_id));
        }
        let tag = self.tag.address;
        let foreign = |contract, address| Err(DeploymentError::Foreign { contract, address });
        let code = rpc::patiently(|| provider.get_code_at(tag)).await.map_err(NodeError::from)?;
        if code.is_empty() {
            return Err(DeploymentError::NoCode { contract: "tag contract", address: tag });
        }
        let Some(immutables) = immutables_of(&code, &CODE.runtime, &CODE.immutables) else {
            return foreign("tag contract", tag);
        };
        // From here on the contract is known to say what it uses. Each immutable is one of these and nothing above it.
        let used = Self::used(provider, tag).await?;
        let said = [used.narrow, used.stepKey, used.replyKey, used.captureKey].map(|address| address.into_word());
        let length = B256::from(U256::from(used.proofLength));
        let is_said = immutables.iter().all(|word| said.contains(word) || *word == length);
        let created = Created { contract: tag, block: self.block, creation: CODE.creation };
        if !is_said || !created.is_on(provider, &used.abi_encode()).await? {
            return foreign("tag contract", tag);
        }
        let [step, reply, capture] = keys(self.development_only);
        let places: [(&'static str, Address, &Bytes); 4] = [
            ("narrow verifier", used.narrow, Shipped::known().narrow()),
            ("key of tag step", used.stepKey, &step.code),
            ("key of tag reply", used.replyKey, &reply.code),
            ("key of tag capture", used.captureKey, &capture.code),
        ];
        for (contract, address, expected) in places {
            if rpc::patiently(|| provider.get_code_at(address)).await.map_err(NodeError::from)? != *expected {
                return foreign(contract, address);
            }
        }
        if used.proofLength == step.proof_bytes { Ok(()) } else { Err(DeploymentError::WrongVerifier(tag)) }
    }

    /// What a contract says that it uses.
    async fn used(provider: &DynProvider, tag: Address) -> Result<ITagViews::Verifiers, DeploymentError> {
        let request = alloy::rpc::types::TransactionRequest::default();
        let request = request.to(tag).input(ITagViews::verifiersCall {}.abi_encode().into());
        let returned = rpc::patiently(|| provider.call(request.clone())).await.map_err(NodeError::from)?;
        ITagViews::verifiersCall::abi_decode_returns(&returned).map_err(|_| DeploymentError::WrongVerifier(tag))
    }
}

/// Deploys verifier, keys and contract to a node's chain, checks them there, waits until they are final, and writes their file. With development keys on
/// local chains only.
///
/// # Errors
///
/// [`DeployError::Exists`] if the chain has one on file already, [`DeployError::OtherChain`], [`DeployError::NotShipped`] and
/// [`DeploymentError::DevelopmentOnRealChain`], before anything is sent; [`DeployError::Untrue`] before anything more is; failures of the compiler,
/// the node, the creator and the files.
pub async fn deploy_tag(
    rpc: &str,
    repository: Repository,
    folder: &Path,
    development_only: bool,
    creator: &impl Creator,
) -> Result<TagDeployment, DeployError> {
    let provider = rpc::connect(rpc, None)?;
    let chain_id = chain_of(&provider, creator).await?;
    let path = TagDeployment::path(folder, chain_id);
    if development_only && !is_local(chain_id) {
        return Err(DeploymentError::DevelopmentOnRealChain(chain_id).into());
    }
    let recorded = || read_file::<TagDeployment>(&path, chain_id).map(|deployment| deployment.tag);
    let mut deploying = Deploying::begin(&provider, creator, chain_id, &path, recorded).await?;
    let compiled = tokio::task::spawn_blocking(move || compile_tag(&repository)).await;
    let CompiledTag { tag, narrow, compiler } = compiled.map_err(|e| CompileError::Compiler(e.to_string()))??;

    if ShippedTag::of(&tag) != *CODE || narrow.runtime != *Shipped::known().narrow() {
        return Err(DeployError::NotShipped("contract of tag, or its verifier,"));
    }

    let keys = keys(development_only);
    let codes = keys.each_ref().map(Key::contract);
    let lengths = [&narrow].into_iter().chain(&codes).chain([&tag]).map(|code| code.creation.len());
    deploying.check_funds(lengths).await?;
    let [step, reply, capture] = codes;
    let used = ITagViews::Verifiers {
        narrow: deploying.create("narrow verifier", narrow).await?.address(),
        stepKey: deploying.create("key of tag step", step).await?.address(),
        replyKey: deploying.create("key of tag reply", reply).await?.address(),
        captureKey: deploying.create("key of tag capture", capture).await?.address(),
        proofLength: keys[0].proof_bytes,
    };
    let creation = [tag.creation.as_ref(), &used.abi_encode()].concat().into();
    let tag = deploying.create("tag contract", Code { creation, ..tag }).await?;
    let block = deploying.final_block(&tag).await?;
    let deployment = TagDeployment { chain_id, tag: tag.deployed, development_only, block, compiler };
    deploying.check(|| deployment.check(&provider)).await?;
    write_file(&path, &deployment)?;
    deploying.finish();
    Ok(deployment)
}
