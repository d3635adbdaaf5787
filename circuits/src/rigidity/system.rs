//! A laid circuit as equations: every gate, lookup and copy at one witness, with its gradient there.
//!
//! Every row's polynomials are differentiated at the witness. A lookup into a fixed table says that its inputs are one of finitely many tuples, so to
//! first order that none of them moves; one into a table of the prover's, that they move as the row does that they are found in. Where several rows have them,
//! nothing is concluded. Copies are kept apart from the others, by the pair of cells that they bind. Cells that a gate reads and nobody
//! assigned count as the prover's: a real prover may put there what it likes.

use std::collections::HashMap;

use ff::Field;
use halo2_proofs::plonk::Expression;
use halo2curves::bn256::Fr;

use super::CellId;
use crate::{
    gadget::{
        Layout,
        trace::{self, Copied, Trace},
    },
    laid::{Found, LaidCircuit, Switches, scaled},
};

/// What holds given public inputs fast: not a gate, but the verifier's word.
pub const GIVEN: &str = "given";
/// Labels of the bindings that say that a cell has one of two values.
const RANGES: [&str; 2] = ["boolean.product", "is_zero.product"];
/// What lookups are called.
pub const LOOKUP: &str = "lookup";
/// What such a constraint of a gate has in its name.
const RANGE: &str = "is boolean";

/// One polynomial of a gate or one input of a lookup.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Polynomial {
    /// The gate, or "lookup" and its number.
    pub gate: String,
    /// Its number in the gate or lookup.
    pub index: usize,
    pub name: String,
}

/// What a polynomial says of the tangent space on one row: `Σ kᵢ·dxᵢ = 0`.
#[derive(Clone, Debug)]
pub struct Equation {
    /// The index of its constraint in [`System::polynomials`].
    pub polynomial: usize,
    pub row: usize,
    /// Cells and their coefficients, each cell once; a coefficient may be 0 at this witness. None where a lookup says nothing.
    pub terms: Vec<(CellId, Fr)>,
    /// Whether it is of a lookup that is found on one row, which the prover fills.
    pub is_found: bool,
}

/// A circuit's constraints at a witness.
pub struct System {
    /// Rows of the domain.
    pub rows: usize,
    pub columns: usize,
    /// The values of assigned advice cells.
    pub advice: Vec<Option<Fr>>,
    /// The assigned advice cells in the order of assignment.
    pub order: Vec<CellId>,
    pub polynomials: Vec<Polynomial>,
    pub equations: Vec<Equation>,
    /// The pairs of cells that copies bind, in the order of laying; those of the public inputs come last, in theirs.
    pub copies: Vec<[CellId; 2]>,
    /// Who asked for the copies, but for the public inputs'.
    pub asked: Vec<Copied>,
    /// The line that asked for each cell, by column and row.
    pub lines: HashMap<(usize, usize), &'static std::panic::Location<'static>>,
    /// The number of public inputs.
    pub public: usize,
}

impl System {
    /// Lays a circuit and differentiates its constraints. Panics if one doesn't hold. The public inputs whose rows are given are held fast: whoever verifies
    /// makes them itself, of a few values.
    pub fn of<C: Layout>(circuit: &C, is_given: impl Fn(usize) -> bool) -> Self {
        let (mut laid, Trace { copies: asked, public, given, lines, .. }) = trace::lay(circuit, &[]);
        // The instance is bound by copies, or read by a gate.
        let of_instance = |pair: &&[CellId; 2]| pair.iter().any(|cell| *cell as usize >= laid.columns * laid.rows);
        let by_copies = laid.copies.iter().filter(of_instance).count();
        assert!([0, public.len()].contains(&by_copies), "{by_copies} copies of public inputs");
        assert_eq!(laid.copies.len(), asked.len() + by_copies, "a copy that the trace doesn't know");
        laid.instance = vec![public.iter().map(|cell| cell.value).chain(given).collect()];
        let mut system = Self {
            rows: laid.rows,
            columns: laid.columns,
            polynomials: Vec::new(),
            equations: Vec::new(),
            advice: Vec::new(),
            order: Vec::new(),
            copies: Vec::new(),
            asked,
            lines: lines.into_iter().collect(),
            public: laid.instance[0].len(),
        };
        let mut switches = Switches::default();
        for gate in laid.meta.gates() {
            for (index, polynomial) in gate.polynomials().iter().enumerate() {
                let name = gate.constraint_name(index).to_string();
                system.polynomials.push(Polynomial { gate: gate.name().to_string(), index, name });
                system.differentiate(&laid, switches.rows(&laid, polynomial), polynomial, |name, value| {
                    assert_eq!(value, Fr::ZERO, "{name} doesn't hold");
                });
            }
        }
        for (number, (lookup, found)) in laid.meta.lookups().iter().zip(laid.look_up()).enumerate() {
            let found: Option<Vec<Found>> = found.into_iter().collect();
            let found = found.expect("a lookup doesn't hold");
            let pairs = lookup.input_expressions().iter().zip(lookup.table_expressions());
            for (index, (input, table)) in pairs.enumerate() {
                let gate = format!("{LOOKUP} {number}, {}", lookup.name());
                system.polynomials.push(Polynomial { gate, index, name: format!("input {index}") });
                system.follow(&laid, input, table, &found);
            }
        }
        system.polynomials.push(Polynomial {
            gate: GIVEN.to_string(),
            index: 0,
            name: "a given public input".to_string(),
        });
        let polynomial = system.polynomials.len() - 1;
        for row in (0..system.public).filter(|&row| is_given(row)) {
            let terms = vec![(system.instance(row), Fr::ONE)];
            system.equations.push(Equation { polynomial, row, terms, is_found: false });
        }
        (system.advice, system.order, system.copies) = (laid.advice, laid.order, laid.copies);
        system
    }

