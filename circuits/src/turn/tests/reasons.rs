//! For every line of *turn* that binds two cells: a witness that it refuses; printed with the witness that it refuses alone, if one was found.
//!
//! A witness here is a valid one with one or two of its plain values changed. Gates can't refuse such a witness, since all that follows from the
//! values is computed; only what must be equal can come out unequal. The gates have their own tests in [`crate::gadget`].

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use ff::Field;
use fog::testing::{Illegal, TurnCase, illegal_turns, mutations_turn, seed, turns};
use halo2_proofs::dev::MockProver;
use halo2curves::{bn256::Fr, grumpkin};
use rand::{Rng, SeedableRng, rngs::StdRng};
use rules::Square;

use crate::{
    StatementCircuit,
    gadget::sheet::asserted::{self, Asserted},
    turn::{TurnCircuit, witness::Witness},
};

type Line = (&'static str, u32);

/// Public inputs that the mover declares, so a cheating one declares whatever fits: `C`, `C'`, the next request's root, the capture square
/// and the king flag. (`C` stands on chain, but from earlier moves of the same mover.)
const DECLARED: [usize; 5] = [0, 2, 8, 11, 12];

/// Everything that the circuit binds for a witness.
fn lay(witness: &Arc<Witness>) -> Vec<Asserted> {
    let instance = vec![witness.instance.to_vec()];
    let circuit = TurnCircuit {
        witness: witness.clone(),
        tamper: None,
    };
    asserted::take();
    MockProver::run(TurnCircuit::K, &circuit, instance).expect("a turn fits its rows");
    asserted::take()
}

/// The lines that find unequal values, after the mover has declared what fits; and all lines.
fn refusals(mut witness: Witness, declare: bool) -> (BTreeSet<Line>, BTreeSet<Line>) {
    if declare {
        let given = Arc::new(witness.clone());
        let all = lay(&given);
        let public = asserted::public();
        for asserted in all {
            for i in DECLARED {
                if public[i] == asserted::place(asserted.right.position()) {
                    witness.instance[i] = asserted.left.value;
                }
            }
        }
    }
    let asserted = lay(&Arc::new(witness));
    let ours = asserted.iter().filter(|a| a.line.0.contains("turn"));
    let failed = ours.clone().filter(|a| a.left.value != a.right.value);
    (
        failed.map(|a| a.line).collect(),
        ours.map(|a| a.line).collect(),
    )
}

/// A change of some value of a witness.
type Change = fn(&mut Witness, &mut StdRng);

/// One change for everything that a prover chooses.
const CHANGES: [(&str, Change); 27] = [
    ("start off the curve", |w, _| w.offset.y += Fr::ONE),
    ("commitment", |w, _| w.instance[0] += Fr::ONE),
    ("pending", |w, _| w.instance[1] += Fr::ONE),
    ("next commitment", |w, _| w.instance[2] += Fr::ONE),
    ("request root", |w, _| w.instance[3] += Fr::ONE),
    ("answer root", |w, _| w.instance[4] += Fr::ONE),
    ("next request root", |w, _| w.instance[8] += Fr::ONE),
    ("colour", |w, _| w.instance[9] = Fr::ONE - w.instance[9]),
    ("opening", |w, _| w.instance[10] = Fr::ONE - w.instance[10]),
    ("capture", |w, _| w.instance[11] += Fr::ONE),
    ("king flag", |w, _| {
        w.instance[12] = Fr::ONE - w.instance[12]
    }),
    ("rights", |w, rng| w.rights[rng.gen_range(0..2)] ^= true),
    ("counter", |w, _| w.since_pawn ^= 1),
    ("pending pointer", |w, rng| {
        w.pending = Square::new(rng.gen_range(0..64))
    }),
    ("no pending pointer", |w, _| w.pending = None),
    ("next types", |w, rng| {
        w.next_types[rng.gen_range(0..64)] ^= 1
    }),
    ("viewer's type", |w, rng| w.viewer = rng.gen_range(0..7)),
    ("castling", |w, rng| w.castle[rng.gen_range(0..2)] ^= true),
    ("pawn mode", |w, rng| w.pawn[rng.gen_range(0..4)] ^= true),
    ("another pawn mode", |w, rng| {
        w.pawn = [false; 4];
        w.pawn[rng.gen_range(0..4)] = true;
    }),
    ("direction", |w, rng| w.direction = rng.gen_range(0..9)),
    ("more steps", |w, _| w.steps += 1),
    ("fewer steps", |w, _| w.steps = w.steps.saturating_sub(1)),
    ("opened square", |w, rng| {
        w.openings[rng.gen_range(0..3)].square =
            Square::new(rng.gen_range(0..64)).expect("on the board")
    }),
    ("opened choice", |w, rng| {
        w.openings[rng.gen_range(0..3)].choice = rng.gen_range(0..7)
    }),
    ("opened scalar", |w, rng| {
        w.openings[rng.gen_range(0..3)].scalar += grumpkin::Fr::ONE
    }),
    ("opened record", |w, rng| {
        let field = rng.gen_range(0..14);
        w.openings[rng.gen_range(0..3)].record[field] += Fr::from(rng.gen_range(1..7));
    }),
];

/// Lines whose two sides are computed from one plain value here, so that no change of a value parts them: three bind the two
/// chains of one scalar and the chain of zeros; two the file and rank of one pending square; one a Merkle node and its copy in the next
/// hash; one says that the flags of opened squares are ones, then zeros.
const TWICE: usize = 7;

/// What was found so far.
#[derive(Default)]
struct Found {
    alone: BTreeMap<Line, String>,
    refused: BTreeSet<Line>,
    all: BTreeSet<Line>,
}

impl Found {
    fn note(&mut self, witness: Witness, declare: bool, what: &str) {
        let (failed, all) = refusals(witness, declare);
        self.all.extend(all);
        self.refused.extend(&failed);
        if let [line] = failed.into_iter().collect::<Vec<_>>()[..] {
            self.alone.entry(line).or_insert_with(|| what.into());
        }
    }
}

#[test]
fn every_line_refuses_some_witness() {
    let seed = seed(31);
    let rng = &mut StdRng::seed_from_u64(seed);
    let mut found = Found::default();
    for case in Illegal::ALL {
        for (public, private, _) in illegal_turns(seed, case).take(1) {
            found.note(Witness::new(&public, &private), true, &format!("{case:?}"));
        }
    }
    let mut mutations = mutations_turn();
    for case in TurnCase::ALL {
        let (public, private) = turns(seed, Some(case)).next().expect("an endless row");
        mutations.retain(|mutation| {
            let (mut public, mut private) = (public.clone(), private.clone());
            let applies = (mutation.apply)(&mut public, &mut private).is_some();
            if applies {
                found.note(Witness::new(&public, &private), false, mutation.name);
            }
            !applies
        });
        for (name, change) in CHANGES {
            let mut witness = Witness::new(&public, &private);
            change(&mut witness, rng);
            found.note(witness, true, &format!("{case:?}: {name}"));
        }
    }
    for line in &found.refused {
        let alone = found
            .alone
            .get(line)
            .map_or("together with others", String::as_str);
        println!("{}:{} {alone}", line.0, line.1);
    }
    let idle: Vec<_> = found.all.difference(&found.refused).collect();
    assert_eq!(idle.len(), TWICE, "these lines refuse nothing: {idle:?}");
}
