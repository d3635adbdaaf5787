//! A list of what is active, in order: every active element stands in the list at the place that counting the active ones before it gives.
//!
//! Elements have rows of arithmetic, one after the other, whose result says whether the element is active (1) or not (0). Beside it runs `claim`, the place of
//! the next active element, from 1. An active element looks `(claim, its number)` up among the places and numbers of the list; one that isn't looks up zeros. So
//! if as many are active as the list has places, the list is exactly the active elements in the order of the rows.
//!
//! **Why this is exact, and what is assumed.** No randomness is in it, so no weight and no challenge of its own has to come after it. It takes for granted, and
//! the statements see to it, that each `active` is 0 or 1 and that the numbers of elements are different and not 0. Then, counting up by one with each
//! active element, claims are 1, 2, … as far as elements are active; they don't wrap, for there are fewer rows than the field has elements. A lookup of
//! `(claim, element)` with a claim from 1 to the list's length finds only the row that has this place, so the number there *is* the element; a claim
//! above finds nothing; and the last claim says that no place is left over. An inactive element looks `(0, 0)` up, which rows without a place have: what a
//! prover writes there means nothing, since no place is 0 where a number counts.
//!
//! The list of the listing and the list of the [weighted sum](super::weighted_sum) are one column, `number`, on the rows of the first digit. So the
//! chance of a false list is not part of the 2⁻¹²⁹ there: it is 0, but for the proof system's own.

use halo2_proofs::{
    plonk::{Advice, Column, ConstraintSystem, Fixed},
    poly::Rotation,
};
use halo2curves::bn256::Fr;

use super::{Cell, Context, Input, Label};

/// Columns of a listing.
#[derive(Clone, Copy, Debug)]
pub struct Listing {
    claim: Column<Advice>,
    element: Column<Fixed>,
}

impl Listing {
    /// The gate and the lookup. `active` is the column of arithmetic's results; `place` holds the list's places, from 1, and 0 outside of it, and
    /// `number` the numbers at these places.
    pub fn configure(
        meta: &mut ConstraintSystem<Fr>,
        active: Column<Advice>,
        claim: Column<Advice>,
        place: Column<Fixed>,
        number: Column<Advice>,
    ) -> Self {
        let element = meta.fixed_column();
        meta.create_gate("claim", |meta| {
            let element = meta.query_fixed(element, Rotation::cur());
            let active = meta.query_advice(active, Rotation::cur());
            let here = meta.query_advice(claim, Rotation::cur());
            let next = meta.query_advice(claim, Rotation::next());
            vec![("claim' = claim + active", element * (next - here - active))]
        });
        meta.lookup_any("place in the list", |meta| {
            let element = meta.query_fixed(element, Rotation::cur());
            let active = meta.query_advice(active, Rotation::cur());
            let claim = meta.query_advice(claim, Rotation::cur());
            let place = meta.query_fixed(place, Rotation::cur());
            let number = meta.query_advice(number, Rotation::cur());
            vec![(active.clone() * claim, place), (active * element, number)]
        });
        Self { claim, element }
    }

    /// Begins to claim places, at 1.
    pub fn start(self) -> Claims {
        Claims { listing: self, claim: None }
    }
}

pub struct Claims {
    listing: Listing,
    claim: Option<Cell>,
}

impl Claims {
    /// The next element, which is active if the result of an operation is 1: the operation just laid, right after that of the element before.
    #[track_caller]
    pub fn list(&mut self, cx: &mut Context<'_>, active: Cell, number: u64) {
        #[cfg(test)]
        super::trace::listed(active.value, number);
        let Listing { claim, element } = self.listing;
        let here = match self.claim {
            Some(here) => here,
            None => cx.region.advice(claim, active.row(), cx.one),
        };
        assert_eq!(here.row(), active.row(), "a row of arithmetic between two elements");
        cx.region.fixed(element, active.row(), Fr::from(number));
        let next = Input::Witness(here.value + active.value);
        self.claim = Some(cx.region.advice(claim, active.row() + 1, next));
    }

    /// As many elements were active as the list has places.
    #[track_caller]
    pub fn end(self, cx: &mut Context<'_>, label: Label, places: usize) {
        // Beside the last claim stands the result of no element: with another than 0 it would be looked up.
        cx.mul(cx.zero, cx.zero);
        let end = cx.constant(places as u64 + 1);
        cx.equal(label, self.claim.expect("there are elements"), end);
    }
}
