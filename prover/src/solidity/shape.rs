//! A circuit's shape: all that its verifier's code is made from. What else a verifier knows (commitments, τ, constants) stands in the
//! key, so statements of one shape share a verifier.

use super::SolidityError;
use super::expression::{Graph, Id};
use super::opening::{RotationSet, rotation_sets};
use halo2_proofs::plonk::{ConstraintSystem, Expression, VerifyingKey};
use halo2curves::bn256::{Fr, G1Affine};
use plonk::{Column, Opened, Place, chunk_len, opened_places, written_values};

/// A gate: constraints that must be zero in every row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Gate {
    pub name: String,
    pub constraints: Vec<(String, Id)>,
}

/// A lookup: in every row, the inputs are a row of the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Lookup {
    pub name: String,
    pub inputs: Vec<Id>,
    pub table: Vec<Id>,
}

/// What the code of a verifier is made from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    pub(super) k: u32,
    /// Public inputs, all in one column.
    pub(super) inputs: usize,
    pub(super) fixed: usize,
    pub(super) advice: usize,
    /// Pieces of the quotient.
    pub(super) quotients: usize,
    /// Rows at the end that blind.
    pub(super) blinding: usize,
    /// The columns of the permutation, in its order.
    pub(super) permutation: Vec<Column>,
    /// Columns of the permutation that share a running product.
    pub(super) chunk: usize,
    pub(super) gates: Vec<Gate>,
    pub(super) lookups: Vec<Lookup>,
    pub(super) graph: Graph,
    /// The evaluations in a proof, in its order.
    pub(super) evaluations: Vec<Place>,
    /// Which polynomials are opened where, in SHPLONK's order.
    pub(super) openings: Vec<RotationSet>,
}

impl Shape {
    /// The shape of a verifying key with one instance column of so many rows.
    pub(super) fn of(vk: &VerifyingKey<G1Affine>, inputs: usize) -> Result<Self, SolidityError> {
        let unsupported = |what: &str| SolidityError::Unsupported(what.to_owned());
        let cs = vk.cs();
        fog::ensure!(cs.num_instance_columns() == 1, unsupported("another number of instance columns than one"));
        if cs.num_challenges() != 0 || cs.advice_column_phase().iter().any(|phase| *phase > 0) {
            return Err(unsupported("challenges between the columns"));
        }
        let sigma = cs.permutation().get_columns();
        fog::ensure!(!sigma.is_empty(), unsupported("a circuit without copies"));
        if cs.instance_queries().iter().any(|(_, rotation)| rotation.0 != 0) {
            return Err(unsupported("a gate that reads the instance in another row than its own"));
        }
        let is_steep = |polynomial: &Expression<Fr>| polynomial.degree() > cs.degree();
        if cs.gates().iter().flat_map(|gate| gate.polynomials()).any(is_steep) {
            return Err(unsupported("a gate of a degree that halo2 has cut off"));
        }
        let mut graph = Graph::default();
        let (gates, lookups) = Self::constraints(cs, &mut graph).ok_or_else(|| unsupported("a selector left in"))?;
        Ok(Self {
            k: vk.get_domain().k(),
            inputs,
            fixed: cs.num_fixed_columns(),
            advice: cs.num_advice_columns(),
            quotients: vk.get_domain().get_quotient_poly_degree(),
            blinding: cs.blinding_factors(),
            permutation: sigma.into_iter().map(Column::from).collect(),
            chunk: chunk_len(cs),
            gates,
            lookups,
            graph,
            evaluations: written_values(cs),
            openings: rotation_sets(opened_places(cs)),
        })
    }

