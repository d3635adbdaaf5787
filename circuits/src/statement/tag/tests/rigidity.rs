//! What is free in the statements of tag, to first order: see [`crate::rigidity`].
//!
//! Squares, steps and the bits of exponents don't move, so neither does a set, its hash or an own element. Free are
//!
//! * *tag step*: the commitment before, through its salt, and the new one, through the other exponent, which the statement doesn't read; of a placed
//!   king the salt of what it comes from, which is nothing;
//! * *tag reply*: the commitment, through the other exponent; and the set that is replied to, nine private cells whose hash moves with them, as the raised
//!   points do;
//! * *tag capture*: the commitment, through the other exponent; the replier's element, and with it what it is raised to; and the captor's square, of which
//!   nothing is said: it is a private input whose commitment moves with it.

use std::collections::BTreeSet;

use contest::tag::{
    statement::{capture::CaptureInputs, reply::ReplyInputs, step::StepInputs},
    testing::{captures, replies, steps},
};

use super::{
    super::{TagCaptureCircuit, TagReplyCircuit, TagStepCircuit},
    forgeries,
};
use crate::{
    StatementCircuit,
    gadget::Label,
    rigidity::{CellId, Free, Honest, Lines, Rigid, System, named},
};

const FILES: [&str; 3] = ["tag/step.rs", "tag/reply.rs", "tag/capture.rs"];

/// Digits that move in the row of each gate that is laid so that no fixed column is empty: of a ladder, and what a window looks up.
const GATES: usize = 1 + 3;

/// Whether a public input is none of some.
fn is_none_of(names: &[&str], row: usize, free: &[(&str, &str)]) -> bool {
    names.get(row).is_none_or(|name| free.iter().all(|(other, _)| other != name))
}

/// The first cell of each row that a line laid: the values of the prover's on it.
fn witnesses(system: &System, lines: &mut Lines, file: &str, text: &str) -> Vec<CellId> {
    lines.laid(system, file, text).into_iter().map(|row| row[0]).collect()
}

const STEP_FREE: [(&str, &str); 2] = [("previous", "its salt"), ("commitment", "the exponent of replies")];
const PLACED_FREE: [(&str, &str); 1] = [("commitment", "the exponent of replies")];

impl Rigid for TagStepCircuit {
    // Both commitments; flags of squares, of steps and of placing; the bits of side and room, of which one follows; the first digit of the exponent; what
    // every gate leaves.
    const LOOSENED: &'static [usize] = &[2 + 63 + 7 + 1 + 3 + 1 + GATES; 2];
    // All that is bound are flags and digits.
    const UNBOUND: &'static [usize] = &[2; 3];

    fn is_output(row: usize) -> bool {
        is_none_of(&StepInputs::NAMES, row, &STEP_FREE)
    }

    fn honest(seed: u64) -> Vec<Honest<Self>> {
        let draws = steps(seed).take(3).enumerate().map(|(number, (public, private))| {
            let is_placed = public.start.is_some();
            Honest {
                what: format!("{number}, {:?}{}", public.size, if is_placed { ", placed" } else { "" }),
                circuit: TagStepCircuit::new(&public, &private),
                free: Box::new(move |system, lines| free_of_step(is_placed, system, lines)),
            }
        });
        draws.collect()
    }

    fn forged() -> BTreeSet<Label> {
        forgeries::step_reasons()
    }
}

fn free_of_step(is_placed: bool, system: &System, lines: &mut Lines) -> Free {
    if !is_placed {
        return named(system, &StepInputs::NAMES, &STEP_FREE);
    }
    let mut free = named(system, &StepInputs::NAMES, &PLACED_FREE);
    let salt = witnesses(system, lines, FILES[0], "cx.witness(self.before_salt)")[0];
    free.insert(salt, "the salt of nothing".to_owned());
    free
}

const REPLY_FREE: [(&str, &str); 1] = [("commitment", "the exponent of the set")];

impl Rigid for TagReplyCircuit {
    // The commitment and the set; flags of squares; the first digit of the exponent; what every gate leaves.
    const LOOSENED: &'static [usize] = &[10 + 63 + 1 + GATES; 1];
    // The y-coordinates of the set, too.
    const UNBOUND: &'static [usize] = &[10 + 9; 1];

    fn is_output(row: usize) -> bool {
        is_none_of(&ReplyInputs::NAMES, row, &REPLY_FREE)
    }

    fn private_inputs(system: &System, lines: &mut Lines) -> Vec<CellId> {
        witnesses(system, lines, FILES[1], "let x = cx.witness(point.x)")
    }

    fn honest(seed: u64) -> Vec<Honest<Self>> {
        let draws = replies(seed).take(2).enumerate().map(|(number, (public, private))| Honest {
            what: format!("{number}"),
            circuit: TagReplyCircuit::new(&public, &private),
            free: Box::new(|system, lines| {
                let mut free = named(system, &ReplyInputs::NAMES, &REPLY_FREE);
                for cell in Self::private_inputs(system, lines) {
                    free.insert(cell, "an element of the set".to_owned());
                }
                free
            }),
        });
        draws.collect()
    }

    fn forged() -> BTreeSet<Label> {
        forgeries::reply_reasons()
    }
}

const CAPTURE_FREE: [(&str, &str); 2] = [("commitment", "the exponent of replies"), ("own", "what it is")];

impl Rigid for TagCaptureCircuit {
    // Commitment, element and square; the first digit of the exponent; what every gate leaves.
    const LOOSENED: &'static [usize] = &[3 + 1 + GATES; 1];
    // The element's y-coordinate, too.
    const UNBOUND: &'static [usize] = &[3 + 1; 1];

    fn is_output(row: usize) -> bool {
        is_none_of(&CaptureInputs::NAMES, row, &CAPTURE_FREE)
    }

    fn private_inputs(system: &System, lines: &mut Lines) -> Vec<CellId> {
        witnesses(system, lines, FILES[2], "cx.witness(Fr::from(position.square.code()))")
    }

    fn honest(seed: u64) -> Vec<Honest<Self>> {
        let draws = captures(seed).take(2).enumerate().map(|(number, (public, private))| Honest {
            what: format!("{number}"),
            circuit: TagCaptureCircuit::new(&public, &private),
            free: Box::new(|system, lines| {
                let mut free = named(system, &CaptureInputs::NAMES, &CAPTURE_FREE);
                for cell in Self::private_inputs(system, lines) {
                    free.insert(cell, "the captor's square".to_owned());
                }
                free
            }),
        });
        draws.collect()
    }

    fn forged() -> BTreeSet<Label> {
        forgeries::capture_reasons()
    }
}
