//! The answer to a request (protocol section 5, "Encodings"): a labelled private set intersection over sight-lines.
//!
//! An answer is a deterministic function of the sender's board, its fog secret, the request and `ctx`: a sender has no
//! freedom in it. What is in a record, field by field:
//!
//! | field | content |
//! | --- | --- |
//! | 0 to 7 | `e_{s,d} = H(RAY; K_{s,d}, pass_s) + (type on s, or else K_{s+d,d}, or 0 at the board's end)`, the ray entering `s` |
//! | 8 | `M_{s,1}` + pawn payload: bits 0–2 diagonal toward file a, 3–5 toward file h, 6 ahead, 7 and 8 en passant (phase 0) |
//! | 9 | `M_{s,2}` + the 8 targets of a knight, 3 bits each |
//! | 10, 11 | `M_{s,5}` outputs 0 and 1 + `orth_s`, `diag_s` |
//! | 12 | `M_{s,6}` + the 8 neighbours, 3 bits each |
//! | 13 | on the receiver's pawn rank `H(PUSH; m_s, pass_ahead)` + (ahead empty and two ahead occupied); on the receiver's captured square `pass_s` |
//!
//! with `k_{s,j} = (a·B_s − j·a·A).x`, `M_{s,j} = H(OT; k_{s,j}, ctx + 8s + j)`, `pass_s = M_{s,0}`, `diag_s = M_{s,3}`,
//! `orth_s = M_{s,4}`, `m_s` = output 1 of the mask of `j = 1`. On the receiver's captured square fields 8 to 12 are 0 and
//! the two ray keys are `H(PEND; a, ctx)`, outputs 0 and 1. Nothing here proves an answer: see [`crate::statement::answer`].

mod masks;
mod payload;
mod wire;

pub use masks::{CHOICES, is_asked, mask};
pub use payload::{king_payload, knight_payload, pawn_payload};
pub use wire::{ANSWER_BYTES, ELEMENTS, WireError};

use crate::{
    F,
    commitment::type_number,
    curve::FogSecret,
    engine::sight_lines::context::AnswerHeader,
    engine::sight_lines::geometry::{
        KING_FIELD, KNIGHT_FIELD, PAWN_FIELD, PUSH_FIELD, QUEEN_DIAG_FIELD, QUEEN_ORTH_FIELD, behind, pawn_may_stand,
        step,
    },
    engine::sight_lines::request::{Request, RequestError},
    merkle::{RECORD_FIELDS, Record, Tree, record_leaf},
    poseidon::{Tag, hash, hash2},
};
use ff::Field;
use masks::Masks;
use rules::{
    Color, PieceType, Side, Square,
    geometry::{DIRECTIONS, FIRST_DIAGONAL, ahead},
};

/// An answer: a record for each square, and what is needed to put it on the wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// 14 fields a square, a1 first.
    pub records: [Record; 64],
    pub receiver: Color,
    /// The receiver's captured square.
    pub pending: Option<Square>,
}

impl Answer {
    /// The tree over the records.
    pub fn tree(&self) -> Tree {
        Tree::new(&std::array::from_fn(|s| record_leaf(&self.records[s])))
    }

    /// The Merkle root of the answer, `answerRoot` on chain.
    pub fn root(&self) -> F {
        self.tree().root()
    }

    /// The record of a square.
    pub fn record(&self, square: Square) -> &Record {
        &self.records[square.index()]
    }
}

/// The first key of a ray that leaves in direction `d`: output `d mod 2` of `H(PRF; key, ⌊(d mod 4)/2⌋)`.
pub fn ray_key(key: F, d: usize) -> F {
    hash2(Tag::Prf.field(), key, F::from((d % 4 / 2) as u64))[d % 2]
}

