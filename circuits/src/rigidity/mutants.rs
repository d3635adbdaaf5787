//! Mutants: circuits from which one constraint is missing.
//!
//! * Each copy: every single one, those of [`Input::Copy`](crate::gadget::Input), those of `equal` and those of the public inputs.
//! * Each polynomial of a gate, and each input of a lookup.
//!
//! `make mutants` looks at all of them, in every space at every witness at which a test looks at that space ([`Look`]). A mutant is killed
//!
//! * *by a space*, if at one of these the space is another one without it: then the test of that space fails. To see this for all constraints at once takes one
//!   solution ([`super::tangent`]). Of a polynomial this is said of its single rows, of which one is enough.
//! * *by forgery*, if it is all that a label stands for: the statement's forgeries hold that one of them is refused for this label and for nothing else. Without it that one passes.
//!   Some polynomials, too, which say which of a few values a cell has, are named by a test that gives it another.
//!
//! What is left survives, and fails the run, unless it is explained ([`super::report`] groups, counts and prints).
//!
//! The ordinary test takes a few mutants of a space at a witness that a fresh seed chooses, and really leaves each out: the dimension must grow by one
//! where the solution for all says that it does, and not where it doesn't.

use rand::{Rng, RngCore, SeedableRng, rngs::StdRng};

use super::{
    Honest, Lines, Look, Rigid, SEED, System, asked,
    report::report,
    system::Equation,
    tangent::{Needed, Tangent},
};

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

fn all<C: Rigid>() {
    let (mut noticed, mut last) = (None::<Needed>, None);
    for (number, honest) in C::honest(SEED).iter().enumerate() {
        let system = System::of(&honest.circuit, C::is_given);
        for look in Look::ALL.into_iter().filter(|look| look.is_at::<C>(number)) {
            let needed = look.tangent::<C>(&system).needed(&mut StdRng::seed_from_u64(SEED));
            noticed.get_or_insert_with(|| Needed::nothing(&system)).or(&needed);
        }
        last = Some(system);
    }
    let survivors = report::<C>(&last.expect("a witness"), &noticed.expect("a witness"));
    assert!(survivors.is_empty(), "{}: nobody notices that these are missing: {survivors:#?}", C::NAME);
}

/// Really leaves out some constraints of one witness.
fn sample<C: Rigid>() {
    let fresh = rand::thread_rng().next_u64() >> 32;
    let seed = fog::testing::seed(fresh);
    let rng = &mut StdRng::seed_from_u64(seed);
    let mut witnesses = C::honest(seed);
    let honest: Honest<C> = witnesses.swap_remove(rng.gen_range(0..witnesses.len()));
    let without = Look::ALL[rng.gen_range(0..Look::ALL.len())];
    let system = System::of(&honest.circuit, C::is_given);
    let whole = without.tangent::<C>(&system);
    let (left_out, needed) = (&whole.left_out, whole.needed(rng));
    let asked = asked::<C>(&system, &mut Lines::default());
    for _ in 0..SAMPLE {
        let copy = rng.gen_range(0..system.copies.len());
        let equation = rng.gen_range(0..system.equations.len());
        let is_copy = rng.r#gen();
        let (is_left_out, is_needed) = if is_copy {
            (left_out.copies[copy], needed.copies[copy])
        } else {
            (left_out.equations[equation], needed.equations[equation])
        };
        if is_left_out {
            continue;
        }
        let what = if is_copy {
            format!("copy {copy}, {:?}", system.asked.get(copy))
        } else {
            let Equation { polynomial, row, .. } = system.equations[equation];
            format!("{:?} on row {row}", system.polynomials[polynomial])
        };
        let mut mutant = without.left_out(&system);
        if is_copy {
            mutant.copies[copy] = true;
        } else {
            mutant.equations[equation] = true;
        }
        let tangent = Tangent::of(&system, mutant, &asked);
        let grown = tangent.free.len() - whole.free.len();
        println!("{} {} {without:?} without {what}: {grown} more", C::NAME, honest.what);
        assert_eq!(grown, usize::from(is_needed), "{} {} {without:?} without {what}", C::NAME, honest.what);
    }
}
