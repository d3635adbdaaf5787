//! Calldata, which a node gives: of whatever tells an event, and what is posted with a view key. A posted transcript that is read is written the same.
#![no_main]

use alloy_primitives::{Address, B256, U256};
use events::Sent;
use game::channel_transcript::Transcript;
use game::{ChainEvent, GameRef, Outcome, Position};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let _ = events::Declared::decode(data);
    for event in [
        ChainEvent::TossRevealed { share: B256::ZERO },
        ChainEvent::Woken { position: Box::new(Position::start(0)), until: 0 },
        ChainEvent::Closed { last: B256::ZERO },
        ChainEvent::FiftyClaimed { ply: 0, deadline: 0, bond: 0 },
        ChainEvent::FiftyFailed { ply: 0, claims_from: 0, paid: 0 },
        ChainEvent::ViewKeyPublished { player: Address::ZERO, key: [0; 32] },
        ChainEvent::Ended { winner: None, outcome: Outcome::DrawAgreed },
        ChainEvent::Ended { winner: None, outcome: Outcome::FiftyMoves },
    ] {
        let sent = Sent { sender: None, value: U256::ZERO, calldata: data };
        let _ = events::record(event, None, B256::ZERO, Some(sent));
    }
    let game = GameRef { chain_id: 1, contract: Address::ZERO, game_id: B256::ZERO };
    if let Some(transcript) = Transcript::from_posted(game, data) {
        assert_eq!(transcript.to_posted(), data);
    }
});
