//! Which polynomials are opened where: as the verifier reads their values, and as the challenges of the opening combine them. Two orders,
//! both the library's.

use crate::constraints::{Column, chunk_len, last_rotation};
use halo2_proofs::plonk::ConstraintSystem;
use halo2curves::bn256::Fr;

/// A polynomial that is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Opened {
    /// A column, of the key or of the proof.
    Column(Column),
    /// The random polynomial, which hides the quotient's value.
    Random,
    /// The pieces of the quotient, put together with powers of xⁿ.
    Quotient,
}

/// A polynomial and how many rows after x it is opened.
pub type Place = (Opened, i32);

impl Column {
    /// The column, opened so many rows after x.
    pub fn at(self, rotation: i32) -> Place {
        (Opened::Column(self), rotation)
    }
}

/// What the circuit's gates and lookups ask of advice and of fixed columns.
fn queries(cs: &ConstraintSystem<Fr>) -> [Vec<Place>; 2] {
    let advice = cs.advice_queries().iter();
    let advice = advice.map(|(column, rotation)| Column::Advice(column.index()).at(rotation.0)).collect();
    let fixed = cs.fixed_queries().iter();
    [advice, fixed.map(|(column, rotation)| Column::Fixed(column.index()).at(rotation.0)).collect()]
}

fn sigmas(cs: &ConstraintSystem<Fr>) -> impl Iterator<Item = Place> {
    (0..cs.permutation().get_columns().len()).map(|index| Column::Sigma(index).at(0))
}

/// The values in a proof, in their order.
pub fn written_values(cs: &ConstraintSystem<Fr>) -> Vec<Place> {
    let mut places = queries(cs).concat();
    places.push((Opened::Random, 0));
    places.extend(sigmas(cs));
    let chunks = chunks(cs);
    for chunk in 0..chunks {
        let product = Column::PermutationProduct(chunk);
        places.extend([product.at(0), product.at(1)]);
        // The next product starts where this one ends.
        places.extend((chunk + 1 < chunks).then(|| product.at(last_rotation(cs))));
    }
    for index in 0..cs.lookups().len() {
        let [product, inputs] = [Column::LookupProduct(index), Column::PermutedInput(index)];
        let table = Column::PermutedTable(index);
        places.extend([product.at(0), product.at(1), inputs.at(0), inputs.at(-1), table.at(0)]);
    }
    places
}

/// What is opened, in the order in which the challenges combine it.
pub fn opened_places(cs: &ConstraintSystem<Fr>) -> Vec<Place> {
    let [mut places, fixed] = queries(cs);
    let chunks = chunks(cs);
    places.extend((0..chunks).flat_map(|chunk| [0, 1].map(|rotation| Column::PermutationProduct(chunk).at(rotation))));
    let but_last = (0..chunks.saturating_sub(1)).rev();
    places.extend(but_last.map(|chunk| Column::PermutationProduct(chunk).at(last_rotation(cs))));
    for index in 0..cs.lookups().len() {
        let [product, inputs] = [Column::LookupProduct(index), Column::PermutedInput(index)];
        let table = Column::PermutedTable(index);
        places.extend([product.at(0), inputs.at(0), table.at(0), inputs.at(-1), product.at(1)]);
    }
    places.extend(fixed);
    places.extend(sigmas(cs));
    places.extend([(Opened::Quotient, 0), (Opened::Random, 0)]);
    places
}

/// Chunks of the permutation argument: as many products.
pub fn chunks(cs: &ConstraintSystem<Fr>) -> usize {
    cs.permutation().get_columns().len().div_ceil(chunk_len(cs))
}
