//! Which polynomials are opened at which points, grouped as SHPLONK does (Boneh, Drake, Fisch, Gabizon, eprint 2020/081): one set for all
//! polynomials that are opened at the same points.

use plonk::{Opened, Place};
use std::collections::BTreeSet;

/// Polynomials that are opened at the same points, `z` turned by each of the rotations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct RotationSet {
    pub rotations: Vec<i32>,
    pub polynomials: Vec<Opened>,
}

/// Groups the openings. Sets and polynomials stand in the order of their first opening, which decides the powers of the challenges.
pub(super) fn rotation_sets(queries: impl IntoIterator<Item = Place>) -> Vec<RotationSet> {
    let mut opened: Vec<(Opened, Vec<i32>)> = Vec::new();
    for (polynomial, rotation) in queries {
        match opened.iter_mut().find(|(known, _)| *known == polynomial) {
            Some((_, rotations)) if rotations.contains(&rotation) => {}
            Some((_, rotations)) => rotations.push(rotation),
            None => opened.push((polynomial, vec![rotation])),
        }
    }
    let mut sets: Vec<RotationSet> = Vec::new();
    for (polynomial, rotations) in opened {
        let points: BTreeSet<_> = rotations.iter().collect();
        match sets.iter_mut().find(|set| set.rotations.iter().collect::<BTreeSet<_>>() == points) {
            Some(set) => set.polynomials.push(polynomial),
            None => sets.push(RotationSet { rotations, polynomials: vec![polynomial] }),
        }
    }
    sets
}

#[cfg(test)]
mod tests {
    use super::*;
    use plonk::Column;

    #[test]
    fn polynomials_with_the_same_points_share_a_set() {
        let [a, b] = [0, 1].map(|column| Opened::Column(Column::Advice(column)));
        let c = Opened::Random;
        let queries = [(a, 0), (b, 1), (a, 1), (c, 0), (b, 0), (a, 0)];
        assert_eq!(
            rotation_sets(queries),
            [
                RotationSet { rotations: vec![0, 1], polynomials: vec![a, b] },
                RotationSet { rotations: vec![0], polynomials: vec![c] },
            ]
        );
    }
}
