//! A log of the game contract, which a node gives: topics, 32 bytes each, as many as the first byte says, and data.
#![no_main]

use alloy_primitives::{B256, LogData};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((count, rest)) = data.split_first() else { return };
    let (words, _) = rest.as_chunks::<32>();
    let topics: Vec<B256> = words.iter().take(usize::from(count % 5)).map(B256::from).collect();
    let data = rest[32 * topics.len()..].to_vec();
    let log = LogData::new(topics, data.into()).expect("four topics at most");
    let _ = events::decode(&log);
});
