//! Prints rows and columns of each statement's circuit, for `make rows`: a table, or with `--json` an object a line.

use circuits::row_reports;
use serde_json::{Value, json};

fn main() {
    let reports = row_reports();
    let as_json = std::env::args().skip(1).any(|argument| argument == "--json");
    if !as_json {
        let names = reports[0].sizes.iter().map(|(name, _)| *name);
        print_line("statement", names.map(String::from));
    }
    for report in reports {
        let sizes = report.sizes.iter();
        if as_json {
            let mut object = json!({ "statement": report.statement });
            sizes.for_each(|(name, size)| object[name] = Value::from(*size));
            println!("{object}");
        } else {
            print_line(report.statement, sizes.map(|(_, size)| size.to_string()));
        }
    }
}

/// A line of the table.
fn print_line(statement: &str, columns: impl Iterator<Item = String>) {
    let columns: String = columns.map(|column| format!("{column:>12}")).collect();
    println!("{statement:<12}{columns}");
}
