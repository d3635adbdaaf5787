//! Opening an answer, by the receiver (protocol section 5, "Open").
//!
//! The key of the own choice is `(r_s·A_sender).x`; unmask, walk, collect. The result is exactly what dark chess lets the
//! receiver see if the answer is right, which only its proof says: a client treats what it opens before that as hearsay,
//! and an answer that can't be right is refused here by name.

use crate::{
    F,
    commitment::{TYPE_BITS, type_number},
    curve::{FogKey, Scalar, normalize},
    engine::Phase,
    engine::sight_lines::answer::{Answer, mask, ray_key},
    engine::sight_lines::context::AnswerHeader,
    engine::sight_lines::geometry::{
        AHEAD_BIT, EN_PASSANT_BIT, KING_FIELD, KNIGHT_FIELD, PAWN_BITS, PAWN_FIELD, PUSH_FIELD, QUEEN_DIAG_FIELD,
        QUEEN_ORTH_FIELD, TARGET_BITS,
    },
    multiply::multiply,
    poseidon::{Tag, hash},
    secret::wipe_all,
    word::to_small,
};
use ff::Field;
use rules::{
    PieceType, Seen, Side, Sight, Square,
    geometry::{DIRECTIONS, FIRST_DIAGONAL, KNIGHT_STEPS, ahead, pawn_attacks, ray, two_ahead},
};

/// Why an answer can't be right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// The answer is for the other color, or for another captured square.
    #[error("the answer belongs to another exchange")]
    Exchange,
    /// What the piece on a square sees is not a payload.
    #[error("what the piece on {0} sees is not a payload")]
    Payload(Square),
    /// A ray doesn't end as a ray does.
    #[error("the ray into {0} at the edge of the board ends in something that is no piece")]
    Ray(Square),
}

/// Opens an answer. `receiver` is the committed side: its own captured square is removed here.
pub fn open(
    receiver: &Side,
    scalars: &[Scalar; 64],
    key: &FogKey,
    header: &AnswerHeader,
    answer: &Answer,
) -> Result<Sight, OpenError> {
    if (answer.receiver, answer.pending) != (header.receiver, header.pending_receiver)
        || receiver.color != header.receiver
    {
        return Err(OpenError::Exchange);
    }
    let shared: Vec<_> = scalars.iter().map(|scalar| multiply(&key.0, scalar)).collect();
    let choices = Square::all().zip(normalize(&shared)).map(|(square, point)| {
        let choice = type_number(receiver, square);
        mask(point.x, header.ctx, square, choice.into())
    });
    let masks: Vec<[F; 2]> = choices.collect();
    let mut passes = std::array::from_fn(|index| receiver.pieces[index].is_none().then_some(masks[index][0]));
    if let Some(square) = header.pending_receiver {
        passes[square.index()] = Some(answer.record(square)[PUSH_FIELD]);
    }
    let board = receiver.without(header.pending_receiver);
    let sight = Sight::DARK;
    let mut opening = Opening { answer, phase: header.phase, board: board.clone(), masks, passes, sight };
    for (square, piece) in board.men() {
        match piece {
            PieceType::Knight => opening.steps(square, KNIGHT_FIELD, &KNIGHT_STEPS)?,
            PieceType::King => opening.steps(square, KING_FIELD, &DIRECTIONS)?,
            PieceType::Pawn => opening.pawn(square)?,
            PieceType::Bishop | PieceType::Rook | PieceType::Queen => {
                opening.rays(square, piece)?;
            }
        }
    }
    Ok(std::mem::replace(&mut opening.sight, Sight::DARK))
}

/// An answer being opened.
struct Opening<'a> {
    answer: &'a Answer,
    phase: Phase,
    /// The receiver's side with its captured piece removed.
    board: Side,
    /// Both outputs of the mask of the own choice, by square.
    masks: Vec<[F; 2]>,
    /// The pass of each square on which the receiver has nothing.
    passes: [Option<F>; 64],
    sight: Sight,
}

