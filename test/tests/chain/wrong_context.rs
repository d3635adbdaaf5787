//! A `ctxNext` that isn't the contract's own. Protocol, section 6, step 1: "the contract reverts unless it equals its own,
//! so a reorganised chain can't make an honest root wrong".

use super::Stage;
use fogmate_test::Made;
use halo2curves::bn256::Fr;

pub async fn attack(stage: &Stage) {
    let right = stage.next.ctx_next;
    for ctx_next in [right + Fr::one(), Fr::zero(), stage.past[1].ctx_next] {
        let made = Made {
            ctx_next,
            ..stage.next.clone()
        };
        let refused = stage.bout.refusal(&stage.bout.mover().chain, &made).await;
        assert_eq!(refused, "WrongContext");
    }
}
