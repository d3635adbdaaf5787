//! Where the inputs of lookups are found in their tables.

use std::collections::HashMap;

use halo2_proofs::plonk::Expression;
use halo2curves::bn256::Fr;

use super::{LaidCircuit, expression::is_fixed};

/// Where the inputs of a lookup are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found {
    /// On rows of a fixed table alone.
    Fixed,
    /// On this row, which the prover fills.
    Row(usize),
    /// On several rows, some of which the prover fills.
    Several,
}

impl Found {
    fn or(self, other: Self) -> Self {
        if self == Self::Fixed && other == Self::Fixed { Self::Fixed } else { Self::Several }
    }
}

type Table = HashMap<Vec<Fr>, Found>;

impl LaidCircuit {
    /// For each lookup where the inputs of each usable row are found in the table, if they are.
    pub fn look_up(&self) -> Vec<Vec<Option<Found>>> {
        // Many lookups have the same table.
        let mut tables: HashMap<String, Table> = HashMap::new();
        let lookups = self.meta.lookups().iter().map(|lookup| {
            let (inputs, columns) = (lookup.input_expressions(), lookup.table_expressions());
            let table = tables.entry(format!("{columns:?}")).or_insert_with(|| self.table(columns));
            let mut last = None;
            let found = self.usable().map(|row| {
                let values: Vec<Fr> = inputs.iter().map(|e| self.evaluate(e, row)).collect();
                match &last {
                    Some((before, found)) if *before == values => *found,
                    _ => last.insert((values.clone(), table.get(&values).copied())).1,
                }
            });
            found.collect()
        });
        lookups.collect()
    }

    fn table(&self, columns: &[Expression<Fr>]) -> Table {
        let (mut table, is_constant) = (Table::new(), columns.iter().all(is_fixed));
        for row in self.usable() {
            let values = columns.iter().map(|e| self.evaluate(e, row)).collect();
            let is_fixed = is_constant || columns.iter().all(|e| self.gradient(e, row).1.is_empty());
            let here = if is_fixed { Found::Fixed } else { Found::Row(row) };
            table.entry(values).and_modify(|found| *found = found.or(here)).or_insert(here);
        }
        table
    }
}
