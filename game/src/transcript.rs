//! The transcript chain of engines that prove nothing while the game lasts: each move carries a digest of what its player was sent
//! and said in its sights so far, so that afterwards both can be held to every message.
//!
//! ```text
//! T' = keccak256("fogmate/transcript/1", T, first, second) mod |F|, each part after its length
//! ```
//! `T` is the word of the player's move before, 0 before its first. On its first move `first` is the transcript of the set-up, after
//! that the one of the sight after its last move; `second` is that of the sight before this move. One that was not finished, or that
//! there is none of, is 32 zeros.

use fog::{
    engine::{About, Game, Word, digest},
    word::{reduce, to_word},
};
use halo2curves::bn256::Fr;

/// What binds the transcript of a set-up to its game; that of a sight is bound by its `ctx`.
pub fn set_up_id(engine: &About, game: &Game) -> Word {
    game.digest("fogmate/set-up/1", engine, &[])
}

/// The word of a move, after that of the player's move before.
pub fn next(before: Fr, first: Option<Word>, second: Option<Word>) -> Fr {
    let [first, second] = [first, second].map(Option::unwrap_or_default);
    reduce(&digest([&b"fogmate/transcript/1"[..], &to_word(&before), &first, &second]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_makes_another_word() {
        let (one, other) = (Some([1; 32]), Some([2; 32]));
        let words = [
            next(Fr::from(0), None, None),
            next(Fr::from(1), None, None),
            next(Fr::from(0), one, None),
            next(Fr::from(0), None, one),
            next(Fr::from(0), other, None),
            next(Fr::from(0), one, other),
        ];
        for (index, word) in words.iter().enumerate() {
            assert!(!words[..index].contains(word), "{index}");
        }
    }
}
