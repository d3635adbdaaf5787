//! What is free in *turn*, to first order: see [`crate::rigidity`].
//!
//! Of the public inputs seven: both commitments, each through its salt; both roots, through siblings on the paths; `ctx`; and the opponent's fog key, whose place on the
//! curve is the contract's business. The rest, outputs but for the next commitment among them, follows from flags and digits, which don't move.
//! Of the private cells:
//!
//! | cells | why |
//! | --- | --- |
//! | one coordinate of Θ | the prover's point, where all chains of points start and of which they are freed again |
//! | siblings on both paths of all 8 slots, but for the uppermost in play | preimages of a root; the uppermost follows from the root |
//! | the uppermost siblings in the opening | nothing is compared |
//! | the record's 14 fields in all 8 slots, but for those that the move reads | preimages too; slots that the move doesn't need may open anything |
//! | what 0 is multiplied with where it is asked whether it is 0 | it has no inverse, and needs none |
//!
//! Which fields the move reads: [`fields_read`].

use std::collections::BTreeSet;

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
    rigidity::{Free, Honest, Lines, Rigid, System},
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

/// Rows of public inputs by name.
const fn row(name: &str) -> usize {
    let mut row = 0;
    while row < TurnInputs::NAMES.len() {
        if same(TurnInputs::NAMES[row], name) {
            return row;
        }
        row += 1;
    }
    panic!("no public input has this name")
}

const fn same(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    let mut i = 0;
    while i < left.len() && i < right.len() && left[i] == right[i] {
        i += 1;
    }
    i == left.len() && i == right.len()
}

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
    // The contract computes both.
    const GIVEN: &'static [usize] = &[row("color"), row("opening")];
    const OUTPUTS: &'static [usize] =
        &[row("next_commitment"), row("next_request_root"), row("capture"), row("king_fell")];
    const LOOSENED: &'static [usize] = &[
        877, 858, 854, 860, 858, 857, 860, 860, 852, 856, 857, 860, 843, 840, 840, 853, 840, 858, 857, 855, 851, 860,
        832, 836, 844, 833, 844, 840, 844, 840, 844, 840,
    ];

    fn honest(seed: u64) -> Vec<Honest<Self>> {
        let rng = &mut StdRng::seed_from_u64(seed);
        let rare = RARE.iter().map(|(fen, mv, opened)| {
            let position = Position::from_fen(&format!("{fen} 0 1")).expect("a position");
            let sides = Color::ALL.map(|color| position.side(color).clone());
            let to_move = if fen.contains(" b ") { Color::Black } else { Color::White };
            let walk = Walk::from_sides(sides, to_move);
            let opened: Vec<_> = opened.iter().map(|name| name.parse().expect("a square")).collect();
            any_turn(&walk, mv.parse().expect("a move"), &opened, rng)
        });
        let rare: Vec<_> = rare.map(|drawn| ("rare".to_string(), drawn)).collect();
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
fn fields_read(public: &TurnPublic, w: &Witness) -> BTreeSet<(usize, usize)> {
    let mut read = BTreeSet::new();
    if public.opening {
        return read;
    }
    // On the mover's captured square the pass itself is read, from the record, and what it opens tells it.
    let is_captured = |slot: usize| Some(w.opened[slot].square) == public.pending;
    let payload = [(PieceType::Pawn, PAWN_FIELD), (PieceType::Knight, KNIGHT_FIELD), (PieceType::King, KING_FIELD)];
    for (piece, field) in payload {
        if w.viewer == piece as u8 {
            read.insert((0, field));
        }
    }
    if w.pawn[1] {
        read.insert((usize::from(is_captured(1)), PUSH_FIELD));
    }
    // A slider's walk gives a type only where something stands: at its end.
    let steps = w.active.iter().filter(|active| **active).count();
    let slides = [PieceType::Bishop, PieceType::Rook, PieceType::Queen].iter().any(|&piece| w.viewer == piece as u8);
    if slides && public.capture.is_some() {
        read.insert((steps, if is_captured(steps) { PUSH_FIELD } else { w.direction }));
    }
    read
}

fn free(public: &TurnPublic, private: &TurnPrivate, system: &System, lines: &mut Lines) -> Free {
    let w = Witness::new(public, private);
    let mut free = Free::new();
    for (name, why) in FREE {
        free.insert(system.instance(row(name)), format!("{name}, through {why}"));
    }
    let offset = lines.laid(system, "turn/points.rs", "ecc.place(cx, Input::Witness(offset.x)");
    free.insert(offset[0][0], "x of Θ".to_string());

    // A row for each level of each path: the request's and the answer's of each slot.
    let levels =
        lines.laid(system, "gadget/merkle.rs", "cx.tagged(Tag::Node, Input::Witness(left), Input::Witness(right))");
    assert_eq!(levels.len(), MAX_OPENED * 2 * 6);
    for (number, hash) in levels.iter().enumerate() {
        let (slot, tree, level) = (number / 12, number / 6 % 2, number % 6);
        if level == 5 && !public.opening {
            continue;
        }
        let is_right = w.opened[slot].square.index() >> level & 1 == 1;
        let sibling = hash[if is_right { 1 } else { 2 }];
        let tree = ["request", "answer"][tree];
        free.insert(sibling, format!("the sibling on level {level} of the {tree}'s path in slot {slot}"));
    }

    let read = fields_read(public, &w);
    let begun = lines.laid(system, "gadget/merkle.rs", "None => cx.tagged(Tag::Record, x, y)");
    let chained = lines.laid(system, "gadget/merkle.rs", "Some(sum) => cx.chained(sum, x, y)");
    assert_eq!((begun.len(), chained.len()), (MAX_OPENED, MAX_OPENED * 6));
    for slot in 0..MAX_OPENED {
        let hashes = [&begun[slot]].into_iter().chain(&chained[6 * slot..6 * (slot + 1)]);
        for (field, cell) in hashes.flat_map(|hash| &hash[1..3]).enumerate() {
            if !read.contains(&(slot, field)) {
                free.insert(*cell, format!("field {field} of the record in slot {slot}"));
            }
        }
    }

    let questions = lines.laid(system, "gadget/arith.rs", "let z = self.operation(k, inputs).1;");
    for question in questions.iter().filter(|question| system.advice[question[0] as usize] == Some(Fr::zero())) {
        let row = system.place(question[1]).1;
        free.insert(question[1], format!("what 0 is multiplied with on row {row}"));
    }
    free
}
