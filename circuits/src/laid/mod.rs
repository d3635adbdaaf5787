//! A circuit laid at a witness: its cells, and which gates, lookups and copies don't hold there.
//!
//! halo2's `MockProver` finds the same, and takes much longer: it weighs both factors of every product on every row, also where the first is a switch that is off.
//! [`tests`] holds both against each other for every statement, of an honest witness and of broken cells.

mod expression;
mod lookup;
pub mod tests;

use std::{collections::BTreeSet, ops::Range};

use ff::Field;
use halo2_proofs::{
    circuit::Value,
    dev::metadata,
    plonk::{
        Advice, Any, Assigned, Assignment, Challenge, Circuit, Column, ConstraintSystem, Error, Fixed, FloorPlanner,
        Instance, Selector,
    },
};
use halo2curves::bn256::Fr;
use rand::{SeedableRng, rngs::StdRng};

use crate::{AnyCircuit, StatementCircuit};
pub use expression::{Switches, scaled};
pub use lookup::Found;

/// A cell: `column · rows + row`, where instance columns come after the advice columns.
pub type CellId = u32;

/// What a floor planner has assigned and copied.
pub struct LaidCircuit {
    pub meta: ConstraintSystem<Fr>,
    /// Rows of the domain.
    pub rows: usize,
    /// The number of rows that a circuit may use.
    usable: usize,
    /// The columns whose cells may be copied.
    permuted: Vec<Column<Any>>,
    /// The number of advice columns.
    pub columns: usize,
    /// The values of assigned advice cells.
    pub advice: Vec<Option<Fr>>,
    /// The assigned advice cells in the order of assignment.
    pub order: Vec<CellId>,
    pub fixed: Vec<Vec<Fr>>,
    /// The pairs of cells that copies bind, in the order of laying.
    pub copies: Vec<[CellId; 2]>,
    /// The public inputs; behind them a column is 0, and nobody's.
    pub instance: Vec<Vec<Fr>>,
    challenges: Vec<Fr>,
    /// The phase that is being laid: all cells are assigned in each, and challenges are known in those after theirs.
    phase: u8,
}

/// What doesn't hold on a row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Refusal {
    /// A constraint as halo2 writes it, `lookup 3 ('a limb has its bits')`, or `copy`.
    pub what: String,
    /// The row; of a copy that of its first cell.
    pub row: usize,
}

impl LaidCircuit {
    /// Lays a statement's circuit.
    pub fn of<C: StatementCircuit>(circuit: &C, instance: Vec<Vec<Fr>>) -> Self {
        Self::of_rows(C::K, &AnyCircuit::of(circuit.clone()), instance)
    }

    /// Lays a circuit of 2^k rows. Panics if it has more.
    pub fn of_rows<C: Circuit<Fr>>(k: u32, circuit: &C, instance: Vec<Vec<Fr>>) -> Self {
        let mut meta = ConstraintSystem::default();
        let config = C::configure_with_params(&mut meta, circuit.params());
        assert_eq!(instance.len(), meta.num_instance_columns(), "columns of public inputs");
        let (rows, columns) = (1 << k, meta.num_advice_columns());
        assert!(rows >= meta.minimum_rows(), "fewer rows than proofs have");
        // Any values will do: the tests' cheats are given them.
        let mut rng = StdRng::seed_from_u64(0);
        let challenges = (0..meta.num_challenges()).map(|_| Fr::random(&mut rng)).collect();
        let last = meta.advice_column_phase().into_iter().max().unwrap_or(0);
        let mut laid = Self {
            rows,
            usable: rows - meta.blinding_factors() - 1,
            permuted: meta.permutation().get_columns(),
            columns,
            advice: vec![None; columns * rows],
            order: Vec::new(),
            fixed: vec![vec![Fr::ZERO; rows]; meta.num_fixed_columns()],
            copies: Vec::new(),
            instance,
            challenges,
            phase: 0,
            meta,
        };
        assert!(
            laid.instance.iter().all(|column| column.len() <= laid.usable),
            "too many public inputs for {} rows",
            laid.usable
        );
        for phase in 0..=last {
            laid.phase = phase;
            C::FloorPlanner::synthesize(&mut laid, circuit, config.clone(), vec![]).expect("it is laid");
        }
        laid
    }

