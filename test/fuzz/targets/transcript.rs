//! The file of a game between the machines. What is read is written and read again the same.
#![no_main]

use game::channel_transcript::Transcript;

libfuzzer_sys::fuzz_target!(|text: &[u8]| {
    if let Ok(transcript) = Transcript::from_json(text) {
        let again = transcript.to_json().expect("JSON");
        assert_eq!(Transcript::from_json(again.as_ref()).as_ref(), Ok(&transcript));
    }
});
