//! Bytes that are no proof, or nearly one. Protocol, section 8, through the checking contract in front of the verifier:
//! exact length, and nothing but a proof passes.

use super::Stage;
use fogmate_test::Made;

pub async fn attack(stage: &Stage) {
    let bout = &stage.bout;
    let white = &bout.mover().chain;
    let with = |proof: Vec<u8>| Made {
        proof,
        ..stage.next.clone()
    };
    let honest = &stage.next.proof;
    let longer = [&honest[..], &[0]].concat();
    for proof in [Vec::new(), honest[1..].to_vec(), longer] {
        assert_eq!(bout.refusal(white, &with(proof)).await, "WrongProofLength");
    }
    for at in [0, honest.len() / 2, honest.len() - 1] {
        let mut proof = honest.clone();
        proof[at] ^= 1;
        assert_eq!(
            bout.refusal(white, &with(proof)).await,
            "InvalidProof",
            "byte {at}"
        );
    }
    let zeros = vec![0; honest.len()];
    assert_eq!(bout.refusal(white, &with(zeros)).await, "InvalidProof");
}
