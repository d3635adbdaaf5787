//! The move's geometry.

use super::{CASTLING, FIRST, FIRST_KNIGHT, Forgery, KING, KNIGHT, PAWN, QUEEN, ROOK, Turn, label, put, square};
use ff::Field;
use halo2curves::bn256::Fr;

/// Places in `rules::geometry::DIRECTIONS`.
const UP: usize = 0;
const RIGHT: usize = 2;
const LEFT: usize = 3;
/// No direction at all.
const NONE: usize = 8;

const LONE_ROOK: &str = "4k3/8/8/8/8/8/8/R3K3 w - -";

pub const ALL: &[Forgery] = &[
    Forgery {
        what: "nothing moves from an empty square",
        turn: Turn("4k3/8/8/8/8/8/8/4K3 w - -", "e1d1", &["d4"]),
        lie: |w, _| {
            w.viewer = 0;
            put(w, "d1", 0);
            put(w, "e1", KING);
        },
        reason: label::T3_ONE_TYPE,
    },
    Forgery {
        what: "a pawn moves that was asked for as a knight",
        turn: FIRST,
        lie: |w, _| w.opened[0].choice = KNIGHT,
        reason: label::T13_VIEWER_CHOICE,
    },
    Forgery {
        what: "a knight moves like a knight and a pawn together",
        turn: FIRST_KNIGHT,
        lie: |w, _| {
            w.pawn[0] = true;
            put(w, "c3", 0);
            put(w, "c4", KNIGHT);
        },
        reason: label::T5_PAWN_WAY,
    },
    Forgery {
        what: "a pawn has no direction",
        turn: FIRST,
        lie: |w, _| w.direction = NONE,
        reason: label::T5_ONE_DIRECTION,
    },
    Forgery {
        what: "a bishop moves before there is sight",
        turn: Turn("4k3/8/8/8/8/8/8/2B1K3 w - -", "c1d2", &["c1", "d2"]),
        lie: |w, _| w.public.opening = Fr::ONE,
        reason: label::T9_PAWN_OR_KNIGHT,
    },
    Forgery {
        what: "a pawn captures before there is sight",
        turn: Turn("4k3/8/8/3pP3/8/8/8/4K3 w - d6", "e5d6", &["e5"]),
        lie: |w, _| w.public.opening = Fr::ONE,
        reason: label::T9_NO_CAPTURE,
    },
    Forgery {
        what: "a bishop moves along a file",
        turn: Turn("4k3/8/8/8/8/8/8/2B1K3 w - -", "c1c3", &["c1", "c2", "c3"]),
        lie: |_, _| (),
        reason: label::T5_BISHOP,
    },
    Forgery {
        what: "a rook moves along a diagonal",
        turn: Turn(LONE_ROOK, "a1c3", &["a1", "b2", "c3"]),
        lie: |_, _| (),
        reason: label::T5_ROOK,
    },
    Forgery {
        what: "a rook leaps over a pawn",
        turn: Turn("4k3/8/8/8/8/8/p7/R3K3 w - -", "a1a3", &["a1", "a2", "a1", "a4"]),
        lie: |w, _| w.active[1] = false,
        reason: label::T10_NO_GAP,
    },
    Forgery {
        what: "a knight opens a square besides its own",
        turn: FIRST_KNIGHT,
        lie: |w, _| {
            w.active[0] = true;
            w.opened[1].square = square("b1");
        },
        reason: label::T10_COUNT,
    },
    Forgery {
        what: "a king castles with a queen",
        turn: Turn("4k3/8/8/8/8/8/8/4K2Q w - -", "e1g1", &["h1", "g1", "f1"]),
        lie: |w, _| {
            w.rights[0] = true;
            w.viewer = QUEEN;
            put(w, "g1", QUEEN + 2);
        },
        reason: label::T8_ROOK,
    },
    Forgery {
        what: "a king castles on the third rank",
        turn: Turn("4k3/8/8/8/8/4K2R/8/8 w - -", "e3d3", &["h3", "g3", "f3"]),
        lie: |w, _| {
            castle(w, 0, LEFT);
            put(w, "d3", 0);
            put(w, "g3", KING);
            put(w, "f1", ROOK);
        },
        reason: label::T8_HOME_RANK,
    },
    Forgery {
        what: "a king castles and doesn't look at the square beside it",
        turn: Turn(CASTLING.0, "e1g1", &["h1", "g1"]),
        lie: |_, _| (),
        reason: label::T10_CASTLING_COUNT,
    },
    Forgery {
        what: "a king castles with a rook beside the corner of file h",
        turn: Turn("k7/8/8/8/8/8/7K/6R1 w - -", "h2h3", &["g1", "f1", "e1"]),
        lie: |w, _| {
            castle(w, 0, LEFT);
            put(w, "g1", KING);
            put(w, "f1", ROOK);
        },
        reason: label::T8_KING_SIDE_CORNER,
    },
    Forgery {
        what: "a king castles with a rook beside the corner of file a",
        turn: Turn("k7/8/8/8/8/8/7K/1R6 w - -", "h2h3", &["b1", "c1", "d1", "e1"]),
        lie: |w, _| {
            castle(w, 1, RIGHT);
            put(w, "c1", KING);
            put(w, "d1", ROOK);
        },
        reason: label::T8_QUEEN_SIDE_CORNER,
    },
    Forgery {
        what: "a king castles on the king's side over squares of file h",
        turn: Turn("4k3/8/8/8/8/8/8/4K2R w K -", "e1g1", &["h1", "h2", "h3"]),
        lie: |w, _| w.direction = UP,
        reason: label::T8_KING_SIDE_DIRECTION,
    },
    Forgery {
        what: "a king castles on the queen's side over squares of file a",
        turn: Turn("4k3/8/8/8/8/8/8/R3K3 w Q -", "e1c1", &["a1", "a2", "a3", "a4"]),
        lie: |w, _| w.direction = UP,
        reason: label::T8_QUEEN_SIDE_DIRECTION,
    },
    Forgery {
        what: "a pawn makes a double push from the third rank",
        turn: FIRST,
        lie: |w, _| {
            w.opened[0].square = square("e3");
            w.opened[1].square = square("e4");
            put(w, "e4", 0);
            put(w, "e5", PAWN);
        },
        reason: label::T18_PAWN_RANK,
    },
    Forgery {
        what: "a rook opens a square beside its way",
        turn: Turn(LONE_ROOK, "a1a3", &["a1", "b2", "a3"]),
        lie: |_, _| (),
        reason: label::T10_FILE,
    },
    Forgery {
        what: "a rook opens a square beyond its way",
        turn: Turn(LONE_ROOK, "a1a3", &["a1", "a4", "a3"]),
        lie: |_, _| (),
        reason: label::T10_RANK,
    },
];

/// Castles with whatever stands there.
fn castle(w: &mut super::Witness, wing: usize, direction: usize) {
    w.castle[wing] = true;
    w.rights[wing] = true;
    w.viewer = ROOK;
    w.direction = direction;
}
