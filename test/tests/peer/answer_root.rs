//! A true and proven answer in the place of another: the one after Black's last move is offered as the one before its next,
//! whose root White has posted. Protocol, section 6, step 2: "and the root matches the chain". Meanwhile the honest client
//! refuses to move on a sight that it doesn't have.

use super::{Stage, answer_id};
use fogmate_test::{Cheat, SHORT_GAME};
use game::{CommandError, Notice, PeerFault};
use game::{Message, Phase};

pub async fn attack(stage: &mut Stage, cheat: &Cheat, honest: &Message) {
    let Message::Answer {
        elements, proof, ..
    } = honest.clone()
    else {
        unreachable!("it is an answer");
    };
    let (ply, phase) = (3, Phase::Pre);
    cheat
        .send(Message::Answer {
            ply,
            phase,
            elements,
            proof,
        })
        .await;
    stage
        .victim
        .fault(PeerFault::AnswerRoot(answer_id(ply, phase)))
        .await;

    stage.victim.play(SHORT_GAME[3]);
    let refused = Notice::Refused(CommandError::SightNotProven);
    let told = stage
        .victim
        .until("a refusal", |report| (*report == refused).then_some(()));
    told.await;
}
