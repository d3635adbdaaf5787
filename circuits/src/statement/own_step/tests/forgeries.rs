//! For every binding of *own step*, a forgery that would pass without it. Those of *turn*'s parts are *turn*'s own.

use std::{collections::BTreeSet, sync::Arc};

use fog::{
    engine::sight_lines::context::square_field,
    statement::{own_step::OwnStepInputs, turn::TurnInputs},
    testing::seed,
};
use halo2curves::bn256::Fr;
use rand::{SeedableRng, rngs::StdRng};
use rules::PieceType;

use super::super::{OwnStepCircuit, Witness};
use crate::{
    StatementCircuit,
    gadget::{
        Label, Tamper,
        trace::{self, Lies, lay, refusals},
    },
    statement::turn::{
        move_witness::STEPS,
        tests::forgeries::{self as turn, Turn},
        witness::Witness as TurnWitness,
    },
};

/// The public inputs that a cheating mover declares as they fit. (`C` stands on chain, but from earlier moves of the same mover.)
const DECLARED: [&str; 3] = ["commitment", "next_commitment", "capture"];

/// What a forgery says, the move that it begins with, its lie, and the binding that alone refuses it.
type Forgery = (&'static str, Turn, fn(&mut Witness), Label);

const OWN: [Forgery; 8] = [
    ("a rook leaps over a pawn", LEAP, |_| (), "OS1.crossed_empty"),
    (
        "a rook leaps over a pawn and says that it crosses another square instead",
        LEAP,
        |w| (w.mv.active[1], w.mv.active[STEPS - 1]) = (false, true),
        NO_GAP,
    ),
    (
        "a king castles with a rook beside the corner of file a, which isn't there",
        Turn("k7/8/8/8/8/8/7K/1R6 w - -", "h2h3", &["b1", "c1", "d1", "e1"]),
        |w| {
            (w.mv.castle[1], w.mv.rights[1]) = (true, true);
            (w.mv.viewer, w.mv.direction) = (PieceType::Rook.code(), RIGHT);
            let [b1, c1, d1] = [1, 2, 3];
            w.mv.next_types[b1] = 0;
            w.mv.next_types[c1] = PieceType::King.code();
            w.mv.next_types[d1] = PieceType::Rook.code();
        },
        QUEEN_SIDE_CORNER,
    ),
    (
        "a queen leaps over the last square before her target",
        Turn("4k3/6P1/8/8/8/8/8/Q3K3 w - -", "a1h8", &["a1", "b2", "c3", "d4", "e5", "f6", "g7", "h8"]),
        |_| (),
        "OS1.crossed_empty",
    ),
    (
        "a pawn leaps over a knight",
        Turn("4k3/8/8/8/8/4N3/4P3/4K3 w - -", "e2e4", &["e2", "e3"]),
        |_| (),
        "OS1.crossed_empty",
    ),
    (
        "a rook castles over a knight",
        Turn("4k3/8/8/8/8/8/8/RN2K3 w Q -", "e1c1", &["a1", "b1", "c1", "d1"]),
        |_| (),
        "OS1.castling",
    ),
    ("a pawn's push captures", Turn("", "e2e4", &[]), |w| w.public.capture -= Fr::one(), "OS2.capture"),
    (
        "*en passant* from the fourth rank",
        Turn("4k3/8/8/8/4P3/8/8/4K3 w - -", "e4d5", &["e4"]),
        |_| (),
        "OS2.en_passant_rank",
    ),
];

const LEAP: Turn = Turn("4k3/8/8/8/8/8/P7/R3K3 w - -", "a1a3", &["a1", "a2", "a3"]);

/// The place of the direction in `rules::geometry::DIRECTIONS`.
const RIGHT: usize = 2;

// Of *turn*'s bindings those whose own forgeries cross an own man here.
const NO_GAP: Label = "T10.no_gap";
const QUEEN_SIDE_CORNER: Label = "T8.queen_side_corner";

/// What a turn's witness says of a step. The viewer's square is that of the square that the turn opens first.
fn of_turn(turn: &TurnWitness) -> Witness {
    let TurnInputs { commitment, pending, next_commitment, color, capture, .. } = turn.public;
    let public = OwnStepInputs { commitment, pending, next_commitment, color, capture };
    let mut mv = turn.mv.clone();
    mv.viewer_square = turn.opened[0].square;
    Witness { takes: capture != square_field(None), public, mv }
}

fn circuit(witness: &Witness, tampers: &[Tamper]) -> OwnStepCircuit {
    OwnStepCircuit { witness: Arc::new(witness.clone()), tampers: tampers.to_vec() }
}

/// The labels of the bindings that refuse a lie; what it declares in public is made to fit.
fn refused(what: &str, honest: &Witness, mut witness: Witness, tampers: &[Tamper]) -> BTreeSet<Label> {
    let said = honest.public.to_array();
    let mut claimed = witness.public.to_array();
    let trace = lay(&circuit(&witness, tampers), &claimed).1;
    for (i, name) in OwnStepInputs::NAMES.iter().enumerate() {
        if DECLARED.contains(name) && claimed[i] == said[i] {
            claimed[i] = trace.fitting(&trace.public[i]);
        }
    }
    witness.public = OwnStepInputs::from_array(claimed);
    refusals(&circuit(&witness, tampers), &claimed, what)
}

/// All labels that are laid.
fn laid() -> BTreeSet<Label> {
    let honest = OwnStepCircuit::blank();
    let instance = honest.witness.public.to_array();
    lay(&honest, &instance).1.labels()
}

/// The labels that a forgery is refused for.
pub fn reasons() -> BTreeSet<Label> {
    let own = OWN.iter().map(|(_, _, _, reason)| *reason);
    own.chain(turn::reasons().intersection(&laid()).copied()).collect()
}

#[test]
fn every_binding_refuses_a_forgery_that_nothing_else_refuses() {
    let rng = &mut StdRng::seed_from_u64(seed(225));
    let laid = laid();
    let forgeries = turn::ALL.into_iter().flatten();
    let forgeries = forgeries
        .filter(|forgery| laid.contains(forgery.reason) && ![NO_GAP, QUEEN_SIDE_CORNER].contains(&forgery.reason));
    let mut forged = BTreeSet::new();
    for forgery in forgeries {
        let mut witness = forgery.turn.witness(rng);
        let honest = of_turn(&witness);
        let trace = lay(&circuit(&honest, &[]), &honest.public.to_array()).1;
        let mut lies = Lies::new(&trace);
        (forgery.lie)(&mut witness, &mut lies);
        let found = refused(forgery.what, &honest, of_turn(&witness), &lies.tampers);
        assert_eq!(found, BTreeSet::from([forgery.reason]), "{}", forgery.what);
        forged.insert(forgery.reason);
    }
    for (what, turn, lie, reason) in OWN {
        let honest = of_turn(&turn.witness(rng));
        let mut witness = honest.clone();
        lie(&mut witness);
        assert_eq!(refused(what, &honest, witness, &[]), BTreeSet::from([reason]), "{what}");
        forged.insert(reason);
    }
    let [own, of_turn] = [true, false].map(|is_own| {
        let of = |labels: &BTreeSet<Label>| {
            labels.iter().copied().filter(|label| label.starts_with("OS") == is_own).collect()
        };
        [of(&laid), of(&forged)] as [BTreeSet<Label>; 2]
    });
    assert_eq!(of_turn[0], of_turn[1], "of turn's bindings");
    trace::assert_labels("OS", &own[0], &own[1]);
}
