//! What is free in *turn*, to first order: see [`crate::rigidity`].
//!
//! Of the public inputs seven: both commitments, each through its salt; both roots, through siblings on the paths; `ctx`; and the opponent's fog key, whose place on the
//! curve is the contract's business. The rest, outputs but for the next commitment among them, follows from flags and digits, which don't move.
//! Of the private cells what opened squares leave ([`opened`]), where [`fields_read`] says which fields the move reads; and:
//!
//! | cells | why |
//! | --- | --- |
//! | what 0 is multiplied with where it is asked whether it is 0 | it has no inverse, and needs none |

use std::{collections::BTreeSet, mem::take};

use fog::{
    engine::sight_lines::geometry::{KING_FIELD, KNIGHT_FIELD, PAWN_FIELD, PUSH_FIELD},
    statement::turn::{MAX_OPENED, TurnInputs, TurnPrivate, TurnPublic},
    testing::{TurnCase, Walk, any_turn, turns},
};
use halo2curves::bn256::Fr;
use rand::{SeedableRng, rngs::StdRng};
use rules::{Color, PieceType, Position};

use super::super::{TurnCircuit, witness::Witness};
use super::forgeries;
use crate::{
    StatementCircuit,
    gadget::Label,
    rigidity::{
        Free, Honest, Lines, Rigid, System, named,
        opened::{self, Slot},
    },
};

/// Moves that hardly a game draws: long slides, without and with a capture; every castling; and castlings of White while a rook of
/// White's stands where Black's would after castling to that side.
const RARE: [(&str, &str, &[&str]); 10] = [
    ("4k3/8/8/8/8/8/8/R3K3 w - -", "a1a8", &["a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8"]),
    ("4k3/8/8/8/8/8/8/R3K3 w - -", "a1a7", &["a1", "a2", "a3", "a4", "a5", "a6", "a7"]),
    ("4k3/8/8/8/8/8/8/R3K3 w - -", "a1a5", &["a1", "a2", "a3", "a4", "a5"]),
    ("r3k3/8/8/8/8/8/8/R3K3 w - -", "a1a8", &["a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8"]),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ -", "e1g1", &["h1", "g1", "f1"]),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ -", "e1c1", &["a1", "b1", "c1", "d1"]),
    ("r3k2r/8/8/8/8/8/8/4K3 b kq -", "e8g8", &["h8", "g8", "f8"]),
    ("r3k2r/8/8/8/8/8/8/4K3 b kq -", "e8c8", &["a8", "b8", "c8", "d8"]),
    ("k4R2/8/8/8/8/8/8/4K2R w K -", "e1g1", &["h1", "g1", "f1"]),
    ("k2R4/8/8/8/8/8/8/R3K3 w Q -", "e1c1", &["a1", "b1", "c1", "d1"]),
];

/// What the contract computes.
const GIVEN: [&str; 2] = ["color", "opening"];
/// What follows from the move.
const OUTPUTS: [&str; 4] = ["next_commitment", "next_request_root", "capture", "king_fell"];
/// Public inputs that are free, and through what.
const FREE: [(&str, &str); 7] = [
    ("commitment", "its salt"),
    ("next_commitment", "the next salt"),
    ("request_root", "siblings"),
    ("answer_root", "siblings and records"),
    ("context", "what it is"),
    ("fog_key_x", "what it is"),
    ("fog_key_y", "the contract's check that the key is on the curve"),
];

