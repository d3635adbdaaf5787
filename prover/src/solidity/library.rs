//! The verifier that `snark-verifier` itself generates, to compare ours with in tests. It takes public inputs modulo the field's order,
//! ignores what follows a proof, reverts on a proof that isn't valid and returns nothing on one that is.

use super::{SolidityError, SolidityVerifier};
use crate::{Statement, Transcript, Verifier};
use halo2curves::bn256::{Bn256, Fq, Fr, G1Affine};
use snark_verifier::loader::evm::EvmLoader;
use snark_verifier::pcs::kzg::{Bdfg21, KzgAs, KzgDecidingKey};
use snark_verifier::system::halo2::transcript::evm::EvmTranscript;
use snark_verifier::system::halo2::{Config, compile};
use snark_verifier::verifier::SnarkVerifier;
use snark_verifier::verifier::plonk::PlonkVerifier;
use std::rc::Rc;

type EvmVerifier = PlonkVerifier<KzgAs<Bn256, Bdfg21>>;

/// What the library writes, and current compilers don't take.
const PRAGMA: &str = "pragma solidity 0.8.19;";
const CONTRACT: &str = "contract Halo2Verifier {";

impl<C: Statement> Verifier<C> {
    /// The source of the library's own verifier of this key, under a name. For tests: nothing else uses it.
    pub fn library_verifier(&self, contract: &str) -> Result<String, SolidityError> {
        fog::ensure!(C::TRANSCRIPT == Transcript::Keccak, SolidityError::WrongTranscript(C::NAME));
        SolidityVerifier::check_name(contract)?;
        let failed = |error| SolidityError::Library(format!("{error:?}"));
        let key: KzgDecidingKey<Bn256> = (G1Affine::generator(), self.params.g2(), self.params.s_g2()).into();
        let loader = EvmLoader::new::<Fq, Fr>();
        let config = Config::kzg().with_num_instance(C::INSTANCES.to_vec());
        let protocol = compile(&self.params, self.verifying_key(), config).loaded(&loader);
        let mut transcript = EvmTranscript::<G1Affine, Rc<EvmLoader>, _, _>::new(&loader);
        let instances = transcript.load_instances(C::INSTANCES.to_vec());
        let proof = EvmVerifier::read_proof(&key, &protocol, &instances, &mut transcript).map_err(failed)?;
        EvmVerifier::verify(&key, &protocol, &instances, &proof).map_err(failed)?;
        let code = loader.solidity_code();
        if [PRAGMA, CONTRACT].iter().any(|expected| !code.contains(expected)) {
            return Err(SolidityError::Library(format!("its code has no line `{PRAGMA}` or `{CONTRACT}`")));
        }
        let code = code.replacen(PRAGMA, "pragma solidity ^0.8.19;", 1);
        Ok(code.replacen(CONTRACT, &format!("contract {contract} {{"), 1))
    }
}
