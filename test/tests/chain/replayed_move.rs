//! A move transaction that was accepted, sent once more: the same signed bytes, and the same call signed anew. Protocol,
//! section 8: the `ply` goes on with every move (and an account's nonce with every transaction).

use super::Stage;
use alloy::eips::eip2718::Encodable2718 as _;
use alloy::primitives::B256;
use alloy::providers::Provider as _;

pub async fn attack(stage: &Stage, last: B256) {
    let bout = &stage.bout;
    let provider = stage.world.anvil.provider().expect("a connection");
    let before = bout
        .mover()
        .chain
        .game(bout.game.game_id)
        .await
        .expect("a game");
    for hash in [stage.sent[0], stage.sent[1], last] {
        let found = provider
            .get_transaction_by_hash(hash)
            .await
            .expect("an answer");
        let signed = found.expect("it is on the chain").inner.encoded_2718();
        let refused = provider.send_raw_transaction(&signed).await;
        let error = refused.expect_err("a nonce is used once").to_string();
        assert!(error.contains("nonce too low"), "{error}");
    }
    let after = bout
        .mover()
        .chain
        .game(bout.game.game_id)
        .await
        .expect("a game");
    assert_eq!(before, after);
    let [white, black] = bout.desks.each_ref().map(|desk| &desk.chain);
    assert_eq!(bout.refusal(white, &stage.next).await, "StalePly");
    assert_eq!(bout.refusal(black, &stage.past[1]).await, "StalePly");
    // At Black's turn White's move is Black's no more than it was.
    let mut renumbered = stage.next.clone();
    renumbered.fields.ply = bout.board().ply;
    let renumbered = bout.with_right_context(&renumbered);
    assert_eq!(bout.refusal(white, &renumbered).await, "NotYourTurn");
    assert_eq!(bout.refusal(black, &renumbered).await, "InvalidProof");
}
