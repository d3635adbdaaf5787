//! The constraints: gates, the permutation and lookups, folded by powers of α.

use super::{Generator, Term, difference, variable, word};
use crate::solidity::expression::{Graph, Id, Node};
use crate::solidity::shape::{Gate, Lookup, value_name};
use crate::solidity::terms::Terms;
use halo2curves::bn256::Fr;
use halo2curves::ff::PrimeField;
use plonk::Column;
use std::collections::BTreeSet;

impl Generator<'_> {
    /// The numerator of the quotient: all constraints, folded by powers of α.
    pub fn constraints(&mut self) {
        let shape = self.shape;
        let plans: Vec<Plan> = shape.gates.iter().map(|gate| Plan::of(gate, &shape.graph)).collect();
        let lookups = shape.lookups.iter().map(|lookup| [&lookup.inputs[..], &lookup.table].concat());
        let units: Vec<Vec<Id>> = plans.iter().map(Plan::roots).chain(lookups).collect();
        let mut terms = Terms::new(&shape.graph, &units);
        self.code.title("Constraints, folded by powers of α.");
        self.code.open();
        self.code.line("let alpha := mload(ALPHA)\nlet all := 0");
        self.powers_of_alpha(&plans);
        for (gate, plan) in shape.gates.iter().zip(&plans) {
            self.code.title(format!("Gate: {}", gate.name));
            self.code.open();
            self.gate(&mut terms, gate, plan);
            terms.end_unit();
            self.code.close();
        }
        self.code.blank();
        self.permutation();
        for (i, lookup) in shape.lookups.iter().enumerate() {
            self.code.blank();
            self.lookup(&mut terms, i, lookup);
            terms.end_unit();
        }
        terms.place(&mut self.memory);
        self.code.title("The quotient's value follows.");
        self.keep("E_QUOTIENT", &Term::product(variable("all"), word("I_VANISHING")));
        self.code.close();
    }

    /// The powers of α by which whole gates are folded.
    fn powers_of_alpha(&mut self, plans: &[Plan]) {
        let whole = plans.iter().filter(|plan| plan.selector.is_some()).map(|plan| plan.parts.len());
        let wanted: BTreeSet<usize> = whole.collect();
        let Some(&most) = wanted.last() else { return };
        self.code.open();
        self.code.line("let power := alpha");
        for power in 2..=most {
            self.code.line("power := mulmod(power, alpha, r)");
            if wanted.contains(&power) {
                self.keep(&format!("ALPHA_{power}"), &variable("power"));
            }
        }
        self.code.close();
    }

    fn gate(&mut self, terms: &mut Terms<'_>, gate: &Gate, plan: &Plan) {
        let sum = if plan.selector.is_some() { "gate" } else { "all" };
        if plan.selector.is_some() {
            self.code.line("let gate := 0");
        }
        for ((name, _), &(part, negative)) in gate.constraints.iter().zip(&plan.parts) {
            if !name.is_empty() {
                self.code.comment(name);
            }
            let term = terms.term(&mut self.code, &mut self.memory.constants, part);
            let term = if negative { Term::negative(term) } else { term };
            self.fold(sum, "alpha", term);
        }
        if let Some(selector) = plan.selector {
            let selector = terms.term(&mut self.code, &mut self.memory.constants, selector);
            let power = word(&format!("ALPHA_{}", plan.parts.len()));
            let gate = Term::product(variable("gate"), selector);
            self.code.assign("all", &Term::sum(Term::product(variable("all"), power), gate));
        }
    }

    fn permutation(&mut self) {
        let shape = self.shape;
        let chunks = shape.chunks();
        let product = |i: usize, rotation: i32| word(&value_name(Column::PermutationProduct(i).at(rotation)));
        self.code
            .comment("Permutation: the running products start at 1, go on from chunk to chunk, and end at 0 or 1.");
        self.code.open();
        let start = Term::product(word("L_FIRST"), difference(variable("1"), product(0, 0)));
        self.fold("all", "alpha", start);
        let end = product(chunks - 1, 0);
        let end = Term::product(end.clone(), difference(end, variable("1")));
        self.fold("all", "alpha", Term::product(word("L_LAST"), end));
        for i in 1..chunks {
            let step = difference(product(i, 0), product(i - 1, shape.last()));
            self.fold("all", "alpha", Term::product(word("L_FIRST"), step));
        }
        let delta = self.memory.constants.named("DELTA", Fr::DELTA);
        self.code.line(format!(
            "let beta := mload(BETA)\nlet gamma := mload(GAMMA)\nlet identity := mulmod(beta, mload(Z), r)\n\
             let delta := mload({delta})\nlet left\nlet right\nlet value"
        ));
        let mut index = 0;
        for (i, columns) in shape.permutation.chunks(shape.chunk).enumerate() {
            self.code.assign("left", &product(i, 1));
            self.code.assign("right", &product(i, 0));
            for column in columns {
                let value = word(&value_name(column.at(0)));
                let sigma = word(&value_name(Column::Sigma(index).at(0)));
                self.code.assign("value", &Term::sum(value, variable("gamma")));
                let left = Term::sum(variable("value"), Term::product(variable("beta"), sigma));
                self.code.assign("left", &Term::product(variable("left"), left));
                let right = Term::sum(variable("value"), variable("identity"));
                self.code.assign("right", &Term::product(variable("right"), right));
                index += 1;
                if index < shape.permutation.len() {
                    self.code.assign("identity", &Term::product(variable("identity"), variable("delta")));
                }
            }
            let chunk = difference(variable("left"), variable("right"));
            self.fold("all", "alpha", Term::product(word("L_ACTIVE"), chunk));
        }
        self.code.close();
    }

    fn lookup(&mut self, terms: &mut Terms<'_>, i: usize, lookup: &Lookup) {
        self.code.comment(format!("Lookup: {}", lookup.name));
        self.code.open();
        self.code.line("let theta := mload(THETA)");
        for (name, columns) in [("input", &lookup.inputs), ("table", &lookup.table)] {
            for (i, &column) in columns.iter().enumerate() {
                let term = terms.term(&mut self.code, &mut self.memory.constants, column);
                match i {
                    0 => self.code.assign(&format!("let {name}"), &term),
                    _ => self.fold(name, "theta", term),
                }
            }
        }
        let product = value_name(Column::LookupProduct(i).at(0));
        self.code.line(format!("all := lookup(all, input, table, {product})"));
        self.code.close();
    }
}

