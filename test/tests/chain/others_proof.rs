//! Somebody else's proof, or one's own of another ply, under an honest move's fields. Protocol, section 7: *turn* takes
//! commitments, roots, `ctx` and colour as public inputs, and the contract computes them itself (section 8).

use super::Stage;
use fogmate_test::Made;

pub async fn attack(stage: &Stage) {
    let bout = &stage.bout;
    for past in &stage.past {
        let made = Made {
            proof: past.proof.clone(),
            ..stage.next.clone()
        };
        assert_eq!(
            bout.refusal(&bout.mover().chain, &made).await,
            "InvalidProof"
        );
    }
    // The other way round: fields of a move that was accepted, whose proof is as right as it was, at this ply.
    let mut again = stage.past[0].clone();
    again.fields.ply = stage.next.fields.ply;
    let again = bout.with_right_context(&again);
    assert_eq!(
        bout.refusal(&bout.mover().chain, &again).await,
        "InvalidProof"
    );
}
