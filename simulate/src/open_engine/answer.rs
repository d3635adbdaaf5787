//! The open answer: 733 words. The first 64 say what is seen of each square, a1 first; the next the square of an *en passant* capture and
//! 1, or 0; the next is the `ctx` of the exchange; all others are 0.

use ff::Field;
use fog::word::{from_word, keccak256, reduce, small_word, to_word};
use game::message::{ELEMENTS, ELEMENTS_BYTES};
use halo2curves::bn256::Fr;
use rules::{PieceType, Seen, Sight, Square};

const EN_PASSANT: usize = 64;
const CONTEXT: usize = 65;
/// Words of an answer that say something.
const SAID: usize = 66;
const WORD: usize = 32;

/// The answer that says a sight in an exchange.
pub(super) fn write(sight: &Sight, ctx: Fr) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(ELEMENTS_BYTES + 64);
    for seen in &sight.squares {
        bytes.extend(small_word(code(*seen)));
    }
    bytes.extend(small_word(sight.en_passant.map_or(0, |square| square.index() as u64 + 1)));
    bytes.extend(to_word(&ctx));
    bytes.resize(ELEMENTS_BYTES, 0);
    bytes
}

/// Its digest on chain, if it is an answer at all.
pub(super) fn root(bytes: &[u8]) -> Option<Fr> {
    let (said, rest) = bytes.get(..ELEMENTS_BYTES)?.split_at(SAID * WORD);
    rest.iter().all(|byte| *byte == 0).then(|| reduce(&keccak256(said)))
}

/// What it says, if it is an answer in this exchange.
pub(super) fn read(bytes: &[u8], ctx: Fr) -> Option<Sight> {
    let (words, _) = bytes.get(..SAID * WORD)?.as_chunks::<WORD>();
    let small = |word: &[u8; WORD]| word[..WORD - 1].iter().all(|byte| *byte == 0).then_some(word[WORD - 1]);
    let mut sight = Sight::DARK;
    for (seen, word) in sight.squares.iter_mut().zip(words) {
        *seen = seen_of(small(word)?)?;
    }
    sight.en_passant = match small(&words[EN_PASSANT])? {
        0 => None,
        number => Some(Square::new(number - 1)?),
    };
    (from_word(&words[CONTEXT]) == Some(ctx)).then_some(sight)
}

/// Its words as field elements.
pub(super) fn elements(bytes: &[u8]) -> Vec<Fr> {
    let (words, _) = bytes.as_chunks::<WORD>();
    words.iter().take(ELEMENTS).map(|word| from_word(word).unwrap_or(Fr::ZERO)).collect()
}

fn code(seen: Seen) -> u64 {
    match seen {
        Seen::Dark => 0,
        Seen::Empty => 1,
        Seen::Occupied => 2,
        Seen::Piece(piece) => 2 + u64::from(piece.code()),
    }
}

fn seen_of(code: u8) -> Option<Seen> {
    match code {
        0 => Some(Seen::Dark),
        1 => Some(Seen::Empty),
        2 => Some(Seen::Occupied),
        code => PieceType::from_code(code - 2).map(Seen::Piece),
    }
}
