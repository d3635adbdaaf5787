//! Messages that end too early: nothing at all, half a header, a request or an answer without its last byte. Protocol,
//! section 7, "Encodings": every message has its exact length.

use super::{Stage, garbage::refused};
use fogmate_test::{header, with_body};
use game::WireError;
use game::message::{ELEMENTS, POINTS_BYTES};

pub async fn attack(stage: &mut Stage) {
    let game = stage.bout.game.game_id;
    let with_body = |kind, len| with_body(header(game, kind, 0, 0), len);
    let cases = [
        Vec::new(),
        header(game, 1, 0, 0)[..20].to_vec(),
        with_body(1, POINTS_BYTES - 1),
        with_body(2, ELEMENTS * 32 + 1),
    ];
    refused(stage, cases.map(|bytes| (bytes, WireError::Truncated))).await;
}
