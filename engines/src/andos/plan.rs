//! What is public of an exchange: how many questions of which phase it has, and so the size of every message.
//!
//! Both strategies ask more than they need, by dummies, up to a number that follows from the receiver's men alone:
//!
//! | phase | first strategy | improved |
//! | --- | --- | --- |
//! | general: whole squares, by the pieces' captures and slides | the largest sum of bounds that as many men can have | 64 less the own men |
//! | pawn: whether squares ahead of pawns are occupied | 2 a man, at most 16 | the same |
//! | en passant (*pre* only): squares jumped over | 7 | the same |
//!
//! Five en-passant questions would do (a test finds no pawns that need more); seven is the protocol's number.

use super::packet::PACKET;
use fog::engine::Phase;
use rules::PieceType;

/// How the general phase is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Piece by piece, each announced by its type (a promoted pawn as a pawn), with as many questions as its type can need.
    First,
    /// Each square once, whichever pieces see it; nothing is announced.
    Improved,
}

/// A part of an exchange, with a packet of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Which piece stands on a square: its code, or 0.
    General,
    /// Whether a piece stands on a square: 1, or 0.
    Pawn,
    /// Whether the last move jumped over a square: 1, or 0.
    EnPassant,
}

const EN_PASSANT: usize = 7;
/// Most squares that a piece of a type can see.
const BOUNDS: [(PieceType, usize); 6] = [
    (PieceType::King, 8),
    (PieceType::Queen, 27),
    (PieceType::Rook, 14),
    (PieceType::Bishop, 13),
    (PieceType::Knight, 8),
    // It may have promoted to a queen.
    (PieceType::Pawn, 27),
];
/// The bounds of the starting position's men, largest first.
const MEN: [usize; 16] = [27, 27, 27, 27, 27, 27, 27, 27, 27, 14, 14, 13, 13, 8, 8, 8];

/// The questions of the first strategy for a piece announced as `piece`.
pub fn bound(piece: PieceType) -> usize {
    BOUNDS.iter().find(|(of, _)| *of == piece).map_or(0, |(_, bound)| *bound)
}

/// The order in which the first strategy announces pieces.
pub fn order() -> impl Iterator<Item = PieceType> {
    BOUNDS.into_iter().map(|(piece, _)| piece)
}

/// Phases of an exchange and the number of questions in each, none of them 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// How the general phase is asked.
    pub strategy: Strategy,
    pub phases: Vec<(Kind, usize)>,
}

impl Plan {
    /// Of an exchange, by the men that its receiver has left.
    pub fn new(strategy: Strategy, phase: Phase, men: u8) -> Self {
        let men = usize::from(men);
        let general = match strategy {
            Strategy::First => MEN.iter().take(men).sum(),
            Strategy::Improved => 64_usize.saturating_sub(men),
        };
        let en_passant = if phase == Phase::Pre { EN_PASSANT } else { 0 };
        let phases = [(Kind::General, general), (Kind::Pawn, 2 * men.min(8)), (Kind::EnPassant, en_passant)];
        Self { strategy, phases: phases.into_iter().filter(|(_, questions)| *questions > 0).collect() }
    }

    pub fn questions(&self) -> usize {
        self.phases.iter().map(|(_, questions)| questions).sum()
    }

    /// Which phase question `number` belongs to, and its number in it.
    pub fn locate(&self, number: usize) -> Option<(usize, usize)> {
        let mut left = number;
        for (index, (_, questions)) in self.phases.iter().enumerate() {
            if left < *questions {
                return Some((index, left));
            }
            left -= questions;
        }
        None
    }

    /// The phase whose packet goes with the answer to question `number`: the next one, if this is the last of its own.
    pub fn opened_after(&self, number: usize) -> Option<usize> {
        let (next, first) = self.locate(number + 1)?;
        (first == 0).then_some(next)
    }

    /// Whether a question names the piece that it is asked for.
    pub fn announces(&self, kind: Kind) -> bool {
        self.strategy == Strategy::First && kind == Kind::General
    }

    /// Bytes of a question: a packet, a place in it, and perhaps an announced type.
    pub fn question_bytes(&self, number: usize) -> usize {
        let kind = self.locate(number).map(|(phase, _)| self.phases[phase].0);
        PACKET + 1 + usize::from(kind.is_some_and(|kind| self.announces(kind)))
    }

    /// Bytes of an answer: four bits, and perhaps the next phase's packet.
    pub fn answer_bytes(&self, number: usize) -> usize {
        1 + self.opened_after(number).map_or(0, |_| PACKET)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_questions_as_the_protocol_says() {
        let questions = |strategy, phase, men| Plan::new(strategy, phase, men).questions();
        let improved: Vec<_> = (1..=16).map(|men| questions(Strategy::Improved, Phase::Pre, men)).collect();
        assert_eq!((improved[15], improved[7], improved.iter().max()), (71, 79, Some(&79)));
        assert_eq!(questions(Strategy::Improved, Phase::Post, 16), 64);
        assert_eq!(questions(Strategy::First, Phase::Pre, 16), 344);
    }

    #[test]
    fn packets_go_with_the_last_answer_of_the_phase_before() {
        let plan = Plan::new(Strategy::Improved, Phase::Pre, 3);
        assert_eq!(plan.phases, [(Kind::General, 61), (Kind::Pawn, 6), (Kind::EnPassant, 7)]);
        let opened: Vec<_> = (0..74).filter_map(|n| Some((n, plan.opened_after(n)?))).collect();
        assert_eq!(opened, [(60, 1), (66, 2)]);
        assert_eq!((plan.locate(66), plan.locate(73), plan.locate(74)), (Some((1, 5)), Some((2, 6)), None));
    }

    /// However men promote, bounds of those that are left don't add up to more than the plan has.
    #[test]
    fn no_men_need_more_than_the_plan_of_the_first_strategy_has() {
        let mut start = vec![PieceType::King, PieceType::Queen];
        for piece in [PieceType::Rook, PieceType::Bishop, PieceType::Knight] {
            start.extend([piece; 2]);
        }
        start.extend([PieceType::Pawn; 8]);
        for left in 0_u32..1 << 16 {
            let men = (0..16).filter(|man| left >> man & 1 == 1);
            let sum: usize = men.map(|man: usize| bound(start[man])).sum();
            let plan = Plan::new(Strategy::First, Phase::Post, left.count_ones() as u8);
            let general = plan.phases.first().map_or(0, |(_, questions)| *questions);
            assert!(sum <= general, "{left:b}");
        }
        assert!(order().all(|piece| bound(piece) <= bound(PieceType::Pawn)));
    }
}
