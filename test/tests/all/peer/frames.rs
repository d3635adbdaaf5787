//! Bytes that are no message, from a peer that has proven to be the opponent. Protocol, section 7, "Encodings": every message has its
//! exact length, and values are `< |F|`.

use super::Target;
use fogmate_test::{Rogue, header, wallet, with_body};
use game::message::{ELEMENTS, POINTS_BYTES, VERSION};
use game::{PeerFault, WireError};

/// Noise, another version, another kind, another game, an element that is no field element.
pub async fn garbage(target: &mut Target) {
    let game = target.game.game.game_id;
    let mut elsewhere = game;
    elsewhere.0[0] ^= 1;
    let start = header(game, 2, 1, 1);
    let element_7 = start.len() + 7 * 32;
    let mut above_modulus = with_body(start, ELEMENTS * 32 + 2);
    above_modulus[element_7] = 0xff;
    let http = b"GET / HTTP/1.1\r\nHost: fogmate.example\r\n\r\n".to_vec();
    let next_version = [&[VERSION + 1], &header(game, 1, 0, 0)[1..]].concat();
    let cases = [
        (http, WireError::Version(b'G')),
        (next_version, WireError::Version(VERSION + 1)),
        (header(game, 9, 0, 0), WireError::Kind(9)),
        (header(game, 2, 1, 7), WireError::Phase(7)),
        (header(elsewhere, 3, 0, 0), WireError::WrongGame(elsewhere)),
        (above_modulus, WireError::Element(7)),
    ];
    refused(target, cases).await;
}

/// Messages that end too early: nothing at all, half a header, a request or an answer without its last byte.
pub async fn truncated(target: &mut Target) {
    let game = target.game.game.game_id;
    let with_body = |kind, len| with_body(header(game, kind, 0, 0), len);
    let cases = [
        Vec::new(),
        header(game, 1, 0, 0)[..20].to_vec(),
        with_body(1, POINTS_BYTES - 1),
        with_body(2, ELEMENTS * 32 + 1),
    ];
    refused(target, cases.map(|bytes| (bytes, WireError::Truncated))).await;
}

/// Messages that go on after their end, and a proof longer than any: read no further than a message may be.
pub async fn oversized(target: &mut Target) {
    let game = target.game.game.game_id;
    let with_body = |kind, len| with_body(header(game, kind, 0, 0), len);
    let mut long_proof = with_body(2, ELEMENTS * 32);
    long_proof.extend([0xff, 0xff]);
    let cases = [
        (with_body(1, POINTS_BYTES + 1), WireError::Oversized),
        (with_body(1, 100_000), WireError::Oversized),
        (with_body(3, 1), WireError::Oversized),
        (long_proof, WireError::ProofTooLong(0xffff)),
    ];
    refused(target, cases).await;
}

/// Each of these bytes is refused by its name.
async fn refused(target: &mut Target, cases: impl IntoIterator<Item = (Vec<u8>, WireError)>) {
    let opponent = wallet(target.seed, 0);
    let mut rogue = Rogue::introduced(&opponent, &target.game.game, &target.address).await;
    for (bytes, error) in cases {
        println!("  {} bytes: {error}", bytes.len());
        assert_ne!(rogue.say(bytes).await, Some(0), "{error} was accepted");
        target.victim.fault(PeerFault::Garbage(error)).await;
    }
}
