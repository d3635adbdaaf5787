//! Mutants: circuits from which one constraint is missing.
//!
//! * Each copy: every single one, those of [`Input::Copy`](crate::gadget::Input), those of `equal` and those of the public inputs.
//! * Each polynomial of a gate, and each lookup.
//!
//! `make mutants` looks at all of them, at all witnesses whose loosened dimension is pinned. A mutant is killed *alone* if at one of them its loosened space
//! is another one, which the tests here would say; to see that for all constraints at once takes one solution ([`super::tangent`]). It is killed *with its line* if it isn't
//! killed alone, but another copy of the same source line is: a line that asks for a copy in a loop can only go as a whole. It is killed *by forgery* if it
//! has a label: the statement's forgeries hold that one of them is refused for this label and nothing else, so without the line it passes.
//! What is left survives, and fails the run unless [`EXPLAINED`] says why it may.
//!
//! The ordinary test takes a few mutants, of a witness that a fresh seed chooses, and really leaves each out: the dimension must grow by one
//! where the solution for all says that it does, and not where it doesn't.

use std::collections::{BTreeMap, BTreeSet};

use rand::{Rng, RngCore, SeedableRng, rngs::StdRng};

use super::{
    Honest, Lines, Rigid, SEED, asked,
    system::{GIVEN, LOOKUP, LeftOut, Polynomial, System},
    tangent::Tangent,
};

/// Survivors that are redundant by construction: a part of the line that asks for them, and why nothing is lost without them.
const EXPLAINED: &[(&str, &str)] = &[];

/// Mutants of a sample.
const SAMPLE: usize = 6;

/// All mutants if `FOGMATE_MUTANTS` is `all`, else a sample.
pub fn run<C: Rigid>() {
    if std::env::var("FOGMATE_MUTANTS").is_ok_and(|which| which == "all") {
        all::<C>();
    } else {
        sample::<C>();
    }
}

/// A group of copies that go or stay together.
#[derive(Default)]
struct Line {
    all: usize,
    alone: usize,
    is_forged: bool,
}

fn all<C: Rigid>() {
    let mut copies: Vec<bool> = Vec::new();
    let mut polynomials: BTreeMap<Polynomial, [usize; 2]> = BTreeMap::new();
    let (mut rows, mut lines, mut by_line) = (BTreeMap::new(), Lines::default(), BTreeMap::<String, Line>::new());
    let witnesses = C::honest(SEED);
    let taken = witnesses.iter().take(C::LOOSENED.len());
    for (number, honest) in taken.enumerate() {
        let (system, tangent) = super::look(honest, System::ranges);
        copies.resize(system.copies.len(), false);
        copies.iter_mut().zip(&tangent.copy_counts).for_each(|(killed, counts)| *killed |= counts);
        for (equation, counts) in system.equations.iter().zip(&tangent.equation_counts) {
            *rows.entry((equation.polynomial, equation.row)).or_insert(false) |= counts;
        }
        if number + 1 < C::LOOSENED.len() {
            continue;
        }
        for (copy, killed) in copies.iter().enumerate() {
            let asked = system.asked.get(copy);
            let label = asked.and_then(|asked| asked.label);
            let name = asked.map_or("the public inputs".to_string(), |asked| lines.show(asked.line));
            let line = by_line.entry(name + &label.map(|label| format!(" [{label}]")).unwrap_or_default()).or_default();
            line.all += 1;
            line.alone += usize::from(*killed);
            line.is_forged = label.is_some_and(|label| C::forged().contains(label));
        }
        for ((polynomial, _), killed) in &rows {
            let polynomial = &system.polynomials[*polynomial];
            let [all, alone] = polynomials.entry(polynomial.clone()).or_default();
            *all += 1;
            *alone += usize::from(*killed);
        }
    }
    report::<C>(&by_line, polynomials);
}

fn report<C: Rigid>(lines: &BTreeMap<String, Line>, mut polynomials: BTreeMap<Polynomial, [usize; 2]>) {
    polynomials.retain(|polynomial, _| polynomial.gate != GIVEN);
    let mut survivors = BTreeSet::new();
    println!("{}: each copy, by the line that asks for it: killed alone of all", C::NAME);
    let [mut all, mut alone, mut with_line, mut by_forgery, mut explained] = [0; 5];
    for (name, line) in lines {
        let rest = line.all - line.alone;
        let fate = if rest == 0 {
            ""
        } else if line.is_forged {
            by_forgery += rest;
            "; the rest by forgery"
        } else if line.alone > 0 {
            with_line += rest;
            "; the rest with their line"
        } else if let Some((_, why)) = EXPLAINED.iter().find(|(part, _)| name.contains(part)) {
            explained += rest;
            why
        } else {
            survivors.insert(name.clone());
            "; SURVIVE"
        };
        (all, alone) = (all + line.all, alone + line.alone);
        println!("  {:>6}/{:<6} {name}{fate}", line.alone, line.all);
    }
    println!("{}: each polynomial of a gate: rows whose own loss is noticed, of all", C::NAME);
    for (polynomial, [all, alone]) in &polynomials {
        let Polynomial { gate, index, name } = polynomial;
        println!("  {alone:>6}/{all:<6} {gate} {index}: {name}");
        if *alone == 0 {
            survivors.insert(format!("{gate}: {name}"));
        }
    }
    let (lookups, gates): (Vec<_>, Vec<_>) =
        polynomials.keys().partition(|polynomial| polynomial.gate.starts_with(LOOKUP));
    println!(
        "{}: {all} copies: {alone} killed alone, {with_line} with their line, {by_forgery} by forgery, {explained} explained; {} polynomials of gates and {} inputs \
         of lookups; {} survivors",
        C::NAME,
        gates.len(),
        lookups.len(),
        survivors.len()
    );
    assert!(survivors.is_empty(), "{}: nobody notices that these are missing: {survivors:#?}", C::NAME);
}

/// Really leaves out some constraints of one witness.
fn sample<C: Rigid>() {
    let fresh = rand::thread_rng().next_u64() >> 32;
    let seed = fog::testing::seed(fresh);
    let rng = &mut StdRng::seed_from_u64(seed);
    let mut witnesses = C::honest(seed);
    let honest: Honest<C> = witnesses.swap_remove(rng.gen_range(0..witnesses.len()));
    let system = System::of(&honest.circuit, C::GIVEN);
    let asked = asked::<C>(&system);
    let whole = Tangent::of(&system, &system.ranges(), &asked, rng);
    for _ in 0..SAMPLE {
        let mut mutant: LeftOut = system.ranges();
        let (what, counts) = if rng.r#gen() {
            let copy = rng.gen_range(0..system.copies.len());
            if std::mem::replace(&mut mutant.copies[copy], true) {
                continue;
            }
            (format!("copy {copy}, {:?}", system.asked.get(copy)), whole.copy_counts[copy])
        } else {
            let equation = rng.gen_range(0..system.equations.len());
            if std::mem::replace(&mut mutant.equations[equation], true) {
                continue;
            }
            let polynomial = &system.polynomials[system.equations[equation].polynomial];
            (format!("{polynomial:?} on row {}", system.equations[equation].row), whole.equation_counts[equation])
        };
        let grown = Tangent::of(&system, &mutant, &asked, rng).free.len() - whole.free.len();
        println!("{} {} without {what}: {grown} more", C::NAME, honest.what);
        assert_eq!(grown, usize::from(counts), "{} {} without {what}", C::NAME, honest.what);
    }
}
