//! Answers other than the proven one whose root is on the chain. Protocol, section 5 ("a sender has no freedom in it"), section 6, step 2
//! (a sight counts "only after the proof has verified and the root matches the chain") and section 7: *answer* proves every element.

use super::{Target, answer_id, request_id};
use fogmate_test::{Cheat, SHORT_GAME};
use game::{CommandError, Message, Notice, PeerFault, Phase};
use halo2curves::bn256::Fr;

fn changed(honest: &Message, at: usize) -> Message {
    let mut message = honest.clone();
    if let Message::Answer { elements, .. } = &mut message {
        elements[at] += Fr::one();
    }
    message
}

/// Elements that aren't what the board makes them, under the proof of the right ones; and elements that are no answer of any board.
pub async fn wrong_elements(target: &mut Target, cheat: &Cheat, honest: &Message) {
    let id = answer_id(1, Phase::Post);
    for at in [0, 400, 731] {
        cheat.send(changed(honest, at)).await;
        target.victim.fault(PeerFault::Proof(id)).await;
    }
    // Nothing was captured, so nothing is sent in the clear.
    cheat.send(changed(honest, 732)).await;
    target.victim.fault(PeerFault::NoAnswer(id)).await;
}

/// The right elements with a wrong proof: one bit changed, cut short, too long, or none.
pub async fn wrong_proof(target: &mut Target, cheat: &Cheat, honest: &Message) {
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
        target.victim.fault(PeerFault::Proof(id)).await;
    }
}

/// A second answer after the right one: of two different answers one is wrong, and it is not the one that was proven. (Another element
/// than before: what was said word for word is taken for a repeat by the link and goes no further.)
pub async fn second_answer(target: &mut Target, cheat: &Cheat, honest: &Message) {
    cheat.send(changed(honest, 1)).await;
    let id = answer_id(1, Phase::Post);
    target.victim.fault(PeerFault::Contradiction(id)).await;
}

/// Messages of earlier plies, said again word for word, to a client that was started anew and whose link remembers nothing. Section 5:
/// `ctx` binds the ply; section 6: each message belongs to one ply.
pub async fn replayed(target: &mut Target, cheat: &Cheat, request: &Message, answer: &Message) {
    cheat.send(request.clone()).await;
    cheat.send(answer.clone()).await;
    let id = answer_id(1, Phase::Post);
    let faults = [PeerFault::Stale(request_id(0)), PeerFault::Duplicate(id)];
    target.victim.faults(&faults).await;
}

/// A true and proven answer in the place of another: the one after Black's last move is offered as the one before its next, whose root
/// White has posted. Meanwhile the honest client refuses to move on a sight that it doesn't have.
pub async fn wrong_root(target: &mut Target, cheat: &Cheat, honest: &Message) {
    let mut moved = honest.clone();
    if let Message::Answer { ply, phase, .. } = &mut moved {
        (*ply, *phase) = (3, Phase::Pre);
    }
    cheat.send(moved).await;
    let id = answer_id(3, Phase::Pre);
    target.victim.fault(PeerFault::AnswerRoot(id)).await;

    target.victim.play(SHORT_GAME[3]);
    let refused = Notice::Refused { id: None, error: CommandError::SightNotProven };
    let heard = target.victim.until("a refusal", |notice| (*notice == refused).then_some(()));
    heard.await;
}
