//! What is typed: a move in UCI or as players write it, and a position in FEN. What is read is written the same way.
#![no_main]

use rules::{Move, Position, WrittenMove};

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Ok(mv) = text.parse::<Move>() {
        assert_eq!(mv.to_string().parse(), Ok(mv));
    }
    let _ = text.parse::<WrittenMove>();
    if let Ok(position) = Position::from_fen(text) {
        let again = Position::from_fen(&position.to_fen()).expect("its own FEN");
        assert_eq!(again, position);
        for mv in position.legal_moves() {
            position.clone().play(&mv).expect("a legal move");
        }
    }
});