/// Answers a request. `sender` is the committed side: its own captured square is removed here.
pub fn answer(
    sender: &Side,
    secret: &FogSecret,
    header: &AnswerHeader,
    request: &Request,
) -> Result<Answer, RequestError> {
    request.check_points()?;
    let board = sender.without(header.pending_sender);
    let masks = Masks::new(secret, header.ctx, request)?;
    let mut clear = [F::ZERO; 64];
    let mut start_keys = [[F::ZERO; 2]; 64];
    for square in Square::all() {
        clear[square.index()] = masks.of(square, None)[0];
        start_keys[square.index()] = if header.pending_receiver == Some(square) {
            hash2(Tag::Pend.field(), secret.field(), header.ctx)
        } else {
            [PieceType::Rook, PieceType::Bishop].map(|piece| masks.of(square, Some(piece))[0])
        };
    }
    let mut records = [[F::ZERO; RECORD_FIELDS]; 64];
    for square in Square::all() {
        let record = &mut records[square.index()];
        if header.pending_receiver == Some(square) {
            record[PUSH_FIELD] = clear[square.index()];
        } else {
            let keys = start_keys[square.index()];
            fill_ciphertexts(record, &board, header, square, &masks, keys, &clear);
        }
    }
    fill_rays(&mut records, &board, &start_keys, &clear);
    Ok(Answer { records, receiver: header.receiver, pending: header.pending_receiver })
}

/// Fields 8 to 13 of a square that is not the receiver's captured one.
fn fill_ciphertexts(
    record: &mut Record,
    board: &Side,
    header: &AnswerHeader,
    square: Square,
    masks: &Masks,
    [orth, diag]: [F; 2],
    clear: &[F; 64],
) {
    let [knight, _] = masks.of(square, Some(PieceType::Knight));
    record[KNIGHT_FIELD] = knight + F::from(knight_payload(board, square));
    let queen = masks.of(square, Some(PieceType::Queen));
    record[QUEEN_ORTH_FIELD] = queen[0] + orth;
    record[QUEEN_DIAG_FIELD] = queen[1] + diag;
    let [king, _] = masks.of(square, Some(PieceType::King));
    record[KING_FIELD] = king + F::from(king_payload(board, square));
    if !pawn_may_stand(square) {
        return;
    }
    let [pawn, push_key] = masks.of(square, Some(PieceType::Pawn));
    record[PAWN_FIELD] = pawn + F::from(pawn_payload(board, square, header.phase));
    if square.rank() != header.receiver.pawn_rank() {
        return;
    }
    if let Some(one) = ahead(square, header.receiver)
        && let Some(two) = ahead(one, header.receiver)
    {
        let blocked = type_number(board, one) == 0 && type_number(board, two) != 0;
        record[PUSH_FIELD] = hash(Tag::Push, push_key, clear[one.index()]) + F::from(blocked);
    }
}

/// Fields 0 to 7 of all squares.
fn fill_rays(records: &mut [Record; 64], board: &Side, start_keys: &[[F; 2]; 64], clear: &[F; 64]) {
    // keys[x][d]: the key to look at x while moving in d
    let mut keys = [[F::ZERO; DIRECTIONS.len()]; 64];
    for square in Square::all() {
        let [orth, diag] = start_keys[square.index()];
        for pair in 0..DIRECTIONS.len() / 2 {
            let key = if 2 * pair < FIRST_DIAGONAL { orth } else { diag };
            let both = hash2(Tag::Prf.field(), key, F::from((pair % 2) as u64));
            for (offset, first) in both.into_iter().enumerate() {
                let d = 2 * pair + offset;
                if let Some(next) = step(square, d) {
                    keys[next.index()][d] = first;
                }
            }
        }
    }
    for square in Square::all() {
        for d in 0..DIRECTIONS.len() {
            if behind(square, d).is_none() {
                continue;
            }
            let payload = match type_number(board, square) {
                0 => step(square, d).map_or(F::ZERO, |next| keys[next.index()][d]),
                kind => F::from(u64::from(kind)),
            };
            let mask = hash(Tag::Ray, keys[square.index()][d], clear[square.index()]);
            records[square.index()][d] = mask + payload;
        }
    }
}
