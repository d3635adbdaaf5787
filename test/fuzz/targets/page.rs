//! What the audit page asks: what a node says of a game, verdicts on its proofs, and files of view keys and a transcript.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &[u8]| {
    for answer in [web::read(text), web::audit(text)] {
        match answer {
            Ok(answer) => assert!(answer.is_object()),
            Err(sentence) => assert!(!sentence.is_empty()),
        }
    }
});
