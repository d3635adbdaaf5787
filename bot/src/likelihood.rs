//! How likely an opponent makes each of its moves: by what it sees itself, which is not what stands on the board.
//!
//! It is thought to take what is worth it, to leave nothing where it sees it attacked, and to play anything now and then. So a king
//! that could have been captured, and wasn't, makes a board very much less likely.

use rules::{Move, PieceType};

use crate::army::Army;
use crate::bits::{Bits, bit};
use crate::board::Board;
use crate::evaluation::{centrality, worth};

/// The part of moves that are made without reason, and that part where a king can be taken.
const ANY: f32 = 0.15;
const ANY_BEFORE_KING: f32 = 0.01;

/// What the player to move makes of its board.
struct Eyes<'a> {
    board: &'a Board,
    /// The opponent's pieces that it sees.
    victims: Army,
    /// The squares that those attack, as far as it sees.
    attacked: Bits,
}

impl<'a> Eyes<'a> {
    fn of(board: &'a Board) -> Self {
        let own = board.own();
        let victims = board.other().within(own.attacks(board.turn, board.occupied()));
        let attacked = victims.attacks(!board.turn, own.all() | victims.all());
        Self { board, victims, attacked }
    }

    /// How much speaks for a move that takes no king; e to that power is its weight.
    fn reasons(&self, mv: &Move) -> f32 {
        let piece = self.board.own().piece(mv.from).unwrap_or(PieceType::Pawn);
        let (is_risky, was_attacked) = (self.attacked & bit(mv.to) != 0, self.attacked & bit(mv.from) != 0);
        let own = worth(piece).min(2_000);
        let gain = self.victims.piece(mv.to).map_or(0, worth);
        let mut sum = ((gain - if is_risky { own } else { 0 }) as f32 / 150.0).clamp(-2.5, 5.0);
        if was_attacked && !is_risky && piece != PieceType::Pawn {
            sum += (own as f32 / 400.0).min(3.0);
        }
        sum += match mv.promotion {
            None => 0.0,
            Some(PieceType::Queen) => 4.0,
            Some(_) => -1.0,
        };
        let is_double = mv.from.rank().abs_diff(mv.to.rank()) == 2;
        let is_castling = mv.from.file().abs_diff(mv.to.file()) == 2;
        sum + match piece {
            PieceType::King if is_castling => 1.0,
            PieceType::King => -0.8,
            PieceType::Pawn if is_double => 0.2 + 0.15 * (centrality(mv.to) - centrality(mv.from)) as f32,
            _ => 0.15 * (centrality(mv.to) - centrality(mv.from)) as f32,
        }
    }

    fn takes_king(&self, mv: &Move) -> bool {
        self.victims.of_type(PieceType::King) & bit(mv.to) != 0
    }
}

/// The probabilities of the moves of who is to move.
pub fn likelihoods(board: &Board, moves: &[Move], found: &mut Vec<f32>) {
    let eyes = Eyes::of(board);
    found.clear();
    let can_win = moves.iter().any(|mv| eyes.takes_king(mv));
    // Who can win chooses among the moves that do.
    let weight = |mv: &Move| match can_win {
        true => f32::from(u8::from(eyes.takes_king(mv))),
        false => eyes.reasons(mv).exp(),
    };
    found.extend(moves.iter().map(weight));
    let (sum, any) = (found.iter().sum::<f32>(), if can_win { ANY_BEFORE_KING } else { ANY });
    for probability in found.iter_mut() {
        *probability = (1.0 - any) * *probability / sum + any / moves.len() as f32;
    }
}
