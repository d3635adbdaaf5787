//! The move's geometry.

use super::{CASTLING, FIRST, FIRST_KNIGHT, Forgery, KING, KNIGHT, PAWN, QUEEN, ROOK, Turn, put, square};
use ff::Field;
use halo2curves::bn256::Fr;

/// The place of the direction in `rules::geometry::DIRECTIONS`.
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
            w.mv.viewer = 0;
            put(w, "d1", 0);
            put(w, "e1", KING);
        },
        reason: "T3.one_type",
    },
    Forgery {
        what: "a pawn moves that was asked for as a knight",
        turn: FIRST,
        lie: |w, _| w.opened[0].choice = KNIGHT,
        reason: "T13.viewer_choice",
    },
    Forgery {
        what: "a knight moves like a knight and a pawn together",
        turn: FIRST_KNIGHT,
        lie: |w, _| {
            w.mv.pawn[0] = true;
            put(w, "c3", 0);
            put(w, "c4", KNIGHT);
        },
        reason: "T5.pawn_way",
    },
    Forgery {
        what: "a pawn has no direction",
        turn: FIRST,
        lie: |w, _| w.mv.direction = NONE,
        reason: "T5.one_direction",
    },
    Forgery {
        what: "a bishop moves before there is sight",
        turn: Turn("4k3/8/8/8/8/8/8/2B1K3 w - -", "c1d2", &["c1", "d2"]),
        lie: |w, _| w.public.opening = Fr::ONE,
        reason: "T9.pawn_or_knight",
    },
    Forgery {
        what: "a pawn captures before there is sight",
        turn: Turn("4k3/8/8/3pP3/8/8/8/4K3 w - d6", "e5d6", &["e5"]),
        lie: |w, _| w.public.opening = Fr::ONE,
        reason: "T9.no_capture",
    },
    Forgery {
        what: "a bishop moves along a file",
        turn: Turn("4k3/8/8/8/8/8/8/2B1K3 w - -", "c1c3", &["c1", "c2", "c3"]),
        lie: |_, _| (),
        reason: "T5.bishop",
    },
    Forgery {
        what: "a rook moves along a diagonal",
        turn: Turn(LONE_ROOK, "a1c3", &["a1", "b2", "c3"]),
        lie: |_, _| (),
        reason: "T5.rook",
    },
    Forgery {
        what: "a rook leaps over a pawn",
        turn: Turn("4k3/8/8/8/8/8/p7/R3K3 w - -", "a1a3", &["a1", "a2", "a1", "a4"]),
        lie: |w, _| w.mv.active[1] = false,
        reason: "T10.no_gap",
    },
    Forgery {
        what: "a knight opens a square besides its own",
        turn: FIRST_KNIGHT,
        lie: |w, _| {
            w.mv.active[0] = true;
            w.opened[1].square = square("b1");
        },
        reason: "T10.count",
    },
    Forgery {
        what: "a king castles with a queen",
        turn: Turn("4k3/8/8/8/8/8/8/4K2Q w - -", "e1g1", &["h1", "g1", "f1"]),
        lie: |w, _| {
            w.mv.rights[0] = true;
            w.mv.viewer = QUEEN;
            put(w, "g1", QUEEN + 2);
        },
        reason: "T8.rook",
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
        reason: "T8.home_rank",
    },
    Forgery {
        what: "a king castles and doesn't look at the square beside it",
        turn: Turn(CASTLING.0, "e1g1", &["h1", "g1"]),
        lie: |_, _| (),
        reason: "T10.castling_count",
    },
    Forgery {
        what: "a king castles with a rook beside the corner of file h",
        turn: Turn("k7/8/8/8/8/8/7K/6R1 w - -", "h2h3", &["g1", "f1", "e1"]),
        lie: |w, _| {
            castle(w, 0, LEFT);
            put(w, "g1", KING);
            put(w, "f1", ROOK);
        },
        reason: "T8.king_side_corner",
    },
    Forgery {
        what: "a king castles with a rook beside the corner of file a",
        turn: Turn("k7/8/8/8/8/8/7K/1R6 w - -", "h2h3", &["b1", "c1", "d1", "e1"]),
        lie: |w, _| {
            castle(w, 1, RIGHT);
            put(w, "c1", KING);
            put(w, "d1", ROOK);
        },
        reason: "T8.queen_side_corner",
    },
    Forgery {
        what: "a king castles on the king's side over squares of file h",
        turn: Turn("4k3/8/8/8/8/8/8/4K2R w K -", "e1g1", &["h1", "h2", "h3"]),
        lie: |w, _| w.mv.direction = UP,
        reason: "T8.king_side_direction",
    },
    Forgery {
        what: "a king castles on the queen's side over squares of file a",
        turn: Turn("4k3/8/8/8/8/8/8/R3K3 w Q -", "e1c1", &["a1", "a2", "a3", "a4"]),
        lie: |w, _| w.mv.direction = UP,
        reason: "T8.queen_side_direction",
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
        reason: "T18.pawn_rank",
    },
    Forgery {
        what: "a rook opens a square beside its way",
        turn: Turn(LONE_ROOK, "a1a3", &["a1", "b2", "a3"]),
        lie: |_, _| (),
        reason: "T10.file",
    },
    Forgery {
        what: "a rook opens a square beyond its way",
        turn: Turn(LONE_ROOK, "a1a3", &["a1", "a4", "a3"]),
        lie: |_, _| (),
        reason: "T10.rank",
    },
];

/// Castles with whatever stands there.
fn castle(w: &mut super::Witness, wing: usize, direction: usize) {
    w.mv.castle[wing] = true;
    w.mv.rights[wing] = true;
    w.mv.viewer = ROOK;
    w.mv.direction = direction;
}
