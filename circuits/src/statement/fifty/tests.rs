//! *fifty* against its native twin, and a forgery for every binding.

mod rigidity;
mod values;

use std::collections::BTreeSet;

use fog::{
    commitment::commit,
    statement::fifty::check,
    testing::{break_each, fifties, mutations_fifty, seed},
};
use halo2curves::bn256::Fr;

use super::{FiftyCircuit, RAISED_BITS};
use crate::{
    StatementCircuit,
    gadget::{
        Label,
        trace::{self, Lies, lay, refusals},
    },
    laid::{self, is_satisfied},
};

#[test]
fn every_counter_has_its_bit_and_no_other() {
    let (mut public, mut private) = fifties(seed(51)).next().expect("an endless row");
    for counter in [0, 49, 50, 63, 64, 127] {
        private.side.since_pawn = counter;
        public.commitment = commit(&private.side, private.salt);
        for bit in [false, true] {
            public.bit = bit;
            let expected = check(&public, &private).is_ok();
            assert_eq!(expected, bit == (counter >= 50));
            assert_eq!(is_satisfied::<FiftyCircuit>(&public, &private), expected, "{counter}, {bit}");
        }
    }
}

#[test]
fn a_broken_value_breaks_the_circuit() {
    let (public, private) = fifties(seed(52)).next().expect("an endless row");
    assert!(is_satisfied::<FiftyCircuit>(&public, &private));
    break_each(&mutations_fifty(), 1, [("", (public, private))], |name, public, private, expected| {
        assert_eq!(check(public, private), Err(expected), "{name}");
        assert!(!is_satisfied::<FiftyCircuit>(public, private), "{name}: the circuit doesn't notice");
    });
}

/// The two that the statement has, and the zeros that fill the shape.
#[test]
fn every_public_input_is_bound() {
    let (public, private) = fifties(seed(53)).next().expect("an endless row");
    laid::every_public_input_is_bound::<FiftyCircuit>(&public, &private);
}

/// What a forgery says, its lie, and the binding that alone refuses it. What it declares in public is made to fit.
type Forgery = (&'static str, fn(&mut Lies<'_>), Label);

const FORGERIES: [Forgery; 2] = [
    ("a double push of no file, or of two", |lies| lies.turn_flag("F1.double_push", 9, 0), "F1.double_push"),
    ("the bit is turned", |lies| lies.turn_flag("F2.counter", RAISED_BITS, RAISED_BITS - 1), "F2.counter"),
];

#[test]
fn every_binding_refuses_a_forgery_that_nothing_else_refuses() {
    let (public, private) = fifties(seed(54)).next().expect("an endless row");
    let honest = FiftyCircuit::new(&public, &private);
    let instance = FiftyCircuit::instance(&public).remove(0);
    let (_, honest_trace) = lay(&honest, &instance);
    let mut forged = BTreeSet::new();
    for (what, lie, reason) in FORGERIES {
        let mut lies = Lies::new(&honest_trace);
        lie(&mut lies);
        let circuit = honest.tampered(lies.tampers);
        let trace = lay(&circuit, &instance).1;
        let fitting: Vec<Fr> = trace.public.iter().map(|cell| cell.value).collect();
        assert_eq!(refusals(&circuit, &fitting, what), BTreeSet::from([reason]), "{what}");
        forged.insert(reason);
    }
    trace::assert_labels("F", &honest_trace.labels(), &forged);
}
