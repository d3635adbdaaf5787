//! An answer whose elements aren't what the board makes them, under the proof of the right ones; and elements that are no
//! answer of any board. Protocol, section 5 ("a sender has no freedom in it") and section 7: *answer* proves every element.

use super::{Stage, answer_id};
use fogmate_test::Cheat;
use game::PeerFault;
use game::{Message, Phase};
use halo2curves::bn256::Fr;

fn changed(honest: &Message, at: usize) -> Message {
    let mut message = honest.clone();
    if let Message::Answer { elements, .. } = &mut message {
        elements[at] += Fr::one();
    }
    message
}

pub async fn attack(stage: &mut Stage, cheat: &Cheat, honest: &Message) {
    let id = answer_id(1, Phase::Post);
    for at in [0, 400, 731] {
        cheat.send(changed(honest, at)).await;
        stage.victim.fault(PeerFault::Proof(id)).await;
    }
    // Nothing was captured, so nothing is sent in the clear.
    cheat.send(changed(honest, 732)).await;
    stage.victim.fault(PeerFault::NoAnswer(id)).await;
}

/// Of two different answers one is wrong, and it is not the one that was proven. (Another element than before: what was
/// said word for word is taken for a repeat by the link and goes no further.)
pub async fn attack_after_the_right_one(stage: &mut Stage, cheat: &Cheat, honest: &Message) {
    cheat.send(changed(honest, 1)).await;
    let id = answer_id(1, Phase::Post);
    stage.victim.fault(PeerFault::Contradiction(id)).await;
}