    fn constraints(cs: &ConstraintSystem<Fr>, graph: &mut Graph) -> Option<(Vec<Gate>, Vec<Lookup>)> {
        let mut gates = Vec::new();
        for gate in cs.gates() {
            let names = (0..).map(|i| gate.constraint_name(i).to_owned());
            let constraints = gate.polynomials().iter().zip(names);
            let constraints = constraints.map(|(polynomial, name)| Some((name, graph.add(polynomial)?)));
            gates.push(Gate { name: gate.name().to_owned(), constraints: constraints.collect::<Option<_>>()? });
        }
        let mut lookups = Vec::new();
        for lookup in cs.lookups() {
            let inputs = lookup.input_expressions().iter().map(|input| graph.add(input)).collect::<Option<_>>()?;
            let table = lookup.table_expressions().iter().map(|column| graph.add(column)).collect::<Option<_>>()?;
            lookups.push(Lookup { name: lookup.name().to_owned(), inputs, table });
        }
        Some((gates, lookups))
    }

    /// Chunks of the permutation.
    pub(super) fn chunks(&self) -> usize {
        self.permutation.len().div_ceil(self.chunk)
    }

    /// The row before the blinding ones, counted from the end.
    pub(super) fn last(&self) -> i32 {
        -(self.blinding as i32 + 1)
    }

    /// The names of a proof's commitments, round by round: before θ, before β, before α and before z.
    pub(super) fn rounds(&self) -> [Vec<String>; 4] {
        use Column::{Advice, LookupProduct, PermutationProduct, PermutedInput, PermutedTable};
        let named = |column: Column| commitment_name(Opened::Column(column));
        let lookups = 0..self.lookups.len();
        let products = (0..self.chunks()).map(PermutationProduct).chain(lookups.clone().map(LookupProduct));
        let quotient = commitment_name(Opened::Quotient);
        [
            (0..self.advice).map(Advice).map(named).collect(),
            lookups.flat_map(|i| [PermutedInput(i), PermutedTable(i)]).map(named).collect(),
            products.map(named).chain([commitment_name(Opened::Random)]).collect(),
            (0..self.quotients).map(|i| format!("{quotient}_{i}")).collect(),
        ]
    }

    /// The number of points at a proof's start; the opening's two stand at its end.
    pub fn points(&self) -> usize {
        self.rounds().iter().map(Vec::len).sum()
    }

    /// The number of scalars between them.
    pub fn scalars(&self) -> usize {
        self.evaluations.len()
    }

    /// The exact length of a proof.
    pub fn proof_bytes(&self) -> usize {
        64 * (self.points() + 2) + 32 * self.scalars()
    }

    /// What tells another shape from this one, for a message; None if it is the same.
    pub fn difference(&self, other: &Self) -> Option<&'static str> {
        let differences = [
            (self.k != other.k, "number of rows"),
            (self.inputs != other.inputs, "number of public inputs"),
            (self.fixed != other.fixed, "number of fixed columns"),
            (self.advice != other.advice, "number of advice columns"),
            (self.blinding != other.blinding, "number of blinding rows"),
            (self.quotients != other.quotients, "number of pieces of the quotient"),
            (self.permutation != other.permutation || self.chunk != other.chunk, "columns with copies"),
            (self.gates != other.gates || self.graph != other.graph, "gates"),
            (self.lookups != other.lookups, "lookups"),
            (self.evaluations != other.evaluations, "cells that gates read"),
            (self != other, "order of the openings"),
        ];
        differences.into_iter().find(|(differ, _)| *differ).map(|(_, what)| what)
    }
}

/// The name of the place of a commitment in memory.
pub(super) fn commitment_name(polynomial: Opened) -> String {
    format!("C_{}", name(polynomial))
}

/// The name of the place of an evaluation in memory.
pub(super) fn value_name((polynomial, rotation): Place) -> String {
    let name = name(polynomial);
    match rotation {
        0 => format!("E_{name}"),
        1 => format!("E_{name}_NEXT"),
        -1 => format!("E_{name}_BEFORE"),
        after if after > 0 => format!("E_{name}_AFTER_{after}"),
        before => format!("E_{name}_BEFORE_{}", -before),
    }
}

