//! The second kind of mutants: a coefficient of arithmetic that is greater or less by one, as it is after a constant, the bound of a loop or what a sum or choice is over
//! is another one: a term left out is a coefficient of 1 less by one.
//!
//! Coefficients are changed where they are laid, row by row, and the prover's values follow, as they would with another source. So nothing notices but what
//! compares: a case of the part ([`super::compare`]) that differs. Only cases are asked in which the coefficient is multiplied with something; of most mutants the first of them
//! differs.
//!
//! `make mutants` changes all of them, and prints by line of source how many are noticed and how many not. Of those that aren't, some say the same, such as twice a number that
//! must be 0, and others are compared in another part; which they are is for a person to judge, so none of them fails the run.

use std::collections::BTreeMap;

use ff::Field;
use halo2curves::bn256::Fr;

use crate::{
    gadget::coefficients::{self, Change, Laid},
    rigidity::Lines,
};

/// Changes all coefficients of a part, given what each of its cases lays, if `FOGMATE_MUTANTS` is `all`.
pub fn run(part: &str, cases: &[Laid], differs: impl Fn(usize) -> bool) {
    if std::env::var("FOGMATE_MUTANTS").is_ok_and(|which| which == "all") {
        let (mut lines, mut counts) = (Lines::default(), BTreeMap::<String, [usize; 2]>::new());
        for change in changes(part, cases) {
            let counts_in = |number: &usize| cases[*number].counts(change.operation, change.coefficient);
            let mut asked = (0..cases.len()).filter(counts_in);
            let is_noticed = asked.any(|number| coefficients::with(change, || differs(number)));
            let line = lines.show(cases[0].operations[change.operation].line);
            counts.entry(line).or_default()[usize::from(is_noticed)] += 1;
        }
        let all = counts.values().fold([0, 0], |[a, b], [c, d]| [a + c, b + d]);
        println!("{part}: {} coefficients changed, {} noticed, {} not", all[0] + all[1], all[1], all[0]);
        for (line, [unnoticed, noticed]) in counts.iter().filter(|(_, [unnoticed, _])| *unnoticed > 0) {
            println!("{part}: {unnoticed} not noticed, {noticed} noticed: {line}");
        }
    }
}

/// Each coefficient that is multiplied with a cell, greater and less by one, but those that are 0: they are in no source.
fn changes(part: &str, cases: &[Laid]) -> Vec<Change> {
    assert!(cases.iter().all(|laid| laid.count() == cases[0].count()), "{part}: another part for another case");
    let mut changes = Vec::new();
    for (operation, laid) in cases[0].operations.iter().enumerate() {
        for coefficient in (0..4).filter(|i| laid.is_live[*i] && laid.k[*i] != Fr::ZERO) {
            changes.extend([Fr::ONE, -Fr::ONE].map(|delta| Change { operation, coefficient, delta }));
        }
    }
    changes
}
