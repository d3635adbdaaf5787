//! Calldata, which a node gives: of a move, and what is posted with a view key. A posted transcript that is read is written the same.
#![no_main]

use alloy_primitives::{Address, B256};
use game::channel_transcript::Transcript;
use game::{ChainEvent, GameRef};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let _ = events::Declared::decode(data);
    let published = ChainEvent::ViewKeyPublished { player: Address::ZERO, key: [0; 32] };
    let _ = events::carried(data, B256::ZERO, &published);
    let game = GameRef { chain_id: 1, contract: Address::ZERO, game_id: B256::ZERO };
    if let Some(transcript) = Transcript::from_posted(game, data) {
        assert_eq!(transcript.to_posted(), data);
    }
});
