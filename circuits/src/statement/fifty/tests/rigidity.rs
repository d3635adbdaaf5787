//! What is free in *fifty*, to first order: see [`crate::rigidity`].
//!
//! The commitment alone, through its salt. No private cell is: the state is bits and flags, which don't move, and the salt follows from the commitment. So neither the bit
//! nor one of the zeros that fill the shape can move.

use std::collections::BTreeSet;

use ff::Field;
use fog::{
    statement::fifty::{FIFTY, FiftyInputs, gather},
    testing::fifties,
};
use halo2curves::bn256::Fr;
use rand::{SeedableRng, rngs::StdRng};
use rules::side::SINCE_PAWN_MAX;

use super::{super::FiftyCircuit, FORGERIES};
use crate::{
    StatementCircuit,
    gadget::Label,
    rigidity::{Honest, Rigid, named},
};

/// Public inputs that are free, and through what.
const FREE: [(&str, &str); 1] = [("commitment", "its salt")];

impl Rigid for FiftyCircuit {
    // 218 bits and flags and the salt, less what says which flags go together, and the raised counter's bits with the counter's.
    const LOOSENED: &'static [usize] = &[218 + 1 - 2; 8];
    // All that is bound are flags.
    const UNBOUND: &'static [usize] = &[1; 4];

    fn is_output(row: usize) -> bool {
        FiftyInputs::NAMES.get(row).is_none_or(|name| *name == "bit")
    }

    /// Counters on both sides of fifty, each with a double push before it and without.
    fn honest(seed: u64) -> Vec<Honest<Self>> {
        let rng = &mut StdRng::seed_from_u64(seed);
        let mut honest = Vec::new();
        for has_pushed in [false, true] {
            let mut draws = fifties(seed).map(|(_, private)| private.side.clone());
            let drawn = draws.find(|side| side.double_push.is_some() == has_pushed).expect("an endless row");
            for since_pawn in [0, FIFTY - 1, FIFTY, SINCE_PAWN_MAX] {
                let side = rules::Side { since_pawn, ..drawn.clone() };
                let (public, private) = gather(&side, Fr::random(&mut *rng)).expect("a side that fits");
                honest.push(Honest {
                    what: format!("{since_pawn}, {:?}", side.double_push),
                    circuit: FiftyCircuit::new(&public, &private),
                    free: Box::new(|system, _| named(system, &FiftyInputs::NAMES, &FREE)),
                });
            }
        }
        honest
    }

    fn forged() -> BTreeSet<Label> {
        FORGERIES.map(|(_, _, reason)| reason).into()
    }
}