impl Opening<'_> {
    fn see(&mut self, square: Square, seen: Seen) {
        if self.board.piece(square).is_none() {
            self.sight.add(square, seen);
        }
    }

    /// The unmasked payload of the piece on a square.
    fn payload(&self, square: Square, field: usize, bits: usize) -> Result<u64, OpenError> {
        let value = self.answer.record(square)[field] - self.masks[square.index()][0];
        to_small(value, bits).ok_or(OpenError::Payload(square))
    }

    /// What stands on the target of a payload's three bits.
    fn target(&mut self, from: Square, target: Option<Square>, code: u64) -> Result<(), OpenError> {
        let seen = piece_of(code).ok_or(OpenError::Payload(from))?;
        match target {
            Some(square) => self.see(square, seen),
            None if seen != Seen::Empty => return Err(OpenError::Payload(from)),
            None => (),
        }
        Ok(())
    }

    fn steps(&mut self, from: Square, field: usize, steps: &[(i8, i8)]) -> Result<(), OpenError> {
        let payload = self.payload(from, field, TARGET_BITS)?;
        for (index, (file, rank)) in steps.iter().enumerate() {
            let code = payload >> (TYPE_BITS * index) & 7;
            self.target(from, from.offset(*file, *rank), code)?;
        }
        Ok(())
    }

    fn pawn(&mut self, from: Square) -> Result<(), OpenError> {
        let color = self.board.color;
        let bits = match self.phase {
            Phase::Pre => PAWN_BITS,
            Phase::Post => EN_PASSANT_BIT,
        };
        let payload = self.payload(from, PAWN_FIELD, bits)?;
        for (side, target) in pawn_attacks(from, color).into_iter().enumerate() {
            self.target(from, target, payload >> (TYPE_BITS * side) & 7)?;
            if payload >> (EN_PASSANT_BIT + side) & 1 == 1 {
                let target = target.ok_or(OpenError::Payload(from))?;
                self.sight.add_en_passant(color, target);
            }
        }
        let is_blocked = payload >> AHEAD_BIT & 1 == 1;
        if let Some(one) = ahead(from, color) {
            self.see(one, occupancy(is_blocked));
            if let Some(two) = two_ahead(from, color)
                && let Some(pass) = self.passes[one.index()]
                && !is_blocked
            {
                let push = hash(Tag::Push, self.masks[from.index()][1], pass);
                let value = self.answer.record(from)[PUSH_FIELD] - push;
                let occupied = to_small(value, 1).ok_or(OpenError::Payload(from))?;
                self.see(two, occupancy(occupied == 1));
            }
        }
        Ok(())
    }

    fn rays(&mut self, from: Square, piece: PieceType) -> Result<(), OpenError> {
        let mask = self.masks[from.index()];
        let record = self.answer.record(from);
        let [orth, diag] = match piece {
            PieceType::Queen => [record[QUEEN_ORTH_FIELD] - mask[0], record[QUEEN_DIAG_FIELD] - mask[1]],
            _ => [mask[0]; 2],
        };
        for d in 0..DIRECTIONS.len() {
            if d < FIRST_DIAGONAL && piece.is_orthogonal_slider() {
                self.walk(from, d, ray_key(orth, d))?;
            } else if d >= FIRST_DIAGONAL && piece.is_diagonal_slider() {
                self.walk(from, d, ray_key(diag, d))?;
            }
        }
        Ok(())
    }

    /// Follows a ray over squares whose pass is known: the payload of an empty one is the key of the next.
    fn walk(&mut self, from: Square, d: usize, first: F) -> Result<(), OpenError> {
        let mut key = first;
        for square in ray(from, d) {
            let Some(pass) = self.passes[square.index()] else {
                return Ok(());
            };
            key = self.answer.record(square)[d] - hash(Tag::Ray, key, pass);
            let seen = to_small(key, TYPE_BITS).and_then(piece_of);
            self.see(square, seen.unwrap_or(Seen::Empty));
            if seen.is_some_and(Seen::is_occupied) {
                return Ok(());
            }
            let (file, rank) = DIRECTIONS[d];
            ensure!(square.offset(file, rank).is_some() || key == F::ZERO, OpenError::Ray(square));
        }
        Ok(())
    }
}

impl Drop for Opening<'_> {
    fn drop(&mut self) {
        wipe_all(self.masks.as_flattened_mut());
    }
}

/// What three bits say; nothing for 7.
fn piece_of(code: u64) -> Option<Seen> {
    match code {
        0 => Some(Seen::Empty),
        _ => PieceType::from_code(code as u8).map(Seen::Piece),
    }
}

fn occupancy(occupied: bool) -> Seen {
    if occupied { Seen::Occupied } else { Seen::Empty }
}
