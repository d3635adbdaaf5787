//! From findings to a sight: they make a partial board of the sender, and the rules say what is seen of it.

use super::{
    element::{Element, Fact},
    lines::{asked, element, facts, shown},
};
use fog::engine::Phase;
use rules::{PieceType, Side, Sight, lines::lines_of};
use std::collections::HashSet;

/// Findings that no board gives: the sender's set was none of a board.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("the sender's set contradicts itself")]
pub struct Contradiction;

/// The part of the sender's board that findings tell. Where only the presence of a piece was found, a pawn stands for it.
pub fn partial_board(own: &Side, findings: impl IntoIterator<Item = Element>) -> Result<Side, Contradiction> {
    let mut board = Side::empty(!own.color);
    let mut is_present = [false; 64];
    for (fact, square) in findings.into_iter().filter_map(Element::fact) {
        match fact {
            Fact::Piece(piece) => {
                let known = board.pieces[square.index()].replace(piece);
                fog::ensure!(known.is_none_or(|known| known == piece), Contradiction);
            }
            Fact::Occupied => is_present[square.index()] = true,
            Fact::Jumped => {
                let known = board.double_push.replace(square.file());
                fog::ensure!(known.is_none_or(|known| known == square.file()), Contradiction);
            }
        }
    }
    for (piece, is_present) in board.pieces.iter_mut().zip(is_present) {
        if is_present && piece.is_none() {
            *piece = Some(PieceType::Pawn);
        }
    }
    Ok(board)
}

/// The sight that attack vectors give which were found: those of the own set, and no others, that the partial board shows.
pub fn sight(own: &Side, phase: Phase, findings: &HashSet<Element>) -> Result<Sight, Contradiction> {
    let board = partial_board(own, findings.iter().copied())?;
    let asked: HashSet<Element> = asked(own, phase).into_iter().collect();
    let expected: HashSet<Element> =
        shown(&board, phase).into_iter().filter(|element| asked.contains(element)).collect();
    fog::ensure!(expected == *findings, Contradiction);
    Ok(Sight::between(own, &board, phase == Phase::Pre))
}

/// Findings without those that stand behind another on the same line.
pub fn nearest(own: &Side, findings: &HashSet<Element>) -> HashSet<Element> {
    let mut nearest: HashSet<Element> =
        findings.iter().copied().filter(|element| matches!(element.fact(), Some((Fact::Jumped, _)))).collect();
    for line in lines_of(own) {
        let found = |square| {
            let elements = facts(line, square).map(|fact| element(line, fact, square));
            elements.filter(|element| findings.contains(element)).collect::<Vec<_>>()
        };
        let first = line.open_squares(own).map(found).find(|found| !found.is_empty());
        nearest.extend(first.into_iter().flatten());
    }
    nearest
}
