//! For every binding of *no move*, a forgery that would pass without it: see *turn*'s.
//!
//! What the claimant declares in public is made to fit; that it is the game's is for the contract to see.

use std::{collections::BTreeSet, sync::Arc};

use ff::Field;
use fog::{
    curve::{FogKey, mul},
    engine::sight_lines::{answer::mask, geometry::PAWN_FIELD, request::blind},
    merkle::{point_leaf, record_leaf, root_from_path},
    statement::no_move::{NoMovePrivate, NoMovePublic},
    testing::{Walk, any_no_move, seed},
};
use halo2curves::bn256::Fr;
use rand::{SeedableRng, rngs::StdRng};
use rules::{Color, Position, Setup, Side, Square};

use super::super::{NoMoveCircuit, board::PENDINGS, witness::Witness};
use crate::{
    gadget::{
        Label,
        trace::{self, Lies, lay, refusals},
    },
    statement::turn::config::PUBLIC_INPUTS,
};

/// `acc` among the operands of arithmetic: of what picks a side, the left one.
const ACC: usize = 3;

/// A king in its corner behind own pieces, a pawn behind an own pawn, and pawns behind the opponent's.
const BLOCKED: &str = "7k/8/8/8/p1p5/P1Pp4/PB1P4/KRB5 w - -";
/// That position without one of the opponent's pawns, so that a pawn can be pushed.
const PUSH: &str = "7k/8/8/8/p1p5/P1P5/PB1P4/KRB5 w - -";
/// That position with a knight that can be captured.
const CAPTURE: &str = "7k/8/8/8/pnp5/P1Pp4/PB1P4/KRB5 w - -";
/// Without the bishop that shuts the rook in.
const STEP: &str = "7k/8/8/8/p1p5/P1Pp4/PB1P4/KR6 w - -";
/// A pawn that is blocked, and nothing else: not even a king, which the statement doesn't ask for.
pub const ONE_PAWN: &str = "7k/8/8/8/4p3/4P3/8/8 w - -";
/// A pawn alone on the board, with nothing ahead of it.
const PAWN_ALONE: &str = "7k/8/8/8/8/4P3/8/8 w - -";
pub const NO_PAWN: &str = "7k/8/8/8/8/8/8/8 w - -";
/// A pawn that has just been passed by.
const EN_PASSANT: &str = "7k/8/4p3/3pP3/8/8/8/8 w - d6";