    /// Lays the circuit of a statement.
    pub fn statement<C: StatementCircuit>(public: &C::Public, private: &C::Private) -> Self {
        Self::of(&C::new(public, private), C::instance(public))
    }

    /// The rows that a circuit may use.
    pub fn usable(&self) -> Range<usize> {
        0..self.usable
    }

    /// The value of an advice or instance cell; 0 if nobody assigned it.
    pub fn value(&self, cell: CellId) -> Fr {
        let (column, row) = self.place(cell);
        let of_instance = || self.instance[column - self.columns].get(row).copied();
        self.advice.get(cell as usize).copied().unwrap_or_else(of_instance).unwrap_or(Fr::ZERO)
    }

    /// Column and row of a cell.
    pub fn place(&self, cell: CellId) -> (usize, usize) {
        (cell as usize / self.rows, cell as usize % self.rows)
    }

    fn cell(&self, column: usize, row: usize) -> CellId {
        (column * self.rows + row) as CellId
    }

    /// A cell that is copied.
    fn copied(&self, column: Column<Any>, row: usize) -> CellId {
        assert!(self.usable().contains(&row), "row {row} is none of {:?}", self.usable());
        assert!(self.permuted.contains(&column), "copies of {column:?} aren't enabled");
        match column.column_type() {
            Any::Advice(_) => self.cell(column.index(), row),
            Any::Instance => self.cell(self.columns + column.index(), row),
            Any::Fixed => panic!("a copy of a fixed cell"),
        }
    }

    /// The pairs of cells that copies bind and that differ.
    pub fn broken_copies(&self) -> Vec<[CellId; 2]> {
        let differ = |[left, right]: &[CellId; 2]| self.value(*left) != self.value(*right);
        self.copies.iter().copied().filter(differ).collect()
    }

    /// The constraints of gates that don't hold on some rows.
    pub fn broken_gates(&self, rows: Range<usize>) -> Vec<Refusal> {
        let mut refusals = Vec::new();
        let mut switches = Switches::default();
        for (number, gate) in self.meta.gates().iter().enumerate() {
            for (index, polynomial) in gate.polynomials().iter().enumerate() {
                let on = switches.rows(self, polynomial).iter().copied().filter(|row| rows.contains(row));
                let broken = on.filter(|row| self.evaluate(polynomial, *row) != Fr::ZERO);
                refusals.extend(broken.map(|row| {
                    let gate_name = metadata::Gate::from((number, gate.name()));
                    let what = metadata::Constraint::from((gate_name, index, gate.constraint_name(index)));
                    Refusal { what: what.to_string(), row }
                }));
            }
        }
        refusals
    }

    /// The lookups whose inputs aren't in their table, by number and row.
    pub fn broken_lookups(&self) -> Vec<Refusal> {
        let lookups = self.meta.lookups().iter().zip(self.look_up()).enumerate();
        let broken = lookups.flat_map(|(number, (lookup, found))| {
            let rows = found.into_iter().enumerate().filter(|(_, found)| found.is_none());
            rows.map(move |(row, _)| Refusal { what: format!("lookup {number} ('{}')", lookup.name()), row })
        });
        broken.collect()
    }

    /// Everything that doesn't hold.
    pub fn refusals(&self) -> Vec<Refusal> {
        let copies = self.broken_copies().into_iter();
        let copies = copies.map(|[cell, _]| Refusal { what: "copy".to_owned(), row: self.place(cell).1 });
        let mut refusals: Vec<Refusal> = copies.collect();
        refusals.extend(self.broken_gates(self.usable()));
        refusals.extend(self.broken_lookups());
        refusals
    }

    /// Whether everything holds. Copies, where most defects show, come first, and what comes after something broken isn't looked at.
    pub fn is_satisfied(&self) -> bool {
        let is_right = || self.broken_gates(self.usable()).is_empty() && self.broken_lookups().is_empty();
        self.broken_copies().is_empty() && is_right()
    }
}

