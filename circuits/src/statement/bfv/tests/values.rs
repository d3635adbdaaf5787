//! *item* and *view* slot by slot.

use engines::{
    bfv::vector::Kind,
    testing::named::{VectorPrivate, VectorPublic, gather},
};
use ff::Field;
use fog::{engine::Phase, testing::seed};
use halo2curves::bn256::Fr;
use rand::{Rng, SeedableRng, rngs::StdRng};
use rules::{
    Color, PieceType, Side, Square,
    geometry::{DIRECTIONS, ray},
    lines::{lines, may_stand},
};

use super::named::{NamedItem, NamedView};
use crate::{
    gadget::Layout,
    values::{Dry, compare, differ},
};

type Draw = (VectorPublic, VectorPrivate);

fn draw(kind: Kind, side: Side, pending: Option<Square>, phase: Phase) -> Draw {
    let private = VectorPrivate { side, salt: Fr::ZERO, vector_salt: Fr::ONE };
    gather(kind, pending, phase, private).expect("it fits its encoding")
}

/// Any boards, of which a piece was captured on each square in turn; and each double push, of both colors in both phases.
fn others(kind: Kind, rng: &mut StdRng) -> Vec<Draw> {
    let mut draws = Vec::new();
    for (number, square) in Square::all().enumerate() {
        let (color, phase) = (Color::ALL[number % 2], [Phase::Pre, Phase::Post][number / 2 % 2]);
        let mut side = Side::empty(color);
        side.pieces = [(); 64].map(|()| PieceType::from_code(rng.gen_range(1..14)));
        side.pieces[square.index()] = Some(PieceType::ALL[number % 6]);
        side.double_push = Some(number as u8 / 4 % 8);
        draws.push(draw(kind, side.clone(), Some(square), phase));
        draws.push(draw(kind, Side { double_push: None, ..side }, None, phase));
    }
    for (color, phase) in Color::ALL.into_iter().flat_map(|color| [(color, Phase::Pre), (color, Phase::Post)]) {
        for file in 0..8 {
            draws.push(draw(kind, Side { double_push: Some(file), ..Side::start(color) }, None, phase));
        }
    }
    draws
}

/// The first piece on each way from each square, of every type at every distance, with another one right behind it.
fn items(rng: &mut StdRng) -> Vec<Draw> {
    let mut draws = others(Kind::Item, rng);
    for (number, from) in Square::all().enumerate() {
        for distance in 0..7 {
            let mut side = Side::empty(Color::ALL[(number + distance) % 2]);
            for direction in 0..DIRECTIONS.len() {
                for (place, square) in ray(from, direction).skip(distance).take(2).enumerate() {
                    side.pieces[square.index()] = Some(PieceType::ALL[(number + direction + place) % 6]);
                }
            }
            draws.push(draw(Kind::Item, side, None, Phase::Post));
        }
        for piece in PieceType::ALL {
            let mut side = Side::empty(Color::White);
            side.pieces[from.index()] = Some(piece);
            draws.push(draw(Kind::Item, side, None, Phase::Pre));
        }
    }
    draws
}

/// A piece of every type on each square, alone and with own pieces at every distance in its ways.
fn views(rng: &mut StdRng) -> Vec<Draw> {
    let mut draws = others(Kind::View, rng);
    for (number, from) in Square::all().enumerate() {
        for piece in PieceType::ALL.into_iter().filter(|piece| may_stand(*piece, from)) {
            let color = Color::ALL[(number + usize::from(piece.code())) % 2];
            let longest = lines(piece, from, color).iter().map(|line| line.squares.len()).max().unwrap_or(0);
            for distance in 0..=longest {
                let mut side = Side::empty(color);
                side.pieces[from.index()] = Some(piece);
                for line in lines(piece, from, color) {
                    if let Some(square) = line.squares.get(distance) {
                        side.pieces[square.index()] = Some(PieceType::King);
                    }
                }
                draws.push(draw(Kind::View, side, None, [Phase::Pre, Phase::Post][distance % 2]));
            }
        }
    }
    draws
}

fn slots_agree<C: Layout<Public = VectorPublic, Private = VectorPrivate>>(draws: &[Draw]) {
    let dry = Dry::<C>::new();
    compare(C::NAME, draws, |(public, private)| {
        let refusals = dry.refusals(public, private);
        differ((&private.side, public.pending, public.phase), refusals.into_iter().collect::<Vec<_>>(), Vec::new())
    });
}

#[test]
fn items_are_those_of_every_square() {
    slots_agree::<NamedItem>(&items(&mut StdRng::seed_from_u64(seed(95))));
}

#[test]
fn views_are_those_of_every_piece() {
    slots_agree::<NamedView>(&views(&mut StdRng::seed_from_u64(seed(96))));
}
