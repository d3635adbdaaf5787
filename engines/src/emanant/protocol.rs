//! The protocol: rounds of tiles against the set of occupied ones, then types against a set of pieces.

use super::outward::{Occupied, TILES, frontier};
use crate::psi::{
    Protocol, Search,
    element::{Element, Fact},
    evidence::EvidenceBytes,
    group::Ristretto,
    layout::{Layout, Round, SetForm},
    lines::{board, occupied},
    reading::{Contradiction, partial_board},
};
use fog::engine::{About, Cause, Claims, Fault, Phase, Trust};
use rules::{
    PieceType, Seen, Side, Sight, Square,
    geometry::pawn_attacks,
    lines::{jump_rank, may_stand},
};
use std::collections::BTreeSet;

/// Men of a side, and so occupied tiles.
pub const MEN: usize = 16;
/// Rounds of tiles. A search over extreme boards found none that needs more than eight; one more is to spare.
pub const TILE_ROUNDS: usize = 9;
/// Types asked: six of each piece found, and the jumps of eight files.
pub const TYPES: usize = 6 * MEN + 8;

const TILE_ROUND: Round = Round { asked: TILES, exact: None };
const TYPE_ROUND: Round = Round { asked: TYPES, exact: Some(MEN + 1) };

#[derive(Default)]
pub struct Occupancy;

impl Protocol for Occupancy {
    const ABOUT: About = About {
        name: "emanant",
        trust: Trust::SemiHonest,
        caveat: "a player may ask for any tile, or show another board than its own",
        claims: Claims {
            proven: "that points are raised to one exponent",
            cheating_receiver: "any 72 tiles and any types, so the whole board",
            cheating_sender: "any tiles; raising to several exponents is caught",
            security: "126 bits, Diffie–Hellman in ristretto255",
        },
        max_message: Self::LAYOUT.largest(),
    };
    const LAYOUT: Layout = Layout {
        form: SetForm::Tags,
        set_size: MEN,
        rounds: &[
            TILE_ROUND, TILE_ROUND, TILE_ROUND, TILE_ROUND, TILE_ROUND, TILE_ROUND, TILE_ROUND, TILE_ROUND, TILE_ROUND,
            TYPE_ROUND,
        ],
        evidence: EvidenceBytes::NONE,
    };
    type Group = Ristretto;
    type Search = Outward;

    fn set(board: &Side, _: Phase) -> Vec<Element> {
        occupied(board)
    }

    fn exact(side: &Side, phase: Phase) -> Vec<Element> {
        board(side, phase)
    }

    fn search(board: &Side, phase: Phase) -> Outward {
        Outward { board: board.clone(), phase, known: [None; 64], facts: Vec::new() }
    }
}

/// Asks outward from the own pieces.
#[derive(Clone)]
pub struct Outward {
    board: Side,
    phase: Phase,
    known: Occupied,
    /// Types and the jump, once they are known.
    facts: Vec<Element>,
}

impl Outward {
    /// The occupied tiles whose type is seen: those that more than a pawn's way leads to.
    fn typed(&self) -> Result<Vec<Square>, Contradiction> {
        let occupied = Square::all().filter(|square| self.known[square.index()] == Some(true));
        let occupied = occupied.map(|square| Element::board(Fact::Occupied, square));
        let sight = Sight::between(&self.board, &partial_board(&self.board, occupied)?, false);
        Ok(Square::all().filter(|square| matches!(sight.at(*square), Seen::Piece(_))).collect())
    }

    /// The squares that the opponent's last move may have jumped over, where an own pawn attacks.
    fn jumps(&self) -> BTreeSet<Square> {
        let pawns = self.board.men().filter(|(_, piece)| self.phase == Phase::Pre && *piece == PieceType::Pawn);
        let attacked = pawns.flat_map(|(from, _)| pawn_attacks(from, self.board.color)).flatten();
        attacked.filter(|square| square.rank() == jump_rank(self.board.color)).collect()
    }

    fn types(&self) -> Result<Vec<Element>, Fault> {
        let is_done = frontier(&self.board, &self.known).is_empty();
        fog::ensure!(is_done, Fault::internal("this sight needs more rounds of tiles than any that is known"));
        let typed = self.typed().map_err(|cause| Fault::malformed(2 * TILE_ROUNDS, cause))?;
        let types = typed.into_iter().flat_map(|square| {
            let pieces = PieceType::ALL.into_iter().filter(move |piece| may_stand(*piece, square));
            pieces.map(move |piece| Element::board(Fact::Piece(piece), square))
        });
        let jumps = self.jumps().into_iter().map(|square| Element::board(Fact::Jumped, square));
        Ok(types.chain(jumps).collect())
    }
}

impl Search for Outward {
    fn asked(&self, round: usize) -> Result<Vec<Element>, Fault> {
        if round == TILE_ROUNDS {
            return self.types();
        }
        let tiles = frontier(&self.board, &self.known).into_iter().take(TILES);
        Ok(tiles.map(|square| Element::board(Fact::Occupied, square)).collect())
    }

    fn learn(&mut self, round: usize, findings: &[(Element, bool)]) {
        if round == TILE_ROUNDS {
            self.facts = findings.iter().filter(|(_, is_found)| *is_found).map(|(element, _)| *element).collect();
            return;
        }
        for (element, is_found) in findings {
            if let Some((_, square)) = element.fact() {
                self.known[square.index()] = Some(*is_found);
            }
        }
    }

    fn sight(&self) -> Result<Sight, Cause> {
        let typed = self.typed()?;
        let pieces = self.facts.iter().filter(|element| matches!(element.fact(), Some((Fact::Piece(_), _))));
        fog::ensure!(pieces.count() == typed.len(), Contradiction.into());
        let occupied = Square::all().filter(|square| self.known[square.index()] == Some(true));
        let occupied = occupied.map(|square| Element::board(Fact::Occupied, square));
        let board = partial_board(&self.board, self.facts.iter().copied().chain(occupied))?;
        Ok(Sight::between(&self.board, &board, self.phase == Phase::Pre))
    }
}
