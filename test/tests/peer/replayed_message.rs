//! Messages of earlier plies, said again word for word, to a client that was started anew and whose link remembers nothing.
//! Protocol, section 5: `ctx` binds the ply; section 6: each message belongs to one ply.

use super::{Stage, answer_id, request_id};
use fogmate_test::Cheat;
use game::PeerFault;
use game::{Message, Phase};

pub async fn attack(stage: &mut Stage, cheat: &Cheat, request: &Message, answer: &Message) {
    cheat.send(request.clone()).await;
    cheat.send(answer.clone()).await;
    let id = answer_id(1, Phase::Post);
    let faults = [PeerFault::Stale(request_id(0)), PeerFault::Duplicate(id)];
    stage.victim.faults(&faults).await;
}
