//! A move of another ply than the one to come. Protocol, section 8: per game the contract keeps the `ply`.

use super::Stage;
use fogmate_test::Made;

pub async fn attack(stage: &Stage) {
    let bout = &stage.bout;
    let [white, black] = bout.desks.each_ref().map(|desk| &desk.chain);
    assert_eq!(bout.refusal(white, &stage.past[0]).await, "StalePly");
    assert_eq!(bout.refusal(black, &stage.past[1]).await, "StalePly");
    for ply in [0, 1, 3, 4, u16::MAX] {
        let mut made: Made = stage.next.clone();
        made.fields.ply = ply;
        assert_eq!(bout.refusal(white, &made).await, "StalePly", "ply {ply}");
    }
}
