//! A transcript as a player posts it on the chain, behind the calldata that publishes its view key. It has neither proofs nor signatures: the last digest,
//! which the chain names, binds every ply but for whether it has felled a king, which the game's end says; a replay with both view keys shows that each
//! was legal.
//!
//! 20 bytes, `fogmate transcript 1`, and 102 bytes for each ply from the first, numbers big-endian: the square of the captured piece, from a1 = 0 to
//! h8 = 63, or 64 for none; 1 if it was the king, and 2 more if a draw was offered; the mover's clock after it, in seconds, 4 bytes; its commitment,
//! the root of its request and that of its answer, 32 bytes each.

use super::{Ply, Transcript};
use crate::{GameRef, MoveFields};
use fog::engine::sight_lines::context::{NOWHERE, square_number};
use fog::word::{from_word, to_word};
use rules::Square;

const MARK: &[u8] = b"fogmate transcript 1";
const PLY_BYTES: usize = 102;
/// Of as many plies a transcript can be posted: nodes take no transaction of more than 131,072 bytes.
pub const MOST_POSTED: usize = 1_280;

impl Transcript {
    /// What is posted of it.
    pub fn to_posted(&self) -> Vec<u8> {
        [MARK.to_vec()].into_iter().chain(self.plies.iter().map(written)).flatten().collect()
    }

    /// What was posted for a game; none if it is no transcript.
    pub fn from_posted(game: GameRef, bytes: &[u8]) -> Option<Self> {
        let (plies, rest) = bytes.strip_prefix(MARK)?.as_chunks::<PLY_BYTES>();
        // More can't be counted.
        let is_whole = rest.is_empty() && plies.len() < usize::from(u16::MAX - 1);
        let plies = plies.iter().zip(0..).map(|(bytes, ply)| read(ply, bytes));
        let plies = is_whole.then(|| plies.collect::<Option<_>>())??;
        Some(Self { game, plies, others: Vec::new() })
    }
}

fn written(ply: &Ply) -> Vec<u8> {
    let MoveFields { next_commitment, next_request_root, answer_root, capture, king_fell, offer_draw, .. } =
        &ply.fields;
    let marks = [square_number(*capture) as u8, u8::from(*king_fell) + 2 * u8::from(*offer_draw)];
    let words = [next_commitment, next_request_root, answer_root].map(to_word);
    [&marks[..], &ply.clock.to_be_bytes(), words.as_flattened()].concat()
}

fn read(ply: u16, bytes: &[u8; PLY_BYTES]) -> Option<Ply> {
    let ([square, marks], bytes) = bytes.split_first_chunk()?;
    let (clock, bytes) = bytes.split_first_chunk()?;
    let [next_commitment, next_request_root, answer_root] = bytes.as_chunks().0 else { return None };
    let capture = if u64::from(*square) == NOWHERE { None } else { Some(Square::new(*square)?) };
    let fields = MoveFields {
        ply,
        next_commitment: from_word(next_commitment)?,
        next_request_root: from_word(next_request_root)?,
        answer_root: from_word(answer_root)?,
        capture,
        king_fell: marks & 1 > 0,
        offer_draw: marks & 2 > 0,
    };
    (*marks < 4).then(|| Ply { fields, clock: u32::from_be_bytes(*clock), proof: None, signatures: [None; 2] })
}

#[cfg(test)]
mod tests {
    use super::*;
    use halo2curves::bn256::Fr;

    #[test]
    fn every_byte_of_what_is_posted_counts() {
        let game = GameRef { chain_id: 1, contract: Default::default(), game_id: Default::default() };
        let fields = MoveFields {
            ply: 0,
            next_commitment: Fr::from(1),
            next_request_root: Fr::from(2),
            answer_root: Fr::from(3),
            capture: Square::new(63),
            king_fell: true,
            offer_draw: false,
        };
        let first = Ply { fields, clock: 600, proof: None, signatures: [None; 2] };
        let second = Ply { fields: MoveFields { ply: 1, capture: None, offer_draw: true, ..fields }, ..first.clone() };
        let transcript = Transcript { game, plies: vec![first, second], others: Vec::new() };
        let bytes = transcript.to_posted();
        assert_eq!(bytes.len(), MARK.len() + 2 * PLY_BYTES);
        assert_eq!(Transcript::from_posted(game, &bytes), Some(transcript.clone()));
        for place in 0..bytes.len() {
            for change in [1, 0x80] {
                let mut spoilt = bytes.clone();
                spoilt[place] ^= change;
                assert_ne!(Transcript::from_posted(game, &spoilt), Some(transcript.clone()), "{place}");
            }
            let is_whole = [0, PLY_BYTES].map(|plies| MARK.len() + plies).contains(&place);
            assert_eq!(Transcript::from_posted(game, &bytes[..place]).is_some(), is_whole, "{place}");
        }
    }
}
