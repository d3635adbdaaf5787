//! Real proofs with development parameters, for the tests of both statements: the keys of a circuit, proofs with them and
//! their verification. Times are printed, not judged.

use circuits::StatementCircuit;
use halo2_proofs::{
    plonk::{Circuit, Error, ProvingKey, create_proof, keygen_pk, keygen_vk, verify_proof},
    poly::{
        commitment::ParamsProver,
        kzg::{
            commitment::{KZGCommitmentScheme, ParamsKZG},
            multiopen::{ProverSHPLONK, VerifierSHPLONK},
            strategy::SingleStrategy,
        },
    },
    transcript::{Blake2bRead, Blake2bWrite, Challenge255, TranscriptReadBuffer, TranscriptWriterBuffer},
};
use halo2curves::bn256::{Bn256, Fr, G1Affine};
use rand::RngCore;
use std::time::Instant;

/// What it takes to prove a circuit and to verify its proofs.
pub struct Keys {
    params: ParamsKZG<Bn256>,
    pk: ProvingKey<G1Affine>,
}

impl Keys {
    /// Draws parameters of the circuit's size and makes its keys.
    pub fn make<C: StatementCircuit>(rng: impl RngCore) -> Self {
        let params = ParamsKZG::<Bn256>::setup(C::K, rng);
        let start = Instant::now();
        let blank = C::blank();
        let vk = keygen_vk(&params, &blank).expect("a verifying key");
        let cs = vk.cs();
        println!(
            "degree {}, {} advice, {} fixed, {} permuted columns, {} lookups, {} blinding rows",
            cs.degree(),
            cs.num_advice_columns(),
            cs.num_fixed_columns(),
            cs.permutation().get_columns().len(),
            cs.lookups().len(),
            cs.blinding_factors()
        );
        let pk = keygen_pk(&params, vk, &blank).expect("a proving key");
        println!("keys in {:?}", start.elapsed());
        Self { params, pk }
    }

    /// A proof of the circuit with these instance columns.
    pub fn prove(&self, circuit: impl Circuit<Fr>, instance: &[Vec<Fr>], rng: impl RngCore) -> Vec<u8> {
        let start = Instant::now();
        let mut transcript = Blake2bWrite::<_, G1Affine, Challenge255<_>>::init(vec![]);
        create_proof::<KZGCommitmentScheme<Bn256>, ProverSHPLONK<'_, Bn256>, _, _, _, _>(
            &self.params,
            &self.pk,
            &[circuit],
            &[&columns(instance)],
            rng,
            &mut transcript,
        )
        .expect("a proof");
        let proof = transcript.finalize();
        println!("proved in {:?}, {} bytes", start.elapsed(), proof.len());
        proof
    }

    /// Whether a proof is one for these instance columns.
    pub fn verify(&self, proof: &[u8], instance: &[Vec<Fr>]) -> Result<(), Error> {
        let mut transcript = Blake2bRead::<_, G1Affine, Challenge255<_>>::init(proof);
        verify_proof::<KZGCommitmentScheme<Bn256>, VerifierSHPLONK<'_, Bn256>, _, _, _>(
            self.params.verifier_params(),
            self.pk.get_vk(),
            SingleStrategy::new(&self.params),
            &[&columns(instance)],
            &mut transcript,
        )
    }
}

fn columns(instance: &[Vec<Fr>]) -> Vec<&[Fr]> {
    instance.iter().map(Vec::as_slice).collect()
}
