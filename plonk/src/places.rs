//! Which polynomials are opened where: as the verifier reads their values, and as the challenges of the opening combine them. Two orders,
//! both the library's.

use crate::constraints::{Column, columns_a_set, last_rotation};
use halo2_proofs::plonk::ConstraintSystem;
use halo2curves::bn256::Fr;

/// A polynomial that is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Opened {
    Column(Column),
    /// The random polynomial.
    Random,
    /// The pieces of the quotient, put together with powers of xⁿ.
    Quotient,
}

/// A polynomial and how many rows after x it is opened.
pub(crate) type Place = (Opened, i32);

/// What the circuit's gates and lookups ask of advice and of fixed columns.
fn asked(cs: &ConstraintSystem<Fr>) -> [Vec<Place>; 2] {
    let advice = cs.advice_queries().iter();
    let advice = advice.map(|(column, at)| (Opened::Column(Column::Advice(column.index())), at.0)).collect();
    let fixed = cs.fixed_queries().iter();
    [advice, fixed.map(|(column, at)| (Opened::Column(Column::Fixed(column.index())), at.0)).collect()]
}

fn at(column: Column, rotation: i32) -> Place {
    (Opened::Column(column), rotation)
}

fn sigmas(cs: &ConstraintSystem<Fr>) -> impl Iterator<Item = Place> {
    (0..cs.permutation().get_columns().len()).map(|index| at(Column::Sigma(index), 0))
}

/// The values in a proof, in their order.
pub(crate) fn written_values(cs: &ConstraintSystem<Fr>) -> Vec<Place> {
    let mut places = asked(cs).concat();
    places.push((Opened::Random, 0));
    places.extend(sigmas(cs));
    let sets = sets(cs);
    for set in 0..sets {
        let product = Column::PermutationProduct(set);
        places.extend([at(product, 0), at(product, 1)]);
        // The next product starts where this one ends.
        places.extend((set + 1 < sets).then(|| at(product, last_rotation(cs))));
    }
    for index in 0..cs.lookups().len() {
        let [product, inputs] = [Column::LookupProduct(index), Column::LookupInput(index)];
        places.extend([
            at(product, 0),
            at(product, 1),
            at(inputs, 0),
            at(inputs, -1),
            at(Column::LookupTable(index), 0),
        ]);
    }
    places
}

/// What is opened, in the order in which the challenges combine it.
pub(crate) fn opened_places(cs: &ConstraintSystem<Fr>) -> Vec<Place> {
    let [mut places, fixed] = asked(cs);
    let sets = sets(cs);
    places.extend((0..sets).flat_map(|set| [0, 1].map(|rotation| at(Column::PermutationProduct(set), rotation))));
    places.extend((0..sets.saturating_sub(1)).rev().map(|set| at(Column::PermutationProduct(set), last_rotation(cs))));
    for index in 0..cs.lookups().len() {
        let [product, inputs] = [Column::LookupProduct(index), Column::LookupInput(index)];
        places.extend([
            at(product, 0),
            at(inputs, 0),
            at(Column::LookupTable(index), 0),
            at(inputs, -1),
            at(product, 1),
        ]);
    }
    places.extend(fixed);
    places.extend(sigmas(cs));
    places.extend([(Opened::Quotient, 0), (Opened::Random, 0)]);
    places
}

/// Products of the permutation argument.
pub(crate) fn sets(cs: &ConstraintSystem<Fr>) -> usize {
    cs.permutation().get_columns().len().div_ceil(columns_a_set(cs))
}
