//! Somebody else than the opponent dials: with the signature of another wallet, with the opponent's own signature said by
//! another peer, and without any. Protocol, section 6: messages go between the two players of a game; the link believes a
//! peer only after the opponent's signature has bound its network key to the game.

use super::Target;
use client::link::{LinkEvent, Offence, Refusal};
use fogmate_test::{Cheat, Rogue, header, wallet};
use game::Notice;
use game::message::POINTS_BYTES;

/// Three peers, none of which is believed.
pub async fn impostors(target: &mut Target) {
    let game = target.game.game;
    let victim = wallet(target.seed, 1).address();
    let mut impostor = Cheat::dial(&wallet(target.seed, 9), &game, victim, &target.address).await;
    turned_away(target, Offence::Impostor).await;
    let reason = impostor.until("a refusal", |event| match event {
        LinkEvent::Unwelcome { reason, .. } => Some(reason),
        _ => None,
    });
    assert_eq!(reason.await, Refusal::NotTheOpponent);
    drop(impostor);

    // A signature that is none at all; and a message without any.
    let mut rogue = Rogue::dial(&target.address).await;
    let hello = [&header(game.game_id, 0, 0, 0)[..], &[0xff; 65]].concat();
    assert_ne!(rogue.say(hello).await, Some(0));
    turned_away(target, Offence::BadSignature).await;
    let mut rogue = Rogue::dial(&target.address).await;
    let request = [&header(game.game_id, 1, 0, 0)[..], &[0; POINTS_BYTES]].concat();
    assert_ne!(rogue.say(request).await, Some(0));
    turned_away(target, Offence::NotIntroduced).await;
}

async fn turned_away(target: &mut Target, offence: Offence) {
    let sentence = offence.to_string();
    let heard = target.victim.until(&sentence, |notice| match notice {
        Notice::LinkTrouble { text } if text.contains(&sentence) => Some(()),
        _ => None,
    });
    heard.await;
}
