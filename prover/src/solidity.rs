//! The Solidity verifier of a statement, and what a deployer must know of it. The contract that calls it checks what it
//! doesn't: that public inputs are below the field's modulus, and that the proof has its exact length.

use crate::{Ceremony, Keys, Sha256Hash, Statement, Transcript, UnknownCeremony, Verifier};
use halo2curves::bn256::{Bn256, Fq, Fr, G1Affine};
use serde::{Deserialize, Serialize};
use snark_verifier::loader::evm::EvmLoader;
use snark_verifier::pcs::kzg::{Bdfg21, KzgAs, KzgDecidingKey};
use snark_verifier::system::halo2::transcript::evm::EvmTranscript;
use snark_verifier::system::halo2::{Config, compile};
use snark_verifier::verifier::SnarkVerifier;
use snark_verifier::verifier::plonk::PlonkVerifier;
use std::io;
use std::path::Path;
use std::rc::Rc;

type EvmVerifier = PlonkVerifier<KzgAs<Bn256, Bdfg21>>;

/// What the generator writes, and we replace.
const GENERATED_PRAGMA: &str = "pragma solidity 0.8.19;";
const GENERATED_CONTRACT: &str = "contract Halo2Verifier {";
const GENERATED_LICENCE: &str = "// SPDX-License-Identifier: MIT";

