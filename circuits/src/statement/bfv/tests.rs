//! *item* and *view* against their native twin, and a forgery for every binding.

mod encrypted;
mod forgeries;
pub mod named;
mod rigidity;
mod values;

use std::collections::BTreeSet;

use engines::{
    bfv::vector::{Kind, SLOTS, slots},
    testing::{
        mutations_vector,
        named::{VectorPrivate, VectorPublic, check, gather},
        vectors,
    },
};
use ff::Field;
use fog::{
    engine::Phase,
    testing::{break_each, seed},
};
use halo2_proofs::plonk::ConstraintSystem;
use halo2curves::bn256::Fr;
use rand::{
    Rng, SeedableRng,
    rngs::StdRng,
    seq::{IteratorRandom, SliceRandom},
};
use rules::{Color, PieceType, Side, Square, lines::all_lines};

use crate::{
    gadget::{Columns as _, Context, Layout, RegionCtx},
    laid::{self, is_satisfied},
};
use named::{NamedItem, NamedView};

type Draw = (VectorPublic, VectorPrivate);

/// The circuit accepts what the native check accepts, and refuses every broken value that it refuses.
fn agree<C: Layout<Public = VectorPublic, Private = VectorPrivate>>(kind: Kind, number: u64) {
    // Both colors and phases, with a captured piece and without: only of the player to move a piece was captured.
    let (mut draws, mut accepted) = (Vec::new(), BTreeSet::new());
    for draw in vectors(kind, seed(number)).take(1000) {
        let what = (draw.0.color.index(), draw.0.phase, draw.0.pending.is_some());
        if accepted.insert(what) {
            assert!(is_satisfied::<C>(&draw.0, &draw.1), "{kind:?} {what:?}");
        }
        draws.push(draw);
        if accepted.len() == 2 * 3 && draws.len() >= 200 {
            break;
        }
    }
    assert_eq!(accepted.len(), 2 * 3, "{accepted:?}");
    laid::every_public_input_is_bound::<C>(&draws[0].0, &draws[0].1);
    break_each(&mutations_vector(kind), 1, draws.into_iter().enumerate(), |name, public, private, expected| {
        assert_eq!(check(public, private), Err(expected), "{name}");
        assert!(!is_satisfied::<C>(public, private), "{kind:?}, {name}: the circuit doesn't notice");
    });
}

#[test]
fn items_agree() {
    agree::<NamedItem>(Kind::Item, 91);
}

#[test]
fn views_agree() {
    agree::<NamedView>(Kind::View, 92);
}

/// The public inputs that a circuit computes, without a region.
fn computed<C: Layout<Public = VectorPublic, Private = VectorPrivate>>((public, private): &Draw) -> Vec<Fr> {
    let config = C::configure(&mut ConstraintSystem::default());
    let mut cx = Context::new(RegionCtx::dry(), config.common(), C::Columns::first_rows(C::rows()));
    C::new(public, private).lay(&config, &mut cx).iter().map(|cell| cell.value).collect()
}

/// On any boards, such as no game has too, the circuits compute the hashes of the native vectors.
#[test]
fn circuits_compute_the_vectors_of_any_board() {
    let mut rng = StdRng::seed_from_u64(seed(94));
    for number in 0..20 {
        let mut side = Side::empty(if rng.r#gen() { Color::White } else { Color::Black });
        let men = rng.gen_range(1..30);
        for piece in &mut side.pieces {
            *piece = PieceType::ALL.choose(&mut rng).copied().filter(|_| rng.gen_range(0..64) < men);
        }
        side.double_push = rng.gen_range(0..16u8).checked_sub(8);
        let [salt, vector_salt] = [(); 2].map(|()| Fr::random(&mut rng));
        let pending = Square::all().choose(&mut rng).filter(|_| rng.r#gen());
        let phase = if rng.r#gen() { Phase::Pre } else { Phase::Post };
        for kind in Kind::ALL {
            let private = VectorPrivate { side: side.clone(), salt, vector_salt };
            let draw = gather(kind, pending, phase, private).expect("it fits its encoding");
            let found = match kind {
                Kind::Item => computed::<NamedItem>(&draw),
                Kind::View => computed::<NamedView>(&draw),
            };
            assert_eq!(found, draw.0.to_instance(), "{number}, {kind:?}: {:?}", draw.1.side);
        }
    }
}

/// Circuits lay slots line by line: that is the order of the table.
#[test]
fn slots_are_those_of_white_s_lines_in_their_order() {
    let of_lines = all_lines(Color::White)
        .flat_map(|line| line.squares.iter().map(move |square| (line.piece, line.from, *square)));
    let of_lines: Vec<_> = of_lines.collect();
    let all: Vec<_> = slots(Color::White).iter().map(|slot| (slot.piece, slot.from, slot.square)).collect();
    assert_eq!(all.len(), SLOTS);
    assert_eq!(all[..of_lines.len()], of_lines);
}
