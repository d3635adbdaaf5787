//! What is free in *no move*, to first order: see [`crate::rigidity`].
//!
//! Of the public inputs six: the commitment, through its salt; both roots, through siblings and records; `ctx`; and the opponent's fog key, whose place on the curve is the
//! contract's business. The captured square and the color are of flags, which don't move, and the zeros that fill the shape don't either. There are no other outputs:
//! the statement is a yes. Of the private cells what opened squares leave ([`opened`]): a slot is live if it holds a pawn, of whose record its own field
//! is read.

use std::collections::BTreeSet;

use fog::{
    engine::sight_lines::geometry::PAWN_FIELD,
    statement::no_move::NoMoveInputs,
    testing::{NoMoveCase, no_moves},
};
use rand::{SeedableRng, rngs::StdRng};

use super::{
    super::{NoMoveCircuit, witness::Witness},
    forgeries::{self, NO_PAWN, ONE_PAWN},
};
use crate::{
    StatementCircuit,
    gadget::Label,
    rigidity::{
        Free, Honest, Lines, Rigid, System, named,
        opened::{self, Slot},
    },
};

/// Public inputs that are free, and through what.
const FREE: [(&str, &str); 6] = [
    ("commitment", "its salt"),
    ("request_root", "siblings"),
    ("answer_root", "siblings and records"),
    ("context", "what it is"),
    ("fog_key_x", "what it is"),
    ("fog_key_y", "the contract's check that the key is on the curve"),
];

impl Rigid for NoMoveCircuit {
    // 622, and 6 for each slot without a pawn.
    const LOOSENED: &'static [usize] = &[646, 622, 628, 628, 628, 634, 628, 628, 628, 622, 628, 634, 622, 664, 671];
    // 215 as without a pawn, y of Θ, and a node on each level of each path: the rest of what is bound are flags.
    const UNBOUND: &'static [usize] = &[215 + 1 + 96; 4];

    fn is_output(row: usize) -> bool {
        row >= NoMoveInputs::NAMES.len()
    }

    /// Beside the positions of games one whose pawn has the same on either side of it, so that the color says nothing, and one without a pawn, so that no slot is live.
    fn honest(seed: u64) -> Vec<Honest<Self>> {
        let drawn = NoMoveCase::ALL.into_iter().map(|case| {
            let statement = no_moves(seed, Some(case)).next().expect("an endless row");
            (format!("{case:?}"), statement)
        });
        let rng = &mut StdRng::seed_from_u64(seed);
        let constructed = [ONE_PAWN, NO_PAWN].map(|fen| (fen.to_string(), forgeries::statement(fen, rng)));
        let all = drawn.chain(constructed).map(|(what, (public, private))| Honest {
            what: format!("{what}, {}", public.color),
            circuit: NoMoveCircuit::new(&public, &private),
            free: Box::new(move |system, lines| free(&Witness::new(&public, &private), system, lines)),
        });
        all.collect()
    }

    fn forged() -> BTreeSet<Label> {
        forgeries::reasons()
    }
}

fn free(w: &Witness, system: &System, lines: &mut Lines) -> Free {
    let mut free = named(system, &NoMoveInputs::NAMES, &FREE);
    let slots = w.opened.iter().zip(w.active).map(|(slot, is_live)| Slot {
        square: slot.square,
        is_live,
        read: if is_live { [PAWN_FIELD].into() } else { BTreeSet::new() },
    });
    free.extend(opened::free(system, lines, &slots.collect::<Vec<_>>()));
    free
}
