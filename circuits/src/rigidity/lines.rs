//! Names for cells: the source line that laid them.

use std::{collections::HashMap, panic::Location};

use super::{CellId, system::System};

/// The text of source lines.
#[derive(Default)]
pub struct Lines {
    files: HashMap<&'static str, Vec<String>>,
}

impl Lines {
    /// The file below `circuits/src`, the number and the text of a line.
    pub fn show(&mut self, line: &'static Location<'static>) -> String {
        let file = line.file();
        let texts = self.files.entry(file).or_insert_with(|| {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
            let text = std::fs::read_to_string(format!("{path}/{file}")).expect("the source of this very crate");
            text.lines().map(|line| line.trim().to_string()).collect()
        });
        let short = file.trim_start_matches("circuits/src/");
        format!("{short}:{} `{}`", line.line(), texts[line.line() as usize - 1])
    }

    /// A cell, for a person to look up.
    pub fn describe(&mut self, system: &System, cell: CellId) -> String {
        let (column, row) = system.place(cell);
        if column == system.columns {
            return format!("public input {row}");
        }
        let line = system.lines.get(&(column, row)).map(|line| self.show(line));
        format!("column {column}, row {row}, {}", line.unwrap_or_else(|| "which nobody assigned".to_string()))
    }

    /// The cells that lines of a file with this text laid: a group for each row, in the order of laying.
    pub fn laid(&mut self, system: &System, file: &str, text: &str) -> Vec<Vec<CellId>> {
        let mut rows: Vec<Vec<CellId>> = Vec::new();
        let mut last = None;
        for &cell in &system.order {
            let (column, row) = system.place(cell);
            let line = system.lines[&(column, row)];
            if !line.file().ends_with(file) || !self.show(line).contains(text) {
                continue;
            }
            if last.replace((line, row)) != Some((line, row)) {
                rows.push(Vec::new());
            }
            rows.last_mut().expect("a row was begun").push(cell);
        }
        assert!(!rows.is_empty(), "{file} has no line `{text}` that lays cells");
        rows
    }
}
