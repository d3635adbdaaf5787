//! A contract's creation that is in a block, as a node shows it. Of that only the block is the node's word: who has signed what, and so where the
//! contract stands, is read from the transaction's own bytes, whose hash was known before the node was asked.

use alloy::consensus::Transaction as _;
use alloy::eips::eip2718::Encodable2718 as _;
use alloy::primitives::{Address, B256, keccak256};
use alloy::providers::{DynProvider, Provider as _};

use crate::DeployError;

/// Where and when a contract was created.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Included {
    /// Its address, which signer and nonce give.
    pub address: Address,
    /// The block of its creation.
    pub block: u64,
}

impl Included {
    /// What a transaction has created by the code with a hash, arguments included; none if it isn't in a block so far, or has created nothing by that
    /// code. `contract` names it for the user.
    ///
    /// # Errors
    ///
    /// [`DeployError::Untrue`] if the node shows another transaction under this hash, or another place; the node's.
    pub async fn find(
        provider: &DynProvider,
        contract: &str,
        transaction: B256,
        code_hash: B256,
    ) -> Result<Option<Self>, DeployError> {
        let found = rpc::patiently(|| provider.get_transaction_by_hash(transaction)).await?;
        let receipt = rpc::patiently(|| provider.get_transaction_receipt(transaction)).await?;
        let (Some(found), Some(receipt)) = (found, receipt) else {
            return Ok(None);
        };
        let untrue = |what| DeployError::Untrue { contract: contract.to_owned(), transaction, what };
        let signed = found.inner.inner();
        let signer = signed.signature().recover_address_from_prehash(&signed.signature_hash());
        let signer = signer.ok().filter(|_| keccak256(signed.encoded_2718()) == transaction);
        let signer = signer.ok_or_else(|| untrue("it shows another transaction than was signed"))?;
        let creates = signed.kind().is_create() && keccak256(signed.input()) == code_hash && receipt.status();
        let Some(block) = receipt.block_number.filter(|_| creates) else {
            return Ok(None);
        };
        let address = signer.create(signed.nonce());
        match receipt.contract_address {
            Some(said) if said == address => Ok(Some(Self { address, block })),
            _ => Err(untrue("it says that the contract stands where it can't be")),
        }
    }
}
