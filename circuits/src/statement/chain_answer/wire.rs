//! The elements as records and in wire order (protocol section 7, Encodings), for either color of the receiver.
//!
//! Only field 13 depends on the color: the double pushes stand on rank 2 or on rank 7. So both ranks have terms for them, of which one
//! rank's are left out.

use fog::{engine::sight_lines::geometry::PUSH_FIELD, merkle::RECORD_FIELDS};
use rules::{Color, Square};

use crate::{
    gadget::{Cell, Context, polynomial::Term},
    statement::answer::relation::Relation,
};

/// The elements by square, and what tells the receiver's pawn rank.
pub struct Wire<'r> {
    relation: &'r Relation,
    /// By color, whether it is the receiver's.
    receives: [Cell; 2],
    /// Field 13 by square, as on the wire: none off the pawn ranks, 0 on the other color's.
    pushes: Vec<Option<Cell>>,
}

impl<'r> Wire<'r> {
    /// Puts the double pushes in their places.
    pub fn new(cx: &mut Context<'_>, relation: &'r Relation) -> Self {
        let color = relation.inputs.receiver;
        let receives = [cx.not(color), color];
        let pushes = Square::all().map(|square| {
            let color = pawns_of(square)?;
            let push = relation.elements.pushes[usize::from(square.file())];
            Some(cx.mul(push, receives[color.index()]))
        });
        let pushes = pushes.collect();
        Self { relation, receives, pushes }
    }

    /// The records: of fields that don't exist the cell of 0, and in field 13 the clear pass of the receiver's captured square.
    pub fn records(&self, cx: &mut Context<'_>) -> Vec<[Cell; RECORD_FIELDS]> {
        let masks = &self.relation.masks;
        let mut record = |square: Square| {
            let s = square.index();
            let mut fields = [cx.zero; RECORD_FIELDS];
            for (field, element) in fields.iter_mut().zip(self.relation.elements.fields[s]) {
                *field = element.unwrap_or(cx.zero);
            }
            // On the captured square the double push is 0.
            let push = self.pushes[s].unwrap_or(cx.zero);
            fields[PUSH_FIELD] = cx.mul_add(masks.captured[s], masks.pass(s), push);
            fields
        };
        Square::all().map(&mut record).collect()
    }

    /// The 733 elements in wire order, as terms of a polynomial at `z`, and among them eight that are left out.
    pub fn terms(&self, cx: &mut Context<'_>, z: Cell) -> Vec<Term> {
        let steps = self.receives.map(|receives| cx.select(receives, z, cx.one));
        let elements = &self.relation.elements;
        let mut terms = Vec::with_capacity(fog::engine::sight_lines::answer::ELEMENTS + 8);
        for square in Square::all() {
            let fields = elements.fields[square.index()].iter().flatten();
            terms.extend(fields.map(|&value| Term { value, step: z }));
            if let (Some(color), Some(value)) = (pawns_of(square), self.pushes[square.index()]) {
                terms.push(Term { value, step: steps[color.index()] });
            }
        }
        terms.push(Term { value: elements.clear_pass, step: z });
        terms
    }
}

/// The color whose pawn rank a square is on.
fn pawns_of(square: Square) -> Option<Color> {
    Color::ALL.into_iter().find(|color| square.rank() == color.pawn_rank())
}
