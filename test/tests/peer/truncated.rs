//! Messages that end too early: nothing at all, half a header, a request or an answer without its last byte. Protocol,
//! section 7, "Encodings": every message has its exact length.

use super::{Stage, garbage::refused};
use client::link::{ELEMENTS, POINTS_BYTES, WireError};
use fogmate_test::header;

pub async fn attack(stage: &mut Stage) {
    let game = stage.bout.game;
    let with_body = |kind, len: usize| {
        let mut bytes = header(&game, kind, 0, 0);
        bytes.resize(bytes.len() + len, 0);
        bytes
    };
    let cases = [
        Vec::new(),
        header(&game, 1, 0, 0)[..20].to_vec(),
        with_body(1, POINTS_BYTES - 1),
        with_body(2, ELEMENTS * 32 + 1),
    ];
    refused(stage, cases.map(|bytes| (bytes, WireError::Truncated))).await;
}