/// For each of so many cells the one that stands for all that copies join with it.
pub fn joined(cells: usize, copies: impl Iterator<Item = [CellId; 2]>) -> Vec<CellId> {
    let mut parent: Vec<CellId> = (0..cells as CellId).collect();
    fn find(parent: &mut [CellId], mut cell: CellId) -> CellId {
        while parent[cell as usize] != cell {
            parent[cell as usize] = parent[parent[cell as usize] as usize];
            cell = parent[cell as usize];
        }
        cell
    }
    for [left, right] in copies {
        let (left, right) = (find(&mut parent, left), find(&mut parent, right));
        parent[left as usize] = right;
    }
    (0..cells as CellId).map(|cell| find(&mut parent, cell)).collect()
}

/// Whether a statement's circuit takes it.
pub fn is_satisfied<C: StatementCircuit>(public: &C::Public, private: &C::Private) -> bool {
    LaidCircuit::statement::<C>(public, private).is_satisfied()
}

/// Every public input is bound, also the zeros that fill a shape: all are changed at once, and on each row of one a gate, a lookup or its copy refuses its own.
pub fn every_public_input_is_bound<C: StatementCircuit>(public: &C::Public, private: &C::Private) {
    let mut laid = LaidCircuit::statement::<C>(public, private);
    assert_eq!(laid.refusals(), [], "{}", C::NAME);
    let count = laid.instance[0].len();
    laid.instance[0].iter_mut().for_each(|value| *value += Fr::ONE);
    let in_place = [laid.broken_gates(0..count), laid.broken_lookups()].concat();
    let copied = laid.broken_copies().into_iter().flatten().map(|cell| laid.place(cell));
    let copied = copied.filter(|(column, _)| *column >= laid.columns).map(|(_, row)| row);
    let refused: BTreeSet<usize> = in_place.iter().map(|refusal| refusal.row).chain(copied).collect();
    let unbound: Vec<usize> = (0..count).filter(|row| !refused.contains(row)).collect();
    assert!(unbound.is_empty(), "{}: nothing binds public inputs {unbound:?}", C::NAME);
}

impl Assignment<Fr> for LaidCircuit {
    fn enter_region<NR: Into<String>, N: FnOnce() -> NR>(&mut self, _: N) {}

    fn annotate_column<A: FnOnce() -> AR, AR: Into<String>>(&mut self, _: A, _: Column<Any>) {}

    fn exit_region(&mut self) {}

    fn enable_selector<A: FnOnce() -> AR, AR: Into<String>>(
        &mut self,
        _: A,
        _: &Selector,
        _: usize,
    ) -> Result<(), Error> {
        panic!("the circuits' selectors are fixed columns")
    }

    fn query_instance(&self, _: Column<Instance>, _: usize) -> Result<Value<Fr>, Error> {
        Ok(Value::unknown())
    }

    fn assign_advice<'v>(
        &mut self,
        column: Column<Advice>,
        row: usize,
        to: Value<Assigned<Fr>>,
    ) -> Value<&'v Assigned<Fr>> {
        assert!(self.usable().contains(&row), "row {row} is none of {:?}", self.usable());
        let cell = self.cell(column.index(), row);
        to.map(|to| self.advice[cell as usize] = Some(to.evaluate()));
        if self.phase == 0 {
            self.order.push(cell);
        }
        Value::unknown()
    }

    fn assign_fixed(&mut self, column: Column<Fixed>, row: usize, to: Assigned<Fr>) {
        assert!(self.usable().contains(&row), "row {row} is none of {:?}", self.usable());
        self.fixed[column.index()][row] = to.evaluate();
    }

    fn copy(&mut self, left: Column<Any>, left_row: usize, right: Column<Any>, right_row: usize) {
        if self.phase == 0 {
            self.copies.push([self.copied(left, left_row), self.copied(right, right_row)]);
        }
    }

    fn fill_from_row(&mut self, _: Column<Fixed>, _: usize, _: Value<Assigned<Fr>>) -> Result<(), Error> {
        panic!("the circuits fill no columns")
    }

    fn get_challenge(&self, challenge: Challenge) -> Value<Fr> {
        let index = challenge.index();
        let is_drawn = self.phase > self.meta.challenge_phase()[index];
        if is_drawn { Value::known(self.challenges[index]) } else { Value::unknown() }
    }

    fn push_namespace<NR: Into<String>, N: FnOnce() -> NR>(&mut self, _: N) {}

    fn pop_namespace(&mut self, _: Option<String>) {}
}
