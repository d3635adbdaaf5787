//! An honest proof under other declarations: another capture, a fallen king, another next state or request. Protocol,
//! section 7: capture square, king flag, `C'` and `requestRoot'` are public inputs of *turn*; and section 6: `ctxNext` binds
//! what is declared. (The answer root is no input of *turn*: the peer holds it against the answer proof.)

use super::Stage;
use fogmate_test::Made;
use halo2curves::bn256::Fr;

pub async fn attack(stage: &Stage) {
    let bout = &stage.bout;
    let white = &bout.mover().chain;
    let changed = |change: &dyn Fn(&mut Made)| {
        let mut made = stage.next.clone();
        change(&mut made);
        made
    };
    let e8 = "e8".parse().ok();
    let captures = changed(&|made| made.fields.capture = e8);
    let moves_elsewhere = changed(&|made| made.fields.next_commitment += Fr::one());
    for made in [captures, moves_elsewhere] {
        assert_eq!(bout.refusal(white, &made).await, "WrongContext");
        let made = bout.with_right_context(&made);
        assert_eq!(bout.refusal(white, &made).await, "InvalidProof");
    }
    let asks_elsewhere = changed(&|made| made.fields.next_request_root += Fr::one());
    let king_falls = changed(&|made| made.fields.king_fell = true);
    let takes_the_king = changed(&|made| {
        made.fields.king_fell = true;
        made.fields.capture = e8;
    });
    for made in [asks_elsewhere, king_falls, takes_the_king] {
        let made = bout.with_right_context(&made);
        assert_eq!(bout.refusal(white, &made).await, "InvalidProof");
    }
}
