//! Proofs and declarations that don't belong together. Protocol, section 7: *turn* takes commitments, roots, `ctx`, color, capture
//! square and king flag as public inputs, and the contract computes them itself (section 8).

use super::Target;
use alloy::primitives::B256;
use fogmate_test::ProvenMove;
use halo2curves::bn256::Fr;

/// Somebody else's proof, or the own one of another ply, under an honest move's fields.
pub async fn another_proof(target: &Target) {
    for past in &target.past {
        let made = ProvenMove { proof: past.proof.clone(), ..target.next.clone() };
        assert_eq!(target.refusal_of_white(&made).await, "InvalidProof");
    }
    // The other way round: fields of a move that was accepted, whose proof is as right as it was, at this ply.
    let mut again = target.past[0].clone();
    again.fields.ply = target.next.fields.ply;
    let again = target.game.with_right_basis(&again);
    assert_eq!(target.refusal_of_white(&again).await, "InvalidProof");
}

/// Bytes that are no proof, or nearly one: the checking contract in front of the verifier wants the exact length, and nothing but a
/// proof passes.
pub async fn broken_proof(target: &Target) {
    let with = |proof: Vec<u8>| ProvenMove { proof, ..target.next.clone() };
    let honest = &target.next.proof;
    let longer = [&honest[..], &[0]].concat();
    for proof in [Vec::new(), honest[1..].to_vec(), longer] {
        let refusal = target.refusal_of_white(&with(proof)).await;
        assert_eq!(refusal, "WrongProofLength");
    }
    for at in [0, honest.len() / 2, honest.len() - 1] {
        let mut proof = honest.clone();
        proof[at] ^= 1;
        let refusal = target.refusal_of_white(&with(proof)).await;
        assert_eq!(refusal, "InvalidProof", "byte {at}");
    }
    let zeros = vec![0; honest.len()];
    assert_eq!(target.refusal_of_white(&with(zeros)).await, "InvalidProof");
}

/// An honest proof under other declarations: another capture, a fallen king, another next state or request. Section 6: `basis` binds
/// what is declared. (The answer root is no input of *turn*: the peer holds it against the answer proof.)
pub async fn changed_fields(target: &Target) {
    let changed = |change: &dyn Fn(&mut ProvenMove)| {
        let mut made = target.next.clone();
        change(&mut made);
        made
    };
    let e8 = "e8".parse().ok();
    let captures = changed(&|made| made.fields.capture = e8);
    let moves_elsewhere = changed(&|made| made.fields.next_commitment += Fr::one());
    let asks_elsewhere = changed(&|made| made.fields.next_request_root += Fr::one());
    let king_falls = changed(&|made| made.fields.king_fell = true);
    let takes_the_king = changed(&|made| {
        made.fields.king_fell = true;
        made.fields.capture = e8;
    });
    for made in [captures, moves_elsewhere, asks_elsewhere, king_falls, takes_the_king] {
        assert_eq!(target.refusal_of_white(&made).await, "WrongBasis");
        let made = target.game.with_right_basis(&made);
        assert_eq!(target.refusal_of_white(&made).await, "InvalidProof");
    }
}

/// A `basis` that isn't the contract's own. Section 6, step 1: a move is for one position, and the answer in it for one context.
pub async fn wrong_basis(target: &Target) {
    let right = target.next.basis;
    for basis in [!right, B256::ZERO, target.past[1].basis] {
        let made = ProvenMove { basis, ..target.next.clone() };
        assert_eq!(target.refusal_of_white(&made).await, "WrongBasis");
    }
}