fn name(polynomial: Opened) -> String {
    let column = match polynomial {
        Opened::Column(column) => column,
        Opened::Random => return "RANDOM".to_owned(),
        Opened::Quotient => return "QUOTIENT".to_owned(),
    };
    match column {
        Column::Fixed(i) => format!("FIXED_{i}"),
        Column::Advice(i) => format!("ADVICE_{i}"),
        Column::Instance(_) => "INSTANCE".to_owned(),
        Column::Sigma(i) => format!("SIGMA_{i}"),
        Column::First => "FIRST".to_owned(),
        Column::Last => "LAST".to_owned(),
        Column::Active => "ACTIVE".to_owned(),
        Column::X => "X".to_owned(),
        Column::PermutationProduct(i) => format!("PERMUTATION_{i}"),
        Column::LookupProduct(i) => format!("LOOKUP_{i}"),
        Column::PermutedInput(i) => format!("LOOKUP_{i}_INPUT"),
        Column::PermutedTable(i) => format!("LOOKUP_{i}_TABLE"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halo2_proofs::circuit::{Layouter, SimpleFloorPlanner};
    use halo2_proofs::plonk::{Circuit, Error, FirstPhase, SecondPhase, keygen_vk};
    use halo2_proofs::poly::Rotation;

    /// What a circuit has that no verifier is made for.
    #[derive(Clone, Copy, Default)]
    enum Defect {
        #[default]
        Nothing,
        TwoInstances,
        Challenge,
        SecondPhase,
        NoCopies,
        OtherRow,
        Steep,
    }

    impl Circuit<Fr> for Defect {
        type Config = ();
        type FloorPlanner = SimpleFloorPlanner;
        type Params = Self;

        fn without_witnesses(&self) -> Self {
            *self
        }

        fn params(&self) -> Self {
            *self
        }

        fn configure(cs: &mut ConstraintSystem<Fr>) {
            Self::configure_with_params(cs, Self::default());
        }

        fn configure_with_params(cs: &mut ConstraintSystem<Fr>, defect: Self) {
            let (advice, instance) = (cs.advice_column(), cs.instance_column());
            match defect {
                Self::TwoInstances => _ = cs.instance_column(),
                Self::Challenge => _ = cs.challenge_usable_after(FirstPhase),
                Self::SecondPhase => _ = cs.advice_column_in(SecondPhase),
                _ => {}
            }
            if !matches!(defect, Self::NoCopies) {
                cs.enable_equality(advice);
            }
            let row = Rotation(i32::from(matches!(defect, Self::OtherRow)));
            let times = if matches!(defect, Self::Steep) { 5 } else { 4 };
            cs.create_gate("gate", |cells| {
                let (x, y) = (cells.query_advice(advice, Rotation::cur()), cells.query_instance(instance, row));
                vec![(0..times).fold(y, |product, _| product * x.clone())]
            });
        }

        fn synthesize(&self, (): (), _: impl Layouter<Fr>) -> Result<(), Error> {
            Ok(())
        }
    }

    #[test]
    fn a_circuit_that_no_verifier_is_made_for_is_refused() {
        let params = plonk::setup(4, rand::rngs::OsRng);
        let told = |defect: Defect| {
            let shape = Shape::of(&keygen_vk(&params, &defect).unwrap(), 1);
            shape.err().map(|error| error.to_string()).unwrap_or_default()
        };
        assert_eq!(told(Defect::Nothing), "");
        for (defect, what) in [
            (Defect::TwoInstances, "instance columns"),
            (Defect::Challenge, "challenges"),
            (Defect::SecondPhase, "challenges"),
            (Defect::NoCopies, "copies"),
            (Defect::OtherRow, "another row"),
            (Defect::Steep, "cut off"),
        ] {
            assert!(told(defect).contains(what), "{what}: {}", told(defect));
        }
    }
}