impl Rigid for TurnCircuit {
    const LOOSENED: &'static [usize] = &[
        877, 858, 854, 860, 858, 857, 860, 860, 852, 856, 857, 860, 843, 840, 840, 853, 840, 858, 857, 855, 851, 860,
        832, 836, 844, 833, 844, 840, 844, 840, 844, 840,
    ];
    const UNBOUND: &'static [usize] = &[321; 4];

    fn is_given(row: usize) -> bool {
        GIVEN.contains(&TurnInputs::NAMES[row])
    }

    fn is_output(row: usize) -> bool {
        OUTPUTS.contains(&TurnInputs::NAMES[row])
    }

    fn honest(seed: u64) -> Vec<Honest<Self>> {
        let rng = &mut StdRng::seed_from_u64(seed);
        let rare: Vec<_> = rare(rng).into_iter().map(|drawn| ("rare".to_string(), drawn)).collect();
        let draw = |case| turns(seed, Some(case)).next().expect("an endless row");
        let drawn = TurnCase::ALL.into_iter().map(|case| (format!("{case:?}"), draw(case)));
        let all = drawn.chain(rare);
        all.map(|(what, (public, private))| Honest {
            what: format!("{what} {}", private.mv),
            circuit: TurnCircuit::new(&public, &private),
            free: Box::new(move |system, lines| free(&public, &private, system, lines)),
        })
        .collect()
    }

    fn forged() -> BTreeSet<Label> {
        forgeries::reasons()
    }
}

/// The fields that the move reads, by slot: they follow from what was found there.
fn fields_read(public: &TurnPublic, w: &Witness) -> [BTreeSet<usize>; MAX_OPENED] {
    let mut read: [BTreeSet<usize>; MAX_OPENED] = Default::default();
    if public.opening {
        return read;
    }
    // On the mover's captured square the pass itself is read, from the record, and what it opens tells it.
    let is_captured = |slot: usize| Some(w.opened[slot].square) == public.pending;
    let payload = [(PieceType::Pawn, PAWN_FIELD), (PieceType::Knight, KNIGHT_FIELD), (PieceType::King, KING_FIELD)];
    for (piece, field) in payload {
        if w.mv.viewer == piece as u8 {
            read[0].insert(field);
        }
    }
    if w.mv.pawn[1] {
        read[usize::from(is_captured(1))].insert(PUSH_FIELD);
    }
    // A slider's walk gives a type only where something stands: at its end.
    let steps = w.mv.active.iter().filter(|active| **active).count();
    let slides = [PieceType::Bishop, PieceType::Rook, PieceType::Queen].iter().any(|&piece| w.mv.viewer == piece as u8);
    if slides && public.capture.is_some() {
        read[steps].insert(if is_captured(steps) { PUSH_FIELD } else { w.mv.direction });
    }
    read
}

fn free(public: &TurnPublic, private: &TurnPrivate, system: &System, lines: &mut Lines) -> Free {
    let w = Witness::new(public, private);
    let mut free = named(system, &TurnInputs::NAMES, &FREE);
    let mut read = fields_read(public, &w);
    let slots = w.opened.iter().zip(&mut read);
    let slots = slots.map(|(slot, read)| Slot { square: slot.square, is_live: !public.opening, read: take(read) });
    free.extend(opened::free(system, lines, &slots.collect::<Vec<_>>()));

    free.extend(questions_of_zero(system, lines));
    free
}

/// The cells that 0 is multiplied with where it is asked whether it is 0.
pub fn questions_of_zero(system: &System, lines: &mut Lines) -> Free {
    let questions = lines.laid(system, "gadget/operations.rs", "let z = self.operation(k, inputs).1;");
    let of_zero = questions.iter().filter(|question| system.advice[question[0] as usize] == Some(Fr::zero()));
    of_zero
        .map(|question| (question[1], format!("what 0 is multiplied with on row {}", system.place(question[1]).1)))
        .collect()
}

/// The turns of [`RARE`].
pub fn rare(rng: &mut StdRng) -> Vec<(TurnPublic, TurnPrivate)> {
    let turns = RARE.iter().map(|(fen, mv, opened)| {
        let position = Position::from_fen(&format!("{fen} 0 1")).expect("a position");
        let sides = Color::ALL.map(|color| position.side(color).clone());
        let to_move = if fen.contains(" b ") { Color::Black } else { Color::White };
        let walk = Walk::from_sides(sides, to_move);
        let opened: Vec<_> = opened.iter().map(|name| name.parse().expect("a square")).collect();
        any_turn(&walk, mv.parse().expect("a move"), &opened, rng)
    });
    turns.collect()
}
