//! For every binding of *turn*, a forgery that would pass without it: the circuit refuses it for that reason and for
//! no other. One file for each of the circuit's. The gates have their own tests in [`crate::gadget`].
//!
//! A forgery begins with the honest witness of some move, legal or not, and changes what a prover chooses; what follows from that is computed
//! anew, and what the mover declares in public is made to fit.

mod board;
mod move_flags;
mod openings;
mod points;
mod view;

use std::{collections::BTreeSet, sync::Arc};

use fog::{
    statement::turn::TurnInputs,
    testing::{Walk, any_turn, seed},
};
use halo2curves::bn256::Fr;
use rand::{SeedableRng, rngs::StdRng};
use rules::{Color, PieceType, Position, Square};

use super::super::{TurnCircuit, witness::Witness};
use crate::gadget::{
    Label, Tamper,
    trace::{self, Lies, lay, refusals},
};

/// A move from a position, with the squares that its player opens, the viewer's first. Without a position it is White's first move.
pub struct Turn(pub &'static str, pub &'static str, pub &'static [&'static str]);

const FIRST: Turn = Turn("", "e2e4", &[]);
const FIRST_KNIGHT: Turn = Turn("", "b1c3", &[]);
const KNIGHT_MOVE: Turn = Turn("4k3/8/8/8/8/8/8/1N2K3 w - -", "b1c3", &["b1"]);
const CASTLING: Turn = Turn("4k3/8/8/8/8/8/8/R3K2R w KQ -", "e1g1", &["h1", "g1", "f1"]);

/// A witness that only one binding refuses.
pub struct Forgery {
    /// What it says or would win.
    pub what: &'static str,
    pub turn: Turn,
    pub lie: fn(&mut Witness, &mut Lies<'_>),
    /// The binding that refuses it.
    pub reason: Label,
}

pub const ALL: [&[Forgery]; 5] = [board::ALL, openings::ALL, points::ALL, move_flags::ALL, view::ALL];

/// The labels that a forgery is refused for.
pub fn reasons() -> BTreeSet<Label> {
    ALL.into_iter().flatten().map(|forgery| forgery.reason).collect()
}

/// The public inputs that a cheating mover declares as they fit. (`C` stands on chain, but from earlier moves of the same mover.)
const DECLARED: [&str; 5] = ["commitment", "next_commitment", "next_request_root", "capture", "king_fell"];

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
    w.mv.next_types[square(name).index()] = kind;
}

/// The captured square, in public and as the prover's flags.
fn set_pending(w: &mut Witness, name: &str) {
    w.mv.pending = Some(square(name));
    w.public.pending = Fr::from(square(name).index() as u64);
}

impl Turn {
    pub fn witness(&self, rng: &mut StdRng) -> Witness {
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
    /// The labels of the bindings that refuse it; and all labels of *turn*.
    fn refusals(&self, rng: &mut StdRng) -> (BTreeSet<Label>, BTreeSet<Label>) {
        let mut witness = self.turn.witness(rng);
        let honest = lay(&circuit(&witness, &[]), &witness.public.to_array()).1;
        let said = witness.public.to_array();
        let mut lies = Lies::new(&honest);
        (self.lie)(&mut witness, &mut lies);
        let tampers = lies.tampers;

        let mut claimed = witness.public.to_array();
        let trace = lay(&circuit(&witness, &tampers), &claimed).1;
        for (i, name) in TurnInputs::NAMES.iter().enumerate() {
            if DECLARED.contains(name) && claimed[i] == said[i] {
                claimed[i] = trace.fitting(&trace.public[i]);
            }
        }
        witness.public = TurnInputs::from_array(claimed);
        let refusals = refusals(&circuit(&witness, &tampers), &claimed, self.what);
        (refusals, trace.labels())
    }
}

fn circuit(witness: &Witness, tampers: &[Tamper]) -> TurnCircuit {
    TurnCircuit { witness: Arc::new(witness.clone()), tampers: tampers.to_vec() }
}

#[test]
fn every_binding_refuses_a_forgery_that_nothing_else_refuses() {
    let rng = &mut StdRng::seed_from_u64(seed(31));
    let (mut forged, mut laid) = (BTreeSet::new(), BTreeSet::new());
    for forgery in ALL.into_iter().flatten() {
        let (refusals, labels) = forgery.refusals(rng);
        assert_eq!(refusals, BTreeSet::from([forgery.reason]), "{}", forgery.what);
        forged.insert(forgery.reason);
        laid.extend(labels);
    }
    trace::assert_labels("T", &laid, &forged);
}