/// A witness that only one binding refuses.
struct Forgery {
    what: &'static str,
    position: &'static str,
    lie: fn(&mut Witness, &mut Lies<'_>),
    reason: Label,
}

const ALL: [Forgery; 18] = [
    Forgery {
        what: "a double push of no file, or of two",
        position: BLOCKED,
        lie: |_, lies| lies.turn_flag("N1.double_push", 9, 0),
        reason: "N1.double_push",
    },
    Forgery {
        what: "something is captured on two squares",
        position: BLOCKED,
        lie: |_, lies| lies.turn_flag("N2.pending", PENDINGS, 40),
        reason: "N2.pending",
    },
    Forgery { what: "a rook can step", position: STEP, lie: |_, _| (), reason: "N3.no_step" },
    Forgery {
        what: "a pawn isn't opened",
        position: BLOCKED,
        // The last one, which the opponent blocks.
        lie: |w, _| w.active[w.active.iter().filter(|&&active| active).count() - 1] = false,
        reason: "N4.pawns",
    },
    Forgery {
        what: "all chains start off the curve",
        position: NO_PAWN,
        lie: |w, _| w.offset.y += Fr::ONE,
        reason: "N5.offset_on_curve",
    },
    Forgery {
        what: "every point is shifted by a multiple of the fog key",
        position: NO_PAWN,
        lie: |_, lies| lies.turn_last_bit("N5.offset_digits"),
        reason: "N5.offset_digits",
    },
    Forgery {
        what: "the request's path climbs from another leaf",
        position: NO_PAWN,
        lie: |_, lies| lies.add_to_operand("N5.path", ACC),
        reason: "N5.path",
    },
    Forgery {
        what: "the point isn't in the request",
        position: ONE_PAWN,
        lie: |w, _| w.public.request_root += Fr::ONE,
        reason: "N5.request_root",
    },
    Forgery { what: "the choice is no pawn", position: ONE_PAWN, lie: |w, _| ask_for_a_knight(w), reason: "N7.choice" },
    Forgery {
        what: "the answer's path climbs from another leaf",
        position: NO_PAWN,
        lie: |_, lies| lies.add_to_operand("N8.path", ACC),
        reason: "N8.path",
    },
    Forgery {
        what: "the record isn't in the answer",
        position: ONE_PAWN,
        lie: |w, _| w.public.answer_root += Fr::ONE,
        reason: "N8.answer_root",
    },
    Forgery {
        what: "the key is made with other high bits than the point",
        position: NO_PAWN,
        lie: |_, lies| lies.turn_last_bit("N9.scalar_high"),
        reason: "N9.scalar_high",
    },
    Forgery {
        what: "the key is made with other low bits than the point",
        position: NO_PAWN,
        lie: |_, lies| lies.turn_last_bit("N9.scalar_low"),
        reason: "N9.scalar_low",
    },
    Forgery {
        what: "something is seen ahead of a pawn where nothing is",
        position: PAWN_ALONE,
        lie: |_, lies| lies.turn_flag("N10.payload", 9, 6),
        reason: "N10.payload",
    },
    Forgery { what: "a pawn can capture", position: CAPTURE, lie: |_, _| (), reason: "N11.captures" },
    Forgery { what: "a pawn can capture en passant", position: EN_PASSANT, lie: |_, _| (), reason: "N11.en_passant" },
    Forgery { what: "a pawn can advance", position: PUSH, lie: |_, _| (), reason: "N12.blocked" },
    Forgery {
        what: "an own piece is said to stand ahead of a pawn",
        position: PAWN_ALONE,
        lie: |w, _| w.behind_own[0] = true,
        reason: "N12.own_ahead",
    },
];

/// The labels that a forgery is refused for.
pub fn reasons() -> BTreeSet<Label> {
    ALL.iter().map(|forgery| forgery.reason).collect()
}

/// The only pawn is asked for as a knight, in a request and an answer that fit.
fn ask_for_a_knight(w: &mut Witness) {
    let key = FogKey::from_xy(w.public.fog_key_x, w.public.fog_key_y).expect("a key");
    let context = w.public.context;
    let slot = &mut w.opened[0];
    let mask = |choice: u8| mask(mul(&key.0, &slot.scalar).x, context, slot.square, choice.into())[0];
    let payload = slot.record[PAWN_FIELD] - mask(slot.choice);
    slot.record[PAWN_FIELD] = mask(2) + payload;
    slot.choice = 2;
    let point = point_leaf(&blind(&slot.scalar, slot.choice, &key));
    w.public.request_root = root_from_path(point, slot.square.index(), &slot.request_path);
    w.public.answer_root = root_from_path(record_leaf(&slot.record), slot.square.index(), &slot.answer_path);
}

/// The statement of a position, true or not, White to move.
pub fn statement(fen: &str, rng: &mut StdRng) -> (NoMovePublic, NoMovePrivate) {
    let setup: Setup = format!("{fen} 0 1").parse().expect("a FEN");
    let mut sides = Color::ALL.map(Side::empty);
    for (square, man) in Square::all().zip(setup.board) {
        if let Some((color, piece)) = man {
            sides[color.index()].pieces[square.index()] = Some(piece);
        }
    }
    sides[1].double_push = setup.en_passant.map(Square::file);
    any_no_move(&Walk::from_sides(sides, Color::White), rng)
}

fn instance(w: &Witness) -> Vec<Fr> {
    let mut instance = w.public.to_array().to_vec();
    instance.resize(PUBLIC_INPUTS, Fr::ZERO);
    instance
}

#[test]
fn every_binding_refuses_a_forgery_that_nothing_else_refuses() {
    let rng = &mut StdRng::seed_from_u64(seed(77));
    let (mut forged, mut laid) = (BTreeSet::new(), BTreeSet::new());
    for forgery in ALL {
        let (public, private) = statement(forgery.position, rng);
        let mut witness = Witness::new(&public, &private);
        let honest = NoMoveCircuit { witness: Arc::new(witness.clone()), tampers: Vec::new() };
        let honest = lay(&honest, &instance(&witness)).1;
        let mut lies = Lies::new(&honest);
        (forgery.lie)(&mut witness, &mut lies);
        let declared = instance(&witness);
        let circuit = NoMoveCircuit { witness: Arc::new(witness), tampers: lies.tampers };
        let trace = lay(&circuit, &declared).1;
        let fitting: Vec<Fr> = trace.public.iter().map(|cell| cell.value).collect();
        let found = refusals(&circuit, &fitting, forgery.what);
        assert_eq!(found, BTreeSet::from([forgery.reason]), "{}", forgery.what);
        forged.insert(forgery.reason);
        laid.extend(trace.labels());
    }
    trace::assert_labels("N", &laid, &forged);
}

/// The position that the forgeries begin with has no move.
#[test]
fn the_forged_position_is_without_a_move() {
    let position = Position::from_fen(&format!("{BLOCKED} 0 1")).expect("a position");
    assert_eq!(position.legal_moves(), []);
}