/// How a gate is computed: its constraints, without the factor that all of them have in common.
struct Plan {
    selector: Option<Id>,
    /// What is left of each constraint, and whether it is to be negated.
    parts: Vec<(Id, bool)>,
}

impl Plan {
    fn of(gate: &Gate, graph: &Graph) -> Self {
        let signed = |id: Id| (graph.positive(id), graph.positive(id) != id);
        let whole: Vec<(Id, bool)> = gate.constraints.iter().map(|(_, id)| signed(*id)).collect();
        // Both ways to see a product as a factor and the rest.
        let splits = |id: Id| match *graph.node(id) {
            Node::Product(a, b) => vec![(a, b), (b, a)],
            _ => Vec::new(),
        };
        let without = |factor: Id| -> Option<Vec<(Id, bool)>> {
            let parts = whole.iter().map(|&(id, negative)| {
                let (_, rest) = splits(id).into_iter().find(|(first, _)| *first == factor)?;
                Some((rest, negative))
            });
            parts.collect()
        };
        let factors = if whole.len() > 1 { splits(whole[0].0) } else { Vec::new() };
        let found = factors.into_iter().find_map(|(factor, _)| Some((factor, without(factor)?)));
        match found {
            Some((selector, parts)) => Self { selector: Some(selector), parts },
            None => Self { selector: None, parts: whole },
        }
    }

    fn roots(&self) -> Vec<Id> {
        self.parts.iter().map(|(id, _)| *id).chain(self.selector).collect()
    }
}
