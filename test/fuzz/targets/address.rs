//! What a player pastes or is sent of where another can be reached: invitations, and signed lists of addresses. What is read is written the same way.
#![no_main]

use client::link::AddressRecord;
use client::lobby::Invite;

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Ok(invite) = text.parse::<Invite>() {
        assert_eq!(invite.to_string().parse(), Ok(invite));
    }
    if let Ok(record) = text.parse::<AddressRecord>() {
        assert_eq!(record.to_string(), text.trim());
    }
});
