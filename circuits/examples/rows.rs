//! Prints rows and columns of each statement's circuit, for `make rows`: a table, or with `--json` an object a line.

use circuits::{
    AnswerCircuit, AskedCircuit, ChainAnswerCircuit, FiftyCircuit, NoMoveCircuit, OwnStepCircuit, RequestDataCircuit,
    ShownCircuit, TagCaptureCircuit, TagReplyCircuit, TagStepCircuit, TurnCircuit,
    gadget::{Columns, Layout},
};
use halo2_proofs::plonk::ConstraintSystem;
use serde_json::{Value, json};

/// A statement's name, and numbers by name: `k`; rows that blinding leaves, that are assigned, and that each part takes (parts may stand
/// beside each other); columns by kind; lookups.
type Report = (&'static str, [(&'static str, usize); 10]);

/// The reports of all statements but those with polynomials.
fn reports() -> [Report; 12] {
    [
        report::<TurnCircuit>(),
        report::<AnswerCircuit>(),
        report::<ChainAnswerCircuit>(),
        report::<RequestDataCircuit>(),
        report::<FiftyCircuit>(),
        report::<NoMoveCircuit>(),
        report::<OwnStepCircuit>(),
        report::<TagStepCircuit>(),
        report::<TagReplyCircuit>(),
        report::<TagCaptureCircuit>(),
        report::<ShownCircuit<false>>(),
        report::<AskedCircuit<false>>(),
    ]
}

fn report<C: Layout>() -> Report {
    let mut meta = ConstraintSystem::default();
    C::configure(&mut meta);
    let taken = C::rows();
    let first = C::Columns::first_rows(taken);
    let points = first.points + taken.points;
    let hashes = first.hashes + taken.hashes;
    let arithmetic = first.arithmetic + taken.arithmetic;
    let sizes = [
        ("k", C::K as usize),
        ("usable", (1 << C::K) - meta.blinding_factors() - 1),
        ("used", points.max(hashes).max(arithmetic)),
        ("points", taken.points),
        ("hashes", taken.hashes),
        ("arithmetic", taken.arithmetic),
        ("advice", meta.num_advice_columns()),
        ("fixed", meta.num_fixed_columns()),
        ("permuted", meta.permutation().get_columns().len()),
        ("lookups", meta.lookups().len()),
    ];
    (C::NAME, sizes)
}

fn main() {
    let reports = reports();
    let as_json = std::env::args().skip(1).any(|argument| argument == "--json");
    if !as_json {
        let names = reports[0].1.map(|(name, _)| name.to_string());
        print_line("statement", names);
    }
    for (statement, sizes) in reports {
        if as_json {
            let mut object = json!({ "statement": statement });
            sizes.iter().for_each(|(name, size)| object[name] = Value::from(*size));
            println!("{object}");
        } else {
            print_line(statement, sizes.map(|(_, size)| size.to_string()));
        }
    }
}

/// A line of the table.
fn print_line(statement: &str, columns: impl IntoIterator<Item = String>) {
    let columns: String = columns.into_iter().map(|column| format!("{column:>12}")).collect();
    println!("{statement:<12}{columns}");
}
