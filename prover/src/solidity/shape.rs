//! A circuit's shape: all that its verifier's code is made from. What else a verifier knows (commitments, τ, constants) stands in the
//! key, so statements of one shape share a verifier.

use super::SolidityError;
use super::expression::{Graph, Id};
use super::opening::{RotationSet, rotation_sets};
use super::value::{Polynomial, Value};
use halo2_proofs::plonk::{Any, ConstraintSystem, VerifyingKey};
use halo2curves::bn256::{Fr, G1Affine};
use snark_verifier::verifier::plonk::PlonkProtocol;

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
    pub(super) permutation: Vec<Polynomial>,
    /// Columns of the permutation that share a running product.
    pub(super) chunk: usize,
    pub(super) gates: Vec<Gate>,
    pub(super) lookups: Vec<Lookup>,
    pub(super) graph: Graph,
    /// The evaluations in a proof, in its order.
    pub(super) evaluations: Vec<Value>,
    /// Which polynomials are opened where, in SHPLONK's order.
    pub(super) openings: Vec<RotationSet>,
}

impl Shape {
    /// The shape of a verifying key with one instance column of so many rows.
    pub(super) fn of(
        vk: &VerifyingKey<G1Affine>,
        protocol: &PlonkProtocol<G1Affine>,
        inputs: usize,
    ) -> Result<Self, SolidityError> {
        let unsupported = |what: &str| SolidityError::Unsupported(what.to_owned());
        let cs = vk.cs();
        fog::ensure!(cs.num_instance_columns() == 1, unsupported("another number of instance columns than one"));
        if cs.num_challenges() != 0 || protocol.num_challenge != [1, 2, 1] {
            return Err(unsupported("challenges between the columns"));
        }
        fog::ensure!(!cs.permutation().get_columns().is_empty(), unsupported("a circuit without copies"));
        if protocol.quotient.chunk_degree != 1 || protocol.linearization.is_some() {
            return Err(unsupported("a quotient in other pieces than halo2's"));
        }
        let mut graph = Graph::default();
        let (gates, lookups) = Self::constraints(cs, &mut graph).ok_or_else(|| unsupported("a selector left in"))?;
        let sigma = cs.permutation().get_columns();
        let chunk = cs.degree() - 2;
        let counts = Counts {
            fixed: cs.num_fixed_columns(),
            sigma: sigma.len(),
            advice: cs.num_advice_columns(),
            lookups: lookups.len(),
            chunks: sigma.len().div_ceil(chunk),
        };
        let value = |polynomial: usize, rotation: i32| Value::new(counts.polynomial(polynomial), rotation);
        let evaluations = protocol.evaluations.iter().map(|query| value(query.poly, query.rotation.0));
        let queries = protocol.queries.iter().map(|query| value(query.poly, query.rotation.0));
        let shape = Self {
            k: vk.get_domain().k(),
            inputs,
            fixed: counts.fixed,
            advice: counts.advice,
            quotients: vk.get_domain().get_quotient_poly_degree(),
            blinding: cs.blinding_factors(),
            permutation: sigma.iter().map(|column| polynomial(*column.column_type(), column.index())).collect(),
            chunk,
            gates,
            lookups,
            graph,
            evaluations: evaluations.collect(),
            openings: rotation_sets(queries),
        };
        let rotated = |value: &Value| matches!(value.polynomial, Polynomial::Instance(_)) && value.rotation != 0;
        if shape.values().any(|value| rotated(&value)) {
            return Err(unsupported("a gate that reads the instance in another row than its own"));
        }
        fog::ensure!(shape.quotients == protocol.quotient.num_chunk(), unsupported("a degree that halo2 cut off"));
        Ok(shape)
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

    /// The polynomials that a proof commits to, round by round: before θ, before β, before α and before z.
    pub(super) fn rounds(&self) -> [Vec<(Polynomial, String)>; 4] {
        use Polynomial::{Advice, LookupInput, LookupTable};
        let named = |polynomial: Polynomial| (polynomial, commitment_name(polynomial));
        let lookups = 0..self.lookups.len();
        let products = (0..self.chunks()).map(Polynomial::Permutation);
        let products = products.chain(lookups.clone().map(Polynomial::Lookup)).chain([Polynomial::Random]);
        let quotients = (0..self.quotients)
            .map(|i| (Polynomial::Quotient, format!("{}_{i}", commitment_name(Polynomial::Quotient))));
        [
            (0..self.advice).map(Advice).map(named).collect(),
            lookups.flat_map(|i| [LookupInput(i), LookupTable(i)]).map(named).collect(),
            products.map(named).collect(),
            quotients.collect(),
        ]
    }

    /// Every value that gates and lookups read.
    fn values(&self) -> impl Iterator<Item = Value> + '_ {
        self.graph.values()
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

/// How many there are of what.
struct Counts {
    fixed: usize,
    sigma: usize,
    advice: usize,
    lookups: usize,
    chunks: usize,
}

impl Counts {
    /// The polynomial with a number.
    fn polynomial(&self, number: usize) -> Polynomial {
        use Polynomial::*;
        let permuted = |i: usize| if i.is_multiple_of(2) { LookupInput(i / 2) } else { LookupTable(i / 2) };
        let kinds: [(usize, &dyn Fn(usize) -> Polynomial); 8] = [
            (self.fixed, &Fixed),
            (self.sigma, &Sigma),
            (1, &Instance),
            (self.advice, &Advice),
            (2 * self.lookups, &permuted),
            (self.chunks, &Permutation),
            (self.lookups, &Lookup),
            (1, &|_| Random),
        ];
        let mut rest = number;
        for (count, kind) in kinds {
            if rest < count {
                return kind(rest);
            }
            rest -= count;
        }
        Quotient
    }
}

fn polynomial(kind: Any, index: usize) -> Polynomial {
    match kind {
        Any::Advice(_) => Polynomial::Advice(index),
        Any::Fixed => Polynomial::Fixed(index),
        Any::Instance => Polynomial::Instance(index),
    }
}

/// The name of the place of a commitment in memory.
pub(super) fn commitment_name(polynomial: Polynomial) -> String {
    format!("C_{}", name(polynomial))
}

/// The name of the place of an evaluation in memory.
pub(super) fn value_name(value: Value) -> String {
    let name = name(value.polynomial);
    match value.rotation {
        0 => format!("E_{name}"),
        1 => format!("E_{name}_NEXT"),
        -1 => format!("E_{name}_BEFORE"),
        after if after > 0 => format!("E_{name}_AFTER_{after}"),
        before => format!("E_{name}_BEFORE_{}", -before),
    }
}

fn name(polynomial: Polynomial) -> String {
    match polynomial {
        Polynomial::Fixed(i) => format!("FIXED_{i}"),
        Polynomial::Sigma(i) => format!("SIGMA_{i}"),
        Polynomial::Instance(_) => "INSTANCE".to_owned(),
        Polynomial::Advice(i) => format!("ADVICE_{i}"),
        Polynomial::LookupInput(i) => format!("LOOKUP_{i}_INPUT"),
        Polynomial::LookupTable(i) => format!("LOOKUP_{i}_TABLE"),
        Polynomial::Permutation(i) => format!("PERMUTATION_{i}"),
        Polynomial::Lookup(i) => format!("LOOKUP_{i}"),
        Polynomial::Random => "RANDOM".to_owned(),
        Polynomial::Quotient => "QUOTIENT".to_owned(),
    }
}
