//! For every statement of *turn* that binds two cells, a forgery that would pass without it: the circuit refuses it for that reason and for
//! no other. One file for each of the circuit's. The gates have their own tests in [`crate::gadget`].
//!
//! A forgery begins with the honest witness of some move, legal or not, and changes what a prover chooses; what follows from that is computed
//! anew, and what the mover declares in public is made to fit.

mod board;
mod openings;
mod points;
mod step;
mod view;

use std::{collections::BTreeSet, sync::Arc};

use fog::testing::{Walk, any_turn, seed};
use halo2curves::bn256::Fr;
use rand::{SeedableRng, rngs::StdRng};
use rules::{Color, PieceType, Position, Square};

use crate::{
    gadget::{
        Tamper,
        trace::{self, Lies, Line, lay, refusals, statement},
    },
    turn::{TurnCircuit, witness::Witness},
};

/// A move from a position, with the squares that its player opens, the viewer's first. Without a position it is White's first move.
struct Turn(&'static str, &'static str, &'static [&'static str]);

const FIRST: Turn = Turn("", "e2e4", &[]);
const FIRST_KNIGHT: Turn = Turn("", "b1c3", &[]);
const KNIGHT_MOVE: Turn = Turn("4k3/8/8/8/8/8/8/1N2K3 w - -", "b1c3", &["b1"]);
const CASTLING: Turn = Turn("4k3/8/8/8/8/8/8/R3K2R w KQ -", "e1g1", &["h1", "g1", "f1"]);

/// A witness that only one statement refuses.
struct Forgery {
    /// What it says or would win.
    what: &'static str,
    turn: Turn,
    lie: fn(&mut Witness, &mut Lies<'_>),
    /// The statement that refuses it.
    reason: &'static str,
}

// Places of public inputs.
const C: usize = 0;
const PENDING: usize = 1;
const NEXT_C: usize = 2;
const REQUEST_ROOT: usize = 3;
const ANSWER_ROOT: usize = 4;
const NEXT_ROOT: usize = 8;
const OPENING: usize = 10;
const CAPTURE: usize = 11;
const KING_FELL: usize = 12;

/// The public inputs that a cheating mover declares as they fit. (`C` stands on chain, but from earlier moves of the same mover.)
const DECLARED: [usize; 5] = [C, NEXT_C, NEXT_ROOT, CAPTURE, KING_FELL];

/// The columns of arithmetic's factors.
const FACTORS: [usize; 2] = [0, 1];

const PAWN: u8 = PieceType::Pawn as u8;
const KNIGHT: u8 = PieceType::Knight as u8;
const ROOK: u8 = PieceType::Rook as u8;
const QUEEN: u8 = PieceType::Queen as u8;
const KING: u8 = PieceType::King as u8;

fn square(name: &str) -> Square {
    name.parse().expect("a square")
}

/// Changes what stands on a square after the move.
fn put(w: &mut Witness, name: &str, kind: u8) {
    w.next_types[square(name).index()] = kind;
}

/// The captured square, in public and as the prover's flags.
fn set_pending(w: &mut Witness, name: &str) {
    w.pending = Some(square(name));
    w.instance[PENDING] = Fr::from(square(name).index() as u64);
}

impl Turn {
    fn witness(&self, rng: &mut StdRng) -> Witness {
        let Self(fen, mv, opened) = self;
        let walk = if fen.is_empty() {
            Walk::start()
        } else {
            let position = Position::from_fen(&format!("{fen} 0 1")).expect("a position");
            let sides = Color::ALL.map(|color| position.side(color).clone());
            Walk::from_sides(sides, Color::White)
        };
        let opened: Vec<Square> = opened.iter().map(|name| square(name)).collect();
        let (public, private) = any_turn(&walk, mv.parse().expect("a move"), &opened, rng);
        Witness::new(&public, &private)
    }
}

impl Forgery {
    /// The lines that refuse it; and all lines of *turn* that could.
    fn refusals(&self, rng: &mut StdRng) -> (BTreeSet<Line>, BTreeSet<Line>) {
        let mut witness = self.turn.witness(rng);
        let honest = lay(&circuit(&witness, Vec::new()), &witness.instance).1;
        let said = witness.instance;
        let mut lies = Lies::new(&honest, FACTORS);
        (self.lie)(&mut witness, &mut lies);
        let tampers = lies.tampers;

        let trace = lay(&circuit(&witness, tampers.clone()), &witness.instance).1;
        for i in DECLARED {
            if witness.instance[i] == said[i] {
                witness.instance[i] = trace.fitting(&trace.public[i]);
            }
        }
        let refusals = refusals(&circuit(&witness, tampers), &witness.instance, self.what);
        let lines = trace.bound.iter().map(|bound| bound.line);
        let ours = lines.filter(|line| line.0.contains("src/turn/"));
        (refusals, ours.collect())
    }
}

fn circuit(witness: &Witness, tampers: Vec<Tamper>) -> TurnCircuit {
    let witness = Arc::new(witness.clone());
    TurnCircuit { witness, tampers }
}

#[test]
fn every_statement_refuses_a_forgery_that_nothing_else_refuses() {
    let rng = &mut StdRng::seed_from_u64(seed(31));
    let all = [board::ALL, openings::ALL, points::ALL, step::ALL, view::ALL];
    let (mut reasons, mut lines) = (BTreeSet::new(), BTreeSet::new());
    for forgery in all.into_iter().flatten() {
        let (refusals, all) = forgery.refusals(rng);
        let reason = trace::find(all.iter().copied(), forgery.reason);
        assert_eq!(refusals, BTreeSet::from([reason]), "{}", forgery.what);
        reasons.insert(reason);
        lines.extend(all);
    }
    let silent: Vec<_> = lines.difference(&reasons).copied().map(statement).collect();
    assert!(
        silent.is_empty(),
        "nothing shows what these refuse: {silent:#?}"
    );
}
