//! Bytes that are no message, from a peer that has proven to be the opponent: noise, another version, another kind, another
//! game, an element that is no field element. Protocol, section 7, "Encodings", and "values `< |F|`".

use super::Stage;
use fogmate_test::{Rogue, header, wallet, with_body};
use game::PeerFault;
use game::WireError;
use game::message::{ELEMENTS, VERSION};

pub async fn attack(stage: &mut Stage) {
    let game = stage.bout.game.game_id;
    let mut elsewhere = game;
    elsewhere.0[0] ^= 1;
    let start = header(game, 2, 1, 1);
    let element_7 = start.len() + 7 * 32;
    let mut above_modulus = with_body(start, ELEMENTS * 32 + 2);
    above_modulus[element_7] = 0xff;
    let cases = [
        (
            b"GET / HTTP/1.1\r\nHost: fogmate.example\r\n\r\n".to_vec(),
            WireError::Version(b'G'),
        ),
        (
            [&[VERSION + 1], &header(game, 1, 0, 0)[1..]].concat(),
            WireError::Version(VERSION + 1),
        ),
        (header(game, 9, 0, 0), WireError::Kind(9)),
        (header(game, 2, 1, 7), WireError::Phase(7)),
        (header(elsewhere, 3, 0, 0), WireError::WrongGame(elsewhere)),
        (above_modulus, WireError::Element(7)),
    ];
    refused(stage, cases).await;
}

/// Each of these bytes is refused by its name.
pub async fn refused(stage: &mut Stage, cases: impl IntoIterator<Item = (Vec<u8>, WireError)>) {
    let opponent = wallet(stage.seed, 0);
    let mut rogue = Rogue::introduced(&opponent, &stage.bout.game, &stage.address).await;
    for (bytes, error) in cases {
        println!("  {} bytes: {error}", bytes.len());
        assert_ne!(rogue.say(bytes).await, Some(0), "{error} was accepted");
        stage.victim.fault(PeerFault::Garbage(error)).await;
    }
}
