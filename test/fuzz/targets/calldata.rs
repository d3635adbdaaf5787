//! The calldata of a move, which a node gives.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let _ = events::Declared::decode(data);
});
