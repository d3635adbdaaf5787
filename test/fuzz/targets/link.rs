//! What a peer sends over the link: a message's frames, in each kind of game. What is read is written and read again the same.
#![no_main]

use alloy_primitives::B256;
use client::link::{Frames, Packet, from_wire, to_wire};

const KINDS: [Frames; 3] = [Frames::Answers, Frames::Channel, Frames::Sessions { max_message: 1 << 20 }];

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    for frames in KINDS {
        if let Ok(message) = from_wire(data, B256::ZERO, frames) {
            assert_eq!(from_wire(&to_wire(&message, B256::ZERO), B256::ZERO, frames), Ok(message));
        }
        let packet = Packet::read(data, B256::ZERO, frames);
        if let Some(bytes) = packet.to_bytes(B256::ZERO) {
            assert_eq!(bytes, data);
        }
    }
});