    /// The equations of the last polynomial.
    fn differentiate(&mut self, laid: &LaidCircuit, rows: &[usize], e: &Expression<Fr>, check: impl Fn(&str, Fr)) {
        let polynomial = self.polynomials.len() - 1;
        for &row in rows {
            let (value, terms) = laid.gradient(e, row);
            check(&self.polynomials[polynomial].name, value);
            if !terms.is_empty() {
                self.equations.push(Equation { polynomial, row, terms: collected(terms), is_found: false });
            }
        }
    }

    /// The equations of an input of a lookup: it moves as the table's row does that has it. At every witness there is one a row.
    fn follow(&mut self, laid: &LaidCircuit, input: &Expression<Fr>, table: &Expression<Fr>, found: &[Found]) {
        let polynomial = self.polynomials.len() - 1;
        for (row, found) in found.iter().enumerate() {
            let mut terms = laid.gradient(input, row).1;
            match found {
                Found::Fixed => (),
                Found::Row(there) => terms.extend(scaled(laid.gradient(table, *there).1, -Fr::ONE)),
                Found::Several => terms.clear(),
            }
            let is_found = matches!(found, Found::Row(_));
            self.equations.push(Equation { polynomial, row, terms: collected(terms), is_found });
        }
    }

    /// The cell of a public input.
    pub fn instance(&self, row: usize) -> CellId {
        (self.columns * self.rows + row) as CellId
    }

    /// The constraints that say that a cell has one of a few values: every flag's, and the first digit's of every chain of digits or windows. They bind
    /// cells all by themselves, to first order, and so hide what else would have to. (One digit of each chain is enough to move its end.)
    pub fn ranges(&self) -> LeftOut {
        let mut ranges = LeftOut::none(self);
        let mut before = None;
        for (equation, out) in self.equations.iter().zip(&mut ranges.equations) {
            let polynomial = &self.polynomials[equation.polynomial];
            if equation.terms.is_empty() {
                continue;
            }
            if polynomial.name.contains(RANGE) || polynomial.gate.starts_with(LOOKUP) {
                *out = before != Some((equation.polynomial, equation.row.wrapping_sub(1)));
                before = Some((equation.polynomial, equation.row));
            }
        }
        for (asked, out) in self.asked.iter().zip(&mut ranges.copies) {
            *out = asked.label.is_some_and(|label| RANGES.contains(&label));
        }
        ranges
    }

    /// The bindings with labels of the statement's own, each of which has a forgery; and lookups in a list of the prover's, which have mutations. They hold flags
    /// and digits together, and so hide what says of each that it is one.
    pub fn bindings(&self) -> LeftOut {
        let mut bindings = LeftOut::none(self);
        for (equation, out) in self.equations.iter().zip(&mut bindings.equations) {
            *out = equation.is_found;
        }
        for (asked, out) in self.asked.iter().zip(&mut bindings.copies) {
            *out = asked.label.is_some_and(|label| label.starts_with(char::is_uppercase));
        }
        bindings
    }

    /// All cells, the instance column's included.
    pub fn cells(&self) -> usize {
        self.columns * self.rows + self.public
    }

    /// Column and row of an advice cell.
    pub fn place(&self, cell: CellId) -> (usize, usize) {
        (cell as usize / self.rows, cell as usize % self.rows)
    }
}

/// Constraints that are left out, by their numbers in the system.
pub struct LeftOut {
    pub equations: Vec<bool>,
    pub copies: Vec<bool>,
}

impl LeftOut {
    pub fn none(system: &System) -> Self {
        Self { equations: vec![false; system.equations.len()], copies: vec![false; system.copies.len()] }
    }
}

fn collected(mut terms: Vec<(CellId, Fr)>) -> Vec<(CellId, Fr)> {
    terms.sort_unstable_by_key(|&(cell, _)| cell);
    terms.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
    terms
}
