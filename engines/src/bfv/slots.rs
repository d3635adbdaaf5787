//! Findings and sights in the product of the [vectors](crate::bfv::vector), 3,822 of 8,192 slots; the rest is 0.

use super::refusal::Refusal;
use crate::bfv::vector::{self, Aim, SLOTS, Slot, view};
use crate::psi::{
    element::{Element, Fact},
    reading,
};
use fog::engine::{Cause, Phase};
use rules::{PieceType, Side, Sight};
use std::collections::HashSet;

/// The finding that a value of the product is; an error if the slot has no such value.
fn finding(slot: &Slot, value: u64) -> Result<Element, Refusal> {
    let code = u8::try_from(value).map_err(|_| Refusal::Product)?;
    let fact = match slot.aim {
        Aim::Piece => Fact::Piece(PieceType::from_code(code).ok_or(Refusal::Product)?),
        Aim::Way if value == 1 => Fact::Occupied,
        Aim::Jump if value == 1 => Fact::Jumped,
        Aim::Way | Aim::Jump => return Err(Refusal::Product),
    };
    Ok(Element::attack(fact, slot.square, slot.piece, slot.from))
}

/// The sight that a product gives to the player whose board is `own`; an error if no board does.
pub fn sight(own: &Side, phase: Phase, product: &[u64]) -> Result<Sight, Cause> {
    let view = view(own, phase);
    let (slots, rest) = product.split_at_checked(SLOTS).ok_or(Refusal::Product)?;
    let is_hidden = slots.iter().zip(&**view).any(|(value, view)| *view == 0 && *value != 0);
    fog::ensure!(!is_hidden && rest.iter().all(|value| *value == 0), Refusal::Product.into());
    let found = slots.iter().zip(vector::slots(own.color)).filter(|(value, _)| **value != 0);
    let found = found.map(|(value, slot)| finding(slot, *value)).collect::<Result<HashSet<Element>, Refusal>>()?;
    Ok(reading::sight(own, phase, &found)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bfv::parameters::DEGREE;
    use crate::bfv::vector::item;
    use fog::testing::{Walk, seed};
    use rand::{Rng, SeedableRng, rngs::StdRng};

    fn product(own: &Side, other: &Side, phase: Phase) -> Vec<u64> {
        item(other, phase).iter().zip(&**view(own, phase)).map(|(item, view)| item * view).collect()
    }

    #[test]
    fn products_are_sights() {
        let mut rng = StdRng::seed_from_u64(seed(171));
        let mut walk = Walk::start();
        for _ in 0..2000 {
            walk.advance(&mut rng);
            let (own, other) = (walk.board(), walk.other());
            for phase in [Phase::Pre, Phase::Post] {
                let right = Sight::between(&own, other, phase == Phase::Pre);
                let product = product(&own, other, phase);
                assert_eq!(sight(&own, phase, &product).expect("a sight"), right);
            }
        }
    }

    /// A value where the receiver doesn't look, or one that no piece has, is refused.
    #[test]
    fn other_products_are_refused() {
        let mut rng = StdRng::seed_from_u64(seed(172));
        let mut walk = Walk::start();
        for _ in 0..50 {
            walk.advance(&mut rng);
            let own = walk.board();
            let right = [product(&own, walk.other(), Phase::Pre), vec![0; DEGREE - SLOTS]].concat();
            assert!(sight(&own, Phase::Pre, &right).is_ok());
            let view = view(&own, Phase::Pre);
            let mut changed = right.clone();
            let place = rng.gen_range(0..DEGREE);
            changed[place] = if view.get(place) == Some(&1) { 7 } else { 1 };
            let refused = sight(&own, Phase::Pre, &changed);
            assert!(refused.is_err_and(|cause| cause.downcast_ref() == Some(&Refusal::Product)));
        }
    }
}
