//! The size of each statement's circuit: `make rows`.

use halo2_proofs::plonk::ConstraintSystem;

use crate::gadget::{Columns, Layout};
use crate::statement::{
    answer::AnswerCircuit,
    chain_answer::ChainAnswerCircuit,
    fifty::FiftyCircuit,
    no_move::NoMoveCircuit,
    own_step::OwnStepCircuit,
    psi::{AskedCircuit, ShownCircuit},
    request_data::RequestDataCircuit,
    tag::{TagCaptureCircuit, TagReplyCircuit, TagStepCircuit},
    turn::TurnCircuit,
};

/// Rows and columns of a statement's circuit.
#[derive(Clone, Debug)]
pub struct RowReport {
    pub statement: &'static str,
    /// Numbers by name: `k`; rows that blinding leaves, that are assigned, and that each part takes (parts may stand beside each other);
    /// columns by kind; lookups.
    pub sizes: Vec<(&'static str, usize)>,
}

/// The reports of all statements but those with polynomials.
pub fn row_reports() -> Vec<RowReport> {
    vec![
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

fn report<C: Layout>() -> RowReport {
    let mut meta = ConstraintSystem::default();
    C::configure(&mut meta);
    let taken = C::rows();
    let first = C::Columns::first_rows(taken);
    let points = first.points + taken.points;
    let hashes = first.hashes + taken.hashes;
    let arithmetic = first.arithmetic + taken.arithmetic;
    RowReport {
        statement: C::NAME,
        sizes: vec![
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
        ],
    }
}
