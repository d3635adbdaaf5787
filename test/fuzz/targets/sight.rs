//! What a peer's messages of a sight have in them: the points of a request, the elements of an answer. What is read is written the same.
#![no_main]

use fog::engine::sight_lines::{answer::Answer, request::Request};
use rules::{Color, Square};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Ok(request) = Request::from_bytes(data) {
        assert_eq!(request.to_bytes(), data);
    }
    let Some((pending, rest)) = data.split_first() else { return };
    let (receiver, pending) = (Color::of_ply(u64::from(pending >> 7)), Square::new(pending & 0x7f));
    if let Ok(answer) = Answer::from_bytes(rest, receiver, pending) {
        assert_eq!(answer.to_bytes(), rest);
    }
});
