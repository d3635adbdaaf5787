//! An opponent near to one that was thought possible, which agrees with what is seen now.
//!
//! Pieces that can't stand where they were thought go to where their like is seen, or into the dark; pieces that are seen are taken from the dark.

use rand::seq::{IteratorRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;
use rules::{Color, PieceType};

use crate::army::Army;
use crate::bits::{Bits, PAWN_SQUARES, Squares, bit};
use crate::evidence::Evidence;

/// A repair under way.
struct Repair<'a> {
    army: Army,
    evidence: &'a Evidence,
    /// Pieces that stood where they can't.
    homeless: Vec<PieceType>,
    rng: &'a mut ChaCha8Rng,
}

/// An opponent of this color near to `army` that the evidence allows; none if the pieces don't suffice.
pub fn mended(army: &Army, evidence: &Evidence, color: Color, rng: &mut ChaCha8Rng) -> Option<Army> {
    let mut repair = Repair { army: *army, evidence, homeless: Vec::new(), rng };
    repair.lift();
    repair.show_seen()?;
    repair.fill_occupied()?;
    repair.hide_homeless()?;
    let mut army = repair.army;
    army.keep_possible_rights(color);
    army.set_double_push(evidence.jumped_square().map(|square| square.file()));
    let is_whole = army.of_type(PieceType::King).count_ones() == 1;
    (is_whole && evidence.allows(&army, color)).then_some(army)
}

impl Repair<'_> {
    /// The squares where pieces of a type stand and nothing is known.
    fn hidden(&self, piece: PieceType) -> Bits {
        self.army.of_type(piece) & !(self.evidence.known | self.evidence.own | self.evidence.occupied)
    }

    /// Takes up all pieces from where they can't be.
    fn lift(&mut self) {
        for piece in PieceType::ALL {
            let wrong = self.army.of_type(piece)
                & (self.evidence.known & !self.evidence.seen.of_type(piece) | self.evidence.own);
            for square in Squares(wrong) {
                self.army.take(piece, square);
                self.homeless.push(piece);
            }
        }
    }

    /// Puts what is seen on its square: a homeless piece of the type, a hidden one, or a pawn that has promoted.
    fn show_seen(&mut self) -> Option<()> {
        for piece in PieceType::ALL {
            for square in Squares(self.evidence.seen.of_type(piece) & !self.army.of_type(piece)) {
                let may_promote = !matches!(piece, PieceType::Pawn | PieceType::King);
                let found = self.remove(piece) || may_promote && self.remove(PieceType::Pawn);
                found.then(|| self.army.put(piece, square))?;
            }
        }
        Some(())
    }

    /// Takes a piece of a type from the homeless or from the dark, if there is one.
    fn remove(&mut self, piece: PieceType) -> bool {
        if let Some(at) = self.homeless.iter().position(|homeless| *homeless == piece) {
            self.homeless.swap_remove(at);
            return true;
        }
        let from = Squares(self.hidden(piece)).choose(self.rng);
        from.inspect(|from| self.army.take(piece, *from)).is_some()
    }

    /// Puts some piece on each square where something stands.
    fn fill_occupied(&mut self) -> Option<()> {
        for square in Squares(self.evidence.occupied & !self.army.all()) {
            let fits = |piece: &PieceType| *piece != PieceType::Pawn || bit(square) & PAWN_SQUARES != 0;
            self.homeless.shuffle(self.rng);
            let piece = match self.homeless.iter().position(fits) {
                Some(at) => self.homeless.swap_remove(at),
                None => {
                    let hidden = PieceType::ALL.into_iter().filter(|piece| fits(piece) && *piece != PieceType::King);
                    let hidden: Vec<_> =
                        hidden.flat_map(|piece| Squares(self.hidden(piece)).map(move |from| (piece, from))).collect();
                    let (piece, from) = *hidden.choose(self.rng)?;
                    self.army.take(piece, from);
                    piece
                }
            };
            self.army.put(piece, square);
        }
        Some(())
    }

    /// Puts what has no place into the dark.
    fn hide_homeless(&mut self) -> Option<()> {
        while let Some(piece) = self.homeless.pop() {
            let dark = !(self.evidence.known | self.evidence.own | self.army.all());
            let free = if piece == PieceType::Pawn { dark & PAWN_SQUARES } else { dark };
            let square = Squares(free).choose(self.rng)?;
            self.army.put(piece, square);
        }
        Some(())
    }
}
