//! What becomes of each mutant, by the line of source that asks for it and in all: see [`super::mutants`].

use std::collections::BTreeMap;

use super::{
    Lines, Rigid,
    system::{GIVEN, LOOKUP, Polynomial, System},
    tangent::Needed,
};
use crate::gadget::Label;

/// Mutants that may survive: the label, how many of those that have it, and why nothing is lost without them.
const EXPLAINED: &[(Label, usize, &str)] = &[(
    "T16.crossed_empty",
    1,
    "no move crosses its seventh square, of which the loop over all seven says the same as of the others",
)];

/// Polynomials that no space notices, by gate and name: they say which of a few values cells have, and others say to first order that these don't move. Each is
/// refused by name in the tests of forged sets, which fail if it is missing.
const NAMED: &[(&str, &str)] = &[
    ("weighted term", "ty² = tx³ − 17"),
    ("weighted term", "bit 0 is boolean"),
    ("weighted term", "bit 1 is boolean"),
    ("weighted term", "bit 2 is boolean"),
    ("weighted term", "bit 3 is boolean"),
    ("place in the list", "input 0"),
    ("place in the list", "input 1"),
];

/// What copies of the public inputs are asked for by.
const PUBLIC: &str = "copies of public inputs";

/// How many mutants of a kind there are, and what becomes of them.
#[derive(Default)]
struct Count {
    by_space: usize,
    by_forgery: usize,
    explained: usize,
    survive: usize,
}

/// By the kind of constraint that is missing.
#[derive(Default)]
struct Counts(BTreeMap<&'static str, Count>);

impl Counts {
    fn kind(&mut self, kind: &'static str) -> &mut Count {
        self.0.entry(kind).or_default()
    }

    fn print(&self, name: &str) {
        for (kind, Count { by_space, by_forgery, explained, survive }) in &self.0 {
            let all = by_space + by_forgery + explained + survive;
            println!(
                "{name}: {all} {kind}: {by_space} killed by a space, {by_forgery} by forgery, {explained} explained, {survive} survive"
            );
        }
    }
}

/// Prints what becomes of all mutants; gives those that survive.
pub fn report<C: Rigid>(system: &System, needed: &Needed) -> Vec<String> {
    let mut counts = Counts::default();
    let mut survivors = report_copies::<C>(system, needed, &mut counts);
    survivors.extend(report_polynomials::<C>(system, needed, &mut counts));
    counts.print(C::NAME);
    survivors
}

fn report_copies<C: Rigid>(system: &System, needed: &Needed, counts: &mut Counts) -> Vec<String> {
    let (mut texts, mut lines) = (Lines::default(), BTreeMap::<_, Vec<usize>>::new());
    for copy in 0..system.copies.len() {
        let asked = system.asked.get(copy);
        let line = asked.map_or(PUBLIC.to_string(), |asked| texts.show(asked.line));
        lines.entry((line, asked.and_then(|asked| asked.label))).or_default().push(copy);
    }
    println!("{}: copies that a space notices, of all, by the line that asks for them", C::NAME);
    let (forged, mut survivors) = (C::forged(), Vec::new());
    for ((line, label), copies) in lines {
        let rest: Vec<usize> = copies.iter().copied().filter(|&copy| !needed.copies[copy]).collect();
        let count = counts.kind(match label {
            Some(_) => "bindings by `equal`",
            None if line == PUBLIC => PUBLIC,
            None => "copies of cells",
        });
        count.by_space += copies.len() - rest.len();
        let is_explained = |(of, number, _): &&(Label, usize, &str)| label == Some(*of) && rest.len() == *number;
        let (fate, count) = if rest.is_empty() {
            (String::new(), &mut count.survive)
        } else if copies.len() == 1 && label.is_some_and(|label| forged.contains(label)) {
            ("; by forgery".to_string(), &mut count.by_forgery)
        } else if let Some((_, _, why)) = EXPLAINED.iter().find(is_explained) {
            (format!("; the rest is explained: {why}"), &mut count.explained)
        } else {
            survivors.push(line.clone());
            ("; SURVIVE".to_string(), &mut count.survive)
        };
        *count += rest.len();
        let label = label.map_or(String::new(), |label| format!(" [{label}]"));
        println!("  {:>6}/{:<6} {line}{label}{fate}", copies.len() - rest.len(), copies.len());
        for copy in rest {
            let [left, right] = system.copies[copy].map(|end| texts.describe(system, end));
            println!("                not needed: {left} = {right}");
        }
    }
    survivors
}

fn report_polynomials<C: Rigid>(system: &System, needed: &Needed, counts: &mut Counts) -> Vec<String> {
    println!("{}: rows whose own loss a space notices, of all, by polynomial", C::NAME);
    let mut survivors = Vec::new();
    for (number, polynomial) in system.polynomials.iter().enumerate() {
        let equations = system.equations.iter().zip(&needed.equations);
        let of_it = equations.filter(|(e, _)| e.polynomial == number && !e.terms.is_empty());
        let rows: Vec<bool> = of_it.map(|(_, needed)| *needed).collect();
        // What no row uses isn't there: the fixed input of a lookup, say.
        if polynomial.gate == GIVEN || rows.is_empty() {
            continue;
        }
        let is_lookup = polynomial.gate.starts_with(LOOKUP);
        let count = counts.kind(if is_lookup { "inputs of lookups" } else { "polynomials of gates" });
        let by_space = rows.iter().filter(|needed| **needed).count();
        let is_named = |(gate, name): &(&str, &str)| polynomial.gate.ends_with(gate) && polynomial.name == *name;
        let fate = if by_space > 0 {
            count.by_space += 1;
            ""
        } else if NAMED.iter().any(is_named) {
            count.by_forgery += 1;
            "; by forgery, which names it"
        } else {
            count.survive += 1;
            survivors.push(format!("{}: {}", polynomial.gate, polynomial.name));
            "; SURVIVES"
        };
        let Polynomial { gate, name, .. } = polynomial;
        println!("  {by_space:>6}/{:<6} {gate}: {name}{fate}", rows.len());
    }
    survivors
}
