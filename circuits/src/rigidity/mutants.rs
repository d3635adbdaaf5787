//! Mutants: circuits from which one constraint is missing.
//!
//! * Each copy: every single one, those of [`Input::Copy`](crate::gadget::Input), those of `equal` and those of the public inputs.
//! * Each polynomial of a gate, and each input of a lookup.
//!
//! `make mutants` looks at all of them, at every witness whose loosened dimension is pinned. A mutant is killed
//!
//! * *alone*, if at one of these its loosened space is another one: then the test of that dimension fails. To see this for all constraints at once takes one
//!   solution ([`super::tangent`]). Of a polynomial this is said of its single rows, of which one is enough.
//! * *with its line*, if it isn't killed alone, but the line of source that asks for it is: what asks for copies in a loop can only go as a whole. Either another copy of
//!   the line is killed alone, or the space is another one without all of them, which is then computed.
//! * *by forgery*, if it has a label: the statement's forgeries hold that one of them is refused for this label and for nothing else. Without the line it passes.
//!
//! What is left survives, and fails the run, unless [`EXPLAINED`] says why it may.
//!
//! The ordinary test takes a few mutants of a witness that a fresh seed chooses, and really leaves each out: the dimension must grow by one
//! where the solution for all says that it does, and not where it doesn't.

use std::collections::BTreeMap;

use rand::{Rng, RngCore, SeedableRng, rngs::StdRng};

use super::{
    Honest, Lines, Rigid, SEED, asked, look,
    system::{GIVEN, LOOKUP, Polynomial, System},
    tangent::Tangent,
};
use crate::gadget::Label;

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

/// Copies that one line of the source asks for.
#[derive(Default)]
struct Line {
    copies: Vec<usize>,
    label: Option<Label>,
}

/// What was noticed, over all witnesses.
struct Noticed {
    copies: Vec<bool>,
    equations: Vec<bool>,
}

fn all<C: Rigid>() {
    let mut noticed: Option<Noticed> = None;
    let mut last = None;
    for honest in C::honest(SEED).iter().take(C::LOOSENED.len()) {
        let (system, tangent) = look(honest, System::ranges);
        match &mut noticed {
            None => noticed = Some(Noticed { copies: tangent.copy_counts, equations: tangent.equation_counts }),
            Some(noticed) => {
                or(&mut noticed.copies, &tangent.copy_counts);
                or(&mut noticed.equations, &tangent.equation_counts);
            }
        }
        last = Some((system, tangent.free.len()));
    }
    let (noticed, (system, dimension)) = (noticed.expect("a witness"), last.expect("a witness"));
    // Whether the space is another one without all of these copies and equations.
    let matters = |copies: &[usize], polynomial: Option<usize>| {
        let mut mutant = system.ranges();
        copies.iter().for_each(|&copy| mutant.copies[copy] = true);
        let equations = system.equations.iter().zip(&mut mutant.equations);
        equations.filter(|(equation, _)| Some(equation.polynomial) == polynomial).for_each(|(_, out)| *out = true);
        let rng = &mut StdRng::seed_from_u64(SEED);
        Tangent::of(&system, &mutant, &asked::<C>(&system), rng).free.len() > dimension
    };
    let mut survivors = report_copies::<C>(&system, &noticed, |copies| matters(copies, None));
    survivors.extend(report_polynomials::<C>(&system, &noticed, |polynomial| matters(&[], Some(polynomial))));
    survivors.retain(|survivor| match EXPLAINED.iter().find(|(part, _)| survivor.contains(part)) {
        Some((_, why)) => {
            println!("{}: {survivor} is missed by nobody: {why}", C::NAME);
            false
        }
        None => true,
    });
    println!("{}: {} survivors", C::NAME, survivors.len());
    assert!(survivors.is_empty(), "{}: nobody notices that these are missing: {survivors:#?}", C::NAME);
}

/// The constraints are the same at all witnesses.
fn or(all: &mut [bool], more: &[bool]) {
    assert_eq!(all.len(), more.len(), "another circuit for another witness");
    all.iter_mut().zip(more).for_each(|(all, more)| *all |= more);
}

fn report_copies<C: Rigid>(system: &System, noticed: &Noticed, matter: impl Fn(&[usize]) -> bool) -> Vec<String> {
    let (mut texts, mut lines) = (Lines::default(), BTreeMap::<String, Line>::new());
    for copy in 0..system.copies.len() {
        let asked = system.asked.get(copy);
        let label = asked.and_then(|asked| asked.label);
        let name = asked.map_or("the public inputs".to_string(), |asked| texts.show(asked.line));
        let line = lines.entry(label.map_or(name.clone(), |label| format!("{name} [{label}]"))).or_default();
        line.copies.push(copy);
        line.label = label;
    }
    println!("{}: copies killed alone, of all, by the line that asks for them", C::NAME);
    let (is_noticed, forged, mut survivors) = (&noticed.copies, C::forged(), Vec::new());
    let [mut alone, mut with_line, mut by_forgery, mut left] = [0; 4];
    for (name, Line { copies, label }) in lines {
        let noticed = copies.iter().filter(|&&copy| is_noticed[copy]).count();
        let rest = copies.len() - noticed;
        alone += noticed;
        let (fate, count) = if rest == 0 {
            ("", &mut left)
        } else if label.is_some_and(|label| forged.contains(label)) {
            ("; the rest by forgery", &mut by_forgery)
        } else if noticed > 0 || matter(&copies) {
            ("; the rest with their line", &mut with_line)
        } else {
            survivors.push(name.clone());
            ("; SURVIVE", &mut left)
        };
        *count += rest;
        println!("  {noticed:>6}/{:<6} {name}{fate}", copies.len());
        let unnoticed = copies.iter().filter(|&&copy| !is_noticed[copy]);
        for &copy in unnoticed {
            let [left, right] = system.copies[copy].map(|end| texts.describe(system, end));
            println!("                not alone: {left} = {right}");
        }
    }
    println!(
        "{}: {} copies: {alone} killed alone, {with_line} with their line, {by_forgery} by forgery, {left} left",
        C::NAME,
        system.copies.len()
    );
    survivors
}

fn report_polynomials<C: Rigid>(system: &System, noticed: &Noticed, matter: impl Fn(usize) -> bool) -> Vec<String> {
    println!("{}: rows whose own loss is noticed, of all, by polynomial", C::NAME);
    let mut survivors = Vec::new();
    let [mut gates, mut lookups] = [0; 2];
    for (number, polynomial) in system.polynomials.iter().enumerate() {
        let equations = system.equations.iter().zip(&noticed.equations);
        let rows: Vec<bool> = equations.filter(|(e, _)| e.polynomial == number).map(|(_, noticed)| *noticed).collect();
        // What no row uses isn't there: the fixed input of a lookup, say.
        if polynomial.gate == GIVEN || rows.is_empty() {
            continue;
        }
        *if polynomial.gate.starts_with(LOOKUP) { &mut lookups } else { &mut gates } += 1;
        let alone = rows.iter().filter(|noticed| **noticed).count();
        let fate = if alone > 0 {
            ""
        } else if matter(number) {
            "; as a whole"
        } else {
            survivors.push(format!("{}: {}", polynomial.gate, polynomial.name));
            "; SURVIVES"
        };
        let Polynomial { gate, name, .. } = polynomial;
        println!("  {alone:>6}/{:<6} {gate}: {name}{fate}", rows.len());
    }
    let killed = gates + lookups - survivors.len();
    println!("{}: {gates} polynomials of gates and {lookups} inputs of lookups: {killed} killed", C::NAME);
    survivors
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
        let mut mutant = system.ranges();
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