/// Why there is no Solidity verifier.
#[derive(Debug, thiserror::Error)]
pub enum SolidityError {
    /// The statement's proofs aren't made for the EVM.
    #[error("the proofs of {0} are not made for the EVM")]
    WrongTranscript(&'static str),
    /// Not an identifier of Solidity.
    #[error("`{0}` can't be a contract's name")]
    BadName(String),
    /// The generator refuses the circuit.
    #[error("the verifier can't be generated: {0}")]
    Generator(String),
    /// The generator's output has changed its form.
    #[error("the generated code has no line `{0}`")]
    UnexpectedCode(&'static str),
    /// The files can't be written.
    #[error("the verifier can't be written")]
    Write(#[from] io::Error),
}

/// What a deployer must know of a generated verifier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Metadata {
    /// The contract's name.
    pub contract: String,
    /// The statement that it verifies.
    pub statement: String,
    /// Base-two logarithm of the circuit's rows.
    pub k: u32,
    /// The number of public inputs, a word each, before the proof in the calldata.
    pub public_inputs: usize,
    /// The exact length of a proof.
    pub proof_bytes: usize,
    /// The verifying key's hash, with which every transcript starts.
    pub verifying_key: String,
    /// The circuit's fingerprint.
    pub circuit: String,
    /// The ceremony, in [`Ceremony`]'s textual form.
    pub ceremony: String,
    /// SHA-256 of the ceremony's τ in G2, compressed.
    pub tau: String,
    /// Whether everybody can forge proofs for this verifier: such a one belongs on local chains only.
    pub development_only: bool,
    /// SHA-256 of the Solidity source.
    pub source_sha256: String,
}

impl Metadata {
    /// The ceremony.
    pub fn ceremony(&self) -> Result<Ceremony, UnknownCeremony> {
        self.ceremony.parse()
    }
}

/// A generated verifier.
#[derive(Clone, Debug)]
pub struct SolidityVerifier {
    /// The Solidity source.
    pub source: String,
    /// What a deployer must know of it.
    pub metadata: Metadata,
}

impl SolidityVerifier {
    /// Writes `NAME.sol` and `NAME.json` into a folder.
    pub fn write(&self, folder: &Path) -> Result<(), SolidityError> {
        let name = &self.metadata.contract;
        let json = serde_json::to_string_pretty(&self.metadata).map_err(io::Error::from)?;
        std::fs::create_dir_all(folder)?;
        std::fs::write(folder.join(format!("{name}.sol")), &self.source)?;
        std::fs::write(folder.join(format!("{name}.json")), json + "\n")?;
        Ok(())
    }
}

impl<C: Statement> Keys<C> {
    /// Generates the Solidity verifier of these keys under a name. The same keys always give the same bytes.
    pub fn solidity_verifier(&self, contract: &str) -> Result<SolidityVerifier, SolidityError> {
        self.verifier().solidity_verifier(contract)
    }
}

impl<C: Statement> Verifier<C> {
    /// Generates the Solidity verifier of this key under a name. The same key always gives the same bytes.
    pub fn solidity_verifier(&self, contract: &str) -> Result<SolidityVerifier, SolidityError> {
        if C::TRANSCRIPT != Transcript::Keccak {
            return Err(SolidityError::WrongTranscript(C::NAME));
        }
        let identifier = contract.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !identifier || !contract.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Err(SolidityError::BadName(contract.to_owned()));
        }
        let source = self.dress(&self.generate()?, contract)?;
        let metadata = Metadata {
            contract: contract.to_owned(),
            statement: C::NAME.to_owned(),
            k: C::K,
            public_inputs: C::INSTANCES.iter().sum(),
            proof_bytes: self.proof_bytes(),
            verifying_key: format!("0x{}", hex::encode(self.key_hash())),
            circuit: self.fingerprint().to_string(),
            ceremony: self.ceremony().to_string(),
            tau: self.tau_hash().to_string(),
            development_only: self.ceremony().is_development(),
            source_sha256: Sha256Hash::of(source.as_bytes()).to_string(),
        };
        Ok(SolidityVerifier { source, metadata })
    }

    /// The generator's own code.
    fn generate(&self) -> Result<String, SolidityError> {
        let failed = |error| SolidityError::Generator(format!("{error:?}"));
        let instances = C::INSTANCES.to_vec();
        let config = Config::kzg().with_num_instance(instances.clone());
        let protocol = compile(&self.params, self.verifying_key(), config);
        let key: KzgDecidingKey<Bn256> = (G1Affine::generator(), self.params.g2(), self.params.s_g2()).into();
        let loader = EvmLoader::new::<Fq, Fr>();
        let protocol = protocol.loaded(&loader);
        let mut transcript = EvmTranscript::<G1Affine, Rc<EvmLoader>, _, _>::new(&loader);
        let instances = transcript.load_instances(instances);
        let proof = EvmVerifier::read_proof(&key, &protocol, &instances, &mut transcript).map_err(failed)?;
        EvmVerifier::verify(&key, &protocol, &instances, &proof).map_err(failed)?;
        Ok(loader.solidity_code())
    }

    /// Gives the code our header, its name, and a pragma that current compilers take.
    fn dress(&self, code: &str, contract: &str) -> Result<String, SolidityError> {
        for expected in [GENERATED_LICENCE, GENERATED_PRAGMA, GENERATED_CONTRACT] {
            if !code.contains(expected) {
                return Err(SolidityError::UnexpectedCode(expected));
            }
        }
        let code = code.replacen(GENERATED_LICENCE, "", 1);
        let code = code.replacen(GENERATED_PRAGMA, "", 1);
        let code = code.replacen(GENERATED_CONTRACT, &format!("contract {contract} {{"), 1);
        let lines: Vec<&str> = code.trim().lines().map(str::trim_end).collect();
        Ok(format!("{}{}\n", self.header(), lines.join("\n")))
    }

    fn header(&self) -> String {
        let (ceremony, name) = (self.ceremony(), C::NAME);
        let warning = if ceremony.is_development() {
            "///\n/// DEVELOPMENT ONLY: everybody knows the secret of these parameters and can forge every proof. For local\n\
             /// chains and tests; never deploy it where anything is at stake.\n"
        } else {
            ""
        };
        format!(
            "// SPDX-License-Identifier: MIT OR Apache-2.0\n\
             pragma solidity ^0.8.19;\n\
             \n\
             /// Verifies proofs of the statement `{name}`. Generated from its verifying key: do not edit, `make verifiers` \
             writes it.\n\
             {warning}\
             ///\n\
             /// Ceremony: {ceremony}\n\
             /// Verifying key: 0x{}\n\
             /// Public inputs: {} words, then a proof of {} bytes\n\
             ///\n\
             /// It takes public inputs modulo the field's order and ignores what follows the proof, so its caller must check\n\
             /// both. It reverts on a proof that isn't valid and returns nothing on one that is.\n",
            hex::encode(self.key_hash()),
            C::INSTANCES.iter().sum::<usize>(),
            self.proof_bytes(),
        )
    }
}
