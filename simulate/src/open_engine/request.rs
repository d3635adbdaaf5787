//! The open request: 64 codes of the own pieces, a1 first (0 for none), then a tag of the state it is for, then zeros; 4,096 bytes.

use fog::engine::{CommittedState, Fault, digest};
use fog::word::{keccak256, reduce};
use game::message::POINTS_BYTES;
use halo2curves::bn256::Fr;
use rules::{Color, PieceType, Side};

/// Bytes of a request that say something.
const SAID: usize = 96;

/// The request for a state.
pub(super) fn make(own: &CommittedState) -> Vec<u8> {
    let mut bytes = vec![0; POINTS_BYTES];
    for (byte, piece) in bytes.iter_mut().zip(&own.side.pieces) {
        *byte = piece.map_or(0, PieceType::code);
    }
    let tag = digest([&own.salt[..], &own.commitment]);
    // A word below the field's modulus, as the contract wants all of them.
    bytes[65..SAID].copy_from_slice(&tag[..31]);
    bytes
}

/// Its digest on chain. Refuses what is no request.
pub(super) fn root(bytes: &[u8]) -> Result<Fr, Fault> {
    let (said, rest) = bytes.split_at_checked(SAID).ok_or_else(|| malformed("it is too short"))?;
    if bytes.len() != POINTS_BYTES || rest.iter().any(|byte| *byte != 0) {
        return Err(malformed("it has another length, or does not end in zeros"));
    }
    if said[64] != 0 || said[..64].iter().any(|code| *code != 0 && PieceType::from_code(*code).is_none()) {
        return Err(malformed("it shows what is no piece"));
    }
    Ok(reduce(&keccak256(said)))
}

/// The board of its maker, as it was after that player's last move.
pub(super) fn board(bytes: &[u8], color: Color) -> Result<Side, Fault> {
    root(bytes)?;
    let mut side = Side::empty(color);
    for (piece, code) in side.pieces.iter_mut().zip(bytes) {
        *piece = PieceType::from_code(*code);
    }
    Ok(side)
}

fn malformed(why: &'static str) -> Fault {
    Fault::Request(why.into())
}
