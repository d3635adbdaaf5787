//! The right elements with a wrong proof: one bit changed, cut short, too long, or none. Protocol, section 6, step 2: a
//! sight counts "only after the proof has verified".

use super::{Stage, answer_id};
use fogmate_test::Cheat;
use game::PeerFault;
use game::{Message, Phase};

pub async fn attack(stage: &mut Stage, cheat: &Cheat, honest: &Message) {
    let with = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut message = honest.clone();
        if let Message::Answer { proof, .. } = &mut message {
            change(proof);
        }
        message
    };
    let cases = [
        with(&|proof| proof[0] ^= 1),
        with(&|proof| *proof.last_mut().expect("a proof has bytes") ^= 1),
        with(&|proof| proof.truncate(proof.len() - 1)),
        with(&|proof| proof.push(0)),
        with(&|proof| proof.clear()),
    ];
    for message in cases {
        cheat.send(message).await;
        let id = answer_id(1, Phase::Post);
        stage.victim.fault(PeerFault::Proof(id)).await;
    }
}
