//! Messages that go on after their end, and a proof longer than any: read no further than a message may be. Protocol,
//! section 7, "Encodings": every message has its exact length.

use super::{Stage, garbage::refused};
use fogmate_test::{header, with_body};
use game::WireError;
use game::message::{ELEMENTS, POINTS_BYTES};

pub async fn attack(stage: &mut Stage) {
    let game = stage.bout.game.game_id;
    let with_body = |kind, len| with_body(header(game, kind, 0, 0), len);
    let mut long_proof = with_body(2, ELEMENTS * 32);
    long_proof.extend([0xff, 0xff]);
    let cases = [
        (with_body(1, POINTS_BYTES + 1), WireError::Oversized),
        (with_body(1, 100_000), WireError::Oversized),
        (with_body(3, 1), WireError::Oversized),
        (long_proof, WireError::ProofTooLong(0xffff)),
    ];
    refused(stage, cases).await;
}
