//! Where no game, or hardly one, comes: circuit and twin agree there too, and what other constraints imply is refused by those.

use fog::{
    curve::{CurveError, FogSecret, Point, Scalar},
    engine::sight_lines::request::RequestError,
    merkle::{point_leaf, root_from_path},
    statement::{
        Unmet,
        turn::{TurnPrivate, TurnPublic, check},
    },
    testing::{Walk, any_turn, seed},
};
use rand::{SeedableRng, rngs::StdRng};
use rules::{Color, PieceType, Position, Square, side::SINCE_PAWN_MAX};

use super::super::{TurnCircuit, witness::Witness};
use crate::{
    StatementCircuit,
    laid::{LaidCircuit, is_satisfied},
};

/// White is to move, over the opening.
fn walk(fen: &str) -> Walk {
    let position = Position::from_fen(fen).expect("a position");
    let sides = Color::ALL.map(|color| position.side(color).clone());
    Walk::from_sides(sides, Color::White)
}

fn turn(walk: &Walk, mv: &str, opened: &[&str], rng: &mut StdRng) -> (TurnPublic, TurnPrivate) {
    let opened: Vec<Square> = opened.iter().map(|name| square(name)).collect();
    any_turn(walk, mv.parse().expect("a move"), &opened, rng)
}

fn square(name: &str) -> Square {
    name.parse().expect("a square")
}

#[test]
fn the_counter_stops_at_its_greatest_value() {
    let rng = &mut StdRng::seed_from_u64(seed(27));
    for since_pawn in [SINCE_PAWN_MAX - 1, SINCE_PAWN_MAX] {
        let mut walk = walk("4k3/8/8/8/8/8/8/1N2K3 w - - 0 1");
        walk.sides[0].since_pawn = since_pawn;
        let (public, private) = turn(&walk, "b1c3", &["b1"], rng);
        assert_eq!(check(&public, &private), Ok(()), "{since_pawn}");
        assert!(is_satisfied::<TurnCircuit>(&public, &private), "{since_pawn}");
    }
}

/// The opponent would stand there, so no true answer lets a king castle; but here it is gone.
#[test]
fn no_rook_castles_onto_a_captured_square() {
    let rng = &mut StdRng::seed_from_u64(seed(28));
    let cases = [
        ("4k3/8/8/8/8/8/8/R3KN1R w KQ - 0 1", "f1", "e1g1", &["h1", "g1", "f1"][..]),
        ("4k3/8/8/8/8/8/8/R2QK2R w KQ - 0 1", "d1", "e1c1", &["a1", "b1", "c1", "d1"]),
    ];
    for (fen, captured, mv, opened) in cases {
        let mut walk = walk(fen);
        walk.pending = Some(square(captured));
        let (public, private) = turn(&walk, mv, opened, rng);
        let blocked = Unmet::Blocked(opened.len() - 1);
        assert_eq!(check(&public, &private), Err(blocked), "{mv}");
        assert!(!is_satisfied::<TurnCircuit>(&public, &private), "{mv}");
    }
}

/// Only who knows the opponent's fog secret can ask with it.
#[test]
fn the_point_at_infinity_asks_for_nothing() {
    let rng = &mut StdRng::seed_from_u64(seed(29));
    let secret = FogSecret::random(rng);
    let (mut public, mut private) = turn(&Walk::start(), "e2e4", &[], rng);
    public.fog_key = secret.key();
    private.next_scalars[square("e4").index()] = -secret.scalar();
    let refusal = RequestError::Point { square: square("e4"), source: CurveError::Infinity };
    assert_eq!(check(&public, &private), Err(refusal.into()));
    assert!(!is_satisfied::<TurnCircuit>(&public, &private));
    // A point of the standing request, in a turn with sight.
    let walk = walk("4k3/8/8/8/8/8/8/1N2K3 w - - 0 1");
    let (mut public, mut private) = turn(&walk, "b1c3", &["b1"], rng);
    public.fog_key = secret.key();
    let opened = &mut private.opened[0];
    opened.scalar = -secret.scalar() * Scalar::from(PieceType::Knight as u64);
    let leaf = point_leaf(&Point::default());
    public.request_root = root_from_path(leaf, opened.square.index(), &opened.request_path);
    assert_eq!(check(&public, &private), Err(Unmet::RequestPath(0)));
    assert!(!is_satisfied::<TurnCircuit>(&public, &private));
}

/// What a witness says that was changed by hand: the circuit refuses it, whatever its reasons.
fn is_refused(public: &TurnPublic, private: &TurnPrivate, lie: fn(&mut Witness)) -> bool {
    let mut witness = Witness::new(public, private);
    lie(&mut witness);
    let circuit = TurnCircuit { witness: witness.into(), ..TurnCircuit::blank() };
    !LaidCircuit::of(&circuit, TurnCircuit::instance(public)).is_satisfied()
}

/// No constraint says that a slider opens a square, or that not both castlings are meant: others imply it.
#[test]
fn what_is_implied_is_refused() {
    let rng = &mut StdRng::seed_from_u64(seed(30));
    let slide = walk("4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
    let (public, private) = turn(&slide, "a1a2", &["a1", "a2"], rng);
    assert!(!is_refused(&public, &private, |_| ()));
    assert!(is_refused(&public, &private, |w| w.mv.active = [false; 7]));
    let stays: fn(&mut Witness) = |w| {
        w.mv.active = [false; 7];
        w.mv.next_types.swap(0, 8);
    };
    assert!(is_refused(&public, &private, stays));
    let castling = walk("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    let (public, private) = turn(&castling, "e1g1", &["h1", "g1", "f1"], rng);
    assert!(!is_refused(&public, &private, |_| ()));
    assert!(is_refused(&public, &private, |w| w.mv.castle = [true; 2]));
}
